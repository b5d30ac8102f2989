/** What is left of monthly credits that do not roll over. */

export interface MonthUse {
  /** The month's credits. */
  grantedAtomic: bigint
  /** What calls of the account captured in the month, without what was refunded. */
  spentAtomic: bigint
  /** What running calls hold at this moment. */
  heldAtomic: bigint
  /** The most that can be left of it, because credits left other than by calls; null: none did. */
  keptAtomic: bigint | null
}

/**
 * How much of the month's credits lapses at its end: monthly credits are spent before bought ones,
 * and what is held counts as spent, so that no call pays from bought credits for what lapsed under
 * it. Where a refund of a top-up took them too, what was bought since does not lapse in their place. Never
 * below zero; the ledger takes at most what is available.
 */
export function lapsingAtomic(use: MonthUse): bigint {
  const unspent = use.grantedAtomic - use.spentAtomic
  const isTaken = use.keptAtomic !== null && use.keptAtomic < unspent
  const left = (isTaken ? use.keptAtomic! : unspent) - use.heldAtomic
  return left > 0n ? left : 0n
}
