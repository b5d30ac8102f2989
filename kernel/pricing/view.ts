/**
 * A price rule for programs: the same members in /v1/prices, /v1/products, offers of prepaid
 * credits, MCP and quotes.
 */
import { atomicToCredits, atomicToUsd, least } from '../money.ts'
import { countPhrase, creditsPhrase, pricePhrase } from './phrase.ts'
import {
  chargeOf,
  flatPrice,
  isMeasured,
  type MeasureSource,
  type PriceRule,
  type Tier,
  type UnitPrice,
} from './rule.ts'

/** Candidate numbers of steps for an example; the first that fits is used. */
const EXAMPLE_STEPS = [10n, 5n, 3n, 2n, 1n]

/** One amount in the three views of the price table. */
export interface AmountView {
  credits: number
  usd: number
  /** Digits: JSON numbers are not exact for every reader. */
  usdcAtomic: string
}
export interface TierView extends AmountView {
  /** The last unit of the month at this price; null: all further units. */
  upTo: number | null
}
export interface UnitView extends AmountView {
  unit: string
  /** Its source: JSON pointers into the answer, joined by ' or ', 'header:Name', 'bytes', 'seconds', 'units'. */
  from: string
  /** Units that the base includes. */
  first: number
  /** The price is for this many units, rounded up. */
  step: number
  /** Graduated prices by the account's units of the calendar month (UTC). */
  tiers: readonly TierView[] | null
}
export interface PriceView {
  /** The rule in one English phrase. */
  text: string
  /** Per answered call; if graduated, the most expensive tier. */
  base: AmountView
  /** Graduated prices by the account's calls of the calendar month (UTC). */
  tiers: readonly TierView[] | null
  per: readonly UnitView[]
  /** The amount held, and the most that a call is charged. */
  max: AmountView
  /** Free calls per account, for accounts that were opened by an operator or have a plan. */
  free: { calls: number; period: 'day' | 'month' } | null
  /** The charge for a call whose measure is missing or invalid. */
  missing: 'base' | 'max'
  /** An example, for the first call of a month; null if every call costs the base. */
  example: ({ text: string; units: Readonly<Record<string, number>> } & AmountView) | null
}

/** `amountAtomic` in credits, dollars and digits. */
export function amountView(amountAtomic: bigint): AmountView {
  return {
    credits: atomicToCredits(amountAtomic),
    usd: atomicToUsd(amountAtomic),
    usdcAtomic: amountAtomic.toString(),
  }
}

/** Whether the price is fully described by its amount. */
export function isFlat(rule: PriceRule): boolean {
  return costsOneSum(rule) && rule.free === null
}

/** Whether every charged call costs the same, for every payer. */
export function costsOneSum(rule: PriceRule): boolean {
  return !isMeasured(rule) && rule.baseTiers === null
}

/** The least cost of a charged call: its base in the cheapest tier, without units. */
export function leastAtomic({ baseAtomic, baseTiers, maxAtomic }: PriceRule): bigint {
  const tiers = baseTiers ?? []
  return tiers.reduce(
    (lowest, { unitAtomic }) => least(unitAtomic, lowest),
    least(baseAtomic, maxAtomic),
  )
}

/** The whole rule. */
export function priceView(rule: PriceRule): PriceView {
  return {
    text: pricePhrase(rule),
    base: amountView(rule.baseAtomic),
    tiers: rule.baseTiers && rule.baseTiers.map(tierView),
    per: rule.per.map(unitView),
    max: amountView(rule.maxAtomic),
    free: rule.free && { calls: rule.free.calls, period: rule.free.period },
    missing: rule.missing,
    example: exampleOf(rule),
  }
}

/** The view of a price without any rule: every call costs `amountAtomic`. */
export function flatPriceView(amountAtomic: bigint): PriceView {
  return priceView(flatPrice(amountAtomic))
}

function tierView({ upTo, unitAtomic }: Tier): TierView {
  return { upTo: upTo === null ? null : Number(upTo), ...amountView(unitAtomic) }
}

function unitView({ unit, source, unitAtomic, tiers, first, step }: UnitPrice): UnitView {
  return {
    unit,
    from: sourceText(source),
    ...amountView(unitAtomic),
    first: Number(first),
    step: Number(step),
    tiers: tiers && tiers.map(tierView),
  }
}

/** The rule's phrase, with an example if it counts units: "…; for example 10 pages: 19 credits". */
export function priceWithExample(rule: PriceRule): string {
  const example = exampleOf(rule)
  return example === null ? pricePhrase(rule) : `${pricePhrase(rule)}; for example ${example.text}`
}

/** A round number of units that shows the rule and stays under its maximum, else one unit. */
function exampleOf(rule: PriceRule): PriceView['example'] {
  if (!isMeasured(rule)) return null
  const samples = EXAMPLE_STEPS.map((steps) => {
    const units = rule.per.map(({ first, step }) => (first > 1n ? first : 0n) + steps * step)
    return { units, charge: chargeOf(rule, units) }
  })
  const { units, charge } = samples.find((sample) => !sample.charge.capped) ?? samples.at(-1)!
  const counts = rule.per.map(({ unit }, index) => countPhrase(units[index]!, unit))
  return {
    text: `${counts.join(' and ')}: ${creditsPhrase(charge.amountAtomic)}`,
    units: Object.fromEntries(rule.per.map(({ unit }, index) => [unit, Number(units[index])])),
    ...amountView(charge.amountAtomic),
  }
}

/** As a product file writes it. */
function sourceText(source: MeasureSource): string {
  switch (source.kind) {
    case 'pointer':
      return source.pointers.join(' or ')
    case 'header':
      return `header:${source.name}`
    case 'bytes':
    case 'seconds':
    case 'units':
      return source.kind
  }
}
