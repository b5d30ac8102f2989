/** The sums of a document as the rules for its total look at them, made once for all candidates. */
import { wordCount } from '../../lexicon/fold.ts'
import { looksLikeMoney } from '../marks/amounts.ts'
import { VALUES_MAX, type LabelledAmounts } from '../marks/labelled-amounts.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import { paidMinusChange } from './paid-totals.ts'
import type { RowMoney } from '../marks/row-money.ts'

/** What the rules look at besides the line itself; made once for all lines of a document. */
export interface Sums {
  /** The candidates' lines. */
  lines: readonly MoneyLine[]
  /** Every labelled line. */
  all: MoneyLine[]
  itemsSum: number | null
  /** Every sum is negative: the document gives money back. */
  isRefund: boolean
  hasDecimals: boolean
  /** Amounts that cash minus change gives. */
  fromCash: number[]
  /** What was paid, by any means. */
  paidBy: number[]
  /** What subtotal, tax, service, discount and rounding can make. */
  composed: number[]
  roundings: number[]
  /** Paid before this document, or in part. */
  paidBefore: number[]
  /** Cash that was handed over. */
  given: number[]
  taxes: number[]
  subtotals: number[]
  discounts: number[]
  /** Every amount of the document, and by rows. */
  printed: number[]
  /** Rows that are sentences, folded. */
  sentences: ReadonlyMap<number, string>
  rows: { row: number; amounts: number[] }[]
  /** How many of the lines have an amount. */
  countOf: ReadonlyMap<number, number>
}

/** A labelled sum that may be the total. */
export interface TotalSubject {
  line: MoneyLine
  /** The line's amount. */
  value: number
  sums: Sums
}

/** What the rules look at, of the labelled sums `lines`. */
export function sumsOf(
  lines: readonly MoneyLine[],
  labelled: LabelledAmounts,
  entries: readonly RowMoney[],
  itemsSum: number | null,
): Sums {
  const goodsBack = itemsSum !== null && itemsSum < 0
  const countOf = new Map<number, number>()
  for (const { amount } of lines) countOf.set(amount.value, (countOf.get(amount.value) ?? 0) + 1)
  return {
    lines,
    all: labelled.lines,
    itemsSum,
    isRefund: lines.every((l) => l.amount.value <= 0 || (goodsBack && l.label === 'balance_due')),
    hasDecimals: entries.some((e) => e.amounts.some((a) => a.decimals === 2 && !a.percent)),
    fromCash: paidMinusChange(labelled),
    paidBy: labelled.of('card', 'mobile', 'paid', 'cash', 'tendered'),
    composed: composedSums(labelled),
    roundings: labelled.of('rounding').filter((r) => r !== 0 && Math.abs(r) < 1),
    paidBefore: labelled
      .of('paid', 'previous', 'card', 'cash', 'mobile')
      .map(Math.abs)
      .filter((v) => v > 0),
    given: labelled.of('cash', 'tendered'),
    taxes: labelled.of('tax').filter((t) => t > 0),
    subtotals: labelled.of('subtotal'),
    discounts: discountsOf(labelled, entries),
    rows: entries.map((e) => ({
      row: e.row.index,
      amounts: e.amounts.filter(looksLikeMoney).map((a) => a.value),
    })),
    sentences: sentencesOf(entries),
    printed: entries.flatMap((e) => e.amounts.filter(looksLikeMoney).map((a) => a.value)),
    countOf,
  }
}

function composedSums(labelled: LabelledAmounts): number[] {
  const sums: number[] = []
  const extras = [
    ...labelled.of('service'),
    ...labelled.of('shipping'),
    ...labelled.of('tip'),
  ].slice(0, 3)
  const discounts = labelled
    .of('discount')
    .map((v) => -Math.abs(v))
    .slice(0, 2)
  const taxes = labelled.of('tax').slice(0, 4)
  const taxSums = new Set([
    0,
    ...taxes,
    taxes.reduce((a, b) => a + b, 0),
    (taxes[0] ?? 0) + (taxes[1] ?? 0),
  ])
  const extraSums = new Set([0, ...extras, extras.reduce((a, b) => a + b, 0)])
  const discountSums = new Set([0, ...discounts])
  const roundings = new Set([0, ...labelled.of('rounding')])
  for (const subtotal of new Set(labelled.of('subtotal', 'taxable')))
    for (const tax of taxSums)
      for (const extra of extraSums)
        for (const discount of discountSums)
          for (const rounding of roundings) {
            if (tax === 0 && extra === 0 && discount === 0 && rounding === 0) continue
            sums.push(subtotal + tax + extra + discount + rounding)
          }
  return sums
}

/** What may have been taken off, before and after rounding. */
function discountsOf(labelled: LabelledAmounts, entries: readonly RowMoney[]): number[] {
  // What is printed with a minus sign takes off as well, where OCR lost the word for it.
  const paidRows = new Set(labelled.lines.filter((l) => l.label === 'paid').map((l) => l.row))
  const negative = entries
    .filter((e) => !paidRows.has(e.row.index))
    .flatMap((e) => e.amounts.filter((a) => looksLikeMoney(a) && a.value < 0))
    .slice(-VALUES_MAX)
    .map((a) => a.value)
  const roundings = [0, ...labelled.of('rounding')]
  return [...new Set([...labelled.of('discount'), ...negative])]
    .flatMap((v) => roundings.map((r) => Math.abs(v) - r))
    .filter((v) => v > 0.1)
}

/** Words that a row without columns has at least to be a sentence. */
const SENTENCE_WORDS = 9
/** Folded text of the rows that are sentences. */
function sentencesOf(entries: readonly RowMoney[]): Map<number, string> {
  return new Map(
    entries
      .filter(({ row, folded }) => row.cells.length === 1 && wordCount(folded) >= SENTENCE_WORDS)
      .map(({ row, folded }) => [row.index, folded]),
  )
}
