/** Colour pixels of a page, and the pieces of it that the networks look at. */

export interface Pixels {
  /** RGBA, row by row. */
  data: Uint8ClampedArray
  width: number
  height: number
}

/** A text line on the page: its centre, its size along and across the text, and its direction. */
export interface TextBox {
  cx: number
  cy: number
  /** Along the text. */
  width: number
  /** Across the text. */
  height: number
  /** Radians, clockwise from the right, of the direction of reading. */
  angle: number
  /** 0..1: how sure the detector is that text stands here. */
  score: number
}

/** Three colour planes, as the networks take them. */
export interface Planes {
  data: Float32Array
  width: number
  height: number
}

/**
 * The page in another size. `mean` and `deviation` are per plane; where it shrinks, the pixels under
 * each new one are averaged.
 */
export function scaled(
  pixels: Pixels,
  width: number,
  height: number,
  mean: readonly number[],
  deviation: readonly number[],
): Planes {
  const { data, width: fullWidth, height: fullHeight } = pixels
  const planes = new Float32Array(3 * width * height)
  const stepX = fullWidth / width
  const stepY = fullHeight / height
  const size = width * height
  for (let y = 0; y < height; y++) {
    const y0 = Math.floor(y * stepY)
    const y1 = Math.max(y0 + 1, Math.min(fullHeight, Math.round((y + 1) * stepY)))
    for (let x = 0; x < width; x++) {
      const x0 = Math.floor(x * stepX)
      const x1 = Math.max(x0 + 1, Math.min(fullWidth, Math.round((x + 1) * stepX)))
      let blue = 0
      let green = 0
      let red = 0
      for (let row = y0; row < y1; row++)
        for (let column = x0; column < x1; column++) {
          const at = (row * fullWidth + column) * 4
          red += data[at]!
          green += data[at + 1]!
          blue += data[at + 2]!
        }
      const count = (y1 - y0) * (x1 - x0) * 255
      const at = y * width + x
      planes[at] = (blue / count - mean[0]!) / deviation[0]!
      planes[size + at] = (green / count - mean[1]!) / deviation[1]!
      planes[2 * size + at] = (red / count - mean[2]!) / deviation[2]!
    }
  }
  return { data: planes, width, height }
}

/** Where a pixel shrinks, two samples in each direction, so that thin strokes are not lost between them. */
const taps = (step: number): Float64Array => Float64Array.of(...(step > 1.5 ? [-0.25, 0.25] : [0]))

/**
 * A box turned level, `height` pixels high; values −1..1. Padded with its mean to `paddedWidth`. The
 * loops are plain because they run for each pixel of a page: iterators took half of their time.
 */
export function cutOut(
  pixels: Pixels,
  box: TextBox,
  height: number,
  width: number,
  paddedWidth = width,
): Planes {
  const planes = new Float32Array(3 * height * paddedWidth)
  const { data, width: right, height: bottom } = pixels
  const cos = Math.cos(box.angle)
  const sin = Math.sin(box.angle)
  const stepU = box.width / width
  const stepV = box.height / height
  const offsets = taps(Math.max(stepU, stepV))
  const share = 1 / (offsets.length * offsets.length * 127.5)
  const size = height * paddedWidth
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      let blue = 0
      let green = 0
      let red = 0
      for (let j = 0; j < offsets.length; j++)
        for (let i = 0; i < offsets.length; i++) {
          const u = (column + 0.5 + offsets[i]!) * stepU - box.width / 2
          const v = (row + 0.5 + offsets[j]!) * stepV - box.height / 2
          const x = box.cx + u * cos - v * sin - 0.5
          const y = box.cy + u * sin + v * cos - 0.5
          const x0 = Math.max(0, Math.min(right - 1, Math.floor(x)))
          const y0 = Math.max(0, Math.min(bottom - 1, Math.floor(y)))
          const fx = Math.max(0, Math.min(1, x - x0))
          const fy = Math.max(0, Math.min(1, y - y0))
          const above = y0 * right
          const below = Math.min(bottom - 1, y0 + 1) * right
          const x1 = Math.min(right - 1, x0 + 1)
          const a = (above + x0) * 4
          const b = (above + x1) * 4
          const c = (below + x0) * 4
          const d = (below + x1) * 4
          red += mixed(data[a]!, data[b]!, data[c]!, data[d]!, fx, fy)
          green += mixed(data[a + 1]!, data[b + 1]!, data[c + 1]!, data[d + 1]!, fx, fy)
          blue += mixed(data[a + 2]!, data[b + 2]!, data[c + 2]!, data[d + 2]!, fx, fy)
        }
      // The networks were taught on blue, green, red.
      const at = row * paddedWidth + column
      planes[at] = blue * share - 1
      planes[size + at] = green * share - 1
      planes[2 * size + at] = red * share - 1
    }
  return { data: planes, width: paddedWidth, height }
}

/** A value between four pixels: two above and two below. */
function mixed(a: number, b: number, c: number, d: number, fx: number, fy: number): number {
  return (a * (1 - fx) + b * fx) * (1 - fy) + (c * (1 - fx) + d * fx) * fy
}

/** Rows at the edges of a cut-out belong to its neighbours. */
const EDGE = 0.14
/** Ink of a column, as a share of what dark columns have, below which it is bare paper. */
const BARE = 0.22

/** Which of the first `width` columns of a cut-out line have no ink: 1 for paper. */
export function paperColumns({ data, width: stride, height }: Planes, width: number): Uint8Array {
  const size = stride * height
  const from = Math.round(height * EDGE)
  const values = new Float32Array(height - 2 * from)
  const ink = new Float32Array(width)
  for (let x = 0; x < width; x++) {
    for (let y = from; y < height - from; y++) values[y - from] = data[size + y * stride + x]!
    values.sort()
    // Print is dark on light or light on dark: what differs from most of the column.
    const middle = values[values.length >> 1]!
    for (const value of values) ink[x]! += Math.abs(value - middle)
  }
  const dark = ink.toSorted()[Math.floor(width * 0.85)] ?? 0
  return Uint8Array.from(ink, (value) => (value < dark * BARE ? 1 : 0))
}
