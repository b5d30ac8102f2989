/** Walks a JSON Schema: what stands in it that is a schema itself. */
import { isObject } from './json.ts'

/** Keywords whose members are schemas. */
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']
/** Keywords that hold a schema or a list of them. */
const HOLDERS = [
  'items',
  'prefixItems',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'contentSchema',
  'not',
  'if',
  'then',
  'else',
  'allOf',
  'anyOf',
  'oneOf',
]

/** The types of JSON Schema; `compileSchema` passes over any other, which would accept everything. */
export const SCHEMA_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

export interface SchemaPart {
  part: Record<string, unknown>
  /** Names and indexes that lead to it. */
  at: readonly (string | number)[]
}

/** The schema at `at` and every schema in it; nothing for what is no object. */
export function schemaParts(schema: unknown, at: SchemaPart['at'] = []): SchemaPart[] {
  if (!isObject(schema)) return []
  const members = MAPS.flatMap((keyword) => {
    const map = schema[keyword]
    if (!isObject(map)) return []
    return Object.entries(map).flatMap(([name, one]) => schemaParts(one, [...at, keyword, name]))
  })
  const held = HOLDERS.flatMap((keyword) => {
    const value = schema[keyword]
    if (!Array.isArray(value)) return schemaParts(value, [...at, keyword])
    return value.flatMap((one, index) => schemaParts(one, [...at, keyword, index]))
  })
  return [{ part: schema, at }, ...members, ...held]
}
