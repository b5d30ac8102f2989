/** Lines of goods of a table, by the columns under its heads. */
import type { Column } from '../lexicon/column.ts'
import { foldLabel } from '../lexicon/fold.ts'
import { letterWeight } from '../lexicon/other-scripts.ts'
import type { MoneyLabel } from '../lexicon/money-label.ts'
import { classifyMoneyLabel } from '../lexicon/money-labels.ts'
import { looksLikeMoney, type Amount } from './amounts.ts'
import type { Cell, Row } from '../model/document.ts'
import type { RowMoney } from './row-money.ts'
import {
  endsWithSum,
  goodsGoOn,
  isHeadOfSums,
  isSumRow,
  MIDDLE_ROWS,
  nameCell,
  provenQuantity,
  withAmountColumn,
} from './goods-columns.ts'
import { isNear } from './near.ts'
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
import { tidy, type LineItem } from './item-quantities.ts'
import { productOf } from './line-product.ts'
import { lineTaxRate } from './line-tax-rate.ts'
import { endsNoName, ITEMS_MAX, NOT_GOODS } from './no-goods.ts'
import { ratesByCode, taxCodeOf } from './tax-codes.ts'

/** "2 SR 105090190002": a position, a letter of tax and a code, no name of goods. */
const isCode = (text: string): boolean => /^(?:\W|\d|\b(?:SR|ZRL?|SRL|[A-Z])\b)*$/i.test(text)

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

/** The words in front of a number in its own cell; null without any. */
function wordsBefore({ cells }: Row, amount: Amount | null): Cell | null {
  const cell = amount && cells[amount.cell]
  if (!cell) return null
  const start = cells.slice(0, amount.cell).reduce((sum, { text }) => sum + text.length + 2, 0)
  const text = cell.text.slice(0, amount.start - start).trimEnd()
  return /\p{L}{2}/u.test(text) ? { ...cell, text } : null
}

/** The cells in front of the numbers that make a name; none where it comes from elsewhere. */
function nameCellsOf({ row }: RowMoney, cut: Amount | null, description: string): Cell[] {
  const cells = row.cells.slice(0, cut?.cell)
  // Where columns stand near, the first number is in the cell of the name's last words.
  const words = wordsBefore(row, cut)
  if (words) cells.push(words)
  const from = cells.findIndex((cell) => description.startsWith(tidy(cell.text)))
  const named = from < 0 ? [] : cells.slice(from).map((cell) => ({ ...cell }))
  return tidy(named.map((cell) => cell.text).join(' ')) === description ? named : []
}

/** Columns by which cells of one column may begin apart. */
const SAME_COLUMN = 1.5

/** A line's name with the words of a row below it, each in its column: "Luxurious Gold | S" over "Soap". */
function continued(
  { item, nameCells }: PrintedLine,
  { row }: RowMoney,
  text: string,
  heads: readonly Cell[],
): string {
  const places = row.cells.map((cell) =>
    nameCells.findIndex((name) => Math.abs(name.x0 - cell.x0) < SAME_COLUMN),
  )
  // Words that a justified line set apart stand under one head.
  const headOver = (name: Cell): number =>
    heads.findIndex((head) => Math.min(head.x1, name.x1) - Math.max(head.x0, name.x0) > 0)
  const isOne = row.cells.length === 1 && nameCells.slice(1).every((name) => headOver(name) < 1)
  if (nameCells.length < 2 || places.includes(-1) || isOne) {
    nameCells.length = 0
    return tidy(`${item.description} ${text}`)
  }
  for (const [at, cell] of row.cells.entries()) nameCells[places[at]!]!.text += ` ${cell.text}`
  return tidy(nameCells.map((cell) => cell.text).join(' '))
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

/** What a row prints before its numbers; the name itself where that stands elsewhere. */
function printedBefore({ row }: RowMoney, cut: Amount | null, description: string): string {
  const printed = row.text.slice(0, cut?.start).replaceAll(/\s+/g, ' ').trim()
  return printed.includes(description) ? printed : description
}

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

/**
 * Whether rows of codes and names take turns from `at` on and the last one is a name: then each is called
 * what stands below it, and what stands above the first is no name.
 */
function areNamesBelow(entries: RowMoney[], at: number): boolean {
  let last = at
  for (let next = at + 2; isCodeRow(entries[next]); next += 2) last = next
  return last > at && nameUnder(entries, last) !== null
}

/** Whether a row has sums behind a code and no name. */
const isCodeRow = (entry: RowMoney | undefined): boolean =>
  entry !== undefined &&
  entry.amounts.some(looksLikeMoney) &&
  isCode(entry.row.cells[0]!.text) &&
  letterWeight(entry.row.text) < 3

/** What goods are called in the row under their code and sums; null where that is no name. */
function nameUnder(entries: RowMoney[], at: number): string | null {
  const next = entries[at + 1]
  if (!next || next.label !== null || next.amounts.some(looksLikeMoney)) return null
  const name = tidy(next.row.text.replace(/^(?:SR|ZRL?) ?: ?/i, ''))
  return letterWeight(name) >= 3 && !NOT_GOODS.test(foldLabel(name)) ? name : null
}

function nextHasAmountOnly(entries: RowMoney[], at: number): boolean {
  const next = entries[at + 1]
  return next !== undefined && next.onlyAmounts && next.amounts.some(looksLikeMoney)
}

function descriptionText(
  entry: RowMoney,
  before: Amount | null,
  amount: Amount | null,
  heads: HeadColumn[],
): string {
  const text = before ? entry.row.text.slice(0, before.start) : entry.row.text
  const head = heads.find((h) => h.column === 'description')
  const after = before ? entry.row.text.slice(before.end) : ''
  // Quantity first ("2  Widget  3.00  6.00"): the name stands between the numbers.
  if (letterWeight(text) < 2 && letterWeight(after) >= 2) {
    const rest = entry.amounts.filter((a) => before && a.start > before.end)
    const price = productOf(entry)?.price
    const next =
      price && rest.includes(price) ? price : rest.find((a) => looksLikeMoney(a) || a.factor)
    const between = entry.row.text.slice(before!.end, next?.start ?? undefined)
    // Or behind the price: "21  2.13  Site survey  44.73".
    const name = letterWeight(between) < 2 && amount ? nameCell(entry, amount) : null
    return name?.text ?? between
  }
  if (!head) return text
  const cells = text.split('  ')
  return cells.length > 1 && !/\p{L}{2}/u.test(cells[0]!) ? cells.slice(1).join('  ') : text
}
