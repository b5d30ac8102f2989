/** Cells of tables and items of lists, as far as their places among others matter for a text. */
import { cellsOf, spanIn } from '../dom/cells.ts'
import {
  attr,
  closest,
  type Element,
  isElement,
  layoutNamed,
  layoutName,
  byTag,
  textOf,
} from '../dom/tree.ts'
import type { ListItem } from './block.ts'
import type { Markup } from './markup.ts'

/** A row of a table while its cells are gathered. */
export interface CellRow {
  /** Rows that cells still reach down into, by column. */
  spans: number[]
  /** The column of the next cell. */
  at: number
  /** The cell has no text so far. */
  isBlank: boolean
  /** A block of the cell has begun or ended since its last text. */
  isBroken: boolean
}
interface Text {
  text: string
  markup: Markup | null
}

/** A longer cell is a part of the page's layout. */
export const CELL_MAX = 1000
/** What has a form of its own outside of cells. */
const FORMED = ['table', 'pre', 'blockquote', 'figure', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']
/** Wider tables lose what their cells take of the columns behind. */
const COLUMNS_MAX = 100
const ROWS_MAX = 1000

/** Whether an element is a row of data, whose cells are lines of text. */
export function isPlainRow(element: Element): boolean {
  if (element.tagName !== 'tr') return false
  const cells = cellsOf(element)
  return (
    cells.length > 1 &&
    cells.every((cell) => byTag(cell, ...FORMED).length === 0 && textOf(cell).length <= CELL_MAX)
  )
}

/** Before text of a cell: a line break where a block ended before it. */
export function lineBreakIn(row: CellRow, into: Text, value: string): void {
  if (value.trim() === '') return
  if (row.isBroken && !row.isBlank) {
    into.text += '\n'
    into.markup?.sign('  \n')
  }
  row.isBlank = false
  row.isBroken = false
}

/** Before a cell and after the last: the columns that cells of the rows above take. */
export function emptyCells(row: CellRow, { markup }: Text): void {
  while (row.at < COLUMNS_MAX && (row.spans[row.at] ?? 0) > 0) {
    row.spans[row.at]!--
    row.at++
    markup?.sign(' | ')
  }
  row.isBlank = true
  row.isBroken = false
}

/** After a cell: the other columns that it takes, and the rows below. */
export function spanOf(cell: Element, row: CellRow, { markup }: Text): void {
  const left = Math.max(1, COLUMNS_MAX - row.at)
  const columns = spanIn(cell, 'colspan', left)
  const rows = spanIn(cell, 'rowspan', ROWS_MAX)
  for (let i = 0; i < columns; i++) row.spans[row.at + i] = rows - 1
  row.at += columns
  markup?.sign(' | '.repeat(columns - 1))
}

/** The item of a list that begins here, inside of `outer`; `numbers` has the last number of each list. */
export function itemOf(
  element: Element,
  outer: ListItem | null,
  numbers: Map<Element, number>,
): ListItem {
  const indent = outer === null ? 0 : outer.indent + outer.mark.length + 1
  const list = element.parentNode
  if (list === null || !isElement(list) || list.tagName !== 'ol') return { mark: '-', indent }
  const before = numbers.get(list) ?? (wholeNumber(attr(list, 'start')) ?? 1) - 1
  const number = wholeNumber(attr(element, 'value')) ?? before + 1
  numbers.set(list, number)
  return { mark: `${Math.max(0, number)}.`, indent }
}

function wholeNumber(text: string | null | undefined): number | null {
  const number = Number.parseInt(text ?? '', 10)
  return Number.isNaN(number) ? null : number
}

const NUMBERED = layoutNamed('linenos?|line-?numbers?|lnt?|gutter|hljs-ln-numbers?')

/** Whether it numbers the lines of a listing: 1 2 3 in a cell before it, or a number in each line. */
export function isLineNumber(element: Element): boolean {
  if (element.tagName === 'td') return isNumberCell(element)
  return (
    NUMBERED.test(layoutName(element)) &&
    /^\d+$/.test(textOf(element)) &&
    closest(element, ({ tagName }) => tagName === 'pre') !== null
  )
}

function isNumberCell(cell: Element): boolean {
  const [pre] = byTag(cell, 'pre')
  const row = cell.parentNode
  if (!pre || !row || !isElement(row)) return false
  const cells = cellsOf(row)
  const listing = cells[cells.indexOf(cell) + 1]
  if (!listing || byTag(listing, 'pre').length === 0) return false
  const numbers = textOf(cell).split(' ').map(Number)
  const isNamed = [cell, pre].some((one) => NUMBERED.test(layoutName(one)))
  return (
    (numbers.length > 1 || isNamed) &&
    numbers.every((number, at) => Number.isInteger(number) && number === numbers[0]! + at)
  )
}
