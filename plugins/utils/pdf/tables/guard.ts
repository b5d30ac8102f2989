/** Refuses what is set in columns but is no table: prose, lists, tables of contents, forms. */
import { isNumeric } from './cells.ts'

const BULLET =
  /^(?:[•·▪◦●○■□–—*\-‣➢✓]|\(?[0-9]{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivxIVX]{1,5}[.)]|\[\d+\])$/
const LEADERS = /(?:\.\s*){4,}|…{2,}|_{4,}/
const LED_NUMBER =
  /(?:(?:\.\s*){4,}|…{2,}|_{4,})\s*(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]?-?\d{1,3}-\d{1,3})$/

export interface Evidence {
  /** At least two horizontal rules run across. */
  ruled: boolean
  /** Lines of text that the rows were made of. */
  spaced: number
}

/** Whether rows found by alignment are a table. */
export function isPlausible(rows: readonly string[][], evidence: Evidence): boolean {
  const columns = rows[0]?.length ?? 0
  if (columns < 2 || rows.length < 2) return false
  if (rows.length < 3 && !evidence.ruled) return false
  const filled = rows.map((row) => row.filter((cell) => cell !== '').length)
  const total = filled.reduce((a, b) => a + b, 0)
  if (total < 0.4 * rows.length * columns) return false
  const several = filled.filter((n) => n >= 2).length
  if (several < 0.5 * rows.length) return false
  if (isContents(rows) || isList(rows)) return false
  const column = (c: number): string[] => rows.map((row) => row[c]!).filter((cell) => cell !== '')
  const numericColumns = Array.from({ length: columns }, (_, c) => column(c)).filter(
    (cells) => cells.length >= 2 && cells.filter(isNumeric).length >= 0.5 * cells.length,
  ).length
  const average = rows.flat().reduce((n, cell) => n + cell.length, 0) / Math.max(1, total)
  if (average > 120) return false
  if (numericColumns > 0) {
    // Two columns of a label and a number are common in prose pages; three rows do not prove them.
    return columns > 2 || evidence.ruled || rows.length >= 4
  }
  if (evidence.ruled) return true
  // Words only: several columns that nearly every row fills.
  return columns >= 3 && rows.length >= 4 && total >= 0.65 * rows.length * columns && average < 45
}

/** Dot leaders that lead to one page number. */
function isContents(rows: readonly string[][]): boolean {
  const texts = rows.map((row) => row.filter((cell) => cell !== '').join(' '))
  const leading = texts.filter((text) => LED_NUMBER.test(text)).length
  const leaders = texts.filter((text) => LEADERS.test(text)).length
  return leading >= 0.4 * rows.length && leading >= 0.5 * leaders
}

function isList(rows: readonly string[][]): boolean {
  const marked = rows.filter((row) => BULLET.test(row[0]!)).length
  const starts = rows.filter((row) => row[0] !== '').length
  return rows[0]!.length === 2 && starts > 0 && marked >= 0.6 * starts
}
