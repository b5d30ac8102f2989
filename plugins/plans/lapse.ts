/** What is left of monthly credits that do not roll over. */

export interface MonthUse {
  /** The month's credits, and those that were held as the month before ended. */
  grantedAtomic: bigint
  /** What calls of the account captured in the month, without what was refunded. */
  spentAtomic: bigint
  /** What running calls hold at this moment. */
  heldAtomic: bigint
  /** The most that can be left of it, because credits left other than by calls; null: none did. */
  keptAtomic: bigint | null
}

export interface MonthEnd {
  lapsesAtomic: bigint
  /** What running calls hold of the month's credits: it counts among those of the next month. */
  carriedAtomic: bigint
}

/**
 * What becomes of the month's credits at its end. Monthly credits are spent before bought ones, and
 * what is held of them lapses a month later, if it comes back: so no call pays from bought credits
 * for what lapsed under it, and nobody keeps credits by holding them over the end of each month.
 * Where a refund of a top-up took them too, what was bought since does not lapse in their place. The
 * ledger takes at most what is available.
 */
export function monthEnd({
  grantedAtomic,
  spentAtomic,
  heldAtomic,
  keptAtomic,
}: MonthUse): MonthEnd {
  const unspent = grantedAtomic - spentAtomic
  const left = keptAtomic !== null && keptAtomic < unspent ? keptAtomic : unspent
  if (left <= 0n) return { lapsesAtomic: 0n, carriedAtomic: 0n }
  const carriedAtomic = left < heldAtomic ? left : heldAtomic
  return { lapsesAtomic: left - carriedAtomic, carriedAtomic }
}
