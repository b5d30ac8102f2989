/** Estimates and upper bounds of a call's cost before its work. */
import { chargeOf, isMeasured, type PriceRule } from './rule.ts'

/** Units by the names in the rule's `per`. */
export type UnitCounts = Readonly<Record<string, number>>

/** Names in `units` that are not units of the rule. */
export function unknownUnits({ per }: PriceRule, units: UnitCounts): string[] {
  return Object.keys(units).filter((name) => per.every(({ unit }) => unit !== name))
}

/**
 * The cost of `units` for the first call of the month; absent units count as zero. Only an
 * estimate, because the units may be guessed: `atMostAtomic` is the binding one.
 */
export function estimateAtomic(rule: PriceRule, units: UnitCounts): bigint {
  return chargeOf(rule, countsOf(rule, units)).amountAtomic
}

/**
 * The most that a call is charged if its skill promises to bill at most `most` (null: no promise).
 * It is the rule's maximum if the rule charges that for a missing measure, or if not all of its
 * units are promised; one atomic unit if the promise costs nothing, because a hold is above zero.
 */
export function atMostAtomic(rule: PriceRule, most: UnitCounts | null): bigint {
  const isPromised =
    most !== null &&
    rule.missing === 'base' &&
    rule.per.every(({ unit }) => Object.hasOwn(most, unit))
  if (!isPromised || !isMeasured(rule)) return rule.maxAtomic
  return estimateAtomic(rule, most) || 1n
}

function countsOf({ per }: PriceRule, units: UnitCounts): bigint[] {
  return per.map(({ unit }) => BigInt(Math.ceil(Object.hasOwn(units, unit) ? units[unit]! : 0)))
}
