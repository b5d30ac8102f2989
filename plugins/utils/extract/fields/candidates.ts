/** What may fill a field: the facts that answer its name, by points, and the values they give. */
import { isObject, type JsonObject } from '../harvest/json-ld.ts'
import { coerce } from './coerce.ts'
import { isTaking, isVague, saysTaking } from './durations.ts'
import type { Fact } from './facts.ts'
import { groupOf, matchKeys, phraseOf } from './keys.ts'
import { splitList } from './lists.ts'
import { endOf, rangeEnd } from './ranges.ts'
import type { Shape } from './shape.ts'
import { LEAST_MATCH, POINTS } from './weights.ts'

/** Steps in sections of sections. */
const SECTIONS_MAX = 4

/** A place in the wanted shape, and the facts that may fill it. */
export interface Field {
  name: string
  shape: Shape
  facts: readonly Fact[]
  /** JSON pointer of the place. */
  pointer: string
  /** Directly in the root, where everything the page says may fill it. */
  isRoot: boolean
  /** The object whose property it is. */
  of: Shape
}

/** A fact that answers a key, and why it stands where it stands among the others. */
export interface Candidate {
  fact: Fact
  /** Points by what they are for; `total` ranks. */
  points: { match: number; trust: number; total: number }
}

/** The facts that answer a key, the one with the most points first. */
export function candidatesFor(key: string, facts: readonly Fact[]): Candidate[] {
  const candidates: Candidate[] = []
  for (const fact of facts) {
    const found = matchKeys(key, fact.key)
    if (found < LEAST_MATCH.fact) continue
    const match = found * POINTS.match
    const trust = fact.trust * POINTS.trust
    candidates.push({ fact, points: { match, trust, total: match + trust } })
  }
  return candidates.sort((a, b) => b.points.total - a.points.total)
}

/** A value for a field, and where it was found. */
export interface Found<Value> {
  value: Value
  path: string
}

/** The values that may stand in a field of a scalar type, the best first. */
export function* scalarValues({ name, shape, facts, of }: Field): Generator<Found<unknown>> {
  const key = phraseOf(name)
  yield* valuesNamed(key, shape, facts)
  const isNumber = shape.type === 'integer' || shape.type === 'number'
  if (isNumber) {
    yield* rangeEnds(key, shape, facts)
    if (/\w{3}s$/.test(key)) yield* valuesNamed(`${key.slice(0, -1)} count`, shape, facts)
  }
  // In the form of a job the headline is the job's title; in a person's it is a name.
  const isJob = key === 'job title' && of.properties.some((one) => isOfJob(one.name))
  if (isJob) yield* valuesNamed('title', shape, facts)
}

function* valuesNamed(
  key: string,
  shape: Shape,
  facts: readonly Fact[],
): Generator<Found<unknown>> {
  const candidates = candidatesFor(key, facts)
  const isLength = isTaking(key)
  for (const { fact } of isLength ? takingCandidates(key, candidates) : candidates) {
    const value = coerce(fact.value, { key, shape, isMachine: fact.isMachine === true })
    if (value !== undefined && allows(shape, value)) yield { value, path: fact.path }
  }
}

/** Those that say how long something takes; a vague name that says several lengths says none. */
function takingCandidates(key: string, candidates: readonly Candidate[]): Candidate[] {
  const saying = candidates.filter(({ fact }) => saysTaking(key, fact))
  const said = new Map<string, Set<unknown>>()
  for (const { fact } of saying)
    said.set(fact.key, (said.get(fact.key) ?? new Set()).add(fact.value))
  return saying.filter(({ fact }) => !isVague(fact.key) || said.get(fact.key)!.size === 1)
}

function* rangeEnds(key: string, shape: Shape, facts: readonly Fact[]): Generator<Found<number>> {
  const wanted = endOf(key)
  if (!wanted) return
  for (const { fact } of candidatesFor(wanted.key, facts)) {
    const value = rangeEnd(fact.value, wanted.end)
    if (value === null || (shape.type === 'integer' && !Number.isInteger(value))) continue
    yield { value, path: fact.path }
  }
}

/** The lists of values that may stand in a field, the best first; `shape` is that of their items. */
export function* valueLists({
  name,
  shape,
  facts,
}: Field): Generator<Found<unknown[]> & { isMachine: boolean }> {
  const key = phraseOf(name)
  const singular = key.replace(/(?<=\w{3})s$/, '')
  for (const { fact } of [...candidatesFor(key, facts), ...candidatesFor(singular, facts)]) {
    // A list of texts that is written as false is none.
    if (typeof fact.value === 'boolean' && shape.type === 'string') continue
    const alike = facts.filter(
      (one) =>
        one.key === fact.key &&
        one.path.replaceAll(/\[\d+\]/g, '') === fact.path.replaceAll(/\[\d+\]/g, '') &&
        one.trust === fact.trust,
    )
    const parts =
      Array.isArray(fact.value) || isSection(fact.value)
        ? [fact.value].flat()
        : alike.length > 1
          ? alike.map((one) => one.value)
          : splitList(fact.value, key)
    const isMachine = fact.isMachine === true
    const value = itemsOf(parts, key, shape, isMachine)
    if (value.length > 0) yield { value, path: fact.path, isMachine }
  }
}

/** Some write the property as if it were a type. */
const elementsOf = (value: JsonObject): unknown => value.itemListElement ?? value.ItemListElement
const isSection = (value: unknown): value is JsonObject =>
  isObject(value) && (Array.isArray(elementsOf(value)) || isObject(elementsOf(value)))

/** The elements of a list with those of its sections in their places. */
const unfolded = (parts: readonly unknown[], depth = 0): unknown[] =>
  parts.flatMap((one) =>
    isSection(one) && depth < SECTIONS_MAX ? unfolded([elementsOf(one)].flat(), depth + 1) : [one],
  )

/** The parts of a list as values of that shape, each once. */
export function itemsOf(
  parts: readonly unknown[],
  key: string,
  shape: Shape,
  isMachine = false,
): unknown[] {
  const values = unfolded(parts)
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

const isOfJob = (name: string): boolean =>
  ['salary', 'employment type', 'deadline', 'company'].includes(groupOf(phraseOf(name)))

function allows(shape: Shape, value: unknown): boolean {
  return shape.enum.length === 0 || shape.enum.includes(value)
}
