/** Rows of words that stand outside running text, and the stretches of them that may be tables. */
import { chains } from '../text/blocks.ts'
import { type Line, linesOf } from '../text/lines.ts'
import { isParagraph } from '../text/prose.ts'
import type { Word } from '../text/word.ts'
import { CAPTION, cellText, isNumeric } from './cells.ts'
import { columnBounds, columnStarts, median, rowGroups, segmentsOf } from './columns.ts'

/** Words on a common baseline. */
export interface Row {
  words: Word[]
  v: number
  size: number
  /** How many cells the words seem to make. */
  cells: number
}

/** Distance of baselines, in font sizes, that ends a table. */
const ROW_GAP_MAX = 3.2
/** Rows of one cell (headings inside, wrapped lines) that may follow each other. */
const SINGLES_MAX = 2
/** Lines that go on with running text: distance in font sizes, and slack at the edges in points. */
const PARAGRAPH_GAP = 1.95
const EDGE = 3
const INDENT = 2.5
/** Share of lines that begin table rows, in a column of wrapped cells. */
const ROWS_BESIDE = 0.3

/** The rows of a page outside running text, and the running text's own rows. */
export function rowsOf(words: readonly Word[]): { rows: Row[]; prose: Row[] } {
  const prose = proseWords(words)
  const rows = (some: readonly Word[]): Row[] =>
    rowGroups(some).map((row) => ({
      words: row,
      v: median(row.map((w) => w.v)),
      size: median(row.map((w) => w.size)),
      cells: columnStarts(row),
    }))
  return { rows: rows(words.filter((word) => !prose.has(word))), prose: rows([...prose]) }
}

/** Words of running text: blocks of long lines that mostly go on in small letters. */
function proseWords(words: readonly Word[]): Set<Word> {
  const lines = linesOf(words)
  const found = new Set<Line>()
  const blocks = chains(lines).filter((block) => isParagraph(block.lines))
  const running = new Set(blocks.flatMap((block) => block.lines))
  for (const block of blocks) {
    if (areCells(block.lines, lines, running)) continue
    for (const line of block.lines) found.add(line)
  }
  extend(found, lines)
  return new Set([...found].flatMap((line) => line.words))
}

/** Whether the lines are a column of a table: its rows stand beside them on their baselines. */
function areCells(
  block: readonly Line[],
  lines: readonly Line[],
  running: ReadonlySet<Line>,
): boolean {
  const top = block[0]!.v - 1
  const bottom = block.at(-1)!.v + 1
  const others = lines.filter((l) => l.v > top && l.v < bottom && !running.has(l))
  const beside = block.filter(
    (line) => others.filter((o) => Math.abs(o.v - line.v) < 0.6).length > 1,
  )
  return beside.length >= ROWS_BESIDE * block.length
}

/** Adds the lines that stand alone right above or below running text in its column. */
function extend(prose: Set<Line>, lines: readonly Line[]): void {
  const sorted = lines.toSorted((a, b) => a.v - b.v)
  for (const order of [sorted, sorted.toReversed()]) {
    const near: Line[] = []
    for (const line of order) {
      const neighbour = near.findLast(
        (other) =>
          Math.abs(other.v - line.v) <= PARAGRAPH_GAP * line.size &&
          Math.abs(other.v - line.v) > 0.5 * line.size &&
          continues(other, line),
      )
      if (!prose.has(line) && neighbour && isAlone(line, neighbour, sorted)) prose.add(line)
      if (prose.has(line)) near.push(line)
    }
  }
}

/** Whether a line starts where the running line starts, but for an indent, and ends within it. */
function continues(running: Line, line: Line): boolean {
  const offset = line.u0 - running.u0
  const ratio = line.size / running.size
  return (
    Math.abs(offset) < INDENT * line.size &&
    line.u1 <= running.u1 + (line.text.length > 40 ? INDENT * line.size : EDGE) &&
    ratio > 0.85 &&
    ratio < 1.18
  )
}

/** Whether no other line stands beside this one within the running line's width. */
function isAlone(line: Line, running: Line, sorted: readonly Line[]): boolean {
  const from = Math.min(running.u0, line.u0)
  const to = Math.max(running.u1, line.u1)
  return !sorted.some(
    (other) =>
      other !== line &&
      Math.abs(other.v - line.v) < 0.45 * line.size &&
      other.u0 < to - EDGE &&
      other.u1 > from + EDGE,
  )
}

/** Stretches of rows that look like a table's: mostly in cells, near each other, no prose between. */
export function runsOf(rows: readonly Row[], prose: readonly Row[]): Row[][] {
  const runs: Row[][] = []
  let run: Row[] = []
  let singles = 0
  const end = (): void => {
    while (run.length > 0 && run.at(-1)!.cells < 2) run.pop()
    if (run[0] && CAPTION.test(cellText(run[0].words))) run.shift()
    if (run.filter((row) => row.cells > 1).length >= 2) runs.push(run)
    run = []
    singles = 0
  }
  for (const row of rows) {
    const last = run.at(-1)
    if (last) {
      const gap = row.v - last.v
      const between = prose.some(
        (p) => p.v > last.v + 1 && p.v < row.v - 1 && overlaps(p.words, row.words),
      )
      if (gap > ROW_GAP_MAX * Math.max(row.size, last.size) || between) end()
    }
    if (row.cells > 1) {
      run.push(row)
      singles = 0
    } else if (run.length > 0) {
      // A line that stands under an inner column goes on with its cell.
      singles += row.words[0]!.u0 > run[0]!.words[0]!.u0 + 2 * row.size ? 0.3 : 1
      if (singles > SINGLES_MAX) end()
      else run.push(row)
    }
  }
  end()
  return joinedRuns(runs.flatMap(partsOf), rows)
}

const startOf = (words: readonly Word[]): number => words[0]!.u0
const endOf = (words: readonly Word[]): number => Math.max(...words.map((w) => w.u1))
const overlaps = (prose: readonly Word[], words: readonly Word[]): boolean =>
  words.some((w) => w.u1 > startOf(prose) && w.u0 < endOf(prose))

/** Single lines between two runs of one table: headings of its parts. */
const BETWEEN_MAX = 4

/** Runs that go on below headings in the same columns are one. */
function joinedRuns(runs: readonly Row[][], rows: readonly Row[]): Row[][] {
  const joined: Row[][] = []
  for (const run of runs) {
    const last = joined.at(-1)
    const between = last ? rows.slice(rows.indexOf(last.at(-1)!) + 1, rows.indexOf(run[0]!)) : []
    if (last && goesOn(last, between, run)) last.push(...between, ...run)
    else joined.push([...run])
  }
  return joined
}

function goesOn(above: readonly Row[], between: readonly Row[], below: readonly Row[]): boolean {
  if (between.length > BETWEEN_MAX) return false
  const isHeadings = between.every((row) => row.cells === 1 && !CAPTION.test(cellText(row.words)))
  const all = [above.at(-1)!, ...between, below[0]!]
  const isNear = all
    .slice(1)
    .every((row, i) => row.v - all[i]!.v <= ROW_GAP_MAX * Math.max(row.size, all[i]!.size))
  // A head of its own would begin another table.
  const [, ...values] = segmentsOf(below[0]!.words).map(cellText)
  const isHead = values.filter(isNumeric).length < 0.5 * values.length
  if (!isHeadings || !isNear || isHead) return false
  const [one, other] = [above, below].map((run) => columnBounds(run.map((row) => row.words)))
  const slack = 1.5 * below[0]!.size
  return (
    one!.length > 3 &&
    one!.length === other!.length &&
    one!.slice(1, -1).every((at, i) => Math.abs(at - other![i + 1]!) < slack)
  )
}

/** A run cut where a caption, or a wider gap before rows of another make, begins a new table. */
function partsOf(run: Row[]): Row[][] {
  const gaps = run.slice(1).map((row, i) => row.v - run[i]!.v)
  const wide = gaps.toSorted((a, b) => a - b)[Math.floor(0.75 * gaps.length)] ?? 0
  for (let i = 2; i < run.length - 1; i++) {
    const row = run[i]!
    const isCaption = row.cells === 1 && CAPTION.test(cellText(row.words))
    const isApart = gaps[i - 1]! > 1.4 * wide
    if (!isCaption && !(isApart && usualCells(run.slice(0, i)) !== usualCells(run.slice(i))))
      continue
    return [run.slice(0, i), ...partsOf(run.slice(row.cells === 1 ? i + 1 : i))]
  }
  return [run]
}

/** The number of cells that most rows of several cells have. */
function usualCells(rows: readonly Row[]): number {
  return median(rows.filter((row) => row.cells > 1).map((row) => row.cells))
}
