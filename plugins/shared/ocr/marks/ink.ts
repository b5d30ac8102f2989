/** A line as ink on paper, which is how the network of marks is shown it. */
import type { Planes } from '../pixels.ts'

/** Ink of a line, row by row. */
export interface Ink {
  data: Float32Array
  width: number
  height: number
}

/**
 * The first `width` columns of a cut-out line: 0 is paper, 1 its darkest strokes; light print on dark is
 * turned round.
 */
export function inkOf({ data, width: stride, height }: Planes, width: number): Ink {
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
  const range = Math.max(isLight ? light - middle : middle - dark, 0.1)
  for (let i = 0; i < ink.length; i++) {
    const value = (isLight ? ink[i]! - middle : middle - ink[i]!) / range
    ink[i] = Math.max(-0.5, Math.min(1.5, value))
  }
  return { data: ink, width, height }
}

/** Ink of a column, summed over its height, that is more than bare paper. */
const INK_MIN = 0.4
/** A letter is at most so wide to each side of its middle, in heights of a line. */
const HALF_LETTER = 0.45

/**
 * A cut-out line whose first `width` columns are its own, with bare paper in the place of the letters around
 * `columns`.
 */
export function withoutInkAt(planes: Planes, width: number, columns: readonly number[]): Planes {
  const ink = inkOf(planes, width)
  const spans = columns.map((column) => spanAt(ink, column))
  const data = planes.data.slice()
  const size = planes.width * planes.height
  for (let start = 0; start < data.length; start += size) {
    const paper = data.slice(start, start + size).sort()[size >> 1]!
    for (const [from, to] of spans)
      for (let row = start; row < start + size; row += planes.width)
        data.fill(paper, row + from, row + Math.min(planes.width, to + 1))
  }
  return { ...planes, data }
}

/** First and last column of the letter around `column`. */
function spanAt(ink: Ink, column: number): [from: number, to: number] {
  const edge = (direction: 1 | -1): number => {
    let x = Math.round(column)
    const last = x + direction * Math.round(HALF_LETTER * ink.height)
    while (x !== last && hasInk(ink, x)) x += direction
    return x
  }
  return [Math.max(0, edge(-1)), edge(1)]
}

function hasInk({ data, width, height }: Ink, x: number): boolean {
  let sum = 0
  for (let y = 4; y < height - 4; y++) sum += Math.max(0, (data[y * width + x] ?? 0) - 0.2)
  return sum >= INK_MIN
}
