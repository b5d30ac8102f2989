/**
 * The rules by which a labelled sum is, or is not, the one to pay: its label, how it was read, what
 * agrees with it, and the sums that it would be confused with.
 */
import { wordCount } from '../lexicon/fold.ts'
import type { MoneyLabel } from '../lexicon/money-label.ts'
import { looksLikeMoney } from './amounts.ts'
import { VALUES_MAX, type LabelledAmounts } from './labelled-amounts.ts'
import type { MoneyLine } from './money-line.ts'
import { isNear } from './near.ts'
import { paidMinusChange } from './paid-totals.ts'
import type { RowMoney } from './row-money.ts'
import { when, type Finding, type Rule } from './rules.ts'

/** The points of a label by itself; a sum with any other label is no candidate. */
export const LABEL_POINTS: Partial<Record<MoneyLabel, number>> = {
  total_rounded: 5,
  total_payable: 4.4,
  total_inclusive: 4,
  total: 3.4,
  balance_due: 2.4,
}

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

interface Subject {
  line: MoneyLine
  /** The line's amount. */
  value: number
  sums: Sums
}

/** Words that a row without columns has at least to be a sentence. */
const SENTENCE_WORDS = 9
/** A discount for early payment. */
const EARLY =
  /(?:^| )(?:SKONTO|DISCOUNT|ESCOMPTE|SCONTO|DESCUENTO|DESCONTO|KORTING|RABATT?|SKONTA|KASSARABATT|KONTANTRABATT)(?: |$)/

/** Folded text of the rows that are sentences. */
function sentencesOf(entries: readonly RowMoney[]): Map<number, string> {
  return new Map(
    entries
      .filter(({ row, folded }) => row.cells.length === 1 && wordCount(folded) >= SENTENCE_WORDS)
      .map(({ row, folded }) => [row.index, folded]),
  )
}

const confirmed = (
  sums: readonly number[],
  value: number,
  { points, confirms }: Finding,
): Finding | null => (sums.some((x) => isNear(x, value)) ? { points, confirms } : null)

/** "AMOUNT" heads a column or a card slip's line more often than the sum. */
const HEADS_COLUMN = /^(?:AMOUNT|AMT|BETRAG|IMPORTE|MONTANT|IMPORTO|VALOR)(?: \w{2,3})?$/
const LEFT: readonly MoneyLabel[] = ['total_payable', 'balance_due']
/** What may stand between a total and what is left of it. */
const PAYMENTS: readonly MoneyLabel[] = ['paid', 'previous', 'card', 'cash', 'mobile', 'other']
const TOTALS: readonly MoneyLabel[] = ['total', 'total_inclusive', 'total_payable']

export const TOTAL_RULES: readonly Rule<Subject>[] = [
  { name: 'label', look: ({ line }) => LABEL_POINTS[line.label] ?? 0 },
  { name: 'in a table of taxes', look: ({ line }) => when(line.inSummary, -3) },
  { name: 'zero', look: ({ value }) => when(value === 0, -6) },
  { name: 'negative', look: ({ value, sums }) => when(value < 0 && !sums.isRefund, -5) },
  {
    name: 'label in another row',
    look: ({ line }) => when(line.pairing === 'sequence', -0.8),
  },
  { name: 'label above', look: ({ line }) => when(line.pairing === 'column', -0.2) },
  { name: 'digits repaired', look: ({ line }) => when(line.amount.repaired, -0.4) },
  {
    name: 'other amounts beside it',
    look: ({ line, value }) => {
      const others = line.companions.filter((a) => a !== line.amount && !isNear(a.value, value))
      const sum = others.reduce((s, a) => s + a.value, 0)
      const areItsParts = others.length >= 2 && isNear(sum, value)
      return when(others.length > 0 && !areItsParts, -1.6)
    },
  },
  {
    name: 'whole number among decimals',
    look: ({ line: { amount }, value, sums }) =>
      when(
        amount.decimals === 0 &&
          amount.mark === null &&
          !amount.whole &&
          sums.hasDecimals &&
          !isRoundedToWhole(value, sums),
        -4.5,
      ),
  },
  {
    name: 'the rounding itself',
    look: ({ line, value }) => when(line.label === 'total_rounded' && Math.abs(value) < 0.1, -4),
  },
  { name: 'head of a column', look: ({ line }) => when(HEADS_COLUMN.test(line.folded), -0.8) },
  {
    name: 'cash minus change',
    look: ({ value, sums }) =>
      confirmed(sums.fromCash, value, { points: value > 0 ? 3.2 : 0, confirms: 2 }),
  },
  {
    name: 'paid',
    look: ({ value, sums }) => confirmed(sums.paidBy, value, { points: 0.9, confirms: 1 }),
  },
  {
    name: 'subtotal with tax and extras',
    look: ({ value, sums }) => confirmed(sums.composed, value, { points: 1.4, confirms: 1 }),
  },
  {
    name: 'sum of the items',
    look: ({ value, sums: { itemsSum } }) =>
      itemsSum === null ? null : confirmed([itemsSum], value, { points: 0.5, confirms: 1 }),
  },
  {
    name: 'printed more than once',
    look: ({ value, sums }) => when((sums.countOf.get(value) ?? 0) > 1, 0.6),
  },
  {
    name: 'payable in coins after a rounding',
    look: ({ value, sums }) =>
      when(sums.roundings.length > 0, Math.round(value * 100) % 5 === 0 ? 0.8 : -0.8),
  },
  {
    name: 'another sum and the rounding make it',
    look: ({ line, value, sums }) => {
      const before = sums.roundings.filter((r) => isOther(sums, line, value - r)).length
      return before === 0 ? null : { points: before * 1.8, confirms: before }
    },
  },
  {
    name: 'it and the rounding make another sum',
    look: ({ line, value, sums }) => {
      const after = sums.roundings.filter((r) => isOther(sums, line, value + r)).length
      return when(after > 0, after * -1.6)
    },
  },
  {
    // "If paid by 8 May we grant 2 % discount, 98.00 to pay then".
    name: 'in a sentence',
    look: ({ line, sums }) => {
      const words = sums.sentences.get(line.row)
      return words === undefined ? null : EARLY.test(words) ? -4 : -1
    },
  },
  {
    // total − paid = due: what is left to pay is not the total.
    name: 'left after a payment',
    look: ({ line, value, sums }) => {
      if (!LEFT.includes(line.label)) return null
      const isLeft = sums.lines.some(
        (o) =>
          o !== line &&
          o.amount.value > value &&
          TOTALS.includes(o.label) &&
          (sums.paidBefore.some((p) => isNear(o.amount.value - p, value)) ||
            isTakenOff(sums, o, line)),
      )
      return when(isLeft, -3)
    },
  },
  {
    // total − discount = the later one.
    name: 'before a discount',
    look: ({ line, value, sums }) => {
      const isBefore = sums.lines.some(
        (o) => o.row > line.row && sums.discounts.some((d) => isNear(value - d, o.amount.value)),
      )
      return when(isBefore, -2.5)
    },
  },
  {
    // "Net amount" beside the tax and a sum of both is a subtotal, whatever "net" means elsewhere.
    name: 'net of tax',
    look: ({ line, value, sums }) => {
      const hasGross = sums.taxes.some((t) =>
        sums.lines.some((o) => isNear(o.amount.value, value + t) && value > t),
      )
      return when(hasGross || isNetBeforeTax(line, sums.all), -3.5)
    },
  },
  {
    // A balance that cash exceeds is change where what is left of the cash is printed.
    name: 'change',
    look: ({ line, value, sums }) => {
      if (line.label !== 'balance_due') return null
      const left = sums.given.map((cash) => cash - value).filter((x) => x > 0)
      return when(
        left.some((x) => sums.printed.some((amount) => isNear(amount, x))),
        -3,
      )
    },
  },
]

/** A rounding and a subtotal not far below: the total is a whole number, as in India. */
const isRoundedToWhole = (value: number, { roundings, subtotals }: Sums): boolean =>
  roundings.length > 0 && subtotals.some((net) => net > value * SUBTOTAL_LEAST && net <= value + 1)
/** A total is rarely more than twice its subtotal. */
const SUBTOTAL_LEAST = 0.5

/** Whether what is printed between two sums is their difference: a payment, or of unknown name. */
function isTakenOff({ rows, all }: Sums, before: MoneyLine, after: MoneyLine): boolean {
  const difference = before.amount.value - after.amount.value
  return (
    after.amount.value > 0 &&
    rows.some(
      ({ row, amounts }) =>
        row > before.row &&
        row < after.row &&
        amounts.some((a) => isNear(Math.abs(a), difference)) &&
        all.every((l) => l.row !== row || PAYMENTS.includes(l.label)),
    )
  )
}

/** Whether another candidate has about that amount. */
function isOther({ lines }: Sums, line: MoneyLine, value: number): boolean {
  return lines.some((o) => o !== line && isNear(o.amount.value, value))
}

const NET = /^NETT? (?:TOTAL|AMOUNT|AMT|VALUE)$/

/** "Net amount" above the tax, and a larger sum below that: a subtotal even if they do not agree. */
export function isNetBeforeTax({ folded, row, amount }: MoneyLine, lines: MoneyLine[]): boolean {
  if (!NET.test(folded)) return false
  const isLarger = (sum: MoneyLine) =>
    LABEL_POINTS[sum.label] !== undefined &&
    !sum.inSummary &&
    !NET.test(sum.folded) &&
    sum.amount.value > amount.value &&
    sum.amount.value < 2 * amount.value
  return lines.some(
    (tax) =>
      tax.label === 'tax' &&
      tax.amount.value > 0 &&
      tax.row > row &&
      lines.some((sum) => sum.row > tax.row && isLarger(sum)),
  )
}
