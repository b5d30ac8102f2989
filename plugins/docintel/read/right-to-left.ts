/**
 * Arabic and Hebrew of programs that draw each glyph by itself, as Chrome does: the pieces come as they
 * stand, from left to right, and Arabic ones in the shape that they have in their word.
 */
import type { TextItem } from 'pdfjs-dist/types/src/display/api.js'

const RIGHT_TO_LEFT = /[\u0590-\u065f\u066d-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const SHAPES = /[\ufb1d-\ufdff\ufe70-\ufefc]+/g
/** Marks between words, which take the direction of what stands around them. */
const NEUTRAL = /^[^\p{L}\p{N}]+$/u

/** Of the height of letters: what parts words, and what parts columns. */
const SPACE_LEAST = 0.12
const COLUMN_LEAST = 0.6

const heightOf = ({ transform, height }: TextItem): number =>
  Math.hypot(transform[2], transform[3]) || height || 1

/** How far behind the end of one piece another begins in the same line; null in another one. */
function gapBetween(piece: TextItem, next: TextItem): number | null {
  const [a, b, , , x, y] = piece.transform as number[]
  const size = Math.hypot(a!, b!) || 1
  const [dx, dy] = [next.transform[4] - x!, next.transform[5] - y!]
  const along = (dx * a! + dy * b!) / size
  const across = (dy * a! - dx * b!) / size
  return Math.abs(across) < 0.2 * heightOf(piece) ? along - piece.width : null
}

/** The pieces of a page with those of one phrase as one, in the order in which it is read. */
export function withWholePhrases(items: readonly TextItem[]): TextItem[] {
  const whole: TextItem[] = []
  for (const item of items) {
    if (item.str.trim() === '') continue
    const last = whole.at(-1)
    const gap = last && gapBetween(last, item)
    const isJoined =
      last !== undefined &&
      typeof gap === 'number' &&
      gap > -0.3 * heightOf(last) &&
      gap < COLUMN_LEAST * heightOf(last) &&
      RIGHT_TO_LEFT.test(last.str + item.str) &&
      [last.str, item.str].every((str) => RIGHT_TO_LEFT.test(str) || NEUTRAL.test(str))
    const str = item.str.replaceAll(SHAPES, (shapes) => shapes.normalize('NFKC'))
    if (!isJoined) {
      whole.push({ ...item, str })
      continue
    }
    const space = gap > SPACE_LEAST * heightOf(last) ? ' ' : ''
    whole[whole.length - 1] = {
      ...last,
      str: `${str}${space}${last.str}`,
      width: last.width + gap + item.width,
    }
  }
  return whole
}
