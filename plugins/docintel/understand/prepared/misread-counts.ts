/**
 * Quantities of goods that OCR read as letters, in digits again where price and amount tell them: "LO" in
 * front of 407.18 and 4,071.80 is 10.
 */
import { withCells, type DocumentText, type Row } from '../../model/document.ts'
import { DIGITS } from '../marks/amounts.ts'
import { HUNDREDTH } from '../goods/line-product.ts'
import { isNear } from '../marks/near.ts'
import { detectDecimalMark, parseNumber, type DecimalMark } from '../marks/numbers.ts'

/** The digits that the letters of a quantity stand for: with a product as proof more than in a sum. */
const LETTER_DIGITS: Readonly<Record<string, string>> = {
  ...DIGITS,
  L: '1',
  A: '4',
  G: '6',
  b: '6',
  T: '7',
  g: '9',
  q: '9',
}
const COUNT = /^[\dOoQDlLIi|!ZzASsGbTBgq]{1,4}$/
const MONEY = /^\D{0,2}(\d[\d.,' ]*[.,]\d{2})\D{0,2}$/

const moneyIn = (text: string | undefined, mark: DecimalMark): number | null => {
  const number = MONEY.exec(text ?? '')?.[1]
  return number === undefined ? null : (parseNumber(number, mark)?.value ?? null)
}

/** The row with its quantity in digits; the same one where no price and amount behind a cell tell them. */
function withCountRead(row: Row, mark: DecimalMark): Row {
  for (const [at, cell] of row.cells.entries()) {
    if (!COUNT.test(cell.text) || !/\D/.test(cell.text)) continue
    const price = moneyIn(row.cells[at + 1]?.text, mark)
    const amount = moneyIn(row.cells[at + 2]?.text, mark)
    const digits = cell.text.replaceAll(/\D/g, (letter) => LETTER_DIGITS[letter]!)
    if (price !== null && amount !== null && isNear(Number(digits) * price, amount, HUNDREDTH))
      return withCells(row, row.cells.with(at, { ...cell, text: digits }))
  }
  return row
}

/** The document with its quantities in digits; the same one where it was not read by OCR. */
export function withCountsRead(document: DocumentText): DocumentText {
  if (document.source !== 'ocr') return document
  const mark = detectDecimalMark(document.rows.map((row) => row.text).join('\n'))
  return { ...document, rows: document.rows.map((row) => withCountRead(row, mark)) }
}
