/**
 * Tables that only alignment shows, or that have horizontal rules alone. Runs of rows that are set
 * in cells are candidates; the guard then refuses what is prose, a list or a table of contents.
 */
import type { Ruling } from '../read/marks.ts'
import type { Word } from '../text/word.ts'
import { bandOf, middleOf, trimmed, withMergedColumns, withoutSurroundings } from './cells.ts'
import { columnBounds, median, segmentsOf } from './columns.ts'
import { isPlausible } from './guard.ts'
import { type Row, rowsOf, runsOf } from './rows.ts'
import { joined } from './rulings.ts'
import type { Table } from './table.ts'
import { type TableLine, wrappedRows } from './wrapped.ts'

/** Share of rows in which text may run across a boundary. */
const CROSSED_MAX = 0.3
/** Distance, in font sizes, of a heading's lines from the rest of it. */
const HEAD_LEADING = 1.75

/** Tables among words that stand in no ruled table. */
export function alignedTables(words: readonly Word[], horizontals: readonly Ruling[]): Table[] {
  const rules = joined(
    horizontals.filter((h) => h.drawn),
    14,
  )
  const { rows, prose } = rowsOf(words)
  return runsOf(rows, prose)
    .flatMap((run) => tableOf(run, rows, rules))
    .toSorted((a, b) => a.box.y0 - b.box.y0)
}

function tableOf(run: readonly Row[], all: readonly Row[], rules: readonly Ruling[]): Table[] {
  const bounds = columnBounds(run.map((row) => row.words))
  if (bounds.length < 3) return []
  const kept = withEnds(withoutCaption(run, bounds), all, bounds)
  const lines = kept.map((row): TableLine => ({
    v: row.v,
    size: row.size,
    ...cellsOf(row, bounds),
  }))
  // Sentences that run over the columns: prose whose spaces happen to stand below each other.
  if (lines.slice(1).filter((line) => line.crosses).length > CROSSED_MAX * kept.length) return []
  const crossing = rules.filter((rule) => isAcross(rule, kept, bounds))
  const rows = withoutSurroundings(withMergedColumns(trimmed(wrappedRows(lines, crossing))))
  const first = kept[0]!
  const last = kept.at(-1)!
  if (!isPlausible(rows, { ruled: crossing.length >= 2 })) return []
  const box = {
    x0: bounds[0]! - 1,
    x1: bounds.at(-1)! + 1,
    y0: first.v - first.size,
    y1: last.v + 0.3 * last.size,
  }
  return [{ rows, box }]
}

/** A first row that runs across the columns is a caption or heading, unless it stands over some. */
function withoutCaption(run: readonly Row[], bounds: readonly number[]): readonly Row[] {
  let start = 0
  while (start < run.length - 2) {
    const row = run[start]!
    const first = row.words[0]!
    const cut = segmentsOf(row.words).some((segment) => {
      const { from, to } = extentOf(segment)
      return bounds.slice(1, -1).some((b) => from < b - 4 && to > b + 4)
    })
    if (!cut || row.cells > 1 || first.u0 > bounds[1]!) break
    start++
  }
  return run.slice(start)
}

/**
 * The run with what belongs to its ends but is no row of several cells: the upper lines of heads
 * over inner columns, and the last lines of the last row's label.
 */
function withEnds(
  run: readonly Row[],
  all: readonly Row[],
  bounds: readonly number[],
): readonly Row[] {
  const kept = [...run]
  for (let i = all.indexOf(run[0]!) - 1; i >= 0; i--) {
    const [row, first] = [all[i]!, kept[0]!]
    if (row.cells > 1 || first.v - row.v > HEAD_LEADING * row.size) break
    const { from, to } = extentOf(row.words)
    if (from < bounds[1]! - 1 || to > bounds.at(-1)! + row.size) break
    kept.unshift(row)
  }
  const gaps = run.slice(1).map((row, i) => row.v - run[i]!.v)
  for (let i = all.indexOf(run.at(-1)!) + 1; i < all.length; i++) {
    const [row, last] = [all[i]!, kept.at(-1)!]
    if (row.cells > 1 || row.v - last.v > 0.87 * median(gaps)) break
    if (Math.abs(row.size - last.size) > 0.05 * last.size) break
    const { from, to } = extentOf(row.words)
    if (from < bounds[0]! - 1 || to > bounds[1]! + 1) break
    kept.push(row)
  }
  return kept
}

const extentOf = (words: readonly Word[]): { from: number; to: number } => ({
  from: words[0]!.u0,
  to: Math.max(...words.map((w) => w.u1)),
})

function isAcross(rule: Ruling, rows: readonly Row[], bounds: readonly number[]): boolean {
  const top = rows[0]!.v - 3 * rows[0]!.size
  const bottom = rows.at(-1)!.v + 2 * rows.at(-1)!.size
  const shared = Math.min(rule.to, bounds.at(-1)!) - Math.max(rule.from, bounds[0]!)
  return rule.at > top && rule.at < bottom && shared > 0.6 * (bounds.at(-1)! - bounds[0]!)
}

/** The words of a row by column; a stretch that spans columns stands in its first. */
function cellsOf({ words }: Row, bounds: readonly number[]): { cells: Word[][]; crosses: boolean } {
  const heads = wideHeads(words, bounds)
  if (heads) return { cells: heads, crosses: false }
  let crossed = false
  const cells: Word[][] = Array.from({ length: bounds.length - 1 }, () => [])
  for (const segment of segmentsOf(words, 0.4)) {
    const bands = segment.map((word) => Math.max(0, bandOf(bounds, middleOf(word))))
    const crosses = bounds
      .slice(1, -1)
      .some((b) => segment.some((w, i) => w.u0 < b - 1 && (w.u1 > b + 1 || isTight(segment, i, b))))
    crossed ||= crosses
    segment.forEach((word, i) => cells[crosses ? bands[0]! : bands[i]!]!.push(word))
  }
  return { cells, crosses: crossed }
}

/** Fewer columns tell too little of how a row is meant. */
const WIDE_COLUMNS_MIN = 4

/** The cells of a row of words apart, wider than their columns but one over each: heads over numbers. */
function wideHeads(words: readonly Word[], bounds: readonly number[]): Word[][] | null {
  const columns = bounds.length - 1
  if (columns < WIDE_COLUMNS_MIN || words.length > columns || words.length < columns - 1)
    return null
  const bands = words.map((word) => bandOf(bounds, middleOf(word)))
  const areApart = words.every((word, i) => {
    const before = words[i - 1]
    return !before || (word.u0 - before.u1 > 0.4 * word.size && bands[i]! > bands[i - 1]!)
  })
  if (!areApart || bands[0]! < 0) return null
  const cells: Word[][] = Array.from({ length: columns }, () => [])
  for (const [i, word] of words.entries()) cells[bands[i]!]!.push(word)
  return cells
}

/** Whether the boundary `at` falls into the ordinary space after word `i`. */
function isTight(segment: readonly Word[], i: number, at: number): boolean {
  const next = segment[i + 1]
  return (
    next !== undefined &&
    segment[i]!.u1 <= at + 1 &&
    next.u0 >= at - 1 &&
    next.u0 - segment[i]!.u1 < 0.35 * next.size
  )
}
