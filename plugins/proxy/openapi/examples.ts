/**
 * Example inputs of an imported skill, out of what its document says: examples, defaults, values to
 * choose from. What must be there and is said nowhere has its name or its least value.
 */
import { compileSchema, isObject } from '#kernel'
import { isFile } from '../../shared/documents/request-places.ts'
import { asList, type Json } from './terms.ts'

/** Longer ones are left to the document. */
const EXAMPLE_CHARS = 2000
/** Objects and lists in each other; members below have what the document says of them as a whole. */
const LEVELS = 6
/** Of the alternatives of a body. */
const ALTERNATIVES_TRIED = 8

/** Which members an example has: all that have an example of their own, or those that must be there. */
type Extent = 'shown' | 'needed' | 'made'

/** What a document shows of an input beside its schemas. */
export interface Shown {
  members: Json
  /** Members that one example has or leaves out together, as that of a body does. */
  together: readonly string[]
}

/** The first of a fuller and a shorter example that the input takes; null where it takes none, or needs none. */
export function exampleInput(input: Json, { members, together }: Shown): Json | null {
  const fullest = membersOf(input, 'shown', LEVELS)
  const others = Object.entries(fullest).filter(([name]) => !together.includes(name))
  const found = firstFit(input, [
    { ...Object.fromEntries(others), ...members },
    fullest,
    membersOf(input, 'needed', LEVELS),
    membersOf(input, 'made', LEVELS),
  ])
  return isObject(found) && Object.keys(found).length > 0 ? found : null
}

/** An example of a body that is one value; undefined where none fits. */
export function exampleBody(schema: Json, shown: unknown): unknown {
  if (shown === undefined && Object.keys(schema).length === 0) return undefined
  return firstFit(schema, [
    ...(shown === undefined ? [] : [shown]),
    ...(['shown', 'needed', 'made'] as const).flatMap((extent) =>
      alternativesOf(schema).map((one) => valueOf(one, 'value', extent, LEVELS)),
    ),
  ])
}

/** The schema with one of its alternatives each: an example of the first may fit a second one, too. */
function alternativesOf(schema: Json): Json[] {
  const keyword = Array.isArray(schema['oneOf']) ? 'oneOf' : 'anyOf'
  const alternatives = asList(schema[keyword]).slice(0, ALTERNATIVES_TRIED)
  return alternatives.length === 0
    ? [schema]
    : alternatives.map((one) => ({ ...schema, [keyword]: [one] }))
}

/** The example that a parameter or a body has beside its schema, or else in it; undefined for none. */
export function exampleShown(said: Json, schema: Json): unknown {
  if (said['example'] !== undefined) return said['example']
  const [first] = isObject(said['examples']) ? Object.values(said['examples']) : []
  const beside = isObject(first) ? first['value'] : undefined
  return beside ?? shownBy(schema)
}

function firstFit(schema: Json, values: readonly unknown[]): unknown {
  try {
    const compiled = compileSchema(schema)
    return values.find(
      (value) => JSON.stringify(value).length <= EXAMPLE_CHARS && compiled.check(value),
    )
  } catch {
    // A schema that does not compile is the product's problem, which names it.
    return undefined
  }
}

function valueOf(schema: unknown, name: string, extent: Extent, levels: number): unknown {
  if (!isObject(schema)) return name
  const own = shownBy(schema)
  if (extent !== 'made' && own !== undefined) return own
  const said = [schema['const'], schema['default'], firstOf(schema['enum'])]
  const value = said.find((one) => one !== undefined && one !== null)
  if (value !== undefined) return value
  const choice = firstOf(schema['oneOf']) ?? firstOf(schema['anyOf'])
  const parts = Array.isArray(schema['allOf']) ? schema['allOf'] : []
  const whole = [...parts, choice].filter(isObject)
  if (whole.length > 0) return combined(schema, whole, name, extent, levels)
  return madeOf(schema, name, extent, levels)
}

/** An object of what each part has; the value of the first part where they are no objects. */
function combined(
  schema: Json,
  parts: readonly Json[],
  name: string,
  extent: Extent,
  levels: number,
): unknown {
  const values = parts.map((part) => valueOf(part, name, extent, levels))
  const objects = values.filter(isObject)
  if (objects.length === 0) return values[0]
  const own = isObject(schema['properties']) ? membersOf(schema, extent, levels) : {}
  return Object.assign({}, ...objects, own)
}

function madeOf(schema: Json, name: string, extent: Extent, levels: number): unknown {
  const { type, minLength, format } = schema
  const types = Array.isArray(type) ? type : [type]
  if (types.includes('object') || isObject(schema['properties']))
    return levels > 0 ? membersOf(schema, extent, levels) : {}
  if (types.includes('array')) return levels > 0 ? listOf(schema, name, extent, levels) : []
  if (types.includes('integer') || types.includes('number')) return numberOf(schema)
  if (types.includes('boolean')) return true
  const text = isFile(schema) ? FILE : (OF_FORMAT[String(format)] ?? name)
  return text.padEnd(Number(minLength) || 0, '.')
}

/** As many as must be there, within reason; of a tuple all. */
function listOf(
  { minItems, prefixItems, items }: Json,
  name: string,
  extent: Extent,
  levels: number,
): unknown[] {
  const places: unknown[] = Array.isArray(prefixItems) ? prefixItems : []
  const shown = extent === 'shown' ? 1 : 0
  const count = Math.max(shown, places.length, Math.min(Number(minItems) || 0, ITEMS_MAX))
  return Array.from({ length: count }, (_, at) =>
    valueOf(places[at] ?? items, name, extent, levels - 1),
  )
}
const ITEMS_MAX = 20

/** The least that is allowed, or 1. OpenAPI 3.0 says with a boolean that a bound is left out itself. */
function numberOf({ minimum, exclusiveMinimum, maximum }: Json): number {
  if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + 1
  if (typeof minimum === 'number') return exclusiveMinimum === true ? minimum + 1 : minimum
  return typeof maximum === 'number' ? Math.min(1, maximum) : 1
}

function membersOf(schema: Json, extent: Extent, levels: number): Json {
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const all = Object.entries((schema['properties'] as Json | undefined) ?? {})
  const taken = all.filter(
    ([name, member]) =>
      required.includes(name) ||
      (extent === 'shown' && isObject(member) && shownBy(member) !== undefined),
  )
  return Object.fromEntries(
    taken.map(([name, member]) => [name, valueOf(member, name, extent, levels - 1)]),
  )
}

function shownBy({ example, examples }: Json): unknown {
  const shown = example ?? firstOf(examples)
  return shown === null ? undefined : shown
}

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined)

/** 'example' in base64. */
const FILE = 'ZXhhbXBsZQ=='

const OF_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'ann@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
}
