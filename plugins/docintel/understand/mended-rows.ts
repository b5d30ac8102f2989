/**
 * Rows put right before anything is read from them: titles set in spaced letters ("F A C T U R A"),
 * days and numbers that a narrow column broke ("14-11-" over "2024"), words that OCR set so far apart that they
 * look like columns, and its points that were commas.
 */
import type { Cell, DocumentText, Row } from '../model/document.ts'

const SPACED = /^(?:\p{L} ){3,}\p{L}$/u
/** Spaced words of one title stand two or three spaces apart. */
const LETTERS_MIN = 4

const withCells = (row: Row, cells: Cell[]): Row => ({
  ...row,
  cells,
  text: cells.map((cell) => cell.text).join('  '),
})

function closed(row: Row): Row {
  if (!row.cells.some((cell) => SPACED.test(cell.text))) return row
  const cells = row.cells.map((cell) =>
    SPACED.test(cell.text) ? { ...cell, text: cell.text.replaceAll(' ', '') } : cell,
  )
  const letters = cells.reduce((sum, cell) => sum + cell.text.length, 0)
  return letters < LETTERS_MIN ? row : withCells(row, cells)
}

const DAY_AND_MONTH = /^\d{1,2}[-./]\d{1,2}[-./]$/
const YEAR = /^(?:19|20)\d{2}$/
/** A number broken behind its hyphen: "2024-" over "41858". */
const CODE_START = /^[A-Z]{0,4}-?\d{1,6}-$/
const CODE_END = /^\d{2,8}$/
/** Rows that other cells of the line may take in between. */
const BROKEN_ROWS = 2

/** What goes on below a broken cell; null where it is whole. */
const restOf = (text: string): RegExp | null =>
  DAY_AND_MONTH.test(text) ? YEAR : CODE_START.test(text) ? CODE_END : null

/** Puts the rest of a broken day or number behind it; the rows are changed in place. */
function joinBroken(rows: Row[]): void {
  for (const [at, row] of rows.entries())
    for (const [place, cell] of row.cells.entries()) {
      const rest = restOf(cell.text)
      if (!rest) continue
      for (let below = at + 1; below <= at + BROKEN_ROWS && below < rows.length; below++) {
        const other = rows[below]!
        const more = other.cells.find(
          (c) => rest.test(c.text) && Math.min(c.x1, cell.x1) - Math.max(c.x0, cell.x0) > 0,
        )
        if (!more || other.page !== row.page) continue
        const whole = { ...cell, text: cell.text + more.text }
        rows[at] = withCells(
          rows[at]!,
          rows[at]!.cells.map((c, i) => (i === place ? whole : c)),
        )
        rows[below] = withCells(
          other,
          other.cells.filter((c) => c !== more),
        )
        break
      }
    }
}

/** Words of one name stand at most so far apart, in characters. */
const LOOSE_GAP = 3.4
const looseGap = (scale: number): number => LOOSE_GAP * Math.max(1, scale)
/** Cells that begin or end so near to one another stand in one column. */
const COLUMN_REACH = 1.3
const NEIGHBOURS = 6

/** Whether another row nearby has a column that begins where the cell does, or numbers that end there. */
function hasColumn(rows: readonly Row[], at: number, { text, x0, x1 }: Cell): boolean {
  const isNumber = /^\d/.test(text)
  for (let i = Math.max(0, at - NEIGHBOURS); i <= at + NEIGHBOURS && i < rows.length; i++) {
    if (i === at || rows[i]!.page !== rows[at]!.page) continue
    const { cells, scale } = rows[i]!
    if (
      cells.some(
        (cell, place) =>
          place > 0 &&
          // Loose words that stand under each other by chance are no column.
          cell.x0 - cells[place - 1]!.x1 >= looseGap(scale) &&
          (Math.abs(cell.x0 - x0) < COLUMN_REACH ||
            ((isNumber || /^\d/.test(cell.text)) && Math.abs(cell.x1 - x1) < COLUMN_REACH)),
      )
    )
      return true
  }
  return false
}

/** A row with loose words put together that no column of its neighbours parts. */
function tightened(rows: readonly Row[], at: number): Row {
  const row = rows[at]!
  const cells: Cell[] = []
  for (const cell of row.cells) {
    const last = cells.at(-1)
    const isLoose = last !== undefined && cell.x0 - last.x1 < looseGap(row.scale)
    if (
      isLoose &&
      /\p{L}/u.test(last.text) &&
      /^[\p{L}\d(&]/u.test(cell.text) &&
      !hasColumn(rows, at, cell)
    )
      cells[cells.length - 1] = { text: `${last.text} ${cell.text}`, x0: last.x0, x1: cell.x1 }
    else cells.push(cell)
  }
  return cells.length === row.cells.length ? row : withCells(row, cells)
}

/** Hundredths behind a comma; thousands parted by a space with a point, which OCR makes of a comma. */
const COMMA = /\d,\d{2}(?!\d)/
const POINTED = /^(\D{0,4}\d{1,3}(?: \d{3})+)\.(\d{2}\D{0,4})$/

const withComma = (row: Row): Row =>
  row.cells.some((cell) => POINTED.test(cell.text))
    ? withCells(
        row,
        row.cells.map((cell) => ({ ...cell, text: cell.text.replace(POINTED, '$1,$2') })),
      )
    : row

/** Rows of OCR with loose words together, and sums in the document's own way of writing. */
function readAgain(rows: readonly Row[]): Row[] {
  const tight = rows.map((_, at) => tightened(rows, at))
  return rows.some((row) => COMMA.test(row.text)) ? tight.map(withComma) : tight
}

/** The document with its rows put right; the same rows where nothing is wrong with them. */
export function withMendedRows(document: DocumentText): DocumentText {
  const rows = document.rows.map(closed)
  if (document.hasGeometry) joinBroken(rows)
  const read = document.source === 'ocr' ? readAgain(rows) : rows
  const kept = read.filter((row) => row.cells.length > 0)
  return { ...document, rows: kept.map((row, index) => ({ ...row, index })) }
}
