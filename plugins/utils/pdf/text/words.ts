/**
 * Words from glyphs in the order they were drawn. The breaks are those of poppler's TextOutputDev
 * (a gap above a tenth of the font size, another size or baseline, an overlap), because
 * pdftotext is what readers compare with.
 */
import type { Glyph, Turn } from '../read/marks.ts'
import { accented, isAccent, isVowelSign } from './accents.ts'
import { RIGHT_TO_LEFT } from './bidi.ts'
import { bracketsAsDrawn } from './brackets.ts'
import type { Word } from './word.ts'

/** Fractions of the font size, as in poppler. */
const WORD_GAP = 0.1
const BACK_STEP = 0.1
const SAME_ALONG = 0.1
const SAME_ACROSS = 0.2
const BASELINE_JUMP = 0.5
/** How far the middle of an accent may stand beside that of its letter, and how far above. */
const ACCENT_ALONG = 0.3
const ACCENT_ACROSS = 0.4
/** Shadows are set off further than the copies that make type bold. */
const SHADOW = 0.2

const WHITESPACE = /^[\s\u0085\u200b\ufeff]+$/
// Characters that print nothing and break tokens when they are kept.
// oxlint-disable-next-line no-control-regex
const UNPRINTED = /[\u0000-\u0008\u000e-\u001f\u007f\u200e\u200f\u202a-\u202e\ufffe\uffff]/g

/** A glyph's place along and across its direction of writing. */
function placeOf({ x, y, turn, vertical }: Glyph): [number, number] {
  if (vertical) return [y, -x]
  if (turn === 0) return [x, y]
  if (turn === 1) return [y, -x]
  return turn === 2 ? [-x, -y] : [-y, x]
}

/** The words of a page; glyphs drawn twice for bold or shadow count once. */
export function wordsOf(glyphs: readonly Glyph[]): Word[] {
  const words: Word[] = []
  const isVisual = isDrawnAsSeen(glyphs)
  let word: Word | null = null
  let overlapped = false
  const end = (): void => {
    if (word) words.push(word)
    word = null
    overlapped = false
  }
  for (const glyph of bracketsAsDrawn(glyphs)) {
    if (WHITESPACE.test(glyph.text)) {
      end()
      continue
    }
    const text = glyph.text.replace(UNPRINTED, '')
    const [u, v] = placeOf(glyph)
    if (word) {
      const open: Word = word
      if (joinsAccent(open, glyph, text, [u, v], isVisual)) continue
      const step = u - open.starts.at(-1)!
      const overlap =
        Math.abs(step) < SAME_ALONG * open.size && Math.abs(v - open.v) < SAME_ACROSS * open.size
      const isNew = overlap || overlapped || isApart(open, glyph, u, v)
      // A glyph of unknown meaning takes its place in the word all the same.
      if (text === '') {
        if (!isNew) open.u1 = Math.max(open.u1, u + glyph.width)
        continue
      }
      if (isNew) end()
      overlapped = overlap
    } else if (text === '') continue
    if (word) append(word, text, u, glyph.width)
    else word = started(glyph, text, u, v)
  }
  end()
  return withoutDoubles(words)
}

/** Whether right-to-left letters are drawn from left to right, as most programs do. */
function isDrawnAsSeen(glyphs: readonly Glyph[]): boolean {
  let rightwards = 0
  let before: Glyph | null = null
  for (const glyph of glyphs) {
    if (!RIGHT_TO_LEFT.test(glyph.text) || isVowelSign(glyph.text)) continue
    if (before && before.y === glyph.y) rightwards += Math.sign(glyph.x - before.x)
    before = glyph
  }
  return rightwards >= 0
}

function started(glyph: Glyph, text: string, u: number, v: number): Word {
  const { width, size, turn, vertical, font } = glyph
  return { text, u0: u, u1: u + width, v, size, turn, vertical, font, starts: [u], parts: [text] }
}

function append(word: Word, text: string, u: number, width: number): void {
  word.text += text
  word.u1 = Math.max(word.u1, u + width)
  word.starts.push(u)
  word.parts.push(text)
}

/** Whether a glyph at this place does not go on with the word. */
function isApart(word: Word, glyph: Glyph, u: number, v: number): boolean {
  const { size } = word
  const gap = u - word.u1
  return (
    gap < -BACK_STEP * size ||
    gap > WORD_GAP * size ||
    Math.abs(v - word.v) > BASELINE_JUMP ||
    Math.abs(glyph.size - size) > 0.01 * size ||
    glyph.turn !== word.turn ||
    glyph.vertical !== word.vertical
  )
}

/**
 * Takes an accent into the word, and a letter to the accent that was drawn before it, whatever
 * their baselines. In right-to-left text drawn as it is seen, vowel signs precede their letters:
 * they stay parts of their own and come behind them when the line is turned round.
 */
function joinsAccent(
  word: Word,
  glyph: Glyph,
  text: string,
  [u, v]: readonly [number, number],
  isVisual: boolean,
): boolean {
  const last = word.parts.length - 1
  const before = word.parts[last]!
  const isMark = isAccent(text)
  if (!isMark && !isAccent(before)) return false
  if (glyph.turn !== word.turn || Math.abs(v - word.v) > ACCENT_ACROSS * word.size) return false
  const start = word.starts[last]!
  const middle = u + glyph.width / 2
  const isOver = Math.abs(middle - (start + word.u1) / 2) <= ACCENT_ALONG * word.size
  if (isMark && isVowelSign(text)) {
    if (middle < start - ACCENT_ALONG * word.size || middle > word.u1 + WORD_GAP * word.size)
      return false
    if (!isVisual && !isAccent(before)) replaceLast(word, before + text)
    else {
      append(word, text, u, 0)
      word.starts[last + 1] = start
    }
    return true
  }
  if (isMark === isAccent(before) || (last > 0 && isVowelSign(before))) return false
  const isAtEnd = isMark && middle >= start && middle <= word.u1 + SAME_ALONG * word.size
  if (!isOver && !(isAtEnd && glyph.width === 0)) return false
  const whole = isMark ? accented(before, text) : accented(text, before)
  if (whole === null) return false
  replaceLast(word, whole)
  if (isMark) return true
  word.starts[last] = Math.min(start, u)
  word.u1 = Math.max(word.u1, u + glyph.width)
  if (last === 0) {
    word.u0 = word.starts[0]!
    word.v = v
    word.size = glyph.size
  }
  return true
}

function replaceLast(word: Word, part: string): void {
  word.parts[word.parts.length - 1] = part
  word.text = word.parts.join('')
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
    // Letters that stand alone may well be doubled: 'l l' set letter by letter.
    const reach = (word.parts.length > 2 ? SHADOW : SAME_ALONG) * word.size
    const doubled = same.some(
      (other) =>
        other.turn === word.turn &&
        Math.abs(other.u0 - word.u0) < reach &&
        Math.abs(other.u1 - word.u1) < reach &&
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
