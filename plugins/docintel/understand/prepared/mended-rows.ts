/**
 * Rows put right before anything is read from them: titles set in spaced letters ("F A C T U R A"),
 * days and numbers that a narrow column broke ("14-11-" over "2024"), letters that a program encoded twice
 * ("VerkÃ¤ufer"), words that OCR set so far apart that they look like columns,
 * labels that it lost letters of, and its points that were commas.
 */
import { isFormAlone } from '../../lexicon/parties.ts'
import {
  columnAt,
  withCells,
  type Cell,
  type DocumentText,
  type Row,
} from '../../model/document.ts'
import { wholeLabel } from './damaged-labels.ts'
import { withLabelsRead } from './glued-labels.ts'

/** Spaced letters of titles and names; two that kerning drew together have no space ("R I AT"). */
const SPACED = /^(?:[\p{L}\d.,&'’-]{1,2} ){3,}[\p{L}\d.,&]{1,2}$/u
/** Share of such pieces that are a single letter or figure. */
const SINGLE_SHARE = 0.8
/** Spaced words of one title stand two or three spaces apart. */
const LETTERS_MIN = 4

/** Whether the letters of a text are set apart. */
function isSpaced(text: string): boolean {
  if (!SPACED.test(text)) return false
  const pieces = text.split(' ')
  const singles = pieces.filter(({ length }) => length === 1)
  const letters = singles.filter((piece) => /\p{L}/u.test(piece))
  return singles.length >= pieces.length * SINGLE_SHARE && letters.length >= LETTERS_MIN
}

/** The text with its letters together; a number among them is a word. */
const together = (text: string): string =>
  text.replaceAll(' ', '').replaceAll(/(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu, ' ')

/** Single letters: a short word of a title whose letters are set apart ("D E"). */
const LONE_LETTERS = /^(?:\p{L} )*\p{L}$/u
/** Words of one such title stand at most so far apart, in characters; columns stand further. */
const TITLE_GAP = 6
const TITLE_WORDS = 4

/** Whether all cells of a row are words of one title: "S A L E S   O R D E R". */
const isSpacedTitle = ({ cells, scale }: Row): boolean =>
  cells.length > 1 &&
  cells.length <= TITLE_WORDS &&
  cells.every(
    ({ text, x0 }, at) =>
      (isSpaced(text) || LONE_LETTERS.test(text)) &&
      (at === 0 || x0 - cells[at - 1]!.x1 <= TITLE_GAP * Math.max(1, scale)),
  )

function closed(row: Row): Row {
  if (!row.cells.some(({ text }) => isSpaced(text))) return row
  if (isSpacedTitle(row)) {
    const text = row.cells.map((cell) => together(cell.text)).join(' ')
    return withCells(row, [{ text, x0: row.cells[0]!.x0, x1: row.cells.at(-1)!.x1 }])
  }
  const cells = row.cells.map((cell) =>
    isSpaced(cell.text) ? { ...cell, text: together(cell.text) } : cell,
  )
  const letters = cells.reduce((sum, cell) => sum + cell.text.length, 0)
  return letters < LETTERS_MIN ? row : withCells(row, cells)
}

/** Two bytes of UTF-8 read as two letters of Western Europe: no word has these pairs. */
const TWICE_ENCODED = /[\u00C2-\u00C5][\u0080-\u00BF]/g
const UTF8_LEAD = 0xc0
const UTF8_TRAIL = 0x80

/** Letters as they were meant where they were encoded twice. */
function decodedOnce(row: Row): Row {
  if (row.text.search(TWICE_ENCODED) === -1) return row
  const cells = row.cells.map((cell) => ({
    ...cell,
    text: cell.text.replaceAll(TWICE_ENCODED, (pair) =>
      String.fromCodePoint((pair.charCodeAt(0) - UTF8_LEAD) * 64 + pair.charCodeAt(1) - UTF8_TRAIL),
    ),
  }))
  return withCells(row, cells)
}

/** "2024 17 : 08": a day's year and a time whose colon stands apart. */
const TIME_APART = /(?:19|20)\d{2},? \d{1,2} : \d{2}(?!\d)/
const MARK_APART = /(?<=\d) : (?=\d)|(?<=[\p{L}\d]) ([-/]) (?=[\p{L}\d])|(?<=^| )(\+) (?=\d)/gu

/** The rows with hyphens, strokes and colons closed, where a printer sets all of them apart. */
function withMarksClosed(rows: readonly Row[]): Row[] {
  if (!rows.some(({ text }) => TIME_APART.test(text))) return [...rows]
  return rows.map((row) =>
    row.text.search(MARK_APART) < 0
      ? row
      : withCells(
          row,
          row.cells.map((cell) => ({
            ...cell,
            text: cell.text.replaceAll(MARK_APART, (mark) => mark.trim()),
          })),
        ),
  )
}

/** Across a wide gap two capitals may be a code: "AB" in a column of its own. */
const LONG_FORM = /^.(?:\p{L}{2}|\.)/u
const FORM_GAP = 8

/** A company's form in a cell of its own, right of the name that a justified line set apart. */
function withFormsJoined(row: Row): Row {
  const at = row.cells.findIndex(
    (cell, i) =>
      i > 0 &&
      cell.x0 - row.cells[i - 1]!.x1 < FORM_GAP &&
      /\p{L}{3}$/u.test(row.cells[i - 1]!.text) &&
      LONG_FORM.test(cell.text.trim()) &&
      isFormAlone(cell.text.trim()),
  )
  if (at < 1) return row
  const [name, form] = [row.cells[at - 1]!, row.cells[at]!]
  const whole = { text: `${name.text} ${form.text.trim()}`, x0: name.x0, x1: form.x1 }
  return withCells(row, [...row.cells.slice(0, at - 1), whole, ...row.cells.slice(at + 1)])
}

/** A row of dots that leads from a text to what belongs to it: " . . . . ", "......". */
const LEADER = /\s*(?:\.\s?){5,}/

/** The row with a cell on each side of leading dots. */
function withoutLeaders(row: Row): Row {
  if (row.text.search(LEADER) === -1) return row
  const cells = row.cells.flatMap((cell) => {
    let from = 0
    return cell.text.split(LEADER).flatMap((text) => {
      const at = cell.text.indexOf(text, from)
      from = at + text.length
      return text.trim() === '' ? [] : [{ text, x0: columnAt(cell, at), x1: columnAt(cell, from) }]
    })
  })
  return withCells(row, cells)
}

const DAY_AND_MONTH = /^\d{1,2}[-./]\d{1,2}[-./]$/
const YEAR = /^(?:19|20)\d{2}$/
/** "November 18th," or "Aug, 12" over "2024": day and month in words. */
const NAMED_DAY = /^\p{L}{3,10}(?:\.? \d{1,2}(?:st|nd|rd|th)?,|, \d{1,2})$/iu
/** Sweden's days begin with the year: "2024-" over "09-10", "2024-09-" over "10". */
const YEAR_AND_MONTH = /^(?:19|20)\d{2}-\d{2}-$/
const YEAR_FIRST = /^#?(?:19|20)\d{2}-$/
/** A number broken behind its hyphen: "2024-" over "41858". */
const CODE_START = /^#?[A-Z]{0,4}-?\d{1,6}-$/
const CODE_END = /^\d{2,8}$/
const MONTH_AND_DAY_OR_CODE_END = /^\d{2}-\d{2}$|^\d{2,8}$/
/** Rows that other cells of the line may take in between. */
const BROKEN_ROWS = 2

/** What goes on below a broken cell; null where it is whole. */
function restOf(text: string): RegExp | null {
  if (DAY_AND_MONTH.test(text) || NAMED_DAY.test(text)) return YEAR
  if (YEAR_AND_MONTH.test(text)) return /^\d{2}$/
  if (YEAR_FIRST.test(text)) return MONTH_AND_DAY_OR_CODE_END
  return CODE_START.test(text) ? CODE_END : null
}

/** Numbers of several narrow columns one space apart: "2024- 2024-" over "46701 09-10". */
const NUMBERS = /^[A-Z]{0,4}[\d\-./]+(?: [\d\-./]+)+$/

/** The row with a cell for each number where columns of numbers are one space apart. */
function partedNumbers(row: Row): Row {
  if (!row.cells.some((cell) => NUMBERS.test(cell.text))) return row
  const cells = row.cells.flatMap((cell) =>
    NUMBERS.test(cell.text)
      ? [...cell.text.matchAll(/\S+/g)].map((word) => ({
          text: word[0],
          x0: columnAt(cell, word.index),
          x1: columnAt(cell, word.index + word[0].length),
        }))
      : [cell],
  )
  return withCells(row, cells)
}

/** Whether a number of the row is broken. */
const isBroken = (row: Row): boolean =>
  row.cells.some(
    ({ text }) => NAMED_DAY.test(text) || text.split(' ').some((word) => restOf(word) !== null),
  )

/** Whether a broken cell belongs to the row below it: a table centres two lines around the one of its other cells. */
const isAroundRow = (broken: Row, middle: Row, cell: Cell): boolean =>
  broken.cells.every(({ text }) => restOf(text) !== null) &&
  middle.page === broken.page &&
  middle.cells.every(({ x0, x1 }) => Math.min(x1, cell.x1) <= Math.max(x0, cell.x0))

/** Puts the rest of a broken day or number behind it; the rows are changed in place. */
function joinBroken(rows: Row[]): void {
  for (let at = 0; at < rows.length; at++) {
    if (!isBroken(rows[at]!)) continue
    for (let i = at; i <= at + BROKEN_ROWS && i < rows.length; i++)
      rows[i] = partedNumbers(rows[i]!)
    const row = rows[at]!
    for (const cell of row.cells) {
      const rest = restOf(cell.text)
      if (!rest) continue
      for (let below = at + 1; below <= at + BROKEN_ROWS && below < rows.length; below++) {
        const other = rows[below]!
        const more = other.cells.find(
          (c) => rest.test(c.text) && Math.min(c.x1, cell.x1) - Math.max(c.x0, cell.x0) > 0,
        )
        if (!more || other.page !== row.page) continue
        const space = NAMED_DAY.test(cell.text) ? ' ' : ''
        const whole = { ...cell, text: cell.text + space + more.text }
        const middle = at + 1
        if (below > middle && isAroundRow(row, rows[middle]!, cell)) {
          rows[at] = withCells(
            rows[at]!,
            rows[at]!.cells.filter(({ x0 }) => x0 !== cell.x0),
          )
          rows[middle] = withCells(
            rows[middle]!,
            [...rows[middle]!.cells, whole].toSorted((a, b) => a.x0 - b.x0),
          )
        } else
          rows[at] = withCells(
            rows[at]!,
            rows[at]!.cells.map((c) => (c.x0 === cell.x0 ? whole : c)),
          )
        rows[below] = withCells(
          other,
          other.cells.filter((c) => c !== more),
        )
        break
      }
    }
  }
}

/** Words of one name stand at most so far apart, in characters. */
const LOOSE_GAP = 3.4
const looseGap = (scale: number): number => LOOSE_GAP * Math.max(1, scale)
/** Cells that begin or end so near to one another stand in one column. */
const COLUMN_REACH = 1.3
const NEIGHBOURS = 6
/** Rows around two parts of a name: a dash between them that was not read leaves a gap. */
const NEIGHBOURS_OF_NAME = 2
const NAME_BEFORE = /^\p{L}[\p{L}' ]*\p{L}$/u
const NAME_BEHIND = /^(?:\p{Lu}|van |von |de |den |di )[\p{L}' ]{2,}(?:,|$)/u

/** Whether another row nearby has a column that begins where the cell does, or numbers that end there. */
function hasColumn(
  rows: readonly Row[],
  at: number,
  { text, x0, x1 }: Cell,
  reach: number,
): boolean {
  const isNumber = /^\d/.test(text)
  for (let i = Math.max(0, at - reach); i <= at + reach && i < rows.length; i++) {
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

const isNameParted = (before: Cell, behind: Cell): boolean =>
  NAME_BEFORE.test(before.text) && NAME_BEHIND.test(behind.text)

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
      !hasColumn(rows, at, cell, isNameParted(last, cell) ? NEIGHBOURS_OF_NAME : NEIGHBOURS)
    )
      cells[cells.length - 1] = { text: `${last.text} ${cell.text}`, x0: last.x0, x1: cell.x1 }
    else cells.push(cell)
  }
  return cells.length === row.cells.length ? row : withCells(row, cells)
}

/** Hundredths behind a comma; thousands parted by a space with a point, which OCR makes of a comma. */
const COMMA = /\d,\d{2}(?!\d)/
const POINTED = /(?<![\d.,] ?)(\d{1,3}(?: \d{3})+)\.(\d{2})(?![\d.,])/g

const withComma = (row: Row): Row =>
  row.text.search(POINTED) === -1
    ? row
    : withCells(
        row,
        row.cells.map((cell) => ({ ...cell, text: cell.text.replaceAll(POINTED, '$1,$2') })),
      )

/** "2024-6526del25/10/2024": a number, the word between, the day. */
const GLUED_DAY =
  /(?<=\d)(of|del|de fecha|de|vom|du|van|den|av|z dnia) ?(?=(?:\d{1,2}[./-]){2}\d{2,4}(?!\d)|\d{4}-\d{2}-\d{2}|$)/i

const withDayApart = (row: Row): Row =>
  row.cells.some((cell) => GLUED_DAY.test(cell.text))
    ? withCells(
        row,
        row.cells.map((cell) => ({ ...cell, text: cell.text.replace(GLUED_DAY, ' $1 ').trim() })),
      )
    : row

/** "9stx 222,10": a count and its unit without spaces; measures as in "500g" are parts of names. */
const GLUED_COUNT =
  /(?<![\p{L}\d.,/-])(\d{1,3})(stk?|stck|pz|pcs|ea|uds?|un|u|szt|kpl|ks|db|hrs?|ore|uur)([x×]?)(?=\s|$)/giu

const withCountsApart = (row: Row): Row =>
  row.text.search(GLUED_COUNT) === -1
    ? row
    : withCells(
        row,
        row.cells.map((cell) => ({
          ...cell,
          text: cell.text.replaceAll(GLUED_COUNT, '$1 $2 $3').trim(),
        })),
      )

/** A row whose labels have their lost letters again. */
function withWholeLabels(row: Row, at: number, rows: readonly Row[]): Row {
  const isOverName = row.cells.length <= LABELS_MAX && rows[at + 1]?.page === row.page
  const whole = row.cells.map((cell) => wholeLabel(cell.text, isOverName))
  if (whole.every((text) => text === null)) return row
  return withCells(
    row,
    row.cells.map((cell, i) => ({ ...cell, text: whole[i] ?? cell.text })),
  )
}
/** More cells in a row are the heads of a table. */
const LABELS_MAX = 3

/** Rows of OCR with loose words together, and sums in the document's own way of writing. */
function readAgain(rows: readonly Row[]): Row[] {
  const tight = withLabelsRead(
    rows.map((_, at) => withCountsApart(withDayApart(tightened(rows, at)))).map(withWholeLabels),
  )
  return rows.some((row) => COMMA.test(row.text)) ? tight.map(withComma) : tight
}

/** The document with its rows put right; the same rows where nothing is wrong with them. */
export function withMendedRows(document: DocumentText): DocumentText {
  const rows = withMarksClosed(document.rows).map((row) =>
    withFormsJoined(withoutLeaders(closed(decodedOnce(row)))),
  )
  if (document.hasGeometry) joinBroken(rows)
  const read = document.source === 'ocr' ? readAgain(rows) : rows
  const kept = read.filter((row) => row.cells.length > 0)
  return { ...document, rows: kept.map((row, index) => ({ ...row, index })) }
}
