/** A graduated price added up from its beginning, which charges are compared with. */
import type { Tier } from '../../kernel/pricing/rule.ts'

/** What the first `units` units cost together by these tiers. */
export function graduatedSum(tiers: readonly Tier[], units: bigint): bigint {
  let sumAtomic = 0n
  let below = 0n
  for (const { upTo, unitAtomic } of tiers) {
    const end = upTo === null ? units : units < upTo ? units : upTo
    if (end > below) sumAtomic += (end - below) * unitAtomic
    if (upTo === null || upTo >= units) break
    below = upTo
  }
  return sumAtomic
}
