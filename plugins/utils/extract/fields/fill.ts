/**
 * Fills a caller's schema from what an input says. Every value is one that was found; what was not
 * found is null, also where the schema requires it; only the schema's own keys come out. What may
 * fill a field is found by candidates.ts, object-sources.ts and record-sources.ts; by which numbers
 * one is preferred stands in weights.ts.
 */
import { isObject } from '../harvest/json-ld.ts'
import { candidatesFor, itemsOf, scalarValues, valueLists, type Field } from './candidates.ts'
import type { FactSources } from './fact-sources.ts'
import type { Fact } from './facts.ts'
import { phraseOf } from './keys.ts'
import { itemsNamed } from './page-lists.ts'
import { objectSources } from './object-sources.ts'
import { recordSources } from './record-sources.ts'
import type { Shape } from './shape.ts'
import { LEAST_MATCH, MATCH, RECORDS } from './weights.ts'
import { escapePointer } from '../../../shared/json-pointer.ts'

export type Paths = { [pointer: string]: string }
type Value = unknown
type Filled = { [name: string]: Value }

const ANYTHING: Shape = {
  type: 'any',
  format: null,
  enum: [],
  properties: [],
  items: null,
  maxItems: 0,
}

class Filler {
  readonly paths: Paths = {}
  readonly #sources: FactSources

  constructor(sources: FactSources) {
    this.#sources = sources
  }

  object(shape: Shape, facts: readonly Fact[], pointer: string, isRoot: boolean): Filled {
    const filled: Filled = {}
    for (const { name, shape: one } of shape.properties) {
      const place = `${pointer}/${escapePointer(name)}`
      filled[name] = this.property({ name, shape: one, facts, pointer: place, isRoot, of: shape })
    }
    return filled
  }

  property(field: Field): Value {
    if (field.shape.type === 'object') return this.#nested(field)
    if (field.shape.type === 'array') return this.#list(field)
    for (const { value, path } of scalarValues(field)) {
      this.paths[field.pointer] = path
      return value
    }
    return null
  }

  /** The object that the source filling the most of its fields gives. */
  #nested(field: Field): Value {
    const { name, shape, facts, pointer } = field
    if (shape.properties.length === 0) {
      const whole = candidatesFor(phraseOf(name), facts).find(({ fact }) => isObject(fact.value))
      if (!whole) return null
      this.paths[pointer] = whole.fact.path
      return whole.fact.value
    }
    let best: Trial | null = null
    for (const source of objectSources(field)) {
      if (source.isLastResort && best !== null) continue
      const trial = this.#trial(shape, source.facts, pointer, source.isWhole)
      if (trial.count > (best?.count ?? 0)) best = trial
    }
    if (best === null) return this.#nothing(shape)
    Object.assign(this.paths, best.paths)
    return best.value
  }

  #trial(shape: Shape, facts: readonly Fact[], pointer: string, isWhole = false): Trial {
    const filler = new Filler(this.#sources)
    const value = filler.object(shape, facts, pointer, isWhole)
    return { value, paths: filler.paths, count: Object.keys(filler.paths).length }
  }

  /** The object with nothing found: null, and an empty list where one is wanted. */
  #nothing(shape: Shape): Filled {
    return Object.fromEntries(
      shape.properties.map(({ name, shape: inner }) => {
        if (inner.type === 'array') return [name, []]
        return [name, inner.type === 'object' ? this.#trial(inner, [], '').value : null]
      }),
    )
  }

  #list(field: Field): Value[] {
    const { items, maxItems } = field.shape
    const values =
      items?.type === 'object' && items.properties.length > 0
        ? this.#records({ ...field, shape: items })
        : this.#values({ ...field, shape: items ?? ANYTHING })
    return values.slice(0, maxItems)
  }

  /** Values of a list; `shape` is that of its items. */
  #values(field: Field): Value[] {
    const listed = field.isRoot ? this.#listed(field) : null
    for (const { value, path, isMachine } of valueLists(field)) {
      // What a page lists is its list; the text around it is cut up less well.
      if (listed && listed.match >= MATCH.synonymInPart && !isMachine) break
      this.paths[field.pointer] = path
      return value
    }
    if (!listed) return []
    this.paths[field.pointer] = `list:${listed.name}`
    return listed.values
  }

  /** The values of the list that the page names so. */
  #listed({ name, shape }: Field): { values: Value[]; name: string; match: number } | null {
    const key = phraseOf(name)
    const found = itemsNamed(key, this.#sources.lists(), LEAST_MATCH.heading)
    const values = found ? itemsOf(found.items, key, shape) : []
    return found && values.length > 0 ? { ...found, values } : null
  }

  /** Objects of a list, from the source with the most points; `shape` is that of its items. */
  #records({ name, shape, facts, pointer, isRoot }: Field): Value[] {
    const lists: RecordList[] = []
    const key = phraseOf(name)
    for (const source of recordSources(key, facts, isRoot ? this.#sources : null)) {
      // Blocks that answer one field of many by chance are not the list.
      const needed = Math.min(shape.properties.length, shape.properties.length > 2 ? 2 : 1)
      if (source.isGuess && this.#fillAll(shape, source.sample, '').filled < needed) continue
      const { rows, filled } = this.#fillAll(shape, source.all(), pointer)
      if (rows.length === 0) continue
      const points = pointsOf(rows.length, filled, source.nameBonus)
      lists.push({ rows, path: source.path, points })
    }
    const best = lists.sort((a, b) => b.points.total - a.points.total)[0]
    if (!best) return []
    this.paths[pointer] = best.path
    return best.rows
  }

  /** The records that have any field, and how many fields one of them has on average. */
  #fillAll(
    shape: Shape,
    records: readonly (readonly Fact[])[],
    pointer: string,
  ): { rows: Value[]; filled: number } {
    const found = records
      .map((facts) => this.#trial(shape, facts, pointer))
      .filter(({ count }) => count > 0)
    const filled = found.reduce((sum, { count }) => sum + count, 0)
    return {
      rows: found.map(({ value }) => value),
      filled: found.length === 0 ? 0 : filled / found.length,
    }
  }
}

/** An object filled for trial. */
interface Trial {
  value: Filled
  paths: Paths
  /** Fields that were found. */
  count: number
}

interface RecordList {
  rows: Value[]
  path: string
  points: RecordPoints
}

/** What speaks for a list of records; `total` ranks. */
interface RecordPoints {
  /** Fields filled per record. */
  filled: number
  /** What the name of its source is worth, in fields. */
  name: number
  /** The factor for how many records there are. */
  count: number
  total: number
}

function pointsOf(rows: number, filled: number, name: number): RecordPoints {
  const count = 1 + Math.min(RECORDS.mostForCount, Math.log2(rows + 1) * RECORDS.perDoubling)
  return { filled, name, count, total: (filled + name) * count }
}

/** The filled value of a schema with the path of each found value (JSON pointer → place). */
export function fill(shape: Shape, sources: FactSources): { data: Value; paths: Paths } {
  const filler = new Filler(sources)
  const facts = sources.facts()
  const whole = { shape, facts, pointer: '', isRoot: true, of: shape }
  const data =
    shape.type === 'array'
      ? filler.property({ ...whole, name: 'items' })
      : shape.type === 'object' || shape.properties.length > 0
        ? filler.object(shape, facts, '', true)
        : filler.property({ ...whole, name: 'value' })
  return { data, paths: filler.paths }
}
