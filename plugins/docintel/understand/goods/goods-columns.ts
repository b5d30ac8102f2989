/**
 * Columns of goods by arithmetic: a quantity and a price make the amount of their row, whatever the heads
 * above them say, or without any.
 */
import { foldLabel } from '../../lexicon/fold.ts'
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import { classifyMoneyLabel } from '../../lexicon/money-labels.ts'
import { letterWeight } from '../../lexicon/other-scripts.ts'
import type { Cell } from '../../model/document.ts'
import { looksLikeMoney, type Amount } from '../marks/amounts.ts'
import { headOf, type HeadColumn } from './goods-heads.ts'
import { hasUnitAlone } from './goods-names.ts'
import { numbersOf } from './item-numbers.ts'
import { productOf } from './line-product.ts'
import { isNear } from '../marks/near.ts'
import { netTaxesAndGross } from '../marks/net-in-row.ts'
import type { RowMoney } from '../marks/row-money.ts'

/** Whether a row begins with the label of a sum. */
export const isSumRow = (entry: RowMoney): boolean => {
  const [lead, next] = entry.amounts
  // "19 % MwSt  123,50": the rate stands before the label.
  const isRateFirst = lead?.percent && entry.row.text.slice(0, lead.start).trim() === ''
  const [from, first] = isRateFirst ? [lead.end, next] : [0, lead]
  const left = foldLabel(entry.row.text.slice(from, first?.start))
  const label = classifyMoneyLabel(left)
  if (
    label === null ||
    label === 'other' ||
    label === 'shipping' ||
    label === 'service' ||
    label === 'mobile' ||
    label === 'card'
  )
    return false
  // "TOTAL SOLUTION CREAM 3.20" is goods: the label must be most of the words.
  const words = left.split(' ')
  return words.length <= 6 || /^(?:SUB|TOTAL|GRAND|NET)/.test(left)
}

/** Rows below heads that are looked at, and the share of them that must agree. */
const PROVEN_ROWS = 40
const PROVEN_SHARE = 0.6

/** Rows with a proven quantity that make a table without known heads. */
export const PROVEN_LEAST = 2

/** Sums between a net and its sum with tax: a tax or two, and the cesses of some countries. */
const TAXES_MAX = 3

/**
 * The heads with the amounts where arithmetic finds them: a price and a quantity make the last sum of
 * the rows, whatever its head is called.
 */
export function withAmountColumn(
  entries: readonly RowMoney[],
  start: number,
  heads: HeadColumn[],
): HeadColumn[] {
  const rows: { last: Amount }[] = []
  let priced = 0
  let isProvenAbove = false
  for (const entry of entries.slice(start + 1, start + 1 + PROVEN_ROWS)) {
    if (entry.inSummary || (isSumRow(entry) && entry.amounts.length > 0)) break
    const last = entry.amounts.findLast((a) => looksLikeMoney(a) && !a.percent)
    if (!last) continue
    priced++
    const product = productOf(entry)
    const net = netTaxesAndGross(entry.amounts, TAXES_MAX)?.net ?? null
    const numbers = numbersOf(entry.amounts.filter((a) => !net || a.start <= net.start))
    if (product) rows.push({ last: product.amount })
    else if (numbers?.unit && numbers.quantity) rows.push({ last: net ?? last })
    // Sums under heads that were misread may follow: the goods above them prove enough.
    isProvenAbove ||= rows.length >= PROVEN_LEAST && rows.length >= PROVEN_SHARE * priced
  }
  const isProven = isProvenAbove || (rows.length > 0 && rows.length >= PROVEN_SHARE * priced)
  if (!isProven || rows.every(({ last }) => headOf(last, heads) === 'amount')) return heads
  const x0 = Math.min(...rows.map(({ last }) => last.x0))
  const x1 = Math.max(...rows.map(({ last }) => last.x1))
  return [
    ...heads
      .filter((head) => head.x0 > x1 || head.x1 < x0)
      .map((head) =>
        head.column === 'amount' ? { ...head, column: 'unit_price' as const } : head,
      ),
    { column: 'amount', x0, x1 },
  ]
}

/** The number behind the name that times the price is the amount. */
export function provenQuantity(entry: RowMoney, amount: Amount): Amount | null {
  const numbers = numbersOf(entry.amounts.filter((a) => a.start <= amount.start))
  if (!numbers?.quantity) return null
  return (
    entry.amounts.findLast(
      (a) =>
        a.value === numbers.quantity &&
        a.start < amount.start &&
        letterWeight(entry.row.text.slice(0, a.start)) >= 2,
    ) ?? null
  )
}

/** More than a row has. */
const PAGE_COLUMNS = 500

/** Letters that a cell has at least to be the name of goods. */
const NAME_LETTERS = 3

/** Letters of a unit or of an article number whose name stands in another row. */
const CODE_LETTERS = 2

/** The cell left of a row's amount that has the most letters: the name. */
export function nameCell({ row }: RowMoney, amount: Amount): Cell | null {
  const cells = row.cells
    .slice(0, amount.cell)
    .filter((cell) => letterWeight(cell.text) >= NAME_LETTERS)
  return cells.toSorted((a, b) => letterWeight(b.text) - letterWeight(a.text))[0] ?? null
}

/**
 * Heads of a table whose own are not known, by arithmetic: the rows below `at` have a name, a quantity,
 * a price and their product.
 */
export function provenHeads(
  entries: readonly RowMoney[],
): { at: number; heads: HeadColumn[] } | null {
  const rows = entries.flatMap((entry, at) => {
    const product = isSumRow(entry) ? null : productOf(entry)
    const name = product && nameCell(entry, product.amount)
    const isGoods = name && (!entry.inSummary || product.isTelling)
    return isGoods ? [{ at, ...product, name }] : []
  })
  const first = rows[0]
  if (!first || first.at === 0) return null
  // A unit is no name: what each is called stands above it, or under it where heads come first.
  const over = entries[first.at - 1]!
  const isUnderName = over.row.cells.length === 1 && over.amounts.length === 0
  if (hasUnitAlone(first.name.text) && isUnderName) return null
  // The only line is proven by a sum below that repeats it.
  const isRepeated = entries
    .slice(first.at + 1)
    .some((e) => isSumRow(e) && e.amounts.some((a) => isNear(a.value, first.amount.value)))
  if (rows.length < PROVEN_LEAST && !isRepeated) return null
  const spanOf = (
    column: HeadColumn['column'],
    of: (row: (typeof rows)[number]) => { x0: number; x1: number },
  ): HeadColumn => ({
    column,
    x0: Math.min(...rows.map((row) => of(row).x0)),
    x1: Math.max(...rows.map((row) => of(row).x1)),
  })
  const quantity = spanOf('quantity', (row) => row.quantity)
  const amount = spanOf('amount', (row) => row.amount)
  const name = spanOf('description', (row) => row.name)
  return {
    at: first.at - 1,
    heads: [
      name.x1 < quantity.x0
        ? { ...name, x0: 0, x1: Math.max(0, quantity.x0 - 1) }
        : // A quantity one space before the name shares its cell.
          { ...name, x0: Math.max(name.x0, quantity.x1 + 0.5) },
      quantity,
      spanOf('unit_price', (row) => row.price),
      amount,
      // Rates and codes behind the amounts.
      { column: 'tax', x0: amount.x1 + 1, x1: amount.x1 + PAGE_COLUMNS },
    ],
  }
}

/** Rows below a sum in which more goods of the table must begin. */
export const MIDDLE_ROWS = 6

/**
 * Whether more goods follow within `reach` rows of row `at` under the same columns: then a sum there is one of a group,
 * and a row without amounts is a heading or a second row of heads.
 */
export function goodsGoOn(
  entries: readonly RowMoney[],
  at: number,
  heads: readonly HeadColumn[],
  reach = MIDDLE_ROWS,
): boolean {
  const isUncounted = heads.every(({ column }) => column !== 'quantity')
  for (const entry of entries.slice(at + 1, at + 1 + reach)) {
    if (entry.inSummary) return false
    const product = isSumRow(entry) ? null : productOf(entry)
    if (
      product &&
      letterWeight(entry.row.text.slice(0, product.amount.start)) >= CODE_LETTERS &&
      headOf(product.amount, heads) === 'amount' &&
      (isUncounted || headOf(product.quantity, heads) === 'quantity')
    )
      return true
  }
  return false
}

/** Labels of sums that stand under the goods, beside another column of text. */
const SUMS_BESIDE: ReadonlySet<MoneyLabel> = new Set([
  'subtotal',
  'total',
  'total_payable',
  'total_inclusive',
  'total_rounded',
  'taxable',
  'tax',
  'balance_due',
])

/** Whether the cell left of a row's last sum is the label of a sum, whatever stands left of it. */
export function endsWithSum(entry: RowMoney): boolean {
  const amount = entry.amounts.findLast((a) => looksLikeMoney(a) && !a.percent)
  const cell = amount && entry.row.cells[amount.cell - 1]
  if (!cell || amount.cell < 2 || letterWeight(cell.text) < NAME_LETTERS) return false
  const label = classifyMoneyLabel(foldLabel(cell.text))
  return label !== null && SUMS_BESIDE.has(label)
}

/** Labels that stand side by side over the sums. */
const HEADS_OF_SUMS_LEAST = 2

/** Whether a row without sums has the labels of several side by side: under it stand sums, not goods. */
export function isHeadOfSums({ row, amounts }: RowMoney): boolean {
  if (amounts.some(looksLikeMoney)) return false
  const labels = row.cells.map((cell) => classifyMoneyLabel(foldLabel(cell.text)))
  return labels.filter((l) => l !== null && SUMS_BESIDE.has(l)).length >= HEADS_OF_SUMS_LEAST
}
