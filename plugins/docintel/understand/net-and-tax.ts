/**
 * Net and tax of a total by arithmetic over all printed sums, where no label names them: two that make
 * the total, and of which the goods, a printed rate or the row's words say that they are net and tax.
 */
import { foldLabel } from '../lexicon/fold.ts'
import { looksLikeMoney } from './amounts.ts'
import { isNear } from './near.ts'
import type { RowMoney } from './row-money.ts'
import { TAX_WORD } from './tax-word.ts'

export interface NetAndTax {
  net: number
  tax: number
}

interface Known {
  total: number
  /** What labels name already; null where none does. */
  net: number | null
  tax: number | null
  /** What the goods add up to; null without any. */
  itemsSum: number | null
  /** Whether sums of a table of taxes count: on a till's receipt its bases are no net of the goods. */
  withTables: boolean
}

/** A tax is at most this share of its net. */
const SHARE_MAX = 0.35
const RATE_MAX = 30
const ROUNDINGS = 0.02
/** Facts that must speak for a pair, and by how many it must beat every other. */
const FACTS_LEAST = 2

interface Printed {
  value: number
  hasTaxWord: boolean
}

/** Every sum of a document, and whether its row or the row above it speaks of tax. */
function printedSums(entries: readonly RowMoney[], withTables: boolean): Printed[] {
  return entries.flatMap((entry, at) => {
    if (entry.inSummary && !withTables) return []
    const above = entries[at - 1]
    const words = foldLabel(
      `${entry.row.text} ${above && !above.amounts.some(looksLikeMoney) ? above.row.text : ''}`,
    )
    const hasTaxWord = TAX_WORD.test(words)
    return entry.amounts
      .filter((a) => looksLikeMoney(a) && !a.percent && a.value > 0)
      .map(({ value }) => ({ value, hasTaxWord }))
  })
}

const ratesOf = (entries: readonly RowMoney[]): number[] => [
  ...new Set(
    entries.flatMap((e) => e.amounts.filter((a) => a.percent && a.value > 0).map((a) => a.value)),
  ),
]

/** Net and tax that make the total; null where nothing, or more than one pair, fits as well. */
export function netAndTaxOf(entries: readonly RowMoney[], known: Known): NetAndTax | null {
  const { total, itemsSum } = known
  if (total <= 0) return null
  const sums = printedSums(entries, known.withTables)
  const rates = ratesOf(entries).filter((rate) => rate <= RATE_MAX)
  const pairs = new Map<number, { net: number; tax: number; facts: number }>()
  for (const net of sums)
    for (const tax of sums) {
      if (net === tax || tax.value > net.value * SHARE_MAX) continue
      if (!isNear(net.value + tax.value, total, ROUNDINGS)) continue
      if (known.net !== null && !isNear(net.value, known.net)) continue
      if (known.tax !== null && !isNear(tax.value, known.tax)) continue
      const isOfGoods = itemsSum !== null && isNear(net.value, itemsSum, ROUNDINGS)
      const isOfRate = rates.some((rate) => isNear((net.value * rate) / 100, tax.value, ROUNDINGS))
      const isNamed = known.net !== null || known.tax !== null
      const facts = Number(isOfGoods) + Number(isOfRate) + Number(tax.hasTaxWord) + Number(isNamed)
      const key = Math.round(tax.value * 100)
      if ((pairs.get(key)?.facts ?? 0) < facts)
        pairs.set(key, { net: net.value, tax: tax.value, facts })
    }
  const [best, other] = [...pairs.values()].toSorted((a, b) => b.facts - a.facts)
  if (!best || best.facts < FACTS_LEAST || (other && other.facts === best.facts)) return null
  return { net: best.net, tax: best.tax }
}

/** Whether net and tax make the total, or the net includes the tax. */
export const fitTogether = (total: number, net: number, tax: number): boolean =>
  isNear(net + tax, total, 0.06) || isNear(net, total, 0.06)

/**
 * The net and tax that a document's labels name, put right where they do not make the total and one of
 * them does with another printed sum; the named ones where nothing fits better.
 */
export function provenNetAndTax(entries: readonly RowMoney[], known: Known): NetAndTax | null {
  const { total, net, tax } = known
  if (net !== null && tax !== null) {
    if (fitTogether(total, net, tax)) return null
    return (
      netAndTaxOf(entries, { ...known, tax: null }) ?? netAndTaxOf(entries, { ...known, net: null })
    )
  }
  return netAndTaxOf(entries, known)
}
