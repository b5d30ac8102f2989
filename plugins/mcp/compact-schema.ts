/**
 * JSON Schemas in fewer tokens: agents pay for the list of tools in every session. The gateway
 * itself validates with the schemas as they were written.
 */
import { isObject, type Json } from './protocol.ts'

/** How typebox writes an object whose members may have any name. */
const ANY_NAME = '^.*$'

/** Keywords that refuse no null: what has only these can admit null by its type alone. */
const SILENT_ON_NULL: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'minProperties',
  'maxProperties',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
])

/** The same schema; a map is written by the one keyword for it that every model API reads. */
export function compactInput(schema: Json): Json {
  return within(asMap(schema), ['anyOf', 'oneOf', 'allOf'], compactInput, compactInput)
}

/** A schema that all values of `schema` fit; inner objects do not list which members they always have. */
export function compactOutput(schema: Json): Json {
  const short = asMap(withNull(schema))
  if (short['additionalProperties'] === true) delete short['additionalProperties']
  if (isObject(short['properties']) && Object.keys(short['properties']).length === 0)
    delete short['properties']
  if ('const' in short) delete short['type']
  // Under oneOf and not, a schema that takes more would refuse what the written one takes.
  return within(short, ['anyOf'], compactOutput, (one) => {
    const { required: _, ...rest } = compactOutput(one)
    return rest
  })
}

/** Shortens alternatives by `alternative`, members and items by `inner`. */
function within(
  schema: Json,
  lists: readonly string[],
  alternative: (schema: Json) => Json,
  inner: (schema: Json) => Json,
): Json {
  const shorten = (keyword: string, value: unknown): unknown => {
    if (keyword === 'properties' && isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, isObject(one) ? inner(one) : one]),
      )
    if ((keyword === 'items' || keyword === 'additionalProperties') && isObject(value))
      return inner(value)
    if (lists.includes(keyword) && Array.isArray(value))
      return value.map((one: unknown) => (isObject(one) ? alternative(one) : one))
    return value
  }
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, shorten(keyword, value)]),
  )
}

/** A schema for members of any name as `additionalProperties`; as nothing where they may be anything. */
function asMap(schema: Json): Json {
  const { patternProperties, ...rest } = schema
  if (!isObject(patternProperties) || 'additionalProperties' in rest || 'properties' in rest)
    return { ...schema }
  const [first, second] = Object.entries(patternProperties)
  if (first?.[0] !== ANY_NAME || second || !isObject(first[1])) return { ...schema }
  const isAnything = Object.keys(first[1]).length === 0
  return isAnything ? rest : { ...rest, additionalProperties: first[1] }
}

/** "S or null" as S whose type may also be null. */
function withNull(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [one, other]: unknown[] = anyOf
  if (!isObject(one) || !isObject(other)) return schema
  if (other['type'] !== 'null' || Object.keys(other).length > 1) return schema
  const isPlain =
    typeof one['type'] === 'string' && Object.keys(one).every((k) => SILENT_ON_NULL.has(k))
  const isFree = Object.keys(rest).every(
    (keyword) => keyword === 'description' || keyword === 'title',
  )
  return isPlain && isFree ? { ...one, ...rest, type: [one['type'], 'null'] } : schema
}
