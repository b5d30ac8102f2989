/** What a call will cost as far as it can be known before its work. */
import { chargeOf, isMeasured, type PriceRule } from './rule.ts'

/** Units by the names that the rule's `per` have. */
export type UnitCounts = Readonly<Record<string, number>>

/** Names among `units` that are no unit of the rule. */
export function unknownUnits({ per }: PriceRule, units: UnitCounts): string[] {
  return Object.keys(units).filter((name) => per.every(({ unit }) => unit !== name))
}

/**
 * What `units` cost, as the first call of the month; units that are not named count as none. Whoever
 * guesses them may be charged another sum: only `atMostAtomic` binds.
 */
export function estimateAtomic(rule: PriceRule, units: UnitCounts): bigint {
  return chargeOf(rule, countsOf(rule, units)).amountAtomic
}

/**
 * The most that a call is charged whose skill promises never to bill more than `most`; null: it
 * promises nothing. A rule that charges its maximum where a measure is missing keeps that maximum,
 * and so does one whose units are not all promised.
 */
export function atMostAtomic(rule: PriceRule, most: UnitCounts | null): bigint {
  const isPromised =
    most !== null &&
    rule.missing === 'base' &&
    rule.per.every(({ unit }) => Object.hasOwn(most, unit))
  return isPromised && isMeasured(rule) ? estimateAtomic(rule, most) : rule.maxAtomic
}

function countsOf({ per }: PriceRule, units: UnitCounts): bigint[] {
  return per.map(({ unit }) => BigInt(Math.ceil(Object.hasOwn(units, unit) ? units[unit]! : 0)))
}
