/** Tables of a page: rows under headers, and label-value tables. */
import { cellsOf, spanIn } from '../dom/cells.ts'
import { ELEMENTS_MAX } from '../dom/nesting.ts'
import { attr, byTag, closest, textOf, type Element, type Parent } from '../dom/tree.ts'

export interface Table {
  caption: string | null
  headers: string[]
  rows: string[][]
  /** Those of `rows` that are one cell over all columns, and no records. */
  sections?: ReadonlySet<readonly string[]>
}

const TABLES_MAX = 1000
const SPAN_MAX = 50
/** Columns in which cells reach down: a wide first row would fill thousands of others. */
const DEEP_COLUMNS_MAX = 200

/**
 * What the cells of a page may have in the further places that they span: a long text over hundreds of
 * columns and thousands of rows would be an answer of gigabytes.
 */
interface Repeats {
  charactersLeft: number
}
const REPEATED_CHARACTERS_MAX = 4_000_000
/** Of an empty cell, as JSON has it. */
const CELL_CHARACTERS = 3

/** Whether a text may stand in one more place; without it, its table is not read, nor those below. */
function isRepeated(text: string, repeats: Repeats): boolean {
  repeats.charactersLeft -= text.length + CELL_CHARACTERS
  return repeats.charactersLeft >= 0
}

function rowsOf(table: Element): Element[] {
  return byTag(table, 'tr').filter(
    (row) => closest(row, (one) => one.tagName === 'table') === table,
  )
}

interface Row {
  texts: string[]
  /** Above the data, as its part of the table or its cells say. */
  isHead: boolean
  /** One cell over all columns: it names the rows below it. */
  isSection: boolean
}

/** The texts of each row by column; a cell over several columns or rows stands in each, while `repeats` lasts. */
function gridOf(rows: readonly Element[], repeats: Repeats): Row[] {
  /** What reaches down from the rows above, by column. */
  let above: { text: string; rows: number }[] = []
  let group: Parent | null = null
  return rows.map((row) => {
    // No cell reaches beyond its group of rows.
    if (row.parentNode !== group) above = []
    group = row.parentNode
    const texts: string[] = []
    const takeAbove = (): void => {
      for (let cell = above[texts.length]; cell && cell.rows > 0; cell = above[texts.length]) {
        cell.rows -= 1
        if (!isRepeated(cell.text, repeats)) return
        texts.push(cell.text)
      }
    }
    const cells = cellsOf(row)
    for (const cell of cells) {
      takeAbove()
      const text = textOf(cell)
      const reach = spanIn(cell, 'rowspan', ELEMENTS_MAX) - 1
      const columns = spanIn(cell, 'colspan', SPAN_MAX)
      for (let column = 0; column < columns; column += 1) {
        if (column > 0 && !isRepeated(text, repeats)) break
        if (texts.length < DEEP_COLUMNS_MAX) above[texts.length] = { text, rows: reach }
        texts.push(text)
      }
    }
    takeAbove()
    const isHeader = cells.length > 1 && cells.every((cell) => cell.tagName === 'th')
    const isHead = isHeader || closest(row, (one) => one.tagName === 'thead') !== null
    return { texts, isHead, isSection: cells.length === 1 && new Set(texts).size === 1 }
  })
}

/** Data tables in document order; layout tables (which hold other tables or one column) are left out. */
export function tablesOf(root: Parent): Table[] {
  const tables: Table[] = []
  const repeats = { charactersLeft: REPEATED_CHARACTERS_MAX }
  for (const table of byTag(root, 'table')) {
    if (tables.length >= TABLES_MAX) break
    if (byTag(table, 'table').length > 0 || attr(table, 'role') === 'presentation') continue
    const rows = gridOf(rowsOf(table), repeats)
    if (repeats.charactersLeft < 0) break
    const filled = rows.filter(({ texts }) => texts.some((text) => text !== ''))
    if (filled.length === 0) continue
    const headAt = filled.findLastIndex((row, index) => row.isHead && index < 3)
    const caption = byTag(table, 'caption')[0]
    const data = filled.slice(headAt + 1)
    tables.push({
      caption: caption ? textOf(caption) : null,
      headers: headAt >= 0 ? filled[headAt]!.texts : [],
      rows: data.map(({ texts }) => texts),
      sections: new Set(data.filter(({ isSection }) => isSection).map(({ texts }) => texts)),
    })
  }
  return tables.filter((table) => table.rows.some((row) => row.length > 1))
}

/** A table as records: its headers, or those of its first row when that looks like names. */
export function recordsOf(table: Table): { headers: string[]; rows: string[][] } | null {
  const records = table.rows.filter((row) => row.length < 2 || !table.sections?.has(row))
  if (table.headers.length > 1) return { headers: table.headers, rows: records }
  const [first, ...rest] = records
  if (!first || rest.length === 0 || first.length < 2) return null
  const areNames =
    first.every((text) => text.length < 40 && !/\d/.test(text)) &&
    new Set(first).size === first.length
  return areNames ? { headers: first, rows: rest } : null
}
