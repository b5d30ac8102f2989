/**
 * Sums put right before they are read: what typesetting set apart inside of one number ("8 635, 78",
 * "1 19.56"), and leaders of dots, which make one cell of a label and its sum.
 */
import {
  columnAt,
  withCells,
  type Cell,
  type DocumentText,
  type Row,
} from '../../model/document.ts'
import { isNear } from '../marks/near.ts'
import { detectDecimalMark, parseNumber, type DecimalMark } from '../marks/numbers.ts'

/** Dots, lines or dots with spaces that lead from a label to its sum. */
const LEADERS =
  /\s*(?:(?<!\. ?)(?:\. ?){5,}|(?<!…)…{2,}|(?<!· ?)(?:· ?){5,}|(?<!_)_{5,})\s*(?=\S{0,24}\d)/

/** The row with a cell on each side of its leaders. */
function withoutLeaders(row: Row): Row {
  if (!row.cells.some(({ text }) => LEADERS.test(text))) return row
  const cells = row.cells.flatMap((cell) => {
    const leaders = LEADERS.exec(cell.text)
    const end = leaders ? leaders.index + leaders[0].length : 0
    if (!leaders || leaders.index === 0 || end === cell.text.length) return [cell]
    return [
      {
        text: cell.text.slice(0, leaders.index),
        x0: cell.x0,
        x1: columnAt(cell, leaders.index),
      },
      { text: cell.text.slice(end), x0: columnAt(cell, end), x1: cell.x1 },
    ]
  })
  return withCells(row, cells)
}

/** A number whose hundredths stand apart from their mark, at the end of its cell: "44, 03 e". */
const APART = /(?<![\d.,])((?:\d{1,3}(?:[ .']\d{3})+|\d{1,6})[.,]) (\d{2})(?=\D{0,4}$)/
const WHOLE_SUM = /\d[.,]\d{2}\D{0,4}$/
/** Cells that set them apart before it is the way of the document. */
const APART_LEAST = 3

/** Rows with hundredths behind their mark, where the document sets them apart throughout. */
function withHundredths(rows: readonly Row[]): readonly Row[] {
  const cells = rows.flatMap((row) => row.cells)
  const apart = cells.filter(({ text }) => APART.test(text)).length
  const whole = cells.filter(({ text }) => WHOLE_SUM.test(text)).length
  if (apart < APART_LEAST || apart < whole) return rows
  return rows.map((row) =>
    row.cells.some(({ text }) => APART.test(text))
      ? withCells(
          row,
          row.cells.map((cell) => ({ ...cell, text: cell.text.replace(APART, '$1$2') })),
        )
      : row,
  )
}

/** A cell of one number with spaces between its digits, or of two numbers. */
const SPACED_DIGITS = /^((?:[\p{L} ]+[ :])?\D{0,4})(\d{1,3})((?: \d{1,3})+[.,]\d{2})(\D{0,4})$/u
/** Thousands and the rest of a number that a space wide enough for two columns may part. */
const THOUSANDS = /^\D{0,4}\d{1,3}$/
const AFTER_THOUSANDS = /^\d{3}[.,]\d{2}\D{0,4}$/
/** Columns of one number's space at most. */
const SPACE_MAX = 2.5
/** Sums of which two may make a third; more are too many to be tried. */
const SUMS_MAX = 200

/** The row with cells that may be one number put together, a space between. */
function withNeighbours(row: Row): Row {
  const cells: Cell[] = []
  for (const cell of row.cells) {
    const last = cells.at(-1)
    const isRest =
      last !== undefined &&
      THOUSANDS.test(last.text) &&
      AFTER_THOUSANDS.test(cell.text) &&
      cell.x0 - last.x1 < SPACE_MAX
    if (isRest)
      cells[cells.length - 1] = { text: `${last.text} ${cell.text}`, x0: last.x0, x1: cell.x1 }
    else cells.push(cell)
  }
  return cells.length === row.cells.length ? row : withCells(row, cells)
}

const closedText = (text: string): string =>
  text.replace(
    SPACED_DIGITS,
    (_, before: string, first: string, rest: string, after: string) =>
      `${before}${first}${rest.replaceAll(' ', '')}${after}`,
  )

interface Spaced {
  /** The number without its spaces. */
  joined: number
  /** What stands before the first space, and the rest. */
  first: number
  rest: number
}

function spacedIn({ text }: Cell, mark: DecimalMark): Spaced | null {
  const match = SPACED_DIGITS.exec(text)
  if (!match) return null
  const joined = parseNumber(`${match[2]}${match[3]}`.replaceAll(' ', ''), mark)
  const rest = parseNumber(match[3]!.replaceAll(' ', ''), mark)
  return joined && rest ? { joined: joined.value, first: Number(match[2]), rest: rest.value } : null
}

const numbersIn = (cell: Cell, mark: DecimalMark): number[] =>
  [...closedText(cell.text).matchAll(/(?<![\p{L}\d.,])\d+(?:[.,]\d+)*/gu)].flatMap(
    (match) => parseNumber(match[0], mark)?.value ?? [],
  )

const isProduct = (value: number, numbers: readonly number[]): boolean =>
  numbers.some((a, at) =>
    numbers.slice(at + 1).some((b) => a !== 1 && b !== 1 && isNear(a * b, value, 0.011)),
  )

/**
 * Rows whose numbers are without spaces, where a price and a quantity make a number only without them, or
 * two sums do, and no row has two numbers there that make a third.
 */
function withClosedDigits(rows: readonly Row[], mark: DecimalMark): readonly Row[] {
  const put = rows.map(withNeighbours)
  const joined: number[] = []
  let products = 0
  for (const { cells } of put)
    for (const [at, cell] of cells.entries()) {
      const one = spacedIn(cell, mark)
      if (!one) continue
      const others = cells.flatMap((other, place) => (place === at ? [] : numbersIn(other, mark)))
      if (others.some((sum) => isNear(one.first * one.rest, sum, 0.011))) return rows
      if (isProduct(one.joined, others)) products++
      joined.push(one.joined)
    }
  if (joined.length === 0) return rows
  const sums = [
    ...new Set(put.flatMap(({ cells }) => cells.flatMap((cell) => numbersIn(cell, mark)))),
  ].slice(-SUMS_MAX)
  const isSum = (value: number): boolean =>
    sums.some((a, at) => sums.slice(at + 1).some((b) => a > 0 && b > 0 && isNear(a + b, value)))
  if (products === 0 && !joined.some(isSum)) return rows
  return put.map((row) =>
    row.cells.some((cell) => SPACED_DIGITS.test(cell.text))
      ? withCells(
          row,
          row.cells.map((cell) => ({ ...cell, text: closedText(cell.text) })),
        )
      : row,
  )
}

/** The document with its sums put right; the same rows where nothing is wrong with them. */
export function withMendedSums(document: DocumentText): DocumentText {
  const whole = withHundredths(document.rows.map(withoutLeaders))
  const mark = detectDecimalMark(whole.map((row) => row.text).join('\n'))
  return { ...document, rows: [...withClosedDigits(whole, mark)] }
}
