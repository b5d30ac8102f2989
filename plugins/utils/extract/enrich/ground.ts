/** Takes from a model's answer only what the input says, and only where nothing was found. */
import { groundOf, type Ground } from '#skillkit'
import { isObject } from '../harvest/json-ld.ts'
import { coerce } from '../fields/coerce.ts'
import { phraseOf } from '../fields/keys.ts'
import type { Shape } from '../fields/shape.ts'
import { escapePointer } from '../../../shared/json-pointer.ts'

const STRING_MAX = 20_000
const ITEMS_MAX = 500

export interface Enriched {
  data: unknown
  /** JSON pointers of values that came from the model. */
  taken: string[]
  /** Values that the input does not say. */
  dropped: number
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

class Grounder {
  readonly taken: string[] = []
  dropped = 0
  readonly #ground: Ground

  constructor(ground: Ground) {
    this.#ground = ground
  }

  merge(shape: Shape, name: string, current: unknown, given: unknown, pointer: string): unknown {
    if (given === null || given === undefined) return current
    if (shape.type === 'object') {
      if (!isObject(given)) return current
      const base = isObject(current) ? { ...current } : {}
      for (const { name: key, shape: one } of shape.properties) {
        base[key] = this.merge(
          one,
          key,
          base[key] ?? null,
          given[key],
          `${pointer}/${escapePointer(key)}`,
        )
      }
      return base
    }
    if (!isEmpty(current)) return current
    if (shape.type === 'array') {
      if (!Array.isArray(given) || !shape.items) return current
      const { items } = shape
      const made = given
        .slice(0, ITEMS_MAX)
        .map((one, index) => this.merge(items, name, null, one, `${pointer}/${index}`))
      return made.filter((one) => !isEmpty(one))
    }
    const value = coerce(given, { key: phraseOf(name), shape, isMachine: true })
    if (value === undefined || !this.#allows(shape, value, given)) {
      this.dropped += 1
      return current
    }
    this.taken.push(pointer)
    return value
  }

  #allows(shape: Shape, value: string | number | boolean, given: unknown): boolean {
    if (shape.enum.length > 0 && !shape.enum.includes(value)) return false
    if (typeof value === 'number') return this.#ground.hasNumber(value)
    // Nothing in a text is literally true or false, so no such answer can be checked.
    if (typeof value !== 'string' || value.length > STRING_MAX) return false
    return this.#ground.hasText(value) || (typeof given === 'string' && this.#ground.hasText(given))
  }
}

/** `data` with gaps filled from the model's answer; what exists is never overwritten. */
export function enrich(shape: Shape, data: unknown, answer: unknown, text: string): Enriched {
  const grounder = new Grounder(groundOf(text))
  const given =
    shape.type === 'array' && isObject(answer) ? Object.values(answer).find(Array.isArray) : answer
  const merged = grounder.merge(shape, '', data, given, '')
  return { data: merged, taken: grounder.taken, dropped: grounder.dropped }
}

/** A shape of whatever a model answered to an instruction without a schema. */
export function shapeOfAnswer(answer: unknown, depth = 0): Shape {
  const none = { format: null, enum: [], properties: [], items: null, maxItems: ITEMS_MAX }
  if (Array.isArray(answer))
    return { ...none, type: 'array', items: shapeOfAnswer(answer[0], depth + 1) }
  if (isObject(answer) && depth < 5) {
    const properties = Object.entries(answer)
      .slice(0, 50)
      .map(([name, one]) => ({ name, shape: shapeOfAnswer(one, depth + 1), hint: '' }))
    return { ...none, type: 'object', properties }
  }
  return { ...none, type: typeof answer === 'number' ? 'number' : 'string' }
}
