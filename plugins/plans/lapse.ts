/** What is left of monthly credits that do not roll over. */

export interface MonthUse {
  /** The month's credits. */
  grantedAtomic: bigint
  /** What calls of the account captured in the month, without what was refunded. */
  spentAtomic: bigint
  /** What running calls hold at this moment. */
  heldAtomic: bigint
}

/**
 * How much of the month's credits lapses at its end: monthly credits are spent before bought ones,
 * and what is held counts as spent, so that no call pays from bought credits for what lapsed under
 * it. Never below zero; the ledger takes at most what is available.
 */
export function lapsingAtomic({ grantedAtomic, spentAtomic, heldAtomic }: MonthUse): bigint {
  const left = grantedAtomic - spentAtomic - heldAtomic
  return left > 0n ? left : 0n
}
