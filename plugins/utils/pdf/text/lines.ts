/**
 * Lines from words: words of one turn whose baselines are close, left to right, split where the
 * gap is as wide as that between columns or cells. Superscripts stay with their line.
 */
import { boxOf, type Box } from './words.ts'
import type { Word } from './word.ts'
import { logicalText } from './bidi.ts'

export interface Line {
  words: Word[]
  /** Whether a space follows the word of the same index. */
  spaces: boolean[]
  text: string
  u0: number
  u1: number
  v: number
  size: number
  turn: Word['turn']
  vertical: boolean
  box: Box
}

/** Fractions of the font size. */
const BASELINE_SLACK = 0.5
const COLUMN_GAP = 1
const LETTER_GAP = 0.03
const WIDE_LETTER_GAP = 0.4
const WIDE_LETTER_FACTOR = 1.3
const OVERLAP_MAX = 0.5
/** Spaces of justified lines are equal, and hardly wider than this. */
const JUSTIFIED_SLACK = 0.08
const JUSTIFIED_LEAST = 0.4
const JUSTIFIED_MAX = 3.5

/** Lines of a page, not yet in reading order. `splits` says whether a gap must not be crossed. */
export function linesOf(
  words: readonly Word[],
  splits: (left: Word, right: Word) => boolean = () => false,
): Line[] {
  const groups = new Map<string, Word[]>()
  for (const word of words) {
    const key = `${word.turn}${word.vertical ? 'v' : ''}`
    const group = groups.get(key)
    if (group) group.push(word)
    else groups.set(key, [word])
  }
  const lines: Line[] = []
  for (const group of groups.values()) {
    for (const row of rowsOf(group)) {
      for (const part of partsOf(row, splits)) lines.push(lineOf(part))
    }
  }
  return lines
}

/** Words by common baseline: big type first, so that small raised words join it. */
function rowsOf(words: readonly Word[]): Word[][] {
  const rows: { v: number; size: number; words: Word[] }[] = []
  const byBase = new Map<number, typeof rows>()
  const CELL = 4
  for (const word of words.toSorted((a, b) => b.size - a.size || a.v - b.v)) {
    const slack = BASELINE_SLACK * word.size
    let best: (typeof rows)[number] | null = null
    let distance = Infinity
    const reach = Math.min(64, BASELINE_SLACK * 64)
    for (
      let cell = Math.floor((word.v - reach) / CELL);
      cell <= Math.floor((word.v + reach) / CELL);
      cell++
    ) {
      for (const row of byBase.get(cell) ?? []) {
        const apart = Math.abs(row.v - word.v)
        const allowed = word.size < row.size * 0.8 ? raisedSlack(row, word) : slack
        if (apart > allowed || apart >= distance) continue
        best = row
        distance = apart
      }
    }
    if (best) best.words.push(word)
    else {
      const row = { v: word.v, size: word.size, words: [word] }
      rows.push(row)
      const cell = Math.floor(word.v / CELL)
      const bucket = byBase.get(cell)
      if (bucket) bucket.push(row)
      else byBase.set(cell, [row])
    }
  }
  return rows.map((row) => row.words)
}

/** A raised or lowered small word belongs to a line only when it touches one of its words. */
function raisedSlack(row: { v: number; size: number; words: Word[] }, word: Word): number {
  const touches = row.words.some(
    (other) => word.u0 - other.u1 < 0.5 * other.size && other.u0 - word.u1 < 0.5 * other.size,
  )
  return touches ? BASELINE_SLACK * row.size : 0.2 * word.size
}

function partsOf(row: Word[], splits: (left: Word, right: Word) => boolean): Word[][] {
  const sorted = row.toSorted((a, b) => a.u0 - b.u0)
  const justified = justifiedGaps(sorted)
  const parts: Word[][] = []
  let part: Word[] = []
  let reached = -Infinity
  for (const [i, word] of sorted.entries()) {
    const last = part.at(-1)
    const size = last ? Math.max(last.size, word.size) : word.size
    const isWide = word.u0 - reached > COLUMN_GAP * size && !justified.has(i)
    if (last && (isWide || splits(last, word))) {
      parts.push(part)
      part = []
      reached = -Infinity
    }
    part.push(word)
    reached = Math.max(reached, word.u1)
  }
  if (part.length > 0) parts.push(part)
  return parts
}

/**
 * Indices of the words before which a wide gap is only a space of a justified line: one of several
 * equal gaps between words in letters, `wordsLeast` of them.
 */
export function justifiedGaps(words: readonly Word[], wordsLeast = 3): Set<number> {
  const found = new Set<number>()
  const gapBefore = (i: number): number => words[i]!.u0 - words[i - 1]!.u1
  for (let i = 1; i < words.length; i++) {
    const gap = gapBefore(i)
    const em = gap / words[i]!.size
    if (found.has(i) || em < JUSTIFIED_LEAST || em > JUSTIFIED_MAX) continue
    const isEqual = (k: number): boolean => Math.abs(gapBefore(k) - gap) <= JUSTIFIED_SLACK * gap
    let from = i
    let to = i
    while (from > 1 && isEqual(from - 1)) from--
    while (to + 1 < words.length && isEqual(to + 1)) to++
    const stretch = words.slice(from - 1, to + 1)
    const inLetters = stretch.filter((word) => /^\P{N}+$/u.test(word.text)).length
    if (stretch.length < wordsLeast || inLetters < 0.6 * stretch.length) continue
    for (let k = from; k <= to; k++) found.add(k)
  }
  return found
}

/** One line of sorted words: its spaces, text and extents. */
export function lineOf(words: Word[]): Line {
  const spaces = spacesOf(words)
  const main = words.reduce((a, b) => (b.text.length * b.size > a.text.length * a.size ? b : a))
  const u0 = Math.min(...words.map((w) => w.u0))
  const u1 = Math.max(...words.map((w) => w.u1))
  return {
    words,
    spaces,
    text: logicalText(words, spaces),
    u0,
    u1,
    v: main.v,
    size: main.size,
    turn: main.turn,
    vertical: main.vertical,
    box: boxOf(u0, u1, main.v, main.size, main.turn, main.vertical),
  }
}

/**
 * Where spaces are: any gap, but in letter-spaced text only gaps wider than the usual one; and
 * between words that lie on one another, which do not go on from each other.
 */
function spacesOf(words: readonly Word[]): boolean[] {
  const gaps = words.slice(1).map((word, i) => word.u0 - words[i]!.u1)
  const size = words[0]!.size
  const isLetters = words.length > 1 && words.every((w) => [...w.text].length === 1)
  const least = isLetters ? Math.min(...gaps) : 0
  const threshold =
    least > 0 ? Math.min(WIDE_LETTER_FACTOR * least, WIDE_LETTER_GAP * size) : LETTER_GAP * size
  return words.map(
    (_, i) => i < gaps.length && (gaps[i]! >= threshold || gaps[i]! < -OVERLAP_MAX * size),
  )
}
