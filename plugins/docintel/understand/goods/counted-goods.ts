/**
 * Goods of tills that print the count of each below it: a name of one row or more, its amount behind it
 * or in a row of its own, then "2 x 450,67".
 */
import { foldLabel } from '../../lexicon/fold.ts'
import { columnOfHead } from '../../lexicon/items.ts'
import { letterWeight } from '../../lexicon/other-scripts.ts'
import { looksLikeMoney } from '../marks/amounts.ts'
import { tidy, type LineItem } from './item-quantities.ts'
import { isNear } from '../marks/near.ts'
import type { RowMoney } from '../marks/row-money.ts'

/** A count and a price, alone in their row. */
const COUNT = /^\s*(\d{1,4})\s*[x×*]\s*[\p{Sc}]?\s*\d[\d.,' ]*\s*[\p{Sc}]?\s*$/iu
/** Rows of a name, with the one that has its amount. */
const ROWS_MAX = 4

const hasNameHead = ({ row }: RowMoney): boolean =>
  row.cells.some(({ text }) => columnOfHead(foldLabel(text), new Set()) === 'description')

const isRule = ({ row }: RowMoney): boolean => !/[\p{L}\d]/u.test(row.text)

/** The lines of goods; none unless every count makes the amount of its line. */
export function countedGoods(entries: readonly RowMoney[]): LineItem[] {
  const items: LineItem[] = []
  /** The row that the line before ends in, or the heads. */
  let end = entries.findIndex(hasNameHead)
  if (end < 0) return []
  for (let at = end + 1; at < entries.length; at++) {
    const { row, amounts } = entries[at]!
    const count = COUNT.exec(row.text)
    if (!count) continue
    const price = amounts.at(-1)
    const quantity = Number(count[1])
    const lines = entries.slice(Math.max(end + 1, at - ROWS_MAX), at).filter((e) => !isRule(e))
    const amount = lines.at(-1)?.amounts.findLast(looksLikeMoney)
    if (!price || !amount || !isNear(quantity * price.value, amount.value, 0.011)) return []
    const name = lines
      .map((line) => (line === lines.at(-1) ? line.row.text.slice(0, amount.start) : line.row.text))
      .join(' ')
    if (
      letterWeight(name) < 3 ||
      lines.slice(0, -1).some((line) => line.amounts.some(looksLikeMoney))
    )
      return []
    items.push({ description: tidy(name), quantity, unit_price: price.value, amount: amount.value })
    end = at
  }
  return items
}
