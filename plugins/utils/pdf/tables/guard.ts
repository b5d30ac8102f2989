/** Refuses what is set in columns but is no table: prose, lists, contents, code, formulas. */
import { isNumeric } from './cells.ts'

const BULLET =
  /^(?:[•·▪◦●○■□–—*\-‣➢✓]|\(?[0-9]{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivxIVX]{1,5}[.)]|\[\d+\])$/
const LEADERS = /(?:\.\s*){4,}|…{2,}|_{4,}/
const LED_NUMBER =
  /(?:(?:\.\s*){4,}|…{2,}|_{4,})\s*(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]?-?\d{1,3}-\d{1,3})$/
const PAGE = /^\d{1,4}$/
const INDEXED = /\p{L}.*,\s\d+(?:[–-]\d+)?$/u
const CODE =
  /[{};\\]|\/[/*]|\*\/|\(\)|[=!<>:]=|[-=]>|<\/?\w+[^>]*>|\w\(.*\)|^(?:if|for|while|return|def|class|import|else|end|function|var|let|const|int)\b.*[(:={]|^#\w/
const RELATION = /^(?:[=≤≥<>≈≡∼≃→⇒⇔↔:∈]|:=|=⇒|⟹)$/
const EQUATION_NUMBER = /^\(\d+(?:\.\d+)?[a-z]?\)$/

export interface Evidence {
  /** At least two horizontal rules run across. */
  ruled: boolean
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
  if (isContents(rows) || isList(rows) || isIndex(rows)) return false
  const numericColumns = columnsOf(rows).filter(
    (cells) => cells.length >= 2 && cells.filter(isNumeric).length >= 0.5 * cells.length,
  ).length
  if (isNumbered(rows, numericColumns) || isFormulas(rows, evidence)) return false
  if (!evidence.ruled && isCode(rows)) return false
  if (numericColumns === 0 && isProse(rows)) return false
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

/** The filled cells of each column. */
function columnsOf(rows: readonly string[][]): string[][] {
  return rows[0]!.map((_, c) => rows.map((row) => row[c]!).filter((cell) => cell !== ''))
}

/** Dot leaders that lead to one page number, or titles beside page numbers that only rise. */
function isContents(rows: readonly string[][]): boolean {
  const texts = rows.map((row) => row.filter((cell) => cell !== '').join(' '))
  const leading = texts.filter((text) => LED_NUMBER.test(text)).length
  const leaders = texts.filter((text) => LEADERS.test(text)).length
  if (leading >= 0.4 * rows.length && leading >= 0.5 * leaders) return true
  const numbers = rows.map((row) => row.at(-1)!).filter((cell) => PAGE.test(cell))
  const rises = numbers.slice(1).filter((n, i) => Number(n) >= Number(numbers[i])).length
  const isRising = numbers.length >= 4 && rises >= 0.9 * (numbers.length - 1)
  const isTitles = rows.every((row) => row.slice(1, -1).filter((c) => isNumeric(c)).length === 0)
  const isFull = numbers.length >= 0.7 * rows.length
  return isRising && isTitles && isFull && (leaders > 0 || PAGE.test(rows[0]!.at(-1)!))
}

/** A line that goes on in the next one: no end of a sentence here, and a small letter there. */
const goesOn = (line: string, next: string): boolean =>
  /[\p{L},\-–—]$/u.test(line) && /^\p{Ll}/u.test(next)

/** Columns of a newspaper: lines of two of them go on in the lines below, most of the way down. */
function isProse(rows: readonly string[][]): boolean {
  const flowing = columnsOf(rows).filter((cells) => {
    const steps = cells.slice(1).filter((next, at) => goesOn(cells[at]!, next)).length
    return cells.length >= 4 && steps >= 0.45 * (cells.length - 1)
  })
  return flowing.length >= 2
}

function isList(rows: readonly string[][]): boolean {
  const marked = rows.filter((row) => BULLET.test(row[0]!)).length
  const starts = rows.filter((row) => row[0] !== '').length
  return rows[0]!.length === 2 && starts > 0 && marked >= 0.6 * starts
}

/** Entries that end in page numbers, in every column. */
function isIndex(rows: readonly string[][]): boolean {
  return columnsOf(rows).every(
    (cells) => cells.filter((cell) => INDEXED.test(cell)).length >= 0.4 * cells.length,
  )
}

/** Lines of a listing or a poem: their numbers go up by one step, and there are no other figures. */
function isNumbered(rows: readonly string[][], numericColumns: number): boolean {
  const numbers = rows.map((row) => row[0]!).filter((cell) => cell !== '')
  const digits = numbers.filter((cell) => /^\d{1,5}:?$/.test(cell)).map((cell) => parseInt(cell))
  if (digits.length < 3 || digits.length < 0.8 * numbers.length) return false
  if (numericColumns > 1 || !/^\d*:?$/.test(rows[0]![0]!)) return false
  const steps = digits.slice(1).map((n, i) => n - digits[i]!)
  const usual = steps.filter((step) => step === steps[0]).length
  return steps[0]! > 0 && usual >= 0.7 * steps.length
}

function isCode(rows: readonly string[][]): boolean {
  const cells = rows.flat().filter((cell) => cell !== '')
  return cells.filter((cell) => CODE.test(cell)).length >= 0.3 * cells.length
}

/** Equations set under each other at their relation signs, or numbered at the margin. */
function isFormulas(rows: readonly string[][], { ruled }: Evidence): boolean {
  const columns = columnsOf(rows)
  const related = columns.some(
    (cells) =>
      cells.length >= 2 && cells.filter((c) => RELATION.test(c)).length >= 0.6 * cells.length,
  )
  if (related && !ruled) return true
  const last = columns.at(-1)!
  const isMargin = last.length > 0 && last.every((cell) => EQUATION_NUMBER.test(cell))
  const others = columns.slice(1, -1).flat()
  return isMargin && others.filter(isNumeric).length < 0.5 * Math.max(1, others.length)
}
