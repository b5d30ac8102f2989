/** Teaches the network of letters' marks: gradients of its layers, and steps by Adam (Kingma, Ba 2015). */
import {
  emptyActivations,
  forward,
  PATCH_HEIGHT,
  PATCH_WIDTH,
  SHAPE,
  SIZES,
  type Weights,
} from '../../../plugins/shared/ocr/marks/network.ts'
import type { Random } from '../../support/docintel-fixtures/random.ts'

const NAMES = Object.keys(SIZES) as (keyof Weights)[]
const zeros = (): Weights =>
  Object.fromEntries(
    NAMES.map((name) => [name, new Float32Array(SIZES[name])]),
  ) as unknown as Weights
const FIRST_MOMENT = 0.9
const SECOND_MOMENT = 0.999

export class Trainer {
  readonly weights = zeros()
  readonly #gradients = zeros()
  readonly #first = zeros()
  readonly #second = zeros()
  readonly #activations = emptyActivations()
  readonly #errors = emptyActivations()
  #steps = 0
  #samples = 0

  constructor(r: Random) {
    const inputs: Partial<Record<keyof Weights, number>> = {
      first: SHAPE.first.kernel ** 2,
      second: SHAPE.first.channels * SHAPE.second.kernel ** 2,
      dense: SIZES.dense / SHAPE.dense,
      last: SHAPE.dense,
    }
    for (const [name, count] of Object.entries(inputs) as [keyof Weights, number][]) {
      const values = this.weights[name]
      const scale = Math.sqrt(6 / count)
      for (let i = 0; i < values.length; i++) values[i] = (r.next() * 2 - 1) * scale
    }
  }

  /** Adds the gradient of one patch; returns its loss (cross entropy). */
  learn(patch: Float32Array, label: number): number {
    const weights = this.weights
    const gradients = this.#gradients
    const { first, second, dense, last } = this.#activations
    const errors = this.#errors
    forward(weights, patch, this.#activations)
    this.#samples++
    errors.dense.fill(0)
    for (let i = 0; i < last.length; i++) {
      const error = last[i]! - (i === label ? 1 : 0)
      gradients.lastBias[i]! += error
      for (let j = 0; j < dense.length; j++) {
        gradients.last[i * dense.length + j]! += error * dense[j]!
        errors.dense[j]! += error * weights.last[i * dense.length + j]!
      }
    }
    errors.second.fill(0)
    for (let i = 0; i < dense.length; i++) {
      if (dense[i]! <= 0) continue
      const error = errors.dense[i]!
      gradients.denseBias[i]! += error
      const start = i * second.length
      for (let j = 0; j < second.length; j++) {
        gradients.dense[start + j]! += error * second[j]!
        errors.second[j]! += error * weights.dense[start + j]!
      }
    }
    errors.first.fill(0)
    back(first, SHAPE.first, second, errors.second, SHAPE.second, weights.second, {
      weights: gradients.second,
      bias: gradients.secondBias,
      input: errors.first,
    })
    const page = { channels: 1, height: PATCH_HEIGHT, width: PATCH_WIDTH }
    back(patch, page, first, errors.first, SHAPE.first, weights.first, {
      weights: gradients.first,
      bias: gradients.firstBias,
      input: null,
    })
    return -Math.log(Math.max(last[label]!, 1e-9))
  }

  /** One step against the gradients of the patches since the last one. */
  step(rate: number): void {
    this.#steps++
    const a = 1 - FIRST_MOMENT ** this.#steps
    const b = 1 - SECOND_MOMENT ** this.#steps
    for (const name of NAMES) {
      const [values, gradient] = [this.weights[name], this.#gradients[name]]
      const [m, v] = [this.#first[name], this.#second[name]]
      for (let i = 0; i < values.length; i++) {
        const g = gradient[i]! / this.#samples
        m[i] = FIRST_MOMENT * m[i]! + (1 - FIRST_MOMENT) * g
        v[i] = SECOND_MOMENT * v[i]! + (1 - SECOND_MOMENT) * g * g
        values[i]! -= (rate * (m[i]! / a)) / (Math.sqrt(v[i]! / b) + 1e-8)
      }
      gradient.fill(0)
    }
    this.#samples = 0
  }
}

interface Size {
  channels: number
  height: number
  width: number
}

/** Gradients of a convolution with what is below zero cut off. */
function back(
  input: Float32Array,
  from: Size,
  output: Float32Array,
  errors: Float32Array,
  layer: Size & { kernel: number },
  weights: Float32Array,
  into: { weights: Float32Array; bias: Float32Array; input: Float32Array | null },
): void {
  const { channels, kernel, height, width } = layer
  const half = kernel >> 1
  for (let channel = 0; channel < channels; channel++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const at = (channel * height + y) * width + x
        const error = errors[at]!
        if (output[at]! <= 0 || error === 0) continue
        into.bias[channel]! += error
        for (let source = 0; source < from.channels; source++)
          for (let ky = 0; ky < kernel; ky++) {
            const row = y * 2 + ky - half
            if (row < 0 || row >= from.height) continue
            const start = (source * from.height + row) * from.width
            const weight = ((channel * from.channels + source) * kernel + ky) * kernel
            for (let kx = 0; kx < kernel; kx++) {
              const column = x * 2 + kx - half
              if (column < 0 || column >= from.width) continue
              into.weights[weight + kx]! += error * input[start + column]!
              if (into.input) into.input[start + column]! += error * weights[weight + kx]!
            }
          }
      }
}
