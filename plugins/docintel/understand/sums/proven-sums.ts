/**
 * Net, tax and total by arithmetic over every printed sum, whatever labels say: two sums that make a third,
 * and the facts that speak for these three, each a named rule.
 */
import { foldLabel } from '../../lexicon/fold.ts'
import type { TaxLine } from '../../schema.ts'
import { looksLikeMoney } from '../marks/amounts.ts'
import { productOf } from '../goods/line-product.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import { isNear, roundedToCents } from '../marks/near.ts'
import type { RowMoney } from '../marks/row-money.ts'
import { scoreBy, when, type Rule, type Score } from '../marks/rules.ts'
import { findTaxLines } from './tax-lines.ts'
import { TAX_WORD } from '../marks/tax-word.ts'

/** A tax is at most this share of its net. */
const SHARE_MAX = 0.35
const RATE_MAX = 30
const ROUNDINGS = 0.02
/** Sums of a document that are tried, the last ones: its sums stand at the end. */
const SUMS_MAX = 120
/** Rows from the net to the total at most. */
const REACH_ROWS = 14
/** Rows of two rates in a table of taxes are so near to each other. */
const TABLE_ROWS = 3
/** Sums that end so near to each other stand in one column. */
const COLUMN_REACH = 1.6

interface Printed {
  value: number
  row: number
  x1: number
  hasTaxWord: boolean
  /** Its row calls it a fee, a tip or carriage. */
  isFee: boolean
  /** In a table of taxes by rate. */
  inTable: boolean
  /** A quantity and a price in its row make it. */
  isLine: boolean
  label: MoneyLine['label'] | null
}

/** Three printed sums of which two make the third. */
interface Three {
  net: Printed
  tax: Printed
  total: Printed
}

export interface ProvenSums {
  net: number
  tax: number
  total: number
  /** Rows in which the three stand. */
  rows: { net: number; tax: number; total: number }
  /** Net or tax stand in a table of taxes by rate: on a till's receipt its bases are no net of the goods. */
  inTable: boolean
  score: Score
}

interface Page {
  /** Rates in per cent, printed anywhere. */
  rates: readonly number[]
  /** What the goods add up to, and how many lines they are. */
  itemsSum: number | null
  itemsCount: number
  /** The goods are two lines of these sums. */
  areTheGoods(net: Printed, tax: Printed): boolean
  largest: number
  /** Sum of the taxes that stand with their bases, where there are several rates. */
  taxByRate: number | null
  /** Rows that are a net, its tax and their sum by themselves. */
  threesInRow: ReadonlySet<number>
  isSumOfColumn(sum: Printed): boolean
  isAdjustedGoods(sum: Printed): boolean
}

interface Subject extends Three {
  page: Page
}

/** The rule for a tax that a printed rate makes of its net. */
export const TAX_OF_RATE = 'a printed rate makes the tax of the net'
/** The rule for what stands in a row of a table of several rates. */
export const ONE_RATE = 'one rate of several'

/** Goods of which chance is unlikely to make a sum. */
const GOODS_LEAST = 2

/** Whether a printed rate makes the tax of the net. */
const isOfRate = (net: Printed, tax: Printed, { rates }: Page): boolean =>
  rates.some((rate) => isNear((net.value * rate) / 100, tax.value, ROUNDINGS))

/** Rates of taxes are whole or half per cents; carriage and discounts seldom come out at one. */
const RATE_STEP = 0.5
const [RATE_LEAST, RATE_MOST] = [2, 28]

/** Whether the tax is a usual share of the net, printed or not. */
function isOfUsualRate(net: Printed, tax: Printed): boolean {
  const rate = Math.round((tax.value / net.value) * (100 / RATE_STEP)) * RATE_STEP
  const isUsual = rate >= RATE_LEAST && rate <= RATE_MOST
  return isUsual && isNear((net.value * rate) / 100, tax.value, ROUNDINGS)
}

/** Whether tax and total are what stands above each of them. */
const areOfColumns = (tax: Printed, total: Printed, { isSumOfColumn }: Page): boolean =>
  isSumOfColumn(tax) && isSumOfColumn(total)

const RULES: readonly Rule<Subject>[] = [
  {
    name: TAX_OF_RATE,
    look: ({ net, tax, page }) => when(isOfRate(net, tax, page), 2),
  },
  {
    name: 'the goods make the net',
    look: ({ net, page: { itemsSum, itemsCount } }) =>
      when(
        itemsSum !== null && isNear(net.value, itemsSum, ROUNDINGS),
        itemsCount >= GOODS_LEAST ? 2 : 1,
      ),
  },
  {
    name: 'the goods with what is added and taken off make the net',
    look: ({ net, page: { isAdjustedGoods } }) => when(isAdjustedGoods(net), 2),
  },
  {
    name: 'the tax is a line of goods',
    look: ({ tax }) => when(tax.isLine, -3),
  },
  {
    // A till with two articles: "Bread 1.20", "Wine 8.90", "Total 10.10".
    name: 'net and tax are the two lines of goods',
    look: ({ net, tax, page }) => when(!tax.hasTaxWord && page.areTheGoods(net, tax), -4),
  },
  {
    name: 'the goods make the total',
    look: ({ total, page: { itemsSum, itemsCount } }) =>
      when(
        itemsSum !== null && isNear(total.value, itemsSum, ROUNDINGS),
        itemsCount >= GOODS_LEAST ? 1.5 : 0.5,
      ),
  },
  {
    name: 'the taxes by rate make the tax',
    look: ({ tax, page: { taxByRate } }) =>
      when(taxByRate !== null && isNear(tax.value, taxByRate, ROUNDINGS), 3),
  },
  {
    // A table of taxes by rate: its rows are parts.
    name: ONE_RATE,
    look: ({ tax, total: { row }, page: { threesInRow } }) =>
      when(
        tax.row === row &&
          [...threesInRow].some((other) => other !== row && Math.abs(other - row) <= TABLE_ROWS),
        -3,
      ),
  },
  {
    // Carriage that is added to the goods makes a third sum as well.
    name: 'nothing says that it is a tax',
    look: ({ net, tax, total, page }) =>
      when(
        !tax.hasTaxWord &&
          !isOfRate(net, tax, page) &&
          !isOfUsualRate(net, tax) &&
          !areOfColumns(tax, total, page),
        -4,
      ),
  },
  {
    // "Booking fee 0.80" under "Fare 8.20".
    name: 'a fee, a tip or carriage',
    look: ({ tax }) => when(tax.isFee && !tax.hasTaxWord, -4),
  },
  {
    name: 'tax and total are the sums of their columns',
    look: ({ tax, total, page }) => when(areOfColumns(tax, total, page), 2.5),
  },
  { name: 'its row speaks of tax', look: ({ tax }) => when(tax.hasTaxWord, 1) },
  {
    name: 'in order below one another',
    look: ({ net, tax, total }) =>
      when(
        net.row < tax.row &&
          tax.row < total.row &&
          total.row - net.row <= REACH_ROWS &&
          Math.abs(net.x1 - total.x1) < COLUMN_REACH &&
          Math.abs(tax.x1 - total.x1) < COLUMN_REACH,
        1,
      ),
  },
  {
    name: 'in one row',
    look: ({ net, tax, total }) => when(net.row === tax.row && tax.row === total.row, 0.8),
  },
  {
    name: 'label of a total',
    look: ({ total: { label } }) =>
      when(label !== null && (label.startsWith('total') || label === 'balance_due'), 1),
  },
  {
    name: 'label of a net',
    look: ({ net: { label } }) => when(label === 'subtotal' || label === 'taxable', 0.8),
  },
  { name: 'the largest sum', look: ({ total, page }) => when(total.value >= page.largest, 0.4) },
]

/** What is added to goods and is no tax. */
const FEE =
  /(?:^| )(?:FEES?|TIPS?|GRATUITY|SHIPPING|DELIVERY|POSTAGE|CARRIAGE|SURCHARGE|TOLLS?|HANDLING|FREIGHT|VERSAND|VERSANDKOSTEN|PORTO|GEBUHR|LIVRAISON|ENVIO|SPEDIZIONE|VERZENDKOSTEN|VERZENDING|FRAKT|TRINKGELD|POURBOIRE|PROPINA|MANCIA|FOOI|DRICKS)(?: |$)/

/** Every sum of a document with its place, and whether its row or the row above it speaks of tax. */
function printedSums(entries: readonly RowMoney[], lines: readonly MoneyLine[]): Printed[] {
  const labels = new Map(lines.map((line) => [line.amount, line.label]))
  return entries.flatMap((entry, at) => {
    const above = entries[at - 1]
    const words = foldLabel(
      `${entry.row.text} ${above && !above.amounts.some(looksLikeMoney) ? above.row.text : ''}`,
    )
    const hasTaxWord = TAX_WORD.test(words)
    const line = productOf(entry)?.amount
    return entry.amounts
      .filter((a) => looksLikeMoney(a) && !a.percent && a.value > 0)
      .map((a) => ({
        value: a.value,
        row: entry.row.index,
        x1: a.x1,
        hasTaxWord,
        isFee: FEE.test(foldLabel(entry.row.text)),
        inTable: entry.inSummary,
        isLine: a === line,
        label: labels.get(a) ?? null,
      }))
  })
}

/** The sum of several taxes, which need not be printed where net and total are. */
const unprinted = (value: number): Printed => ({
  value: roundedToCents(value),
  row: NO_ROW,
  x1: NO_ROW,
  hasTaxWord: true,
  isFee: false,
  inTable: false,
  isLine: false,
  label: 'tax',
})
const NO_ROW = -1

const ratesOf = (entries: readonly RowMoney[]): number[] => [
  ...new Set(
    entries
      .flatMap((e) => e.amounts.filter((a) => a.percent && a.value > 0).map((a) => a.value))
      .filter((rate) => rate <= RATE_MAX),
  ),
]

/** Rows whose own sums are a net, its tax and both together. */
function threesInRow(entries: readonly RowMoney[]): Set<number> {
  const rows = new Set<number>()
  for (const { row, amounts } of entries) {
    const money = amounts.filter((a) => looksLikeMoney(a) && !a.percent && a.value > 0)
    const isThree = money.some((net, at) =>
      money.some(
        (tax, place) =>
          place !== at &&
          tax.value < net.value * SHARE_MAX &&
          money.some((total) => isNear(net.value + tax.value, total.value)),
      ),
    )
    if (isThree) rows.add(row.index)
  }
  return rows
}

/** Whether at least two sums right above in the column make the sum. */
function isSumOfColumn({ value, row, x1 }: Printed, sums: readonly Printed[]): boolean {
  let left = value
  let terms = 0
  for (const above of sums.toReversed()) {
    if (above.row >= row || Math.abs(above.x1 - x1) >= COLUMN_REACH) continue
    left -= above.value
    terms++
    if (isNear(left, 0)) return terms >= GOODS_LEAST
    if (left < 0) return false
  }
  return false
}

/** Rows that may add to the goods or take off them. */
const ADJUSTMENTS_MAX = 5

/** Whether the goods make the sum with all that the rows between them and it add or take off. */
function isAdjustedGoods(
  { value, row }: Printed,
  goods: number,
  entries: readonly RowMoney[],
): boolean {
  let sums = [goods]
  let adjustments = 0
  for (const entry of entries.toReversed()) {
    if (entry.row.index >= row) continue
    const own = entry.amounts.findLast((a) => looksLikeMoney(a) && !a.percent)?.value
    if (own === undefined) continue
    if (isNear(own, goods) || productOf(entry) || adjustments === ADJUSTMENTS_MAX) break
    sums = sums.flatMap((sum) => (own < 0 ? [sum + own] : [sum + own, sum - own]))
    adjustments++
  }
  return adjustments > 0 && sums.some((sum) => isNear(sum, value, ROUNDINGS))
}

/** What several taxes that stand with their bases make; null for one or none. */
function taxByRate(taxLines: readonly TaxLine[]): number | null {
  const amounts = taxLines.flatMap(({ base, amount }) => (base === null ? [] : (amount ?? [])))
  return amounts.length < 2 ? null : amounts.reduce((sum, amount) => sum + amount, 0)
}

/** The threes of a document, the best proven first; one of each net and tax, in tables and elsewhere. */
export function provenSums(
  entries: readonly RowMoney[],
  lines: readonly MoneyLine[],
  items: { sum: number | null; amounts: readonly number[] },
): ProvenSums[] {
  const byRate = taxByRate(findTaxLines(entries, lines))
  const sums = printedSums(entries, lines).slice(-SUMS_MAX)
  const taxes = byRate === null ? sums : [...sums, unprinted(byRate)]
  const page: Page = {
    rates: ratesOf(entries),
    itemsSum: items.sum,
    itemsCount: items.amounts.length,
    areTheGoods: (net, tax) =>
      items.amounts.length === 2 &&
      [net, tax].every(({ value }) => items.amounts.some((amount) => isNear(amount, value))),
    largest: Math.max(0, ...sums.map(({ value }) => value)),
    taxByRate: byRate,
    threesInRow: threesInRow(entries),
    isSumOfColumn: (sum) => isSumOfColumn(sum, sums),
    isAdjustedGoods: (sum) => items.sum !== null && isAdjustedGoods(sum, items.sum, entries),
  }
  const byCents = new Map<number, Printed[]>()
  for (const sum of sums) {
    const cents = Math.round(sum.value * 100)
    byCents.set(cents, [...(byCents.get(cents) ?? []), sum])
  }
  const best = new Map<string, ProvenSums>()
  for (const net of sums)
    for (const tax of taxes) {
      if (net === tax || tax.value > net.value * SHARE_MAX) continue
      for (const total of byCents.get(Math.round((net.value + tax.value) * 100)) ?? []) {
        const score = scoreBy(RULES, { net, tax, total, page })
        const key = `${net.value} ${tax.value} ${net.inTable || tax.inTable}`
        if ((best.get(key)?.score.points ?? -1) >= score.points) continue
        best.set(key, {
          net: net.value,
          tax: tax.value,
          total: total.value,
          rows: { net: net.row, tax: tax.row, total: total.row },
          inTable: net.inTable || tax.inTable,
          score,
        })
      }
    }
  return [...best.values()].toSorted((a, b) => b.score.points - a.score.points)
}
