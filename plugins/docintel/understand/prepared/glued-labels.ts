/** Labels of a buyer that OCR read in one cell with the name behind them: "Invoice for Collier and Sons". */
import { capitals } from '../../lexicon/fold.ts'
import { withCells, type Row } from '../../model/document.ts'

/** Rows of the head among which a buyer stands. */
const HEAD_ROWS = 20
/** Labels without a colon; OCR reads "Spett.le" as "Spert.le". */
const LABEL =
  /^(?:(?:Invoice|Receipt|Bill) for|Spe[rt]t\.? ?le|Cliente|Client|Customer|Kunde|Klant) (?=\p{Lu}\p{Ll})/u
/** A street with its house, or the company form that a name goes on with. */
const IS_BELOW = /\d|^\P{L}*\p{L}\./u
/** What else such a word stands before: "Customer Number", "Client Services". */
const OTHER =
  /^(?:N[OR]|NUM|ID|REF|CODE|COD|KOD|NAME|NOM|DATE|DATA|DATUM|DETAIL|SERVIC|SUPPORT|ADRE|ADDRE|ORDER|ACCOUNT|COPY|SINCE|TAX|VAT)/

/** As the label is read with a colon, whichever it was. */
const READ_AS = 'Bill to: '

/** The row with a colon behind the label, where a name is behind it and a number of a house below. */
function labelled(row: Row, below: Row | undefined): Row {
  const [cell, other] = row.cells
  const label = cell && !other ? LABEL.exec(cell.text) : null
  if (!cell || !label || below?.page !== row.page || !IS_BELOW.test(below.text)) return row
  const name = cell.text.slice(label[0].length)
  if (/[\d:@]/.test(name) || OTHER.test(capitals(name))) return row
  const text = `${READ_AS}${name}`
  return withCells(row, [{ ...cell, text }])
}

/** The rows with such labels as labels. */
export const withLabelsRead = (rows: readonly Row[]): Row[] =>
  rows.map((row, at) => (at < HEAD_ROWS ? labelled(row, rows[at + 1]) : row))
