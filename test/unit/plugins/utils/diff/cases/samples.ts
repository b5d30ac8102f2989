/** Values near a schema: some that it should accept, and small changes of them. */
import fc from 'fast-check'
import { valueAt } from '../../../../../../plugins/shared/json-pointer.ts'
import { isMap, type JsonMap } from '../../../../../../plugins/utils/diff/pointer.ts'
import type { Random } from './random.ts'

/** Deepest value that is made. */
const DEPTH_MAX = 7
const ODD: readonly unknown[] = [null, true, false, 0, 1, -1, 1.5, '', 'x', [], {}]
const TEXTS = [
  '',
  'x',
  'name',
  'a1',
  '1.0.0',
  '2020-01-01',
  'https://example.com/a',
  'x-y',
  '12',
  '#fff',
]

/** `map` without `key`. */
export const without = (map: JsonMap, key: string): JsonMap => {
  const { [key]: _, ...rest } = map
  return rest
}

export class Sampler {
  readonly #root: unknown
  readonly #random: Random

  constructor(root: unknown, random: Random) {
    this.#root = root
    this.#random = random
  }

  /** `count` values, the first half as the schema asks for, the others changed in one place. */
  values(count: number): unknown[] {
    const fitting = Array.from({ length: Math.ceil(count / 2) }, () => this.value(this.#root))
    const changed = fitting.map((value) => this.#changed(structuredClone(value)))
    return [...fitting, ...changed]
  }

  value(schema: unknown, depth = 0): unknown {
    const random = this.#random
    const map = this.#resolved(schema)
    if (!map || depth > DEPTH_MAX) return random.pick(ODD)
    if (map.const !== undefined) return map.const
    if (Array.isArray(map.enum) && map.enum.length > 0) return random.pick(map.enum)
    const denied = this.#resolved(map.not)
    if (denied && random.chance(0.5)) {
      const again = this.#resolved(denied.not)
      return this.value(again ? this.#merged(without(map, 'not'), again) : denied, depth + 1)
    }
    for (const keyword of ['oneOf', 'anyOf']) {
      const list = map[keyword]
      if (!Array.isArray(list) || list.length === 0) continue
      const { [keyword]: _, ...rest } = map
      return this.value(this.#merged(rest, random.pick(list)), depth)
    }
    if (Array.isArray(map.allOf) && map.allOf.length > 0) {
      const { allOf, ...rest } = map
      const all = (allOf as unknown[]).reduce<unknown>(
        (one, other) => this.#merged(one, other),
        rest,
      )
      return this.value(all, depth + 1)
    }
    return this.#typed(map, this.#typeOf(map), depth)
  }

  #resolved(schema: unknown): JsonMap | null {
    let current = schema
    for (let hops = 0; hops < 20 && isMap(current) && typeof current.$ref === 'string'; hops++) {
      if (!current.$ref.startsWith('#')) return null
      current = valueAt(this.#root, decodeURIComponent(current.$ref.slice(1)))
    }
    return isMap(current) ? current : null
  }

  /** Both together, as far as a sample needs it. */
  #merged(one: unknown, other: unknown): unknown {
    const [a, b] = [this.#resolved(one), this.#resolved(other)]
    if (!a || !b) return a ?? b ?? other
    const both = { ...a, ...b }
    if (isMap(a.properties) && isMap(b.properties))
      both.properties = { ...a.properties, ...b.properties }
    if (Array.isArray(a.required) && Array.isArray(b.required))
      both.required = [...a.required, ...b.required]
    return both
  }

  #typeOf(map: JsonMap): string {
    if (typeof map.type === 'string') return map.type
    if (Array.isArray(map.type) && map.type.length > 0) return this.#random.pick(map.type) as string
    if (map.properties ?? map.required ?? map.additionalProperties ?? map.patternProperties)
      return 'object'
    if (map.items ?? map.prefixItems ?? map.contains) return 'array'
    if (map.pattern ?? map.minLength ?? map.maxLength) return 'string'
    if (map.minimum ?? map.maximum ?? map.multipleOf) return 'number'
    return this.#random.pick(['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'])
  }

  #typed(map: JsonMap, type: string, depth: number): unknown {
    const random = this.#random
    switch (type) {
      case 'null':
        return null
      case 'boolean':
        return random.chance(0.5)
      case 'integer':
      case 'number':
        return this.#number(map, type)
      case 'string':
        return this.#text(map)
      case 'array':
        return this.#list(map, depth)
      default:
        return this.#object(map, depth)
    }
  }

  #number(map: JsonMap, type: string): number {
    const random = this.#random
    const limits = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
      .map((key) => map[key])
      .filter((value) => typeof value === 'number')
    const step = typeof map.multipleOf === 'number' ? map.multipleOf : 1
    const near =
      limits.length > 0 && random.chance(0.8) ? random.pick(limits) : random.index(8) * step
    const value = near + random.pick([0, 0, 1, -1]) * step
    return type === 'number' && random.chance(0.2) ? value + 0.5 : value
  }

  #text(map: JsonMap): string {
    const random = this.#random
    const { minLength: least, maxLength: most, pattern } = map
    if (typeof pattern === 'string' && random.chance(0.6)) {
      try {
        const seed = random.index(1e6)
        return fc.sample(fc.stringMatching(new RegExp(pattern)), { seed, numRuns: 1 })[0]!
      } catch {
        // Not every pattern can be turned round.
      }
    }
    const limits = [least, most].filter(
      (value) => typeof value === 'number' && value < 300,
    ) as number[]
    if (limits.length === 0 || random.chance(0.2)) return random.pick(TEXTS)
    return 'a'.repeat(Math.max(0, random.pick(limits) + random.pick([0, 0, 1, -1])))
  }

  #list(map: JsonMap, depth: number): unknown[] {
    const random = this.#random
    const listed = [map.prefixItems, map.items].find((value) => Array.isArray(value)) as
      | unknown[]
      | undefined
    const rest = listed === map.items ? map.additionalItems : map.items
    const limits = [map.minItems, map.maxItems].filter((n) => typeof n === 'number' && n < 20)
    const length =
      limits.length > 0
        ? random.pick(limits as number[]) + random.pick([0, 0, 1, -1])
        : random.index(4)
    const list = Array.from({ length: Math.max(0, length) }, (_, index) =>
      this.value(listed?.[index] ?? rest ?? {}, depth + 1),
    )
    if (map.contains !== undefined && random.chance(0.7))
      list.push(this.value(map.contains, depth + 1))
    return list
  }

  #object(map: JsonMap, depth: number): JsonMap {
    const random = this.#random
    const properties = isMap(map.properties) ? map.properties : {}
    const names = Object.keys(properties)
    const share = names.length > 6 ? 2 / names.length : 0.5
    const object: JsonMap = {}
    for (const name of names)
      if (random.chance(share)) object[name] = this.value(properties[name], depth + 1)
    for (const name of Array.isArray(map.required) ? (map.required as string[]) : [])
      object[name] ??= this.value(properties[name] ?? map.additionalProperties ?? {}, depth + 1)
    const rest = map.additionalProperties
    if (rest !== false && random.chance(isMap(rest) ? 0.6 : 0.15))
      object.extra = this.value(rest ?? {}, depth + 1)
    const { minProperties: least, maxProperties: most } = map
    const limits = [least, most].filter((n) => typeof n === 'number' && n < 20) as number[]
    if (limits.length > 0 && random.chance(0.7)) {
      const size = random.pick(limits) + random.pick([0, 1, -1])
      for (let index = 0; Object.keys(object).length < size && index < 20; index++)
        object[names[index] ?? `more${index}`] ??= this.value(
          properties[names[index]!] ?? rest ?? {},
          depth + 1,
        )
    }
    return object
  }

  /** `value` with one place replaced, left out or added to. */
  #changed(value: unknown): unknown {
    const random = this.#random
    const isFull = typeof value === 'object' && value !== null
    if (!isFull || random.chance(0.25)) return random.pick(ODD)
    if (Array.isArray(value)) {
      const index = random.index(value.length + 1)
      if (index === value.length)
        value.push(random.chance(0.5) && index > 0 ? value[0] : random.pick(ODD))
      else if (random.chance(0.3)) value.splice(index, 1)
      else value[index] = this.#changed(value[index])
      return value
    }
    const map = value as JsonMap
    const names = Object.keys(map)
    if (names.length === 0 || random.chance(0.2))
      map[random.pick(['extra', 'a', 'b', 'name'])] = random.pick(ODD)
    else {
      const name = random.pick(names)
      if (random.chance(0.35)) delete map[name]
      else map[name] = this.#changed(map[name])
    }
    return map
  }
}
