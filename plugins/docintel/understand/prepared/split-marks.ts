/**
 * Sums that OCR read in pieces around their points and commas: "14 .493 ,77" is 14.493,77 and
 * "8. 231,09" is 8.231,09, of which else only the last piece would be read; also with a dash for a mark
 * ("13,295-33"), and the letter O for nothing ("EUR O").
 */
import { withCells, type Cell, type DocumentText, type Row } from '../../model/document.ts'

/** A number to hundredths whose marks may have spaces around them, at the end of its cell. */
const PIECES =
  /(?<![\p{L}\d.,:/])(\d{1,3}(?: \d{3})*)((?: ?[.,] ?\d{3})*)( ?[.,] ?\d{2})(?=[^\d.,:/]{0,5}$)/u
const SPACE_AT_MARK = / [.,]|[.,] /
/** Digits after which a point may end an ordinal number: "3. 904,08" is perhaps the third of something. */
const ORDINAL = /^\d{1,3}[.,] \d{3}/

/** The number with its marks closed; null where it is whole, or may be two. */
function closedNumber(pieces: RegExpExecArray, printed: string): string | null {
  const [whole, first, thousands, hundredths] = pieces as unknown as string[]
  if (!SPACE_AT_MARK.test(whole!)) return null
  const groups = thousands!.replaceAll(' ', '')
  const marks = new Set(groups.replaceAll(/\d/g, ''))
  const decimal = hundredths!.trim()[0]!
  // One mark parts thousands, the other hundredths.
  if (marks.size > 1 || marks.has(decimal) || (groups !== '' && first!.includes(' '))) return null
  if (ORDINAL.test(whole!)) {
    const rest = whole!.slice(first!.length + 1).replaceAll(' ', '')
    if (new RegExp(`(?<![\\d.,]|\\d[.,] )${rest.replaceAll('.', String.raw`\.`)}`).test(printed))
      return null
  }
  return `${first}${groups}${hundredths!.replaceAll(' ', '')}`
}

const withText = (cell: Cell, text: string): Cell => (text === cell.text ? cell : { ...cell, text })

function closedCell(cell: Cell, isFirst: boolean, printed: string): Cell {
  const pieces = PIECES.exec(cell.text)
  if (!pieces) return cell
  // What begins a row may be its number in a list, and what follows letters and a comma another word.
  if (isFirst && pieces.index === 0 && ORDINAL.test(pieces[0])) return cell
  const number = closedNumber(pieces, printed)
  if (number === null) return cell
  const end = pieces.index + pieces[0].length
  return { ...cell, text: `${cell.text.slice(0, pieces.index)}${number}${cell.text.slice(end)}` }
}

const CURRENCY = '(?:EUR|USD|GBP|CHF|[€$£])'
/** "EUR 2 360.08": thousands apart behind a currency, where nothing but one number can stand. */
const BEHIND_CURRENCY = new RegExp(String.raw`(${CURRENCY} ?-?)(\d{1,3}(?: \d{3})+)(?=\.\d{2}$)`)

const withoutSpaces = (text: string): string =>
  text.replace(
    BEHIND_CURRENCY,
    (_, currency: string, whole: string) => `${currency}${whole.replaceAll(' ', '')}`,
  )

/** "EUR O", "$O": nothing is left, in the letter that looks like it. */
const LETTER_FOR_NOTHING = new RegExp(`^(?<currency>${CURRENCY} ?)[Oo]$`)

function closedRow(row: Row, printed: string): Row {
  const cells = row.cells
    .map((cell) =>
      withText(
        cell,
        withoutSpaces(withoutDash(cell.text)).replace(LETTER_FOR_NOTHING, '$<currency>0'),
      ),
    )
    .map((cell, at) => closedCell(cell, at === 0, printed))
  return cells.every((cell, at) => cell === row.cells[at]) ? row : withCells(row, cells)
}

/** A dash read for a point or comma, with another mark in the number: "13,295-33", "7-599,65". */
const DASHED =
  /(?<![\d.,/-])(?:(\d{1,3}(?:[.,]\d{3})+)-(\d{2})|(\d{1,3})-(\d{3}[.,]\d{2}))(?=[^\d.,/-]{0,5}$)/

const withoutDash = (text: string): string =>
  text.replace(DASHED, (_, whole?: string, hundredths?: string, first?: string, rest?: string) =>
    whole === undefined
      ? `${first}${rest!.includes(',') ? '.' : ','}${rest}`
      : `${whole}${whole.includes(',') ? '.' : ','}${hundredths}`,
  )

/** The rows of a photo or scan with its sums whole; those of any other source as they are. */
export function withClosedMarks(document: DocumentText): DocumentText {
  if (document.source !== 'ocr') return document
  const printed = document.rows.map(({ text }) => text).join('\n')
  return { ...document, rows: document.rows.map((row) => closedRow(row, printed)) }
}
