/**
 * Fills a caller's schema from what an input says. Every value is one that was found; what was not
 * found is null, also where the schema requires it; only the schema's own keys come out.
 */
import { isObject } from '../harvest/json-ld.ts'
import { coerce } from './coerce.ts'
import { factsOfObject, type Fact } from './facts.ts'
import { groupOf, matchKeys, phraseOf } from './keys.ts'
import { splitList, unwrapped } from './lists.ts'
import type { Material } from './fact-sources.ts'
import { endOf, rangeEnd } from './ranges.ts'
import { recordSources } from './record-sources.ts'
import type { Shape } from './shape.ts'
import { escapePointer } from '../../pointer.ts'

export type Paths = { [pointer: string]: string }
type Value = unknown

const MATCH_MIN = 0.45
const ANYTHING: Shape = {
  type: 'any',
  format: null,
  enum: [],
  properties: [],
  items: null,
  maxItems: 0,
}

interface Scored {
  fact: Fact
  score: number
}

/** A place in the wanted shape, and what may fill it. */
interface Slot {
  name: string
  shape: Shape
  facts: readonly Fact[]
  /** JSON pointer of the place. */
  pointer: string
  /** Directly in the root, where all of the page is material. */
  isRoot: boolean
  /** The object whose property it is. */
  of: Shape
}

class Filler {
  readonly paths: Paths = {}
  readonly #material: Material

  constructor(material: Material) {
    this.#material = material
  }

  object(
    shape: Shape,
    facts: readonly Fact[],
    pointer: string,
    isRoot: boolean,
  ): { [name: string]: Value } {
    const filled: { [name: string]: Value } = {}
    for (const { name, shape: one } of shape.properties) {
      const place = `${pointer}/${escapePointer(name)}`
      filled[name] = this.property({ name, shape: one, facts, pointer: place, isRoot, of: shape })
    }
    return filled
  }

  property(slot: Slot): Value {
    if (slot.shape.type === 'object') return this.#nested(slot)
    if (slot.shape.type === 'array') return this.#list(slot)
    return this.#scalar(slot)
  }

  #ranked(key: string, facts: readonly Fact[]): Scored[] {
    const scored: Scored[] = []
    for (const fact of facts) {
      const match = matchKeys(key, fact.key)
      if (match >= MATCH_MIN) scored.push({ fact, score: match * 100 + fact.rank * 0.6 })
    }
    return scored.sort((a, b) => b.score - a.score)
  }

  #scalar({ name, shape, facts, pointer, of }: Slot): Value {
    const key = phraseOf(name)
    const found =
      this.#found(key, shape, facts, pointer) ?? this.#endOfRange(key, shape, facts, pointer)
    if (found !== null) return found
    const isCount = shape.type === 'integer' || shape.type === 'number'
    if (isCount && /\w{3}s$/.test(key))
      return this.#found(`${key.slice(0, -1)} count`, shape, facts, pointer)
    // In the form of a job the headline is the job's title; in a person's it is a name.
    const isJob = key === 'job title' && of.properties.some((one) => isOfJob(one.name))
    return isJob ? this.#found('title', shape, facts, pointer) : null
  }

  #found(key: string, shape: Shape, facts: readonly Fact[], pointer: string): Value {
    for (const { fact } of this.#ranked(key, facts)) {
      const value = coerce(fact.value, { key, shape, isMachine: fact.isMachine === true })
      if (value === undefined || !allows(shape, value)) continue
      this.paths[pointer] = fact.path
      return value
    }
    return null
  }

  #endOfRange(key: string, shape: Shape, facts: readonly Fact[], pointer: string): Value {
    const wanted = shape.type === 'number' || shape.type === 'integer' ? endOf(key) : null
    if (!wanted) return null
    for (const { fact } of this.#ranked(wanted.key, facts)) {
      const value = rangeEnd(fact.value, wanted.end)
      if (value === null || (shape.type === 'integer' && !Number.isInteger(value))) continue
      this.paths[pointer] = fact.path
      return value
    }
    return null
  }

  #nested({ name, shape, facts, pointer, isRoot }: Slot): Value {
    if (shape.properties.length === 0) {
      const found = this.#ranked(phraseOf(name), facts).find(({ fact }) => isObject(fact.value))
      if (!found) return null
      this.paths[pointer] = found.fact.path
      return found.fact.value
    }
    const key = phraseOf(name)
    let best: { value: { [name: string]: Value }; paths: Paths; count: number } | null = null
    const consider = (own: readonly Fact[], isWhole: boolean): void => {
      const trial = new Filler(this.#material)
      const value = trial.object(shape, own, pointer, isWhole)
      const count = Object.keys(trial.paths).length
      if (count > (best?.count ?? 0)) best = { value, paths: trial.paths, count }
    }
    for (const { fact } of this.#ranked(key, facts).slice(0, 8)) {
      const target = Array.isArray(fact.value) ? fact.value.find(isObject) : fact.value
      if (isObject(target)) consider(factsOfObject(target, fact.path, fact.rank), false)
      else if (typeof target === 'string') consider([{ ...fact, key: 'name' }], false)
    }
    // 'product' around the fields of the page's one product is only a wrapper.
    const prefixed = facts
      .filter((fact) => fact.key.startsWith(`${key} `))
      .map((fact) => ({ ...fact, key: fact.key.slice(key.length + 1) }))
    if (prefixed.length > 0) consider(prefixed, false)
    if (best === null || isWrapper(key)) {
      const inside = isWrapper(key)
        ? facts
        : facts.filter(
            (fact) => !['name', 'title', 'description', 'url', 'image', 'type'].includes(fact.key),
          )
      consider(inside, isRoot && isWrapper(key))
    }
    if (best === null)
      return Object.fromEntries(
        shape.properties.map(({ name: one, shape: inner }) => [
          one,
          inner.type === 'array'
            ? []
            : inner.type === 'object'
              ? new Filler(this.#material).object(inner, [], '', false)
              : null,
        ]),
      )
    const chosen = best as { value: { [name: string]: Value }; paths: Paths }
    Object.assign(this.paths, chosen.paths)
    return chosen.value
  }

  #list(slot: Slot): Value[] {
    const { items, maxItems } = slot.shape
    const values =
      items?.type === 'object' && items.properties.length > 0
        ? this.#records({ ...slot, shape: items })
        : this.#values({ ...slot, shape: items ?? ANYTHING })
    return values.slice(0, maxItems)
  }

  /** Values of a list; `shape` is that of its items. */
  #values({ name, shape, facts, pointer, isRoot }: Slot): Value[] {
    const key = phraseOf(name)
    const ranked = this.#ranked(key, facts)
    const singular = this.#ranked(key.replace(/(?<=\w{3})s$/, ''), facts)
    for (const { fact } of [...ranked, ...singular]) {
      const alike = facts.filter(
        (one) =>
          one.key === fact.key &&
          one.path.replaceAll(/\[\d+\]/g, '') === fact.path.replaceAll(/\[\d+\]/g, '') &&
          one.rank === fact.rank,
      )
      const sources = Array.isArray(fact.value)
        ? fact.value
        : alike.length > 1
          ? alike.map((one) => one.value)
          : splitList(fact.value, key)
      const values = this.#coerced(sources, key, shape, fact.isMachine === true)
      if (values.length === 0) continue
      this.paths[pointer] = fact.path
      return values
    }
    const listed = isRoot
      ? this.#material.lists().find((list) => matchKeys(key, phraseOf(list.heading)) >= 0.6)
      : undefined
    if (listed) {
      this.paths[pointer] = `list:${listed.heading}`
      return this.#coerced(listed.items, key, shape, false)
    }
    return []
  }

  #coerced(sources: readonly unknown[], key: string, shape: Shape, isMachine: boolean): Value[] {
    const values = sources
      .flatMap((one) =>
        isObject(one) && Array.isArray(one.itemListElement) ? one.itemListElement : [one],
      )
      .map((one) =>
        coerce(isObject(one) ? (one.text ?? one.name ?? one.item ?? one) : one, {
          key,
          shape,
          isMachine,
        }),
      )
      .filter((one) => one !== undefined && allows(shape, one))
    return [...new Set(values)]
  }

  /** Objects of a list; `shape` is that of its items. */
  #records({ name, shape, facts, pointer, isRoot }: Slot): Value[] {
    const key = phraseOf(name)
    const candidates: Candidate[] = []
    const consider = (path: string, sources: readonly (readonly Fact[])[], bonus: number): void => {
      const made = this.#fillAll(shape, sources, pointer)
      if (made.rows.length > 0) candidates.push({ ...made, path, bonus })
    }
    for (const { fact, score } of this.#ranked(key, facts).slice(0, 6)) {
      const list = (Array.isArray(fact.value) ? fact.value : [fact.value])
        .filter(isObject)
        .map(unwrapped)
      if (list.length > 0)
        consider(
          fact.path,
          list.map((one) => factsOfObject(one, fact.path, 90)),
          score > 120 ? 1 : 0.3,
        )
    }
    for (const source of isRoot ? recordSources(this.#material, key) : []) {
      // Blocks that answer one field of many by chance are not the list.
      const needed = Math.min(shape.properties.length, shape.properties.length > 2 ? 2 : 1)
      if (source.isGuess && this.#fillAll(shape, source.sample, '').filled < needed) continue
      consider(source.path, source.all(), source.bonus)
    }
    const best = candidates.sort((a, b) => scoreOf(b) - scoreOf(a))[0]
    if (!best) return []
    this.paths[pointer] = best.path
    return best.rows
  }

  #fillAll(
    shape: Shape,
    sources: readonly (readonly Fact[])[],
    pointer: string,
  ): { rows: Value[]; filled: number } {
    const rows: Value[] = []
    let filled = 0
    for (const facts of sources) {
      const trial = new Filler(this.#material)
      const row = trial.object(shape, facts, pointer, false)
      const count = Object.keys(trial.paths).length
      if (count === 0) continue
      filled += count
      rows.push(row)
    }
    return { rows, filled: rows.length === 0 ? 0 : filled / rows.length }
  }
}

interface Candidate {
  rows: Value[]
  /** Fields filled per row. */
  filled: number
  path: string
  bonus: number
}

const scoreOf = ({ rows, filled, bonus }: Candidate): number =>
  (filled + bonus) * (1 + Math.min(0.45, Math.log2(rows.length + 1) * 0.12))

const isWrapper = (key: string): boolean =>
  /^(?:product|article|event|job|job posting|recipe|page|item|book|movie|post|details?|data|info|information|metadata|meta|result|listing|company|person|place|business|webpage|main|entity|specs?|specifications|attributes|properties|offer|offers)$/.test(
    key,
  )

const isOfJob = (name: string): boolean =>
  ['salary', 'employment type', 'deadline', 'company'].includes(groupOf(phraseOf(name)))

function allows(shape: Shape, value: unknown): boolean {
  if (shape.enum.length === 0) return true
  return shape.enum.includes(value)
}

/** The filled value of a schema with the path of each found value (JSON pointer → place). */
export function fill(shape: Shape, material: Material): { data: Value; paths: Paths } {
  const filler = new Filler(material)
  const facts = material.facts()
  const whole = { shape, facts, pointer: '', isRoot: true, of: shape }
  const data =
    shape.type === 'array'
      ? filler.property({ ...whole, name: 'items' })
      : shape.type === 'object' || shape.properties.length > 0
        ? filler.object(shape, facts, '', true)
        : filler.property({ ...whole, name: 'value' })
  return { data, paths: filler.paths }
}
