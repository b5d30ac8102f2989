/**
 * Drafts a schema from samples: as strict as the samples allow, and never so strict that one of
 * them is rejected. The same samples give the same schema, with keys in the order they were seen.
 */
import { define } from '../prepare.ts'
import { adapted, DIALECTS, type DraftDialect, type JsonSchema } from './dialects.ts'
import { mapForm, type MapForm } from './maps.ts'
import {
  type ArrayFacts,
  emptyFacts,
  type Facts,
  merge,
  type ObjectFacts,
  observe,
} from './observe.ts'

/** Strings needed at one place before their values may be an enumeration. */
const ENUM_EVIDENCE_MIN = 12
/** Longest string that can be a member of an enumeration. */
const ENUM_LENGTH_MAX = 40
/** Arrays needed at one place before their positions may be a tuple. */
const TUPLE_EVIDENCE_MIN = 3

/**
 * A schema of the dialect that accepts every sample. Objects with ids for keys are maps: all their
 * values have one schema. Objects at one place are merged: a property is
 * required when all of them have it. `format` is stated when all strings match it, `enum` only
 * for a few short strings that repeat (quicktype's rule: no more than √n different ones), a tuple
 * only when at least three arrays agree on it.
 */
export function draftSchema(
  samples: readonly unknown[],
  dialect: DraftDialect = '2020-12',
): JsonSchema {
  const facts = emptyFacts()
  for (const sample of samples) observe(facts, sample)
  const { uri, adapt } = DIALECTS[dialect]
  return { $schema: uri, ...adapted(schemaOf(facts), adapt) }
}

function schemaOf(facts: Facts): JsonSchema {
  const types = typesOf(facts)
  if (types.length === 0) return {}
  const schema: JsonSchema = { type: types.length === 1 ? types[0] : types }
  if (facts.objects) Object.assign(schema, objectPart(facts.objects))
  if (facts.arrays) Object.assign(schema, arrayPart(facts.arrays))
  if (facts.strings.count > 0) Object.assign(schema, stringPart(facts))
  return schema
}

/** Type names in a fixed order, 'null' last. */
function typesOf(facts: Facts): string[] {
  const types: string[] = []
  if (facts.objects) types.push('object')
  if (facts.arrays) types.push('array')
  if (facts.strings.count > 0) types.push('string')
  if (facts.fractions > 0) types.push('number')
  else if (facts.integers > 0) types.push('integer')
  if (facts.booleans > 0) types.push('boolean')
  if (facts.nulls > 0) types.push('null')
  return types
}

function objectPart(facts: ObjectFacts): JsonSchema {
  if (facts.members.size === 0) return {}
  const map = mapForm(facts)
  if (map) return mapPart(facts, map)
  const properties: JsonSchema = {}
  const required: string[] = []
  for (const [key, member] of facts.members) {
    define(properties, key, schemaOf(member.facts))
    if (member.present === facts.count) required.push(key)
  }
  return { properties, ...(required.length > 0 && { required }) }
}

function mapPart(facts: ObjectFacts, { pattern }: MapForm): JsonSchema {
  const values = emptyFacts()
  for (const member of facts.members.values()) merge(values, member.facts)
  return {
    ...(pattern && { propertyNames: { pattern } }),
    additionalProperties: schemaOf(values),
  }
}

function arrayPart(facts: ArrayFacts): JsonSchema {
  if (facts.items.count === 0) return {}
  if (facts.positions && isTuple(facts, facts.positions)) {
    const { length } = facts.positions
    return { prefixItems: facts.positions.map(schemaOf), minItems: length, maxItems: length }
  }
  return { items: schemaOf(facts.items) }
}

/** Positions that agree with themselves and not with each other: `["lat", 52.5]`. */
function isTuple(facts: ArrayFacts, positions: Facts[]): boolean {
  if (facts.count < TUPLE_EVIDENCE_MIN) return false
  const types = positions.map((position) => typesOf(position))
  return types.every((t) => t.length === 1) && new Set(types.map((t) => t[0])).size > 1
}

function stringPart(facts: Facts): JsonSchema {
  const { strings } = facts
  const format = strings.formats[0]
  if (format) return { format }
  const only = strings.count === facts.count
  if (!only || !strings.values || strings.count < ENUM_EVIDENCE_MIN) return {}
  const entries = [...strings.values]
  const few = entries.length * entries.length <= strings.count
  const repeated = entries.every(([value, count]) => count >= 2 && value.length <= ENUM_LENGTH_MAX)
  return few && repeated ? { enum: entries.map(([value]) => value) } : {}
}
