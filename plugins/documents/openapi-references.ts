/**
 * References within the schema of a skill count from its own root; in the OpenAPI document they count
 * from the root of the document. Each part that is referred to is therefore a component there.
 */
import { isObject } from '#kernel'
import type { TSchema } from 'typebox'
import { pointerKeys, pointerOfFragment } from '../shared/json-pointer.ts'
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

/**
 * The schema itself if it refers to nothing of its own; else a copy whose references lead to parts of
 * it that were added to `components` under names that begin with `name`.
 */
export function placedSchema(schema: TSchema, name: string, components: Json): TSchema {
  // An `$id` is a root of its own.
  if ((schema as Json)['$id'] !== undefined) return schema
  const names = new Map<string, string>()
  const nameOf = (pointer: string): string | null => {
    const known = names.get(pointer)
    if (known !== undefined) return known
    const tokens = pointerKeys(pointerOfFragment(pointer))
    const part = tokens.reduce<unknown>(
      (found, token) =>
        isObject(found) || Array.isArray(found) ? Reflect.get(found, token) : null,
      schema,
    )
    if (!isObject(part) && typeof part !== 'boolean') return null
    let made = [name, ...tokens.map((token) => token.replaceAll(/[^\w-]/g, ''))].join('.')
    while (Object.hasOwn(components, made)) made += '_'
    names.set(pointer, made)
    // Before its own parts, which may refer to it.
    components[made] = part
    components[made] = moved(part)
    return made
  }
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(movedKeyword))
  }
  const movedKeyword = ([keyword, inner]: [string, unknown]): [string, unknown] => {
    if (VALUES.has(keyword)) return [keyword, inner]
    if (MAPS.has(keyword) && isObject(inner)) {
      const members = Object.entries(inner).map(([member, one]) => [member, moved(one)])
      return [keyword, Object.fromEntries(members)]
    }
    if (keyword !== '$ref' || typeof inner !== 'string' || !/^#(?:\/|$)/.test(inner))
      return [keyword, moved(inner)]
    const component = nameOf(inner.slice(1))
    return [keyword, component === null ? inner : `#/components/schemas/${component}`]
  }
  const copy = moved(schema) as TSchema
  return names.size === 0 ? schema : copy
}
