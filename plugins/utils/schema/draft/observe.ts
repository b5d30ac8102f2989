/**
 * What the samples show at one place: how often each type occurs there, and everything a schema
 * could be drawn from. Samples are merged as they are read, so their number does not matter.
 */
import { isMap } from '../../diff/pointer.ts'
import { FORMATS } from './formats.ts'

/** Distinct strings remembered per place; more than this is no enumeration. */
const DISTINCT_MAX = 32
/** Positions of an array watched for a tuple. */
const TUPLE_MAX = 8

export interface StringFacts {
  count: number
  /** Formats that every string so far matched; null before the first. */
  formats: readonly string[]
  /** Occurrences per value; null when there were too many different ones. */
  values: Map<string, number> | null
}
export interface ArrayFacts {
  count: number
  items: Facts
  /** Per position, while every array had the same length; null when lengths differ. */
  positions: Facts[] | null
}
export interface ObjectFacts {
  count: number
  /** In the order in which the samples first showed them. */
  members: Map<string, { present: number; facts: Facts }>
}
export interface Facts {
  count: number
  nulls: number
  booleans: number
  integers: number
  fractions: number
  strings: StringFacts
  arrays: ArrayFacts | null
  objects: ObjectFacts | null
}

export function emptyFacts(): Facts {
  return {
    count: 0,
    nulls: 0,
    booleans: 0,
    integers: 0,
    fractions: 0,
    strings: { count: 0, formats: FORMATS.map(({ name }) => name), values: new Map() },
    arrays: null,
    objects: null,
  }
}

/** Adds one value to the facts of its place. */
export function observe(facts: Facts, value: unknown): void {
  facts.count++
  if (value === null) facts.nulls++
  else if (typeof value === 'boolean') facts.booleans++
  else if (typeof value === 'number') {
    if (Number.isInteger(value)) facts.integers++
    else facts.fractions++
  } else if (typeof value === 'string') observeString(facts.strings, value)
  else if (Array.isArray(value)) observeArray((facts.arrays ??= newArray(value)), value)
  else if (isMap(value)) observeObject((facts.objects ??= { count: 0, members: new Map() }), value)
}

function observeString(facts: StringFacts, value: string): void {
  facts.count++
  if (facts.formats.length > 0) {
    facts.formats = FORMATS.filter(
      ({ name, test }) => facts.formats.includes(name) && test(value),
    ).map(({ name }) => name)
  }
  if (!facts.values) return
  facts.values.set(value, (facts.values.get(value) ?? 0) + 1)
  if (facts.values.size > DISTINCT_MAX) facts.values = null
}

function newArray(first: unknown[]): ArrayFacts {
  const tuple = first.length >= 2 && first.length <= TUPLE_MAX
  return { count: 0, items: emptyFacts(), positions: tuple ? first.map(emptyFacts) : null }
}

function observeArray(facts: ArrayFacts, value: unknown[]): void {
  facts.count++
  if (facts.positions && facts.positions.length !== value.length) facts.positions = null
  value.forEach((item, at) => {
    observe(facts.items, item)
    if (facts.positions) observe(facts.positions[at]!, item)
  })
}

function observeObject(facts: ObjectFacts, value: Record<string, unknown>): void {
  facts.count++
  for (const [key, item] of Object.entries(value)) {
    let member = facts.members.get(key)
    if (!member) facts.members.set(key, (member = { present: 0, facts: emptyFacts() }))
    member.present++
    observe(member.facts, item)
  }
}

/** Adds what another place showed to `into`, as if all its values had stood here. */
export function merge(into: Facts, from: Facts): void {
  into.count += from.count
  into.nulls += from.nulls
  into.booleans += from.booleans
  into.integers += from.integers
  into.fractions += from.fractions
  mergeStrings(into.strings, from.strings)
  if (from.arrays) {
    const isFirst = into.arrays === null
    const arrays = (into.arrays ??= { count: 0, items: emptyFacts(), positions: null })
    mergeArrays(arrays, from.arrays, isFirst)
  }
  if (from.objects) {
    const objects = (into.objects ??= { count: 0, members: new Map() })
    objects.count += from.objects.count
    for (const [key, { present, facts }] of from.objects.members) {
      let member = objects.members.get(key)
      if (!member) objects.members.set(key, (member = { present: 0, facts: emptyFacts() }))
      member.present += present
      merge(member.facts, facts)
    }
  }
}

function mergeStrings(into: StringFacts, from: StringFacts): void {
  if (from.count === 0) return
  into.count += from.count
  into.formats = into.formats.filter((name) => from.formats.includes(name))
  if (!into.values || !from.values) {
    into.values = null
    return
  }
  for (const [value, count] of from.values)
    into.values.set(value, (into.values.get(value) ?? 0) + count)
  if (into.values.size > DISTINCT_MAX) into.values = null
}

function mergeArrays(into: ArrayFacts, from: ArrayFacts, isFirst: boolean): void {
  into.count += from.count
  merge(into.items, from.items)
  const { positions } = from
  if (isFirst) into.positions = positions && positions.map(emptyFacts)
  else if (positions?.length !== into.positions?.length) into.positions = null
  into.positions?.forEach((facts, at) => merge(facts, positions![at]!))
}
