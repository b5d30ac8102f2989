/**
 * Goods on narrow paper whose columns did not fit: the heads stand under one another, and so do the
 * values of every line, in the same order ("Item / Qty / Rate / Total", "Soap / 2 / 3.10 / 6.20").
 */
import { foldLabel } from '../../lexicon/fold.ts'
import type { Column } from '../../lexicon/column.ts'
import { columnOfHead } from '../../lexicon/items.ts'
import { letterWeight } from '../../lexicon/other-scripts.ts'
import { tidy, type LineItem } from './item-quantities.ts'
import type { RowMoney } from '../marks/row-money.ts'

/** Heads in rows of their own that make a table. */
const HEADS_LEAST = 3
/** More columns than a table has. */
const COLUMNS_MAX = 20

/** The columns of heads that stand under one another from row `at` on; the name comes first. */
function stackedHeads(entries: readonly RowMoney[], at: number): Column[] | null {
  const taken = new Set<Column>()
  const columns: Column[] = []
  for (const { row } of entries.slice(at, at + COLUMNS_MAX)) {
    const column = row.cells.length === 1 ? columnOfHead(foldLabel(row.text), taken) : null
    if (!column) break
    taken.add(column)
    columns.push(column)
  }
  const isTable =
    columns.length >= HEADS_LEAST && columns[0] === 'description' && taken.has('amount')
  return isTable ? columns : null
}

/** The only number of a row that holds nothing else. */
function loneNumber({ row, amounts }: RowMoney): number | null {
  const [amount, more] = amounts
  return row.cells.length === 1 && amount && !more && !/\p{L}/u.test(row.text) ? amount.value : null
}

/** The goods under stacked heads; empty where there are none. */
export function stackedGoods(entries: readonly RowMoney[]): LineItem[] {
  const start = entries.findIndex((_, at) => stackedHeads(entries, at) !== null)
  if (start === -1) return []
  const [, ...columns] = stackedHeads(entries, start)!
  const items: LineItem[] = []
  let at = start + 1 + columns.length
  for (;;) {
    const names: string[] = []
    while (entries[at] && loneNumber(entries[at]!) === null && entries[at]!.label === null) {
      names.push(entries[at]!.row.text)
      at++
    }
    const values = entries.slice(at, at + columns.length).map(loneNumber)
    const description = tidy(names.join(' '))
    const isLine =
      letterWeight(description) >= 2 &&
      values.length === columns.length &&
      values.every((value) => value !== null)
    if (!isLine) return items
    const valueOf = (column: Column): number | null => values[columns.indexOf(column)] ?? null
    items.push({
      description,
      quantity: valueOf('quantity'),
      unit_price: valueOf('unit_price'),
      amount: valueOf('amount')!,
    })
    at += columns.length
  }
}
