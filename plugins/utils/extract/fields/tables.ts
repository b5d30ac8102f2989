/** Tables of a page: rows under headers, and label-value tables. */
import { cellsOf, spanIn } from '../dom/cells.ts'
import { attr, byTag, closest, textOf, type Element, type Parent } from '../dom/tree.ts'

export interface Table {
  caption: string | null
  headers: string[]
  rows: string[][]
}

const TABLES_MAX = 100
const ROWS_MAX = 2000
const SPAN_MAX = 50

function rowsOf(table: Element): Element[] {
  return byTag(table, 'tr').filter(
    (row) => closest(row, (one) => one.tagName === 'table') === table,
  )
}

/** Texts of a row's cells; a cell over several columns stands in each. */
function textsOf(row: Element): { texts: string[]; isHeader: boolean } {
  const cells = cellsOf(row)
  const texts = cells.flatMap((cell) =>
    Array.from({ length: spanIn(cell, 'colspan', SPAN_MAX) }, () => textOf(cell)),
  )
  return { texts, isHeader: cells.length > 1 && cells.every((cell) => cell.tagName === 'th') }
}

/** Data tables in document order; layout tables (which hold other tables or one column) are left out. */
export function tablesOf(root: Parent): Table[] {
  const tables: Table[] = []
  for (const table of byTag(root, 'table')) {
    if (tables.length >= TABLES_MAX) break
    if (byTag(table, 'table').length > 0 || attr(table, 'role') === 'presentation') continue
    const rows = rowsOf(table)
      .slice(0, ROWS_MAX)
      .map((row) => ({
        ...textsOf(row),
        isHead: closest(row, (one) => one.tagName === 'thead') !== null,
      }))
    const filled = rows.filter(({ texts }) => texts.some((text) => text !== ''))
    if (filled.length === 0) continue
    const headAt = filled.findLastIndex((row, index) => (row.isHead || row.isHeader) && index < 3)
    const caption = byTag(table, 'caption')[0]
    tables.push({
      caption: caption ? textOf(caption) : null,
      headers: headAt >= 0 ? filled[headAt]!.texts : [],
      rows: filled.slice(headAt + 1).map(({ texts }) => texts),
    })
  }
  return tables.filter((table) => table.rows.some((row) => row.length > 1))
}

/** A table as records: its headers, or those of its first row when that looks like names. */
export function recordsOf(table: Table): { headers: string[]; rows: string[][] } | null {
  if (table.headers.length > 1) return { headers: table.headers, rows: table.rows }
  const [first, ...rest] = table.rows
  if (!first || rest.length === 0 || first.length < 2) return null
  const areNames =
    first.every((text) => text.length < 40 && !/\d/.test(text)) &&
    new Set(first).size === first.length
  return areNames ? { headers: first, rows: rest } : null
}
