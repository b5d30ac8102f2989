/** A price as an operator writes it → the rule that the gateway charges by. */
import {
  ATOMIC_PER_CREDIT,
  creditsToAtomic,
  neverPasses,
  parseAtomic,
  type FreeCalls,
  type MeasureSource,
  type PriceRule,
  type Tier,
  type UnitPrice,
} from '#kernel'
import { mostExpensive, flatPrice, type ReportProblem, type SpecPath } from '#kernel/host'
import type { CreditsDocument, PerDocument, PriceDocument } from './price-document.ts'

/** One price, or the most expensive of its tiers. */
interface Amounts {
  atomic: bigint
  tiers: readonly Tier[] | null
}
const NOTHING: Amounts = { atomic: 0n, tiers: null }
const FREE_SKILL = 'must be more than zero; a free skill says `metered: false`'

/**
 * The rule of a metered skill's price. `path` is the skill's; everything wrong goes to `problem`,
 * and the rule is then not to be used. `hasUpstream`: the skill is an upstream's, not a plugin's.
 */
export function interpretPrice(
  price: PriceDocument | undefined,
  path: SpecPath,
  hasUpstream: boolean,
  problem: ReportProblem,
): PriceRule {
  const place = [...path, 'price']
  const hasBase = price?.credits !== undefined || price?.usdc_atomic !== undefined
  if (price === undefined || (!hasBase && price.per === undefined)) {
    problem(
      price === undefined ? path : place,
      'is metered and has no price: write `price: { credits: 1 }`, or `metered: false`',
    )
    return flatPrice(0n)
  }
  const base = baseOf(price, place, problem)
  const free = price.free === undefined ? null : freeOf(price.free)
  if (price.per === undefined) {
    for (const name of ['max', 'missing'] as const) {
      if (price[name] !== undefined)
        problem([...place, name], 'is for a price with `per`: this one is known before the work')
    }
    return { ...flatPrice(base.atomic), baseTiers: base.tiers, free }
  }
  const per = perOf(price.per, [...place, 'per'], hasUpstream, problem)
  const tiered = (base.tiers ? 1 : 0) + per.filter(({ tiers }) => tiers !== null).length
  if (tiered > 1)
    problem([...place, 'per'], 'makes a second list of tiers: one part of a price can be graduated')
  return {
    baseAtomic: base.atomic,
    baseTiers: base.tiers,
    per,
    maxAtomic: maxOf(price.max, base.atomic, place, problem),
    free,
    missing: price.missing ?? 'base',
  }
}

/** The base price of an answered call; zero only together with `per`. */
function baseOf(price: PriceDocument, place: SpecPath, problem: ReportProblem): Amounts {
  const isZeroFine = price.per !== undefined
  if (price.credits === 0 && !isZeroFine) {
    problem([...place, 'credits'], FREE_SKILL)
    return NOTHING
  }
  const written =
    price.credits === undefined
      ? null
      : amountsOf(price.credits, [...place, 'credits'], isZeroFine, problem)
  if (price.usdc_atomic === undefined) return written ?? NOTHING
  const at = [...place, 'usdc_atomic']
  const amount = parseAtomic(price.usdc_atomic)
  if (!amount.ok) {
    problem(at, amount.message)
    return NOTHING
  }
  const { amountAtomic } = amount
  if (amountAtomic === 0n && !isZeroFine) problem(at, FREE_SKILL)
  if (written?.tiers) problem(at, 'stands beside tiers in `credits`: give one of the two')
  else if (written && written.atomic > 0n && written.atomic !== amountAtomic) {
    problem(
      at,
      `must be ${written.atomic}, which is \`credits\` at ${ATOMIC_PER_CREDIT} atomic units per credit`,
    )
  }
  return written ?? { atomic: amountAtomic, tiers: null }
}

function amountsOf(
  credits: CreditsDocument,
  place: SpecPath,
  isZeroFine: boolean,
  problem: ReportProblem,
): Amounts {
  if (typeof credits === 'number')
    return { atomic: amountOf(credits, place, isZeroFine, problem), tiers: null }
  const tiers = tiersOf(credits, place, problem)
  const atomic = mostExpensive(tiers)
  if (atomic === 0n && tiers.length > 0)
    problem(place, 'costs nothing in any tier: one of them must cost something')
  return { atomic, tiers }
}

/** [[100, 2], [1000, 1.5], 1]: bounds that rise, and a last price without one. */
function tiersOf(
  list: Exclude<CreditsDocument, number>,
  place: SpecPath,
  problem: ReportProblem,
): Tier[] {
  let below = 0
  return list.map((item, index) => {
    const at = [...place, index]
    const isLast = index === list.length - 1
    if (typeof item === 'number') {
      if (!isLast) problem(at, 'must be [up to, credits]: only the last tier has no bound')
      return { upTo: null, unitAtomic: amountOf(item, at, true, problem) }
    }
    const [upTo = 0, credits = 0] = item
    if (isLast) problem(at, 'must be a number of credits: the last tier has no bound')
    else if (!Number.isSafeInteger(upTo) || upTo <= below)
      problem([...at, 0], `must be a whole number above ${below}`)
    else below = upTo
    const unitAtomic = amountOf(credits, [...at, 1], true, problem)
    return { upTo: BigInt(Number.isSafeInteger(upTo) ? upTo : 0), unitAtomic }
  })
}

/** Atomic units of so many credits; 0 after a problem. */
function amountOf(
  credits: number,
  place: SpecPath,
  isZeroFine: boolean,
  problem: ReportProblem,
): bigint {
  if (credits < 0 || (credits === 0 && !isZeroFine)) {
    problem(place, `must be ${isZeroFine ? '>=' : '>'} 0`)
    return 0n
  }
  const amount = creditsToAtomic(credits)
  if (amount.ok) return amount.amountAtomic
  problem(place, amount.message)
  return 0n
}

function perOf(
  per: PerDocument | readonly PerDocument[],
  place: SpecPath,
  hasUpstream: boolean,
  problem: ReportProblem,
): UnitPrice[] {
  const names = new Set<string>()
  const read = (one: PerDocument, at: SpecPath): UnitPrice => {
    if (names.has(one.unit)) problem([...at, 'unit'], 'is a unit of this price already')
    names.add(one.unit)
    const { atomic, tiers } = amountsOf(one.credits, [...at, 'credits'], false, problem)
    return {
      unit: one.unit,
      source: sourceOf(one.from, at, hasUpstream, problem),
      unitAtomic: atomic,
      tiers,
      first: BigInt(one.first ?? 0),
      step: BigInt(one.step ?? 1),
    }
  }
  return 'unit' in per
    ? [read(per, place)]
    : (per as readonly PerDocument[]).map((one, index) => read(one, [...place, index]))
}

function sourceOf(
  from: string | readonly string[] | undefined,
  place: SpecPath,
  hasUpstream: boolean,
  problem: ReportProblem,
): MeasureSource {
  if (from === undefined && hasUpstream)
    problem(place, 'needs `from`: where its units are read, such as /usage/pages or header:X-Usage')
  if (from === undefined) return { kind: 'units' }
  if (typeof from !== 'string') return { kind: 'pointer', pointers: from }
  const at = [...place, 'from']
  if (from === 'units' && hasUpstream)
    problem(at, 'is for skills of plugins: an upstream says its units in its answer or in a header')
  if (from.startsWith('header:')) {
    if (!hasUpstream) problem(at, 'is for upstreams: a skill of a plugin sends no headers')
    const name = from.slice('header:'.length).toLowerCase()
    if (neverPasses(name))
      problem(at, `must be a header of the upstream's own: the gateway itself sets ${name}`)
    return { kind: 'header', name }
  }
  if (from.startsWith('/')) return { kind: 'pointer', pointers: [from] }
  return { kind: from as 'bytes' | 'seconds' | 'units' }
}

function maxOf(
  max: number | undefined,
  baseAtomic: bigint,
  place: SpecPath,
  problem: ReportProblem,
): bigint {
  if (max === undefined) {
    problem(place, 'has `per` and no `max`: say the most that a call may cost, which is held first')
    return 0n
  }
  const at = [...place, 'max']
  const maxAtomic = amountOf(max, at, false, problem)
  if (maxAtomic > 0n && maxAtomic <= baseAtomic)
    problem(at, 'must be more than the base, or there is nothing left for the units')
  return maxAtomic
}

/** Of '50/day'. */
function freeOf(text: string): FreeCalls {
  const [calls, period] = text.split('/')
  return { calls: Number(calls), period: period as FreeCalls['period'] }
}
