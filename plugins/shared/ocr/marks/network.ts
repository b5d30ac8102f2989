/**
 * A small network that sees what the recogniser's alphabet lacks: the marks of Latin letters (ä, ç, ł)
 * and currency signs. Two convolutions and two dense layers over a patch of a line around one letter;
 * trained by `test/bench/train-marks.ts` on drawn pages. Weights lie in `marks.bin`.
 */

/** What a patch may show; 'none' is a letter as it was read, or no sign. */
export const MARKS = [
  'none',
  'diaeresis',
  'acute',
  'grave',
  'circumflex',
  'tilde',
  'ring',
  'caron',
  'cedilla',
  'ogonek',
  'stroke',
  'dot',
  'double acute',
  'breve',
  'eszett',
  'euro',
  'pound',
] as const
export type Mark = (typeof MARKS)[number]

/** Pixels of a patch: the height of a line, and about two letters. */
export const PATCH_HEIGHT = 48
export const PATCH_WIDTH = 40
/** Channels and sizes of the layers; kernels are 5 × 5 and 3 × 3, both in steps of 2. */
export const SHAPE = {
  first: { channels: 8, kernel: 5, height: 24, width: 20 },
  second: { channels: 16, kernel: 3, height: 12, width: 10 },
  dense: 32,
} as const

export interface Weights {
  first: Float32Array
  firstBias: Float32Array
  second: Float32Array
  secondBias: Float32Array
  dense: Float32Array
  denseBias: Float32Array
  last: Float32Array
  lastBias: Float32Array
}

/** Sizes of the layers' weights, in the order in which they lie in the file. */
export const SIZES: Readonly<Record<keyof Weights, number>> = {
  first: SHAPE.first.channels * SHAPE.first.kernel ** 2,
  firstBias: SHAPE.first.channels,
  second: SHAPE.second.channels * SHAPE.first.channels * SHAPE.second.kernel ** 2,
  secondBias: SHAPE.second.channels,
  dense: SHAPE.dense * SHAPE.second.channels * SHAPE.second.height * SHAPE.second.width,
  denseBias: SHAPE.dense,
  last: MARKS.length * SHAPE.dense,
  lastBias: MARKS.length,
}

/** Weights from the file: per layer a 32-bit scale, then signed bytes. Throws on another length. */
export function weightsOf(bytes: Uint8Array): Weights {
  const names = Object.keys(SIZES) as (keyof Weights)[]
  const wanted = names.reduce((sum, name) => sum + 4 + SIZES[name], 0)
  if (bytes.length !== wanted) throw new Error(`${bytes.length} bytes of weights, not ${wanted}`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const entries = names.map((name) => {
    const scale = view.getFloat32(at, true)
    const values = new Float32Array(SIZES[name])
    for (let i = 0; i < values.length; i++) values[i] = view.getInt8(at + 4 + i) * scale
    at += 4 + values.length
    return [name, values]
  })
  return Object.fromEntries(entries) as Weights
}

/** The file that `weightsOf` reads. */
export function bytesOf(weights: Weights): Uint8Array {
  const parts = (Object.keys(SIZES) as (keyof Weights)[]).map((name) => {
    const values = weights[name]
    const scale = values.reduce((max, value) => Math.max(max, Math.abs(value)), 1e-9) / 127
    const part = new Uint8Array(4 + values.length)
    const view = new DataView(part.buffer)
    view.setFloat32(0, scale, true)
    for (const [i, value] of values.entries()) view.setInt8(4 + i, Math.round(value / scale))
    return part
  })
  return new Uint8Array(Buffer.concat(parts))
}

/** What each layer gives for one patch; kept by training. */
export interface Activations {
  first: Float32Array
  second: Float32Array
  dense: Float32Array
  /** Likelihoods by class, which add up to 1. */
  last: Float32Array
}

export function emptyActivations(): Activations {
  const { first, second, dense } = SHAPE
  return {
    first: new Float32Array(first.channels * first.height * first.width),
    second: new Float32Array(second.channels * second.height * second.width),
    dense: new Float32Array(dense),
    last: new Float32Array(MARKS.length),
  }
}

interface Layer {
  channels: number
  kernel: number
  height: number
  width: number
}

/** A convolution in steps of 2 with zeros around, then what is below zero cut off. */
function convolve(
  input: Float32Array,
  from: { channels: number; height: number; width: number },
  layer: Layer,
  weights: Float32Array,
  bias: Float32Array,
  output: Float32Array,
): void {
  const { channels, kernel, height, width } = layer
  const half = kernel >> 1
  for (let channel = 0; channel < channels; channel++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        let sum = bias[channel]!
        for (let source = 0; source < from.channels; source++)
          for (let ky = 0; ky < kernel; ky++) {
            const row = y * 2 + ky - half
            if (row < 0 || row >= from.height) continue
            const start = (source * from.height + row) * from.width
            const weight = ((channel * from.channels + source) * kernel + ky) * kernel
            for (let kx = 0; kx < kernel; kx++) {
              const column = x * 2 + kx - half
              if (column >= 0 && column < from.width)
                sum += input[start + column]! * weights[weight + kx]!
            }
          }
        output[(channel * height + y) * width + x] = sum > 0 ? sum : 0
      }
}

/** Runs the network on one patch; the result is in `activations.last`. */
export function forward(weights: Weights, patch: Float32Array, activations: Activations): void {
  const { first, second } = SHAPE
  const page = { channels: 1, height: PATCH_HEIGHT, width: PATCH_WIDTH }
  convolve(patch, page, first, weights.first, weights.firstBias, activations.first)
  convolve(activations.first, first, second, weights.second, weights.secondBias, activations.second)
  const { dense, last, second: seen } = activations
  for (let i = 0; i < dense.length; i++) {
    let sum = weights.denseBias[i]!
    const start = i * seen.length
    for (let j = 0; j < seen.length; j++) sum += seen[j]! * weights.dense[start + j]!
    dense[i] = sum > 0 ? sum : 0
  }
  let most = -Infinity
  for (let i = 0; i < last.length; i++) {
    let sum = weights.lastBias[i]!
    for (let j = 0; j < dense.length; j++) sum += dense[j]! * weights.last[i * dense.length + j]!
    last[i] = sum
    most = Math.max(most, sum)
  }
  let total = 0
  for (let i = 0; i < last.length; i++) total += last[i] = Math.exp(last[i]! - most)
  for (let i = 0; i < last.length; i++) last[i]! /= total
}
