/**
 * Goods as shops' mails print them, each a name over rows of its details and, below these, a row of sums
 * alone: "Desk lamp" over "Reference: 5", "Qty: 2" and "667.68 500.76".
 */
import { foldLabel } from '../../lexicon/fold.ts'
import { columnOfHead } from '../../lexicon/items.ts'
import { letterWeight } from '../../lexicon/other-scripts.ts'
import { looksLikeMoney } from '../marks/amounts.ts'
import { isProduct, tidy, type LineItem } from './item-quantities.ts'
import type { RowMoney } from '../marks/row-money.ts'

/** Details that stand between a name and its sums at most. */
const DETAILS_MAX = 4
/** A name of goods has so many letters at least. */
const LETTERS_LEAST = 3
/** The sums of a line: what it costs, and what it did before a discount. */
const SUMS_MAX = 2

/** "Qty: 2": a label and its value. */
const DETAIL = /^\s*(\p{L}[\p{L}. -]{1,24}?)\.?\s*:\s*(\S{1,16})\s*$/u

/** The row's sums where it holds nothing else; null for other rows. */
function sumsAlone({ row, amounts }: RowMoney): number[] | null {
  const money = amounts.filter(looksLikeMoney)
  const isAlone = money.length === amounts.length && money.length > 0 && money.length <= SUMS_MAX
  const rest = money.reduceRight(
    (text, { start, end }) => text.slice(0, start) + text.slice(end),
    row.text,
  )
  return isAlone && !/[\p{L}\d]/u.test(rest) ? money.map(({ value }) => value) : null
}

/** The count of a detail that names one; null for other details. */
function countOf(label: string, value: string): number | null {
  const isCount = columnOfHead(foldLabel(label), new Set()) === 'quantity'
  return isCount && /^\d{1,4}$/.test(value) ? Number(value) : null
}

/** The line of goods whose sums stand in row `at`; null without a name, or a count among its details. */
function lineAt(entries: readonly RowMoney[], at: number): LineItem | null {
  const sums = sumsAlone(entries[at]!)
  if (!sums) return null
  let quantity: number | null = null
  for (let above = at - 1; above >= Math.max(0, at - DETAILS_MAX - 1); above--) {
    const { row, amounts } = entries[above]!
    const detail = DETAIL.exec(row.text)
    if (detail) {
      quantity ??= countOf(detail[1]!, detail[2]!)
      continue
    }
    const description = tidy(row.text)
    const isName = letterWeight(description) >= LETTERS_LEAST && !amounts.some(looksLikeMoney)
    if (quantity === null || !isName || description.endsWith(':')) return null
    const amount = sums.at(-1)!
    const line = { description, quantity, unit_price: sums[0]!, amount }
    return isProduct(line) ? line : { ...line, unit_price: null }
  }
  return null
}

/** The lines of goods that stand so; empty where there are none. */
export const detailedGoods = (entries: readonly RowMoney[]): LineItem[] =>
  entries.flatMap((_, at) => lineAt(entries, at) ?? [])
