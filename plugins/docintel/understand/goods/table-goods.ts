/** Lines of goods of a table, by the columns under its heads. */
import type { Column } from '../../lexicon/column.ts'
import { foldLabel } from '../../lexicon/fold.ts'
import { letterWeight } from '../../lexicon/other-scripts.ts'
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import { classifyMoneyLabel } from '../../lexicon/money-labels.ts'
import { looksLikeMoney, type Amount } from '../marks/amounts.ts'
import type { RowMoney } from '../marks/row-money.ts'
import {
  endsWithSum,
  goodsGoOn,
  isHeadOfSums,
  isSumRow,
  MIDDLE_ROWS,
  provenQuantity,
  withAmountColumn,
} from './goods-columns.ts'
import { isNear } from '../marks/near.ts'
import { headOf, headsOf, onlySum, type HeadColumn } from './goods-heads.ts'
import {
  isUnit,
  unitAtEnd,
  unitBehind,
  withColumnsApart,
  withoutUnits,
  type PrintedLine,
} from './goods-names.ts'
import { numbersOf } from './item-numbers.ts'
import {
  areNamesBelow,
  continued,
  descriptionText,
  isCode,
  nameCellsOf,
  nameUnder,
  printedBefore,
} from './line-names.ts'
import { tidy, type LineItem } from './item-quantities.ts'
import { productOf } from './line-product.ts'
import { lineTaxRate } from './line-tax-rate.ts'
import { endsNoName, ITEMS_MAX } from './no-goods.ts'
import { ratesByCode, taxCodeOf } from './tax-codes.ts'

/** A page's sum carried to the next page: goods go on after it. */
const isCarried = (entry: RowMoney): boolean =>
  classifyMoneyLabel(foldLabel(entry.row.text.slice(0, entry.amounts[0]?.start))) === 'previous'

/** Labels without an amount in their row under which no goods follow. */
const ENDS_GOODS: ReadonlySet<MoneyLabel> = new Set([
  'subtotal',
  'total',
  'total_payable',
  'total_inclusive',
  'tax',
])

/** Whether the label of a sum stands where goods have their name, behind its amount. */
function isLabelOfSum(description: string): boolean {
  const label = classifyMoneyLabel(foldLabel(description))
  return label !== null && ENDS_GOODS.has(label)
}

/** Whether a row's numbers make its amount under the heads: goods, whatever words name them. */
function isProvenLine(entry: RowMoney, heads: readonly HeadColumn[]): boolean {
  const product = productOf(entry)
  return (
    product !== null &&
    headOf(product.amount, heads) === 'amount' &&
    headOf(product.quantity, heads) === 'quantity' &&
    letterWeight(entry.row.text.slice(0, product.amount.start)) >= 3
  )
}

/** The goods of a table, and the first row below it. */
export interface TableGoods {
  items: LineItem[]
  end: number
}

/**
 * Goods of a table with heads: every row that has an amount in the amount column. A sum ends them, where no
 * more follow within `reach` rows.
 */
export function tableGoods(
  entries: RowMoney[],
  start: number,
  first: HeadColumn[],
  reach = MIDDLE_ROWS,
): TableGoods {
  let heads = withAmountColumn(entries, start, first)
  const lines: PrintedLine[] = []
  let pending = ''
  let misses = 0
  // Where the goods begin that the next sum of a group adds up.
  let group = 0
  let at = start + 1
  for (; at < entries.length && lines.length < ITEMS_MAX; at++) {
    const entry = entries[at]!
    const again = at > start + 1 ? headsOf(entry) : null
    if (again) {
      // Each page has columns of its own.
      heads = withAmountColumn(entries, at, again)
      continue
    }
    const isProven = isProvenLine(entry, heads)
    if (isCarried(entry) && !isProven) continue
    const isSum = entry.label === null ? isSumRow(entry) : ENDS_GOODS.has(entry.label)
    const isEnd =
      (isSum && (entry.amounts.length > 0 || entry.label !== null)) ||
      endsWithSum(entry) ||
      isHeadOfSums(entry)
    if (isEnd && !isProven) {
      if (!goodsGoOn(entries, at, heads, reach)) break
      group = lines.length
      pending = ''
      continue
    }
    if (entry.inSummary && !isProven) break
    const placed = entry.amounts.map((a) => ({ a, column: headOf(a, heads) }))
    const money = placed.filter(
      (p) =>
        p.column === 'amount' &&
        !p.a.percent &&
        (looksLikeMoney(p.a) ||
          p.a.decimals > 0 ||
          entry.amounts.length > 1 ||
          isWholeAmount(entry, p.a, lines)),
    )
    const product = productOf(entry)
    const amountCell =
      isProven && product ? product.amount : (money.at(-1)?.a ?? onlySum(entry, heads))
    const firstNumeric = placed.find(
      (p) =>
        p.column !== 'position' &&
        p.column !== 'code' &&
        p.column !== 'description' &&
        p.column !== null,
    )
    const isProduct = product !== null && product.amount === amountCell
    const counted = isProduct
      ? quantityUnderHead(product.quantity, placed)
      : amountCell && provenQuantity(entry, amountCell)
    const numeric = isProduct ? [product.quantity, product.price] : [firstNumeric?.a, counted]
    const before = numeric.filter((a) => a !== undefined && a !== null)
    const cut = before.toSorted((a, b) => a.start - b.start)[0] ?? amountCell
    const isCounted = cut !== null && cut === counted
    const printed = descriptionText(entry, cut, amountCell, heads)
    const named = isCounted ? unitAtEnd(printed) : { name: printed, unit: null }
    const text = withoutUnits(named.name)
    if (!amountCell) {
      if (letterWeight(text) >= 3 && text.length < 160 && !endsNoName(foldLabel(text))) {
        const last = lines.at(-1)
        if (
          last &&
          entry.row.gapAbove < 0.5 &&
          entry.row.page === entries[at - 1]!.row.page &&
          entry.amounts.length === 0 &&
          !nextHasAmountOnly(entries, at)
        )
          last.item.description = continued(last, entry, text, entries[start]!.row.cells)
        else pending = pending === '' ? text : tidy(`${pending} ${text}`)
      }
      if (++misses > 6) break
      continue
    }
    misses = 0
    const hasOwnName = !isCode(text) && !isUnit(text)
    const isAbove = pending !== '' && (lines.length > 0 || !areNamesBelow(entries, at))
    const under = hasOwnName || isAbove ? null : nameUnder(entries, at)
    if (under) at++
    const description =
      under ??
      (letterWeight(text) >= 2
        ? pending && letterWeight(text) < 2
          ? pending
          : text
        : pending || text)
    pending = ''
    if (letterWeight(description) < 2) {
      if (!isSumOf(lines, amountCell.value)) continue
      if (!goodsGoOn(entries, at, heads, reach)) break
      group = lines.length
      continue
    }
    const quantityCell = placed.find(
      (p) => p.column === 'quantity' && !p.a.percent && p.a !== amountCell,
    )?.a
    const unitCell = placed.find(
      (p) => p.column === 'unit_price' && p.a !== amountCell && !p.a.percent,
    )?.a
    const guessed = isProduct
      ? { quantity: product.quantity.value, unit: product.price.value }
      : numbersOf(entry.amounts.filter((a) => a.start <= amountCell.start))
    if (
      guessed?.unit == null &&
      (isLabelOfSum(description) ||
        addsUp(lines, amountCell.value) ||
        addsUp(lines.slice(group), amountCell.value))
    ) {
      if (!goodsGoOn(entries, at, heads, reach)) break
      group = lines.length
      continue
    }
    const unit = named.unit ?? unitBehind(entry, counted ?? quantityCell)
    const rate = lineTaxRate(entry, heads)
    const item = {
      description,
      quantity: guessed?.quantity ?? quantityCell?.value ?? null,
      unit_price: guessed?.unit ?? unitCell?.value ?? null,
      amount: amountCell.value,
      ...(unit && { unit }),
      ...(rate !== null && { tax_rate: rate }),
    }
    lines.push({
      item,
      nameCells: nameCellsOf(entry, cut, description),
      printed: printedBefore(entry, cut, description),
      taxCode: taxCodeOf(entry, amountCell),
    })
  }
  return { items: withColumnsApart(lines, ratesByCode(entries)), end: at }
}

/** A whole number in a cell of its own, behind a name, in a table whose lines have amounts: "Keyboard | 4911". */
const isWholeAmount = (
  { row }: RowMoney,
  { cell, value }: Amount,
  lines: readonly PrintedLine[],
): boolean =>
  lines.length > 0 &&
  cell > 0 &&
  cell === row.cells.length - 1 &&
  value > 0 &&
  /^\d+$/.test(row.cells[cell]!.text.trim()) &&
  letterWeight(row.cells[cell - 1]!.text) >= 3

/** The quantity under its head, where the same number stands in the name as well. */
const quantityUnderHead = (
  quantity: Amount,
  placed: readonly { a: Amount; column: Column | null }[],
): Amount =>
  placed.find(({ a, column }) => column === 'quantity' && a.value === quantity.value)?.a ?? quantity

/** Whether an amount without a name is what the goods before it make. */
const isSumOf = (lines: readonly PrintedLine[], amount: number): boolean =>
  lines.length > 0 &&
  isNear(
    lines.reduce((sum, { item }) => sum + item.amount, 0),
    amount,
  )

/** Whether a row without a price has what all goods before it make: their sum, whatever it is called. */
const addsUp = (lines: readonly PrintedLine[], amount: number): boolean =>
  lines.length > 1 && lines.some(({ item }) => item.unit_price !== null) && isSumOf(lines, amount)

function nextHasAmountOnly(entries: RowMoney[], at: number): boolean {
  const next = entries[at + 1]
  return next !== undefined && next.onlyAmounts && next.amounts.some(looksLikeMoney)
}
