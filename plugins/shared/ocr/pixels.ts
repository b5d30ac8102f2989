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

/** Mean of a colour channel around a point, over a square of `reach` pixels to each side. */
function sample({ data, width, height }: Pixels, x: number, y: number, channel: number): number {
  const left = Math.max(0, Math.min(width - 1, Math.floor(x)))
  const top = Math.max(0, Math.min(height - 1, Math.floor(y)))
  const right = Math.min(width - 1, left + 1)
  const bottom = Math.min(height - 1, top + 1)
  const fx = Math.max(0, Math.min(1, x - left))
  const fy = Math.max(0, Math.min(1, y - top))
  const at = (row: number, column: number): number => data[(row * width + column) * 4 + channel]!
  return (
    (at(top, left) * (1 - fx) + at(top, right) * fx) * (1 - fy) +
    (at(bottom, left) * (1 - fx) + at(bottom, right) * fx) * fy
  )
}

/** Order of the channels in the planes: the networks were taught on blue, green, red. */
const CHANNELS = [2, 1, 0] as const

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

/** A box turned level, `height` pixels high; values −1..1. Padded with its mean to `paddedWidth`. */
export function cutOut(
  pixels: Pixels,
  box: TextBox,
  height: number,
  width: number,
  paddedWidth = width,
): Planes {
  const planes = new Float32Array(3 * height * paddedWidth)
  const cos = Math.cos(box.angle)
  const sin = Math.sin(box.angle)
  const stepU = box.width / width
  const stepV = box.height / height
  // Two samples to a pixel where the box shrinks, so that thin strokes are not lost between them.
  const taps = Math.max(stepU, stepV) > 1.5 ? [-0.25, 0.25] : [0]
  const share = 1 / (taps.length * taps.length * 127.5)
  const size = height * paddedWidth
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      for (const [plane, channel] of CHANNELS.entries()) {
        let sum = 0
        for (const dv of taps)
          for (const du of taps) {
            const u = (x + 0.5 + du) * stepU - box.width / 2
            const v = (y + 0.5 + dv) * stepV - box.height / 2
            sum += sample(
              pixels,
              box.cx + u * cos - v * sin - 0.5,
              box.cy + u * sin + v * cos - 0.5,
              channel,
            )
          }
        planes[plane * size + y * paddedWidth + x] = sum * share - 1
      }
    }
  return { data: planes, width: paddedWidth, height }
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
