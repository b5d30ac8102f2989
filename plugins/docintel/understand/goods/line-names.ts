/** What the goods of a table are called: words in their row, in rows below it, or under their code. */
import { foldLabel } from '../../lexicon/fold.ts'
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import { letterWeight } from '../../lexicon/other-scripts.ts'
import { cellAt, type Cell, type Row } from '../../model/document.ts'
import { looksLikeMoney, type Amount } from '../marks/amounts.ts'
import { nameCell } from './goods-columns.ts'
import type { HeadColumn } from './goods-heads.ts'
import type { PrintedLine } from './goods-names.ts'
import { tidy } from './item-quantities.ts'
import { productOf } from './line-product.ts'
import { NOT_GOODS } from './no-goods.ts'
import type { RowMoney } from '../marks/row-money.ts'

/** "2 SR 105090190002": a position, a letter of tax and a code, no name of goods. */
export const isCode = (text: string): boolean =>
  /^(?:\W|\d|\b(?:SR|ZRL?|SRL|[A-Z])\b)*$/i.test(text)

/** The words in front of a number in its own cell; null without any. */
function wordsBefore(row: Row, amount: Amount | null): Cell | null {
  const place = amount && cellAt(row, amount.start)
  if (!place) return null
  const text = place.cell.text.slice(0, place.inside).trimEnd()
  return /\p{L}{2}/u.test(text) ? { ...place.cell, text } : null
}

/** The cells in front of the numbers that make a name; none where it comes from elsewhere. */
export function nameCellsOf({ row }: RowMoney, cut: Amount | null, description: string): Cell[] {
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
export function continued(
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

/** What a row prints before its numbers; the name itself where that stands elsewhere. */
export function printedBefore({ row }: RowMoney, cut: Amount | null, description: string): string {
  const printed = row.text.slice(0, cut?.start).replaceAll(/\s+/g, ' ').trim()
  return printed.includes(description) ? printed : description
}

/**
 * Whether rows of codes and names take turns from `at` on and the last one is a name: then each is called
 * what stands below it, and what stands above the first is no name.
 */
export function areNamesBelow(entries: RowMoney[], at: number): boolean {
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

/** Carriage is sold like other goods; the word for what a page carries over is the same ("Transport"). */
const SOLD_TOO: ReadonlySet<MoneyLabel> = new Set(['shipping', 'previous'])

/** What goods are called in the row under their code and sums; null where that is no name. */
export function nameUnder(entries: RowMoney[], at: number): string | null {
  const next = entries[at + 1]
  if (!next || next.amounts.some(looksLikeMoney)) return null
  if (next.label !== null && !SOLD_TOO.has(next.label)) return null
  const name = tidy(next.row.text.replace(/^(?:SR|ZRL?) ?: ?/i, ''))
  return letterWeight(name) >= 3 && !NOT_GOODS.test(foldLabel(name)) ? name : null
}

/** The words of a row that can name its goods: in front of its numbers, between them or behind. */
export function descriptionText(
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
