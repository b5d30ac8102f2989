/** Words on a grid of column and row boundaries, as rows of strings. */
import { lineOf } from '../text/lines.ts'
import type { Word } from '../text/word.ts'

/** Text of some words of one cell: their lines joined by spaces. */
export function cellText(words: readonly Word[]): string {
  if (words.length === 0) return ''
  const rows: Word[][] = []
  for (const word of words.toSorted((a, b) => a.v - b.v)) {
    const row = rows.at(-1)
    if (row && word.v - row[0]!.v < 0.5 * Math.max(row[0]!.size, word.size)) row.push(word)
    else rows.push([word])
  }
  return rows
    .map((row) => lineOf(row.toSorted((a, b) => a.u0 - b.u0)).text.trim())
    .filter((text) => text !== '')
    .join(' ')
}

/** Index of the interval of `bounds` that holds `value`, or -1. */
export function bandOf(bounds: readonly number[], value: number): number {
  if (bounds.length < 2 || value < bounds[0]! || value > bounds.at(-1)!) return -1
  let low = 0
  let high = bounds.length - 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (bounds[middle]! <= value) low = middle
    else high = middle - 1
  }
  return low
}

export const middleOf = (word: Word): number => (word.u0 + word.u1) / 2
/** The height at which a word is seen: above its baseline by half the x-height. */
export const heightOf = (word: Word): number => word.v - 0.3 * word.size

/** Rows without empty ones at the edges, and without columns that are empty throughout. */
export function trimmed(rows: readonly string[][]): string[][] {
  const filled = rows.filter((row) => row.some((cell) => cell !== ''))
  const width = filled[0]?.length ?? 0
  const columns = Array.from({ length: width }, (_, c) => c).filter((c) =>
    filled.some((row) => row[c] !== ''),
  )
  return filled.map((row) => columns.map((c) => row[c]!))
}

/** Share of the cells of two columns that the emptier one has at most to be a part of the other. */
const FEW_MOST = 0.34

/**
 * Rows with adjacent columns made one where no row fills both: what stands a little further in is of
 * the same column. A head over each of them fills both, so that debit and credit stay apart.
 */
export function withMergedColumns(rows: readonly string[][]): string[][] {
  let merged = rows.map((row) => [...row])
  for (let column = 0; column + 1 < (merged[0]?.length ?? 0) && merged[0]!.length > 2;) {
    const [left, right] = [column, column + 1].map(
      (at) => new Set(merged.flatMap((row, index) => (row[at] === '' ? [] : [index]))),
    ) as [Set<number>, Set<number>]
    const isShared = [...left].some((index) => right.has(index))
    const few = Math.min(left.size, right.size)
    // Two full ones are columns of two tables that stand side by side.
    if (isShared || few > (left.size + right.size) * FEW_MOST) column += 1
    else
      merged = merged.map((row) => [
        ...row.slice(0, column),
        row[column] || row[column + 1]!,
        ...row.slice(column + 2),
      ])
  }
  return merged
}

/** "Table 3", "Exhibit B.4": what stands over a table and is none of its rows. */
export const CAPTION =
  /^(?:table|tableau|tabelle|tabla|tabella|figure|chart|exhibit|box)\s+[\dA-Z][\d.]*/i
const NOTE = /^(?:sources?|notes?|quellen?|anmerkung(?:en)?|fuentes?|nota)\s*:/i
/** Rows at the top in which a caption may stand, below a running head. */
const CAPTION_ROWS = 3

/** Rows without the caption that a frame holds above them, and the notes that it holds below. */
export function withoutSurroundings(rows: string[][]): string[][] {
  const filled = (row: readonly string[]): string[] => row.filter((cell) => cell !== '')
  const caption = rows
    .slice(0, CAPTION_ROWS)
    .findIndex((row) => filled(row).length === 1 && CAPTION.test(filled(row)[0]!))
  // The caption goes on in small letters.
  const isMore = (row: readonly string[]): boolean =>
    filled(row).length === 1 && /^\p{Ll}/u.test(filled(row)[0]!)
  const more = caption < 0 ? 0 : rows.slice(caption + 1).findIndex((row) => !isMore(row))
  const start = caption + 1 + Math.max(0, more)
  const half = Math.ceil(rows.length / 2)
  const note = rows.findIndex((row, index) => index >= half && NOTE.test(filled(row)[0] ?? ''))
  const end = note < 0 ? rows.length : note
  return end - start < 2 ? rows : trimmed(rows.slice(start, end))
}

const NUMBER =
  /^[([<>≤≥±~+\-–−]?\s*(?:[$€£¥%]|[A-Z]{2,3}\s)?\s*[+\-–−]?\d(?:[\d.,:\s'’/]*[\d.,/])?(?:\s?%|[a-zA-Z*†‡°]{0,3}|\s(?:[a-z]|bn|mn))?[)\]*]*$/
const PLACEHOLDER = /^(?:[-–—−.:*]+|n\/?a|n\.a\.|nd|na|x|c|\.\.+|…)$/i

/** Whether a cell holds a number, an amount, a percentage or a sign for a missing one. */
export function isNumeric(cell: string): boolean {
  return cell.length < 40 && (NUMBER.test(cell) || PLACEHOLDER.test(cell))
}
