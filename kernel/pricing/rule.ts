/**
 * What a call costs: a rule under a maximum, and what it comes to for what was measured. Pure sums
 * of whole atomic units. The words are those of usage billing: a base, a price per unit, packages
 * (`step`), units included (`first`), graduated tiers.
 */

import { MAX_UNITS, type Graduated } from '../ledger/contract.ts'

/** Where the units of a price are read. */
export type MeasureSource =
  /** A number at this RFC 6901 pointer of the answer's JSON; of a stream: of its last event that has it. */
  | { kind: 'pointer'; pointer: string }
  /** A number in this header (lower case) of the upstream's answer. */
  | { kind: 'header'; name: string }
  /** Bytes of the answer's body. */
  | { kind: 'bytes' }
  /** Seconds from the start of the work to the last byte of its answer. */
  | { kind: 'seconds' }
  /** What the plugin's own skill says: `bill: { units }`. */
  | { kind: 'units' }

/** A step of a graduated price: each of its units costs `unitAtomic`, up to and with unit `upTo`. */
export interface Tier {
  /** Null: the last tier, which is open. */
  upTo: bigint | null
  unitAtomic: bigint
}

/** What one kind of unit adds to the price of a call. */
export interface UnitPrice {
  /** Its name, in the singular: 'page'. */
  unit: string
  source: MeasureSource
  /** For each `step` of units beyond `first`; the dearest tier's where it is tiered. */
  unitAtomic: bigint
  /** Graduated by the account's steps of this skill in the UTC month; null: one price. */
  tiers: readonly Tier[] | null
  /** Units that the base includes. */
  first: bigint
  /** How many units are sold as one; a begun one counts as whole. */
  step: bigint
}

/** Calls that cost nothing, of one skill and account, in each UTC day or month. */
export interface FreeCalls {
  calls: number
  period: 'day' | 'month'
}

/** What a call costs. Every amount is in atomic units of USDC. */
export interface PriceRule {
  /** Per answered call; the dearest tier's where it is tiered. */
  baseAtomic: bigint
  /** Graduated by the account's calls of this skill in the UTC month; null: one price. */
  baseTiers: readonly Tier[] | null
  /** Empty: a call costs its base, whatever it does. */
  per: readonly UnitPrice[]
  /** What is held before the work, and the most that a call ever costs. */
  maxAtomic: bigint
  /** Calls without a charge, for accounts that an operator or a plan opened. */
  free: FreeCalls | null
  /** What an answer without a good measure costs: the base and the other units, or the maximum. */
  missing: 'base' | 'max'
}

/** Units of each `per` of a rule, in its order, unrounded steps; null: not there, or no measure. */
export type Measured = readonly (bigint | null)[]

export interface Charge {
  /** At most `maxAtomic`; every graduated unit at its dearest tier, which is what payers without an account pay. */
  amountAtomic: bigint
  /** The graduated units, or those of the only `per`; null where neither says one number. */
  units: bigint | null
  /** For accounts, whose earlier units decide the tier; null: `amountAtomic` is the charge. */
  graduated: Graduated | null
  /** The formula gave more than `maxAtomic` (with tiers: at the dearest). */
  capped: boolean
  /** A measure was not there or not good. */
  missing: boolean
}

/** A price of so much for each answered call. */
export function flatPrice(amountAtomic: bigint): PriceRule {
  return {
    baseAtomic: amountAtomic,
    baseTiers: null,
    per: [],
    maxAtomic: amountAtomic,
    free: null,
    missing: 'base',
  }
}

/** Whether what a call costs is known only after its work. */
export function isMeasured(rule: PriceRule): boolean {
  return rule.per.length > 0
}

/** What `measured` costs by `rule`: `min(max, base + Σ ceil(units beyond first / step) × unit price)`. */
export function chargeOf(rule: PriceRule, measured: Measured): Charge {
  const units = rule.per.map((_, index) => goodUnits(measured[index]))
  const missing = units.includes(null)
  const only = units.length === 1 ? units[0]! : null
  if (missing && rule.missing === 'max') {
    const amountAtomic = rule.maxAtomic
    return { amountAtomic, units: only, graduated: null, capped: false, missing }
  }
  const steps = rule.per.map((price, index) => stepsOf(price, units[index] ?? 0n))
  const sumAtomic = rule.per.reduce(
    (sum, { unitAtomic }, index) => sum + unitAtomic * steps[index]!,
    rule.baseAtomic,
  )
  const graduated = graduatedOf(rule, steps, sumAtomic)
  return {
    amountAtomic: least(sumAtomic, rule.maxAtomic),
    units: graduated?.units ?? only,
    graduated,
    capped: sumAtomic > rule.maxAtomic,
    missing,
  }
}

/** The price of a unit in the dearest tier. */
export function dearest(tiers: readonly Tier[]): bigint {
  return tiers.reduce((most, { unitAtomic }) => (unitAtomic > most ? unitAtomic : most), 0n)
}

function stepsOf({ first, step }: UnitPrice, units: bigint): bigint {
  return units > first ? (units - first + step - 1n) / step : 0n
}

/**
 * More steps of one call than this do not move an account's volume any further: an answer that lies
 * cannot push the sums of a month out of the ledger's numbers.
 */
const MAX_COUNTED = 10n ** 12n

/** The one graduated part of a rule; the rest of the sum is the base that it comes on top of. */
function graduatedOf(
  { baseTiers, baseAtomic, per, maxAtomic }: PriceRule,
  steps: readonly bigint[],
  sumAtomic: bigint,
): Graduated | null {
  const onTop = (tieredAtomic: bigint): bigint => least(sumAtomic - tieredAtomic, maxAtomic)
  if (baseTiers) return { units: 1n, baseAtomic: onTop(baseAtomic), tiers: baseTiers }
  const index = per.findIndex(({ tiers }) => tiers !== null)
  const price = per[index]
  const units = steps[index]
  if (!price?.tiers || units === undefined) return null
  return {
    units: least(units, MAX_COUNTED),
    baseAtomic: onTop(units * price.unitAtomic),
    tiers: price.tiers,
  }
}

function goodUnits(units: bigint | null | undefined): bigint | null {
  return units === null || units === undefined || units < 0n || units > MAX_UNITS ? null : units
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
