/**
 * Heads over values, word by word: "Invoice # Date Due" over "F6563 06/05/2024 16/05/2024", where one
 * cell holds several heads, and heads of two lines stand over rows of two lines.
 */
import { columnAt, type DocumentText, type Row } from '../../model/document.ts'

export interface Word {
  text: string
  x0: number
  x1: number
}

/** Rows between heads and their values: the further lines of either. */
const REACH_ROWS = 4
/** Columns by which a value may stand beside its head. */
const SLACK = 1

/** The words of a row with their columns. */
export function wordsOfRow(row: Row): Word[] {
  return row.cells.flatMap((cell) =>
    [...cell.text.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      x0: columnAt(cell, match.index),
      x1: columnAt(cell, match.index + match[0].length),
    })),
  )
}

/** What the heads over a value say, by row, nearest first; rows with sums head nothing. */
export function headsOver(document: DocumentText, value: Word, at: number): string[] {
  const found: string[] = []
  for (let step = 1; step <= REACH_ROWS; step++) {
    const row = document.rows[at - step]
    if (!row || row.page !== document.rows[at]!.page || /\d[.,]\d{2}(?!\d)/.test(row.text)) break
    const over = wordsOfRow(row).filter(({ x0, x1 }) => {
      const middle = (x0 + x1) / 2
      return middle > value.x0 - SLACK && middle < value.x1 + SLACK
    })
    if (over.length > 0) found.push(over.map(({ text }) => text).join(' '))
  }
  return found
}

/** The words under a head that stand in its columns, by row, nearest first. */
export function wordsUnder(document: DocumentText, head: Word, at: number): [Word, Row][] {
  const found: [Word, Row][] = []
  for (let step = 1; step <= REACH_ROWS; step++) {
    const row = document.rows[at + step]
    if (!row || row.page !== document.rows[at]!.page) break
    const under = wordsOfRow(row)
      .filter(({ x0, x1 }) => Math.min(x1, head.x1 + SLACK) - Math.max(x0, head.x0 - SLACK) > 0)
      .toSorted((a, b) => Math.abs(a.x0 - head.x0) - Math.abs(b.x0 - head.x0))
    found.push(...under.map((word): [Word, Row] => [word, row]))
  }
  return found
}
