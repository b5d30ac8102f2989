/**
 * References within the schema of a skill count from its own root; in the OpenAPI document they count
 * from the root of the document. A schema that has some is therefore also placed among the components,
 * and its references lead there.
 */
import { isObject } from '#kernel'
import type { TSchema } from 'typebox'
import type { Json } from './openapi-parts.ts'

/** Keywords whose members are schemas under names of the author. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
])
/** Keywords that hold values and no schemas. */
const VALUES = new Set(['const', 'enum', 'default', 'example', 'examples'])

/** The schema itself if it refers to nothing of its own; else a copy, placed in `shared` as `name`. */
export function placedSchema(schema: TSchema, name: string, shared: Json): TSchema {
  // An `$id` is a root of its own.
  if ((schema as Json)['$id'] !== undefined) return schema
  let hasReferences = false
  const root = `#/components/schemas/${name}`
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([keyword, inner]) => {
        if (VALUES.has(keyword)) return [keyword, inner]
        if (MAPS.has(keyword) && isObject(inner))
          return [keyword, Object.fromEntries(Object.entries(inner).map(movedMember))]
        if (keyword !== '$ref' || typeof inner !== 'string' || !/^#(?:\/|$)/.test(inner))
          return [keyword, moved(inner)]
        hasReferences = true
        return [keyword, root + inner.slice(1)]
      }),
    )
  }
  const movedMember = ([member, inner]: [string, unknown]): [string, unknown] => [
    member,
    moved(inner),
  ]
  const copy = moved(schema) as TSchema
  if (!hasReferences) return schema
  shared[name] = copy
  return copy
}
