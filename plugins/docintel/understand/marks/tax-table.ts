/** Where a document's table of taxes by rate begins and ends; its sums are none of the document's. */
import { foldLabel } from '../../lexicon/fold.ts'
import type { Column } from '../../lexicon/column.ts'
import { columnOfHead } from '../../lexicon/items.ts'
import { classifyMoneyLabel, SUMMARY_HEAD } from '../../lexicon/money-labels.ts'
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import type { Row } from '../../model/document.ts'
import { looksLikeMoney, type Amount } from './amounts.ts'

export interface TablePlace {
  /** Inside a table of taxes by rate. */
  inSummary: boolean
  /** Where that table ends to the right; sums beside it are none of its own. */
  summaryEnd: number
}

const ROWS_MAX = 8
/** Labels that stand under the table, never in it. */
const AFTER: ReadonlySet<MoneyLabel> = new Set([
  'total_rounded',
  'total_payable',
  'cash',
  'change',
  'tendered',
  'card',
  'rounding',
  'total_inclusive',
])

/** Follows a document's rows in order. */
export class TaxTable {
  #inside = false
  #rows = 0
  /** Until the first sum, labels alone in their rows are the table's heads ("NET AMT" / "GST"). */
  #hasSums = false
  #end = Infinity

  /** The place of the next row; `rest` is its folded text without the amounts. */
  next(row: Row, rest: string, amounts: Amount[]): TablePlace {
    const money = amounts.filter(looksLikeMoney)
    if (SUMMARY_HEAD.test(rest) && money.length <= 1 && !namesGoods(row)) {
      this.#inside = true
      this.#rows = 0
      this.#hasSums = money.length > 0
      this.#end = endOf(row, money[0])
    } else if (this.#inside) {
      const own = classifyMoneyLabel(rest)
      this.#rows++
      const isHead = money.length === 0 && !this.#hasSums
      if (this.#rows > ROWS_MAX || (own !== null && AFTER.has(own) && money.length < 2 && !isHead))
        this.#inside = false
      this.#hasSums ||= money.length > 0
    }
    return { inSummary: this.#inside, summaryEnd: this.#end }
  }
}

/** Heads of goods with their tax ("Description | Qty | VAT % | Total") are no table of taxes. */
function namesGoods(row: Row): boolean {
  const taken = new Set<Column>()
  for (const cell of row.cells) {
    const column = columnOfHead(foldLabel(cell.text), taken)
    if (column) taken.add(column)
  }
  return taken.has('description') && (taken.has('quantity') || taken.has('unit_price'))
}

/** Beside the table's head may stand a sum of the document, label and amount. */
function endOf(row: Row, amount: Amount | undefined): number {
  const label = amount ? row.cells[amount.cell - 1] : undefined
  return amount && label && amount.cell >= 2 ? label.x0 - 0.5 : Infinity
}
