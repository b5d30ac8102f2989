/** Columns that only alignment shows: stretches of white that run down through the rows. */
import { justifiedGaps } from '../text/lines.ts'
import type { Word } from '../text/word.ts'

/** Two words this far apart (in font sizes) may stand in different cells. */
const CELL_GAP = 0.9
/** Between two numbers less is enough. */
const NUMBER_GAP = 0.45
const NUMBER = /^[(+\-–−$€£]?\d[\d.,]*[)%]?$/
/** So many words with equal gaps are a justified line. */
const JUSTIFIED_WORDS = 5
/** White of this width may part two columns when many rows share it. */
const RIVER = 0.45
/** Share of rows that may cross a river: spanning headings. */
const CROSSING = 0.2

/** Words by common baseline, top to bottom, each from left to right. */
export function rowGroups(words: readonly Word[]): Word[][] {
  const rows: { v: number; size: number; words: Word[] }[] = []
  for (const word of words.toSorted((a, b) => a.v - b.v)) {
    const row = rows.at(-1)
    if (row && word.v - row.v < 0.45 * Math.max(row.size, word.size)) {
      row.words.push(word)
      if (word.size > row.size) row.size = word.size
    } else rows.push({ v: word.v, size: word.size, words: [word] })
  }
  return rows.map((row) => row.words.toSorted((a, b) => a.u0 - b.u0))
}

/** Runs of words of one row without a gap as wide as that between cells. */
export function segmentsOf(row: readonly Word[], gap = CELL_GAP): Word[][] {
  const segments: Word[][] = []
  const justified = justifiedGaps(row, JUSTIFIED_WORDS)
  let reached = -Infinity
  for (const [i, word] of row.entries()) {
    const last = segments.at(-1)
    const before = last?.at(-1)
    const least = before && areNumbers(before, word) ? Math.min(gap, NUMBER_GAP) : gap
    const isNear = word.u0 - reached <= least * Math.max(word.size, before?.size ?? 0)
    if (before && (isNear || justified.has(i))) last!.push(word)
    else segments.push([word])
    reached = Math.max(reached, word.u1)
  }
  return segments
}

/** Numbers of three digits parted by a plain space are one number; these stand further apart. */
const areNumbers = (a: Word, b: Word): boolean => NUMBER.test(a.text) && NUMBER.test(b.text)

/** How many cells a row seems to have. */
export const columnStarts = (row: readonly Word[]): number => segmentsOf(row).length

/**
 * Boundaries of the columns of some rows: from the left edge over the middle of each river to the
 * right edge. Two boundaries mean one column.
 */
export function columnBounds(rows: readonly (readonly Word[])[]): number[] {
  const words = rows.flat()
  if (words.length === 0) return []
  const size = median(words.map((w) => w.size))
  const left = Math.min(...words.map((w) => w.u0))
  const right = Math.max(...words.map((w) => w.u1))
  const parted = rows.filter((row) => columnStarts(row) > 1)
  const counted = parted.length >= 2 ? parted : rows
  const allowed = Math.floor(CROSSING * counted.length)
  const least = counted.length >= 6 ? RIVER : counted.length >= 4 ? 0.6 : 0.8
  const bounds = [left]
  let start = -1
  const step = 0.5
  const steps = Math.ceil((right - left) / step)
  const covered = new Uint16Array(steps + 1)
  for (const row of counted) {
    // In a row a stretch without a wide gap hides the narrow spaces between its words.
    for (const segment of segmentsOf(row, 0.4)) {
      const from = Math.max(0, Math.round((segment[0]!.u0 - left) / step))
      const to = Math.min(steps, Math.round((Math.max(...segment.map((w) => w.u1)) - left) / step))
      for (let i = from; i <= to; i++) covered[i]!++
    }
  }
  for (let i = 0; i <= steps; i++) {
    if (covered[i]! <= allowed) {
      if (start < 0) start = i
      continue
    }
    if (start >= 0) addRiver(start, i)
    start = -1
  }
  bounds.push(right)
  return bounds

  /** The cut stands where the fewest rows cross, in the middle of that stretch. */
  function addRiver(from: number, to: number): void {
    if (from === 0) return
    let fewest = Infinity
    for (let i = from; i < to; i++) fewest = Math.min(fewest, covered[i]!)
    let best: [number, number] = [from, from]
    let open = -1
    for (let i = from; i <= to; i++) {
      if (i < to && covered[i] === fewest) {
        if (open < 0) open = i
      } else if (open >= 0) {
        if (i - open > best[1] - best[0]) best = [open, i]
        open = -1
      }
    }
    if ((to - from) * step < least * size || best[1] - best[0] < 1) return
    bounds.push(left + ((best[0] + best[1]) / 2) * step)
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
