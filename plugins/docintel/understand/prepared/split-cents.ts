/**
 * Bills whose amounts stand in two columns, "RM | SEN", "$ | CTS": the two numbers put together
 * again ("90 | 00" is "90.00", "30 | -" is "30.00"), so that the rest reads one amount.
 */
import { foldLabel } from '../../lexicon/fold.ts'
import { withCells, type DocumentText, type Row } from '../../model/document.ts'

const HEAD =
  /(?:^| )(?:RM|RINGGIT|S|AMOUNT|KSHS?|RS|RUPEES|P|GHC|EUR|L) (?:SEN|CTS?|CENTS?|PAISA|PS|CENTIMES?|CS)$/
const CENTS_HEAD = /^(?:SEN|CTS?|CENTS?|PAISA|PS|CENTIMES?|CS)$/
const WHOLE_HEAD = /^(?:RM|RINGGIT|S|AMOUNT|KSHS?|RS|RUPEES|P|GHC|EUR)$/
/** The two numbers at the end of a row, one space or a column apart. */
const AT_END = /^(.*?)(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d{1,6})(?:[ |:]+)(\d{2}|[-–—=_~/]{1,3})$/u
const WHOLE = /^(?:RM|\$)? ?(?:\d{1,3}(?:,\d{3})+|\d{1,6})$/
const CENTS = /^(?:\d{2}|[-–—=_~/]{1,3})$/u
const ROWS_MAX = 60

const joined = (whole: string, cents: string): string =>
  `${whole}.${/^\d/.test(cents) ? cents : '00'}`

/** A row below the head with its last two numbers joined, or the row itself. */
function joinedRow(row: Row): Row {
  const [last, before] = [row.cells.at(-1)!, row.cells.at(-2)]
  const within = AT_END.exec(last.text)
  if (within) {
    const [, lead, whole, cents] = within
    return withCells(row, [
      ...row.cells.slice(0, -1),
      { ...last, text: `${lead}${joined(whole!, cents!)}` },
    ])
  }
  const end = before ? /^(.*?)(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d{1,6})$/.exec(before.text) : null
  if (!before || !end || !CENTS.test(last.text)) return row
  return withCells(row, [
    ...row.cells.slice(0, -2),
    { text: `${end[1]}${joined(end[2]!, last.text)}`, x0: before.x0, x1: last.x1 },
  ])
}

/** Where the columns' head stands: its row, and whether every cell has a row of its own. */
function headOf(rows: readonly Row[]): { at: number; stacked: boolean } | null {
  for (const [at, row] of rows.entries()) {
    const folded = foldLabel(row.text.replaceAll('$', ' S '))
    if (HEAD.test(folded)) return { at, stacked: false }
    const next = rows[at + 1]
    if (next && WHOLE_HEAD.test(folded) && CENTS_HEAD.test(foldLabel(next.text)))
      return { at: at + 1, stacked: true }
  }
  return null
}

/** The document with amounts of two columns in one; the same where no head names two columns. */
export function withJoinedCents(document: DocumentText): DocumentText {
  const head = headOf(document.rows)
  if (!head) return document
  const end = head.at + ROWS_MAX
  const rows: Row[] = []
  for (let at = 0; at < document.rows.length; at++) {
    const row = document.rows[at]!
    if (at <= head.at || at > end) {
      rows.push(row)
      continue
    }
    const next = document.rows[at + 1]
    if (head.stacked && next && WHOLE.test(row.text) && CENTS.test(next.text)) {
      const cell = row.cells[0]!
      rows.push(withCells(row, [{ ...cell, text: joined(cell.text, next.text) }]))
      at++
    } else rows.push(joinedRow(row))
  }
  return { ...document, rows: rows.map((row, index) => ({ ...row, index })) }
}
