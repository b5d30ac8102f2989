/**
 * Columns of goods by arithmetic: a quantity and a price make the amount of their row, whatever the heads
 * above them say, or without any.
 */
import { foldLabel } from '../lexicon/fold.ts'
import { classifyMoneyLabel } from '../lexicon/money-labels.ts'
import { letterWeight } from '../lexicon/other-scripts.ts'
import { looksLikeMoney, type Amount } from './amounts.ts'
import { headOf, type HeadColumn } from './goods-heads.ts'
import { numbersOf } from './item-numbers.ts'
import { isNear } from './near.ts'
import type { RowMoney } from './row-money.ts'

/** Whether a row begins with the label of a sum. */
export const isSumRow = (entry: RowMoney): boolean => {
  const first = entry.amounts[0]
  const left = foldLabel(first ? entry.row.text.slice(0, first.start) : entry.row.text)
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

/** The third last of a row's sums where the last two are its tax and the sum of both. */
function netBeforeTax(amounts: readonly Amount[]): Amount | null {
  const [net, tax, gross] = amounts.filter((a) => looksLikeMoney(a) && !a.percent).slice(-3)
  const isTaxed =
    net && tax && gross && tax.value < net.value && isNear(net.value + tax.value, gross.value)
  return isTaxed && tax.value > 0 ? net : null
}

/**
 * The heads with the amounts where arithmetic finds them: a price and a quantity make the last sum of
 * the rows, whatever its head is called.
 */
export function withAmountColumn(
  entries: readonly RowMoney[],
  start: number,
  heads: HeadColumn[],
): HeadColumn[] {
  const rows: { last: Amount; unit: number }[] = []
  let priced = 0
  for (const entry of entries.slice(start + 1, start + 1 + PROVEN_ROWS)) {
    if (entry.inSummary || (isSumRow(entry) && entry.amounts.length > 0)) break
    const last = entry.amounts.findLast((a) => looksLikeMoney(a) && !a.percent)
    if (!last) continue
    priced++
    const net = netBeforeTax(entry.amounts)
    const numbers = numbersOf(entry.amounts.filter((a) => !net || a.start <= net.start))
    if (numbers?.unit && numbers.quantity) rows.push({ last: net ?? last, unit: numbers.unit })
  }
  const isProven = rows.length > 0 && rows.length >= PROVEN_SHARE * priced
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

/** Rows with a proven quantity that make a table without known heads. */
export const PROVEN_LEAST = 2
/** More than a row has. */
const PAGE_COLUMNS = 500

/**
 * Heads of a table whose own are not known, by arithmetic: the rows below `at` have a name, a quantity,
 * a price and their product.
 */
export function provenHeads(
  entries: readonly RowMoney[],
): { at: number; heads: HeadColumn[] } | null {
  const rows = entries.flatMap((entry, at) => {
    const amount = entry.amounts.findLast((a) => looksLikeMoney(a) && !a.percent)
    const quantity = amount && !entry.inSummary ? provenQuantity(entry, amount) : null
    const numbers = quantity && numbersOf(entry.amounts)
    const price = numbers && entry.amounts.find((a) => a.value === numbers.unit && a !== quantity)
    return amount && quantity && price ? [{ at, amount, quantity, price }] : []
  })
  const first = rows[0]
  if (rows.length < PROVEN_LEAST || !first || first.at === 0) return null
  const spanOf = (
    column: HeadColumn['column'],
    of: (row: (typeof rows)[number]) => Amount,
  ): HeadColumn => ({
    column,
    x0: Math.min(...rows.map((row) => of(row).x0)),
    x1: Math.max(...rows.map((row) => of(row).x1)),
  })
  const quantity = spanOf('quantity', (row) => row.quantity)
  const amount = spanOf('amount', (row) => row.amount)
  return {
    at: first.at - 1,
    heads: [
      { column: 'description', x0: 0, x1: Math.max(0, quantity.x0 - 1) },
      quantity,
      spanOf('unit_price', (row) => row.price),
      amount,
      // Rates and codes behind the amounts.
      { column: 'tax', x0: amount.x1 + 1, x1: amount.x1 + PAGE_COLUMNS },
    ],
  }
}
