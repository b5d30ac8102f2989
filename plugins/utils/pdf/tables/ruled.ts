/**
 * Tables whose cells are drawn: a frame of crossing lines gives the boundaries; where the line
 * between two cells is missing they are one. Missing outer lines are put where the others end.
 */
import { Groups } from '../groups.ts'
import type { Ruling } from '../read/marks.ts'
import type { Word } from '../text/word.ts'
import {
  bandOf,
  cellText,
  heightOf,
  isNumeric,
  middleOf,
  trimmed,
  withMergedColumns,
  withoutSurroundings,
} from './cells.ts'
import { columnBounds, columnStarts, rowGroups } from './columns.ts'
import { type Frame, positions, SNAP } from './rulings.ts'
import type { Table } from './table.ts'

/** Part of a cell's side that a line must cover to part it from its neighbour. */
const COVERED = 0.6
const CELLS_MAX = 6000
/** Cells longer than this on average are boxes around paragraphs. */
const CELL_CHARACTERS_MAX = 220

/** The table inside a frame, or null when the frame is none: shaded areas alone draw no cells. */
export function ruledTable(frame: Frame, words: readonly Word[]): Table | null {
  const { horizontals, verticals } = frame
  if (horizontals.length < 2 || !verticals.some((line) => line.drawn)) return null
  const inside = wordsIn(frame, words)
  if (inside.length < 3) return null
  const ys = outer(positions(horizontals.map((h) => h.at)), verticals)
  let xs = outer(positions(verticals.map((v) => v.at)), horizontals)
  if (ys.length < 2 || xs.length < 3) return null
  if ((ys.length - 1) * (xs.length - 1) > CELLS_MAX) return null
  xs = withHiddenColumns(xs, inside)
  const rows = fill(xs, ys, frame, inside)
  const table = withoutSurroundings(withMergedColumns(trimmed(rows)))
  if (!isTable(table)) return null
  const box = { x0: xs[0]!, x1: xs.at(-1)!, y0: ys[0]!, y1: ys.at(-1)! }
  return { rows: table, box }
}

function wordsIn({ horizontals, verticals }: Frame, words: readonly Word[]): Word[] {
  const all = [...horizontals, ...verticals]
  const x0 = Math.min(...all.map((r) => (r.horizontal ? r.from : r.at)))
  const x1 = Math.max(...all.map((r) => (r.horizontal ? r.to : r.at)))
  const y0 = Math.min(...all.map((r) => (r.horizontal ? r.at : r.from)))
  const y1 = Math.max(...all.map((r) => (r.horizontal ? r.at : r.to)))
  return words.filter((word) => {
    const x = middleOf(word)
    const y = heightOf(word)
    return x > x0 && x < x1 && y > y0 && y < y1
  })
}

/** Boundaries with the ends of the crossing lines where these reach past the outermost. */
function outer(bounds: readonly number[], crossing: readonly Ruling[]): number[] {
  if (bounds.length === 0) return []
  const first = Math.min(...crossing.map((r) => r.from))
  const last = Math.max(...crossing.map((r) => r.to))
  const reach = 6
  return [
    ...(first < bounds[0]! - reach ? [first] : []),
    ...bounds,
    ...(last > bounds.at(-1)! + reach ? [last] : []),
  ]
}

/** Adds boundaries inside a drawn column whose rows are themselves set in columns. */
function withHiddenColumns(xs: readonly number[], words: readonly Word[]): number[] {
  const bounds = [xs[0]!]
  for (let c = 0; c + 1 < xs.length; c++) {
    const inside = words.filter((w) => middleOf(w) >= xs[c]! && middleOf(w) <= xs[c + 1]!)
    const rows = rowGroups(inside)
    const split = rows.filter((row) => columnStarts(row) > 1).length
    if (rows.length >= 4 && split >= 0.7 * rows.length) {
      const found = columnBounds(rows)
      bounds.push(...found.slice(1, -1))
    }
    bounds.push(xs[c + 1]!)
  }
  return bounds
}

/** Share of [from, to] at boundary `at` that lines cover. */
function coverage(lines: readonly Ruling[], at: number, from: number, to: number): number {
  let covered = 0
  for (const line of lines) {
    if (Math.abs(line.at - at) > SNAP + 1) continue
    covered += Math.max(0, Math.min(line.to, to) - Math.max(line.from, from))
  }
  return covered / Math.max(1, to - from)
}

function fill(
  xs: readonly number[],
  ys: readonly number[],
  { horizontals, verticals }: Frame,
  words: readonly Word[],
): string[][] {
  const columns = xs.length - 1
  const bands = ys.length - 1
  const merged = new Groups(columns * bands)
  const isDrawnColumn = xs.map((x) => verticals.some((v) => Math.abs(v.at - x) <= SNAP + 1))
  for (let r = 0; r < bands; r++) {
    for (let c = 0; c < columns; c++) {
      const cell = r * columns + c
      const [left, right, top, bottom] = [xs[c]!, xs[c + 1]!, ys[r]!, ys[r + 1]!]
      if (
        c + 1 < columns &&
        isDrawnColumn[c + 1] &&
        coverage(verticals, right, top, bottom) < COVERED &&
        !isParted(words, left, xs[c + 2]!, right, top, bottom)
      ) {
        merged.join(cell, cell + 1)
      }
      if (r + 1 < bands && coverage(horizontals, bottom, left, right) < COVERED)
        merged.join(cell, cell + columns)
    }
  }
  const held = new Map<number, Word[]>()
  for (const word of words) {
    const c = bandOf(xs, middleOf(word))
    const r = bandOf(ys, heightOf(word))
    if (c < 0 || r < 0) continue
    const root = merged.of(r * columns + c)
    const list = held.get(root)
    if (list) list.push(word)
    else held.set(root, [word])
  }
  return splitRows(columns, bands, held, merged)
}

/** Whether the text on both sides of a missing line keeps clear of it. */
function isParted(
  words: readonly Word[],
  left: number,
  right: number,
  at: number,
  top: number,
  bottom: number,
): boolean {
  let before = 0
  let after = 0
  for (const word of words) {
    const y = heightOf(word)
    if (y < top || y > bottom || word.u1 < left || word.u0 > right) continue
    if (word.u0 < at - 1 && word.u1 > at + 1) return false
    if (word.u1 <= at + 1) before = Math.max(before, word.u1)
    else after = after === 0 ? word.u0 : Math.min(after, word.u0)
  }
  return before > 0 && after > 0 && after - before > 8
}

/** Rows of text; a band whose cells hold several aligned lines of numbers is several rows. */
function splitRows(
  columns: number,
  bands: number,
  held: ReadonlyMap<number, Word[]>,
  merged: Groups,
): string[][] {
  const rows: string[][] = []
  for (let r = 0; r < bands; r++) {
    const cells = Array.from({ length: columns }, (_, c) => {
      const cell = r * columns + c
      return merged.of(cell) === cell ? (held.get(cell) ?? []) : []
    })
    const lines = commonLines(cells) ?? labelledLines(cells)
    if (lines === null) rows.push(cells.map(cellText))
    else {
      const bounds = [-Infinity, ...lines.slice(1), Infinity]
      for (let i = 0; i < lines.length; i++) {
        rows.push(
          cells.map((words) =>
            cellText(words.filter((w) => w.v >= bounds[i]! && w.v < bounds[i + 1]!)),
          ),
        )
      }
    }
  }
  return rows
}

/** Upper edges of the text rows inside one band, or null when it is one row. */
function commonLines(cells: readonly Word[][]): number[] | null {
  const filled = cells.filter((words) => words.length > 0)
  if (filled.length < 2) return null
  const perCell = filled.map((words) => rowGroups(words))
  const most = Math.max(...perCell.map((rows) => rows.length))
  if (most < 2) return null
  const full = perCell.filter((rows) => rows.length >= 0.7 * most)
  if (full.length < 2 || full.length < 0.6 * filled.length) return null
  const numeric = full.filter((rows) => {
    const numbers = rows.filter((row) => isNumeric(cellText(row)))
    return numbers.length >= 0.7 * rows.length
  })
  if (numeric.length < Math.max(1, 0.4 * full.length)) return null
  const longest = perCell.find((rows) => rows.length === most)!
  return longest.map((row) => row[0]!.v - 0.6 * row[0]!.size)
}

/**
 * Upper edges of rows inside one band whose figures stand beside some lines of the first cell: the
 * other lines there are headings, or go on in small letters. Null when the band is one row.
 */
function labelledLines(cells: readonly Word[][]): number[] | null {
  const [labels = [], ...others] = cells.map((words) => rowGroups(words))
  const figures = others.filter((rows) => rows.length > 0)
  const count = figures[0]?.length ?? 0
  if (figures.length < 2 || count < 2 || labels.length < count) return null
  const isBeside = (row: readonly Word[], other: readonly Word[]): boolean =>
    Math.abs(row[0]!.v - other[0]!.v) < 0.5 * row[0]!.size
  const areAligned = figures.every(
    (rows) =>
      rows.length === count &&
      rows.every((row, i) => isNumeric(cellText(row)) && isBeside(row, figures[0]![i]!)),
  )
  if (!areAligned || !figures[0]!.every((row) => labels.some((label) => isBeside(row, label))))
    return null
  return labels
    .filter(
      (label) =>
        figures[0]!.some((row) => isBeside(row, label)) || !/^\p{Ll}/u.test(cellText(label)),
    )
    .map((label) => label[0]!.v - 0.6 * label[0]!.size)
}

function isTable(rows: readonly string[][]): boolean {
  const columns = rows[0]?.length ?? 0
  if (rows.length < 2 || columns < 2) return false
  const cells = rows.flat().filter((cell) => cell !== '')
  if (cells.length < 0.25 * rows.length * columns || cells.length < 4) return false
  const several = rows.filter((row) => row.filter((cell) => cell !== '').length >= 2).length
  if (several < 0.3 * rows.length || several < 1) return false
  const average = cells.reduce((n, cell) => n + cell.length, 0) / cells.length
  return average <= CELL_CHARACTERS_MAX
}
