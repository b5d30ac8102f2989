/** Where on a line a mark or a sign may stand, and the patch of pixels that shows it. */
import type { Letter } from '../decode.ts'
import type { Planes } from '../pixels.ts'
import { PATCH_HEIGHT, PATCH_WIDTH } from './network.ts'

/** A line as ink on paper: 0 is paper, 1 its darkest strokes; light print on dark is turned round. */
export function inkOf({ data, width: stride, height }: Planes, width: number): Float32Array {
  const size = stride * height
  const ink = new Float32Array(width * height)
  const sample: number[] = []
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const value = data[size + y * stride + x]!
      ink[y * width + x] = value
      if ((x + y) % 5 === 0) sample.push(value)
    }
  sample.sort((a, b) => a - b)
  const at = (share: number): number => sample[Math.floor(share * (sample.length - 1))] ?? 0
  const [dark, middle, light] = [at(0.02), at(0.5), at(0.98)]
  const isLight = light - middle > middle - dark
  const paper = middle
  const range = Math.max(isLight ? light - middle : middle - dark, 0.1)
  for (let i = 0; i < ink.length; i++) {
    const value = (isLight ? ink[i]! - paper : paper - ink[i]!) / range
    ink[i] = Math.max(-0.5, Math.min(1.5, value))
  }
  return ink
}

/** The patch around a column of a line. */
export function patchAt(ink: Float32Array, width: number, column: number): Float32Array {
  const patch = new Float32Array(PATCH_HEIGHT * PATCH_WIDTH)
  const left = Math.round(column) - PATCH_WIDTH / 2
  for (let y = 0; y < PATCH_HEIGHT; y++)
    for (let x = 0; x < PATCH_WIDTH; x++) {
      const from = left + x
      if (from >= 0 && from < width) patch[y * PATCH_WIDTH + x] = ink[y * width + from]!
    }
  return patch
}

/** Columns in the middle of a letter, in pixels of the line. */
export const columnOf = (letter: Letter, columns: number): number =>
  ((letter.first + letter.last + 1) / 2) * columns

/** Letters that carry marks in some language, or what the recogniser takes such ones for. */
const MARKABLE = /[aceghijklnorstuyzbdfACEGIJLNORSTUYZBD0168?ÀÁÄÈÉËÌÍÒÓÙÚÜàáäèéëìíòóùúü]/

/** Whether a letter as read may be another one with a mark. */
export const isMarkable = (letter: Letter): boolean => MARKABLE.test(letter.text)

/** Narrowest and widest sign, in heights of a line. */
const SIGN_MIN = 0.12
const SIGN_MAX = 1.1
/** Ink of a column, summed over its height, that is more than specks. */
const INK_MIN = 1.5
/** A run of ink belongs to a letter whose middle is nearer than this, in heights of a line. */
const OWN = 0.2

/** Middles of runs of ink where no letter was read: signs that the alphabet lacks. */
export function unreadRuns(
  ink: Float32Array,
  width: number,
  letters: readonly Letter[],
  columns: number,
): number[] {
  const centres = letters.filter(({ text }) => text !== ' ').map((l) => columnOf(l, columns))
  const found: number[] = []
  let start = -1
  for (let x = 0; x <= width; x++) {
    let sum = 0
    if (x < width)
      for (let y = 4; y < PATCH_HEIGHT - 4; y++) sum += Math.max(0, ink[y * width + x]! - 0.25)
    if (sum >= INK_MIN) {
      if (start < 0) start = x
      continue
    }
    if (start < 0) continue
    const length = x - start
    const middle = (start + x) / 2
    const isFree = centres.every(
      (c) => (c < start || c > x) && Math.abs(c - middle) > OWN * PATCH_HEIGHT,
    )
    if (isFree && length >= SIGN_MIN * PATCH_HEIGHT && length <= SIGN_MAX * PATCH_HEIGHT)
      found.push(middle)
    start = -1
  }
  return found
}
