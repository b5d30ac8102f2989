/**
 * The price of a call: a rule with a maximum, and the charge for measured units. Pure arithmetic in
 * whole atomic units. The terms are those of usage billing: a base, a price per unit, packages
 * (`step`), included units (`first`), graduated tiers.
 */
import { MAX_UNITS, type FreeQuota, type Graduated } from '../ledger/contract.ts'
import { least } from '../money.ts'

/** Where the units of a price are measured. */
export type MeasureSource =
  /** A number at the first of these RFC 6901 pointers that the answer's JSON has; in a stream, its last one. */
  | { kind: 'pointer'; pointers: readonly string[] }
  /** A number in this header (lower case) of the upstream's answer. */
  | { kind: 'header'; name: string }
  /** Bytes of the answer's body. */
  | { kind: 'bytes' }
  /** Seconds from the start of the work to the last byte of its answer. */
  | { kind: 'seconds' }
  /** Reported by the plugin's own skill: `bill: { units }`. */
  | { kind: 'units' }

/** A tier of a graduated price: each unit up to and including `upTo` costs `unitAtomic`. */
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
  /** Price per `step` of units beyond `first`; with tiers, that of the most expensive tier. */
  unitAtomic: bigint
  /** Graduated by the account's steps of this skill in the UTC month; null: one price. */
  tiers: readonly Tier[] | null
  /** Units that the base includes. */
  first: bigint
  /** Package size: how many units are sold as one, rounded up. */
  step: bigint
}

/** What a call costs. Every amount is in atomic units of USDC. */
export interface PriceRule {
  /** Price per answered call; with tiers, that of the most expensive tier. */
  baseAtomic: bigint
  /** Graduated by the account's calls of this skill in the UTC month; null: one price. */
  baseTiers: readonly Tier[] | null
  /** Empty: a call always costs its base. */
  per: readonly UnitPrice[]
  /** What is held before the work, and the most that a call ever costs. */
  maxAtomic: bigint
  /** Free calls, for accounts that were opened by an operator or have a plan. */
  free: FreeQuota | null
  /** The charge for a missing measure: the base and the other units, or the maximum. */
  missing: 'base' | 'max'
}

/** Units of each `per` of a rule, in order, not rounded to steps; null: missing or invalid. */
export type Measured = readonly (bigint | null)[]

export interface Charge {
  /** At most `maxAtomic`; at the most expensive tiers, which payers without an account pay. */
  amountAtomic: bigint
  /** The graduated units, or those of the only `per`; null if there is no single number. */
  units: bigint | null
  /** For accounts, whose earlier units decide the tier; null: `amountAtomic` is the charge. */
  graduated: Graduated | null
  /** The formula gave more than `maxAtomic` (with tiers: at the most expensive ones). */
  capped: boolean
  /** A measure was missing or invalid. */
  missing: boolean
}

/** A fixed price per answered call. */
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

/** Whether the cost of a call is known only after its work. */
export function isMeasured(rule: PriceRule): boolean {
  return rule.per.length > 0
}

/** The charge: `min(max, base + Σ ceil(units beyond first / step) × unit price)`. */
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

/** The unit price of the most expensive tier. */
export function mostExpensive(tiers: readonly Tier[]): bigint {
  return tiers.reduce((most, { unitAtomic }) => (unitAtomic > most ? unitAtomic : most), 0n)
}

function stepsOf({ first, step }: UnitPrice, units: bigint): bigint {
  return units > first ? (units - first + step - 1n) / step : 0n
}

/**
 * The most steps of one call that count for an account's volume: a false measure cannot push the
 * sums of a month out of the ledger's range.
 */
const MAX_COUNTED = 10n ** 12n

/** The graduated part of a rule; the rest of the charge is its base. */
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
