/**
 * Heads of goods that a narrow column set in two rows: "NO. ITEM  QTY" over ".  UNIT  PRICE  SUM". Neither
 * row is a head by itself, and the second would be read as the name of the first goods.
 */
import { foldLabel } from '../../lexicon/fold.ts'
import { columnOfHead } from '../../lexicon/items.ts'
import { withCells, type Cell, type DocumentText, type Row } from '../../model/document.ts'
import { headsOf } from '../goods/goods-heads.ts'

const isHead = (row: Row): boolean =>
  headsOf({ row, amounts: [], folded: foldLabel(row.text) }) !== null

/** Whether a row has words of heads and nothing else, apart from marks. */
const hasOnlyHeads = ({ text }: Row): boolean =>
  text
    .split(/\s+/)
    .map(foldLabel)
    .every((word) => word === '' || (!/\d/.test(word) && columnOfHead(word, new Set()) !== null))

/** The cells of both rows from left to right; what stands below a cell goes on with it. */
function joinedCells(upper: Row, lower: Row): Cell[] {
  const cells = upper.cells.map((cell) => ({ ...cell }))
  for (const cell of lower.cells) {
    const above = cells.find(({ x0, x1 }) => x0 < cell.x1 && cell.x0 < x1)
    if (above) above.text += foldLabel(cell.text) === '' ? cell.text : ` ${cell.text}`
    else cells.push(cell)
  }
  return cells.toSorted((a, b) => a.x0 - b.x0)
}

/** The head that two rows make together; null where they make none, or one alone is one. */
function wholeHead(upper: Row, lower: Row | undefined): Row | null {
  if (lower?.page !== upper.page || lower.gapAbove > 0.8) return null
  if (!hasOnlyHeads(upper) || !hasOnlyHeads(lower) || isHead(upper) || isHead(lower)) return null
  const whole = withCells(upper, joinedCells(upper, lower))
  return isHead(whole) ? whole : null
}

/** The document with such heads in one row each; the same where it has none. */
export function withWholeHeads(document: DocumentText): DocumentText {
  if (!document.hasGeometry) return document
  const rows: Row[] = []
  for (const row of document.rows) {
    const upper = rows.at(-1)
    const whole = upper ? wholeHead(upper, row) : null
    if (whole) rows[rows.length - 1] = whole
    else rows.push(row)
  }
  if (rows.length === document.rows.length) return document
  return { ...document, rows: rows.map((row, index) => ({ ...row, index })) }
}
