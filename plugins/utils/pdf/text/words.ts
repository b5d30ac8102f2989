/**
 * Words from glyphs in the order they were drawn. The breaks are those of poppler's TextOutputDev
 * (a gap above a tenth of the font size, another size or baseline, an overlap), because
 * pdftotext is what readers compare with.
 */
import type { Glyph, Turn } from '../read/marks.ts'

/**
 * A run of glyphs without a gap. `u` runs along the writing and `v` across it, downwards seen by
 * the reader, so that lines of every turn are built alike; `box` is on the upright page.
 */
export interface Word {
  text: string
  u0: number
  u1: number
  /** Baseline. */
  v: number
  size: number
  turn: Turn
  vertical: boolean
  font: string
  /** Start of each glyph along u, and its text; ends at u1. */
  starts: number[]
  parts: string[]
}

/** Fractions of the font size, as in poppler. */
const WORD_GAP = 0.1
const BACK_STEP = 0.1
const SAME_ALONG = 0.1
const SAME_ACROSS = 0.2
const BASELINE_JUMP = 0.5

const WHITESPACE = /^[\s\u0085\u200b\ufeff]*$/
// Characters that print nothing and break tokens when they are kept.
// oxlint-disable-next-line no-control-regex
const UNPRINTED = /[\u0000-\u0008\u000e-\u001f\u007f\u200e\u200f\u202a-\u202e\ufffe\uffff]/g

/** A glyph's place along and across its direction of writing. */
export function placeOf({ x, y, turn, vertical }: Glyph): [number, number] {
  if (vertical) return [y, -x]
  if (turn === 0) return [x, y]
  if (turn === 1) return [y, -x]
  return turn === 2 ? [-x, -y] : [-y, x]
}

/** The words of a page; glyphs drawn twice for bold or shadow count once. */
export function wordsOf(glyphs: readonly Glyph[]): Word[] {
  const words: Word[] = []
  let word: Word | null = null
  let overlapped = false
  const end = (): void => {
    if (word) words.push(word)
    word = null
    overlapped = false
  }
  for (const glyph of glyphs) {
    if (WHITESPACE.test(glyph.text)) {
      end()
      continue
    }
    const text = glyph.text.replace(UNPRINTED, '')
    if (text === '') continue
    const [u, v] = placeOf(glyph)
    if (word) {
      const open: Word = word
      const { size } = open
      const gap = u - open.u1
      const step = u - open.starts.at(-1)!
      const overlap =
        Math.abs(step) < SAME_ALONG * size && Math.abs(v - open.v) < SAME_ACROSS * size
      if (
        overlap ||
        overlapped ||
        gap < -BACK_STEP * size ||
        gap > WORD_GAP * size ||
        Math.abs(v - open.v) > BASELINE_JUMP ||
        Math.abs(glyph.size - size) > 0.01 * size ||
        glyph.turn !== open.turn ||
        glyph.vertical !== open.vertical
      ) {
        end()
      }
      overlapped = overlap
    }
    if (!word) {
      word = {
        text,
        u0: u,
        u1: u + glyph.width,
        v,
        size: glyph.size,
        turn: glyph.turn,
        vertical: glyph.vertical,
        font: glyph.font,
        starts: [u],
        parts: [text],
      }
      continue
    }
    word.text += text
    word.u1 = Math.max(word.u1, u + glyph.width)
    word.starts.push(u)
    word.parts.push(text)
  }
  end()
  return withoutDoubles(words)
}

/** Drops words that repeat another one in nearly the same place. */
function withoutDoubles(words: Word[]): Word[] {
  const seen = new Map<string, Word[]>()
  return words.filter((word) => {
    const same = seen.get(word.text)
    if (!same) {
      seen.set(word.text, [word])
      return true
    }
    const doubled = same.some(
      (other) =>
        other.turn === word.turn &&
        Math.abs(other.u0 - word.u0) < SAME_ALONG * word.size &&
        Math.abs(other.u1 - word.u1) < SAME_ALONG * word.size &&
        Math.abs(other.v - word.v) < SAME_ACROSS * word.size,
    )
    if (!doubled && same.length < 2000) same.push(word)
    return !doubled
  })
}

export interface Box {
  x0: number
  y0: number
  x1: number
  y1: number
}

/** Extents above and below the baseline, in font sizes. */
const ASCENT = 0.75
const DESCENT = 0.22

/** A stretch of a line as a box on the upright page. */
export function boxOf(
  u0: number,
  u1: number,
  v: number,
  size: number,
  turn: Turn,
  vertical: boolean,
): Box {
  if (vertical) return { x0: -v, y0: u0, x1: -v + size, y1: u1 }
  const up = v - ASCENT * size
  const down = v + DESCENT * size
  if (turn === 0) return { x0: u0, y0: up, x1: u1, y1: down }
  if (turn === 1) return { x0: -down, y0: u0, x1: -up, y1: u1 }
  return turn === 2
    ? { x0: -u1, y0: -down, x1: -u0, y1: -up }
    : { x0: up, y0: -u1, x1: down, y1: -u0 }
}

export function union(boxes: readonly Box[]): Box {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity }
  for (const { x0, y0, x1, y1 } of boxes) {
    if (x0 < box.x0) box.x0 = x0
    if (y0 < box.y0) box.y0 = y0
    if (x1 > box.x1) box.x1 = x1
    if (y1 > box.y1) box.y1 = y1
  }
  return box
}
