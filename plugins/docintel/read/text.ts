/** Plain text to rows: a caller's own OCR, `pdftotext -layout`, an e-mail, a till's print stream. */
import type { Cell, DocumentText, Row } from '../model/document.ts'
import { withoutMarkup } from './marked-up.ts'

const TAB_WIDTH = 4
/** A gap of two spaces, a tab or a table bar parts cells; one space does not. */
const CELL = /[^\s|](?:[^\s|]| (?=[^\s|]))*/g
const MAX_ROWS = 20_000

/** Same length, so that nothing a caller sent is shifted: odd spaces, quotes and wide digits. */
export function normalizeCharacters(text: string): string {
  return (
    text
      // A no-break space that groups the thousands of an amount: the Swiss apostrophe says the same.
      .replaceAll(
        /(\d)[\u00A0\u202F\u2009](?=\d{3}(?:[\u00A0\u202F\u2009]\d{3})*[.,]\d\d?(?!\d))/g,
        "$1'",
      )
      .replaceAll(/[\u00A0\u2000-\u200A\u202F\u3000]/g, ' ')
      .replaceAll(/[\uFF01-\uFF5E]/g, (c) => String.fromCodePoint(c.codePointAt(0)! - 0xfee0))
      .replaceAll(/[\u2018\u2019\u02BC]/g, "'")
      .replaceAll(/[\u201C\u201D]/g, '"')
      .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
      .replaceAll('\uFF0E', '.')
      .replaceAll('\uFFE5', '\u00A5')
      .replaceAll('\uFFE6', '\u20A9')
      // Arabic, Persian and Thai digits.
      .replaceAll(/[\u0660-\u0669\u06F0-\u06F9]/g, (c) => String(c.codePointAt(0)! & 15))
      .replaceAll(/[\u0E50-\u0E59]/g, (c) => String(c.codePointAt(0)! - 0xe50))
      .replaceAll('\u066B', '.')
      .replaceAll('\u066C', ',')
      .replaceAll(
        // oxlint-disable-next-line no-control-regex
        /[\u0000-\u0008\u000B\u000E-\u001F\u007F\u200B-\u200F\u2028-\u202E\u2060\uFEFF]/g,
        ' ',
      )
  )
}

/** Longer lines are cut at a space: patterns that look back must not meet a page in one line. */
const LINE_MAX = 1000

/** A line in pieces of at most 1,000 characters. */
function piecesOf(line: string): string[] {
  if (line.length <= LINE_MAX) return [line]
  const pieces: string[] = []
  let at = 0
  while (at < line.length) {
    const space = line.lastIndexOf(' ', at + LINE_MAX)
    const end = at + LINE_MAX >= line.length ? line.length : space > at ? space : at + LINE_MAX
    pieces.push(line.slice(at, end))
    at = end
  }
  return pieces
}

/** Cells of one line, columns counted in characters. */
function cellsOfLine(line: string): Cell[] {
  const flat = line.includes('\t') ? line.replaceAll('\t', ' '.repeat(TAB_WIDTH)) : line
  const cells: Cell[] = []
  for (const match of flat.matchAll(CELL))
    cells.push({ text: match[0], x0: match.index, x1: match.index + match[0].length })
  return cells
}

/** Rows of a text; empty lines become `gapAbove`. At most 20,000 rows are read. */
export function documentFromText(text: string): DocumentText {
  const rows: Row[] = []
  let page = 0
  let gap = 0
  for (const line of normalizeCharacters(withoutMarkup(text))
    .split(/\r\n|[\n\r\u0085]/)
    .flatMap(piecesOf)) {
    for (const [part, piece] of line.split('\f').entries()) {
      if (part > 0) page++
      const cells = cellsOfLine(piece)
      if (cells.length === 0) {
        gap++
        continue
      }
      rows.push({
        index: rows.length,
        page,
        cells,
        text: cells.map((c) => c.text).join('  '),
        gapAbove: rows.length === 0 ? 0 : gap,
        scale: 1,
      })
      gap = 0
    }
    if (rows.length >= MAX_ROWS) break
  }
  const columned = rows.filter((r) => r.cells.length > 1).length
  return {
    rows,
    source: 'text',
    hasGeometry: columned >= 3,
    legibility: 1,
    pages: page + 1,
  }
}
