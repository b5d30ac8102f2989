/**
 * Tables that only alignment shows, or that have horizontal rules alone. Runs of rows that are set
 * in cells are candidates; the guard then refuses what is prose, a list or a table of contents.
 */
import type { Ruling } from '../read/marks.ts'
import { chains, isRunning } from '../text/blocks.ts'
import { linesOf } from '../text/lines.ts'
import type { Word } from '../text/words.ts'
import { bandOf, cellText, isNumeric, middleOf, trimmed } from './cells.ts'
import { columnBounds, columnStarts, median, rowGroups, segmentsOf } from './columns.ts'
import { isPlausible } from './guard.ts'
import { joined } from './rulings.ts'
import type { Table } from './tables.ts'

interface Row {
  words: Word[]
  v: number
  size: number
  cells: number
}

/** Distance of baselines, in font sizes, that ends a table. */
const ROW_GAP_MAX = 3.2
/** Rows of one cell (headings inside, wrapped lines) that may follow each other. */
const SINGLES_MAX = 2
/** Share of rows in which text may run across a boundary. */
const CROSSED_MAX = 0.3

/** Tables among words that stand in no ruled table. */
export function alignedTables(words: readonly Word[], horizontals: readonly Ruling[]): Table[] {
  const prose = proseWords(words)
  const free = words.filter((word) => !prose.has(word))
  const rules = joined(
    horizontals.filter((h) => h.drawn),
    14,
  )
  const rows = rowGroups(free).map((row): Row => {
    const sizes = row.map((w) => w.size)
    return {
      words: row,
      v: median(row.map((w) => w.v)),
      size: median(sizes),
      cells: columnStarts(row),
    }
  })
  return runsOf(rows, proseLevels(prose))
    .flatMap(partsOf)
    .flatMap((run) => tableOf(run, rules))
    .toSorted((a, b) => a.box.y0 - b.box.y0)
}

/** Words of running text: blocks of long lines that mostly go on in small letters. */
function proseWords(words: readonly Word[]): Set<Word> {
  const found = new Set<Word>()
  for (const { lines } of chains(linesOf(words))) {
    if (lines.length < 3) continue
    const characters = lines.reduce((n, l) => n + l.text.length, 0) / lines.length
    const width = Math.max(...lines.map((l) => l.u1)) - Math.min(...lines.map((l) => l.u0))
    const full = lines.filter((l) => l.u1 - l.u0 > 0.7 * width).length
    const goesOn = lines.slice(1).filter((l) => /^["'(“‘]?\p{Ll}/u.test(l.text)).length
    const isSure = lines.length >= 4 || goesOn === lines.length - 1
    const isLong = isSure && characters >= 28 && full >= 0.6 * lines.length
    if (!isRunning(lines) && !(isLong && goesOn >= 0.4 * (lines.length - 1))) continue
    for (const line of lines) for (const word of line.words) found.add(word)
  }
  return found
}

function proseLevels(prose: ReadonlySet<Word>): { v: number; u0: number; u1: number }[] {
  return rowGroups([...prose]).map((row) => ({
    v: row[0]!.v,
    u0: row[0]!.u0,
    u1: Math.max(...row.map((w) => w.u1)),
  }))
}

/** Stretches of rows that look like a table's: mostly in cells, near each other, no prose between. */
function runsOf(
  rows: readonly Row[],
  prose: readonly { v: number; u0: number; u1: number }[],
): Row[][] {
  const runs: Row[][] = []
  let run: Row[] = []
  let singles = 0
  const end = (): void => {
    while (run.length > 0 && run.at(-1)!.cells < 2) run.pop()
    if (run.filter((row) => row.cells > 1).length >= 2) runs.push(run)
    run = []
    singles = 0
  }
  for (const row of rows) {
    const last = run.at(-1)
    if (last) {
      const gap = row.v - last.v
      const between = prose.some(
        (p) => p.v > last.v + 1 && p.v < row.v - 1 && overlaps(p, row.words),
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
  return runs
}

const CAPTION = /^(?:table|tableau|tabelle|tabla|tabella|figure|chart|exhibit|box)\s+[\dA-Z][\d.]*/i

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

const overlaps = (p: { u0: number; u1: number }, words: readonly Word[]): boolean =>
  words.some((w) => w.u1 > p.u0 && w.u0 < p.u1)

function tableOf(run: readonly Row[], rules: readonly Ruling[]): Table[] {
  const bounds = columnBounds(run.map((row) => row.words))
  if (bounds.length < 3) return []
  const kept = withoutCaption(run, bounds)
  const placed = kept.map((row) => cellsOf(row.words, bounds))
  // Sentences that run over the columns: prose whose spaces happen to stand below each other.
  if (placed.slice(1).filter((row) => row.crosses).length > CROSSED_MAX * kept.length) return []
  const crossing = rules.filter((rule) => isAcross(rule, kept, bounds))
  const rows = trimmed(mergedLines(kept, placed, crossing))
  const first = kept[0]!
  const last = kept.at(-1)!
  if (!isPlausible(rows, { ruled: crossing.length >= 2, spaced: kept.length })) return []
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
      const from = segment[0]!.u0
      const to = Math.max(...segment.map((w) => w.u1))
      return bounds.slice(1, -1).some((b) => from < b - 4 && to > b + 4)
    })
    if (!cut || row.cells > 1 || first.u0 > bounds[1]!) break
    start++
  }
  return run.slice(start)
}

function isAcross(rule: Ruling, rows: readonly Row[], bounds: readonly number[]): boolean {
  const top = rows[0]!.v - 3 * rows[0]!.size
  const bottom = rows.at(-1)!.v + 2 * rows.at(-1)!.size
  const shared = Math.min(rule.to, bounds.at(-1)!) - Math.max(rule.from, bounds[0]!)
  return rule.at > top && rule.at < bottom && shared > 0.6 * (bounds.at(-1)! - bounds[0]!)
}

/** The words of a row by column; a stretch that spans columns stands in its first. */
function cellsOf(
  words: readonly Word[],
  bounds: readonly number[],
): { cells: Word[][]; crosses: boolean } {
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

/** Joins the lines of wrapped cells into rows. */
function mergedLines(
  rows: readonly Row[],
  placed: readonly { cells: Word[][]; crosses: boolean }[],
  rules: readonly Ruling[],
): string[][] {
  const grid = placed.map((row) => row.cells)
  const texts = grid.map((cells) => cells.map(cellText))
  const gaps = rows.slice(1).map((row, i) => row.v - rows[i]!.v)
  const usual = median(gaps)
  const firstNumbers = texts.findIndex((text) => text.slice(1).some(isNumeric))
  const merged: Word[][][] = []
  const lasts: string[][] = []
  grid.forEach((cells, i) => {
    const previous = merged.at(-1)
    if (previous && goesOn(i)) {
      cells.forEach((words, c) => previous[c]!.push(...words))
      lasts[lasts.length - 1] = texts[i]!
      return
    }
    merged.push(cells.map((words) => [...words]))
    lasts.push(texts[i]!)
  })
  return merged.map((cells) => cells.map(cellText))

  function goesOn(i: number): boolean {
    const text = texts[i]!
    const before = texts[i - 1]!
    if (
      rules.some((rule) => rule.at > rows[i - 1]!.v && rule.at < rows[i]!.v - 0.3 * rows[i]!.size)
    )
      return false
    const gap = gaps[i - 1]!
    if (gap > 1.6 * rows[i]!.size && gap > 1.15 * usual) return false
    // A heading of several lines, each of whose cells goes on below it.
    const inHeading = i < firstNumbers && gap <= 1.35 * rows[i]!.size && !placed[i - 1]!.crosses
    const isCarriedOn = before.every((cell, c) => cell === '' || text[c] !== '')
    if (inHeading && isCarriedOn && before.slice(1).some((cell) => cell !== '')) return true
    const filled = text.filter((cell) => cell !== '')
    const hasNumbers = filled.some(isNumeric)
    // Every cell stands under one that it can continue.
    const under = text.every((cell, c) => cell === '' || before[c] !== '')
    if (text[0] === '') {
      if (hasNumbers || !under) return false
      return filled.length < before.filter((cell) => cell !== '').length
    }
    // A row whose numbers stand in its first line, closer to this line than the next row is.
    const anchored = before.some((cell, c) => isNumeric(cell) && text[c] === '')
    const near = i < gaps.length ? gap < 0.9 * gaps[i]! : gap < 0.9 * Math.max(...gaps)
    if (anchored && under && near && !hasNumbers) return true
    const onlyFirst = filled.length === 1
    const small = /^[\p{Ll}(&]/u.test(text[0]!)
    if (onlyFirst && small && before[0] !== '') return true
    // The label began on the line above, which has nothing else.
    return small && before[0] !== '' && before.slice(1).every((cell) => cell === '')
  }
}
