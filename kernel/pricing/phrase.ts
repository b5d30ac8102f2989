/** A price rule as people and models read it: one short English phrase. */
import { atomicToCredits } from '../money.ts'
import type { PriceRule, Tier, UnitPrice } from './rule.ts'

/**
 * The price by `rule`: "1 credit + 2 credits per page after the first, at most 40 credits; 50 calls
 * a day free". Pure and deterministic: documents, offers and pages quote it.
 */
export function pricePhrase(rule: PriceRule): string {
  const parts = [...baseParts(rule), ...rule.per.map(unitPart)]
  const isSum = parts.length > 1
  const sum = parts.map((part) => (isSum && part.includes(', ') ? `(${part})` : part)).join(' + ')
  const most = rule.per.length > 0 ? `, at most ${creditsPhrase(rule.maxAtomic)}` : ''
  return `${sum}${most}${freePart(rule)}`
}

/** "1 credit", "1,234.5 credits". */
export function creditsPhrase(amountAtomic: bigint): string {
  const credits = atomicToCredits(amountAtomic)
  return `${grouped(credits)} ${credits === 1 ? 'credit' : 'credits'}`
}

/** "1 page", "1,000 input tokens". */
export function countPhrase(count: bigint | number, unit: string): string {
  const one = singular(unit)
  return `${grouped(count)} ${BigInt(count) === 1n ? one : plural(one)}`
}

function baseParts({ baseAtomic, baseTiers, per }: PriceRule): string[] {
  if (baseTiers !== null) return [tiersPhrase(baseTiers, '', 'calls a month')]
  // A price that only counts units has no base to mention.
  return baseAtomic === 0n && per.length > 0 ? [] : [creditsPhrase(baseAtomic)]
}

function unitPart({ unit, unitAtomic, tiers, first, step }: UnitPrice): string {
  const per = step === 1n ? ` per ${singular(unit)}` : ` per ${countPhrase(step, unit)} or part`
  const included =
    first === 1n ? ' after the first' : first > 1n ? ` after the first ${grouped(first)}` : ''
  if (tiers === null) return `${creditsPhrase(unitAtomic)}${per}${included}`
  const counted = step === 1n ? plural(singular(unit)) : 'packages'
  return `${tiersPhrase(tiers, per, `${counted} a month`)}${included && `,${included}`}`
}

/** "2 credits for the first 100 calls a month, 1.5 credits up to 1,000, then 1 credit". */
function tiersPhrase(tiers: readonly Tier[], per: string, counted: string): string {
  return tiers
    .map(({ upTo, unitAtomic }, index) => {
      const price = creditsPhrase(unitAtomic)
      if (index === 0)
        return upTo === null
          ? price + per
          : `${price}${per} for the first ${grouped(upTo)} ${counted}`
      return upTo === null ? `then ${price}` : `${price} up to ${grouped(upTo)}`
    })
    .join(', ')
}

function freePart({ free }: PriceRule): string {
  if (free === null) return ''
  return `; ${countPhrase(free.calls, 'call')} a ${free.period} free`
}

/** Made once: to make one costs a hundred times as much as to use it, and lists have many prices. */
const { format: grouped } = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 })

/** The unit's singular; specs name bytes and seconds in the plural, like their source. */
function singular(unit: string): string {
  return unit === 'bytes' || unit === 'seconds' ? unit.slice(0, -1) : unit
}

/** Symbols such as MB and words that end in s have no plural of their own. */
function plural(unit: string): string {
  if (/(s|[A-Z])$/.test(unit)) return unit
  return /[^aeiou]y$/.test(unit) ? `${unit.slice(0, -1)}ies` : `${unit}s`
}
