/** Changes of schemas as their authors make them: some break, some widen, some only read otherwise. */
import { isMap, join, type JsonMap } from '../../../../../../plugins/utils/diff/pointer.ts'
import type { Random } from './random.ts'
import { without } from './samples.ts'

interface Spot {
  schema: JsonMap
  pointer: string
  replace: (value: unknown) => void
}
export interface Mutated {
  schema: unknown
  /** Where it was changed. */
  pointer: string
  /** Name of the kind of change. */
  kind: string
}

const NAMED = ['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas']
const SINGLE = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames']
const LISTED = ['allOf', 'anyOf', 'oneOf', 'prefixItems']

function spotsOf(schema: unknown, pointer: string, replace: Spot['replace']): Spot[] {
  if (!isMap(schema)) return []
  const found: Spot[] = [{ schema, pointer, replace }]
  const inside = (holder: JsonMap, key: string, path: string) =>
    found.push(...spotsOf(holder[key], path, (value) => (holder[key] = value)))
  for (const key of Object.keys(schema)) {
    const held = schema[key]
    if (NAMED.includes(key) && isMap(held))
      for (const name of Object.keys(held)) inside(held, name, join(pointer, key, name))
    if (SINGLE.includes(key) && isMap(held)) inside(schema, key, join(pointer, key))
    if (LISTED.includes(key) && Array.isArray(held))
      held.forEach((_, at) => inside(held as never, String(at), join(pointer, key, at)))
  }
  return found
}

type Change = (schema: JsonMap, random: Random, piece: unknown) => unknown

const BOUNDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: ['minimum', 'maximum', 'multipleOf'],
  array: ['minItems', 'maxItems'],
  object: ['minProperties', 'maxProperties'],
}
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']

const typesOf = ({ type }: JsonMap): string[] =>
  typeof type === 'string' ? [type] : Array.isArray(type) ? (type as string[]) : []

/** undefined: the change does not apply here. */
const CHANGES: Readonly<Record<string, Change>> = {
  bound: (schema, random) => {
    const key = random.pick(typesOf(schema).flatMap((type) => BOUNDS[type] ?? []))
    if (!key) return undefined
    const old = schema[key]
    if (typeof old === 'number' && random.chance(0.3)) return without(schema, key)
    const value = typeof old === 'number' ? old + random.pick([-1, 1, 2]) : random.index(4)
    return value < 0 || (key === 'multipleOf' && value < 1)
      ? undefined
      : { ...schema, [key]: value }
  },
  type: (schema, random) => {
    const types = typesOf(schema)
    const added = random.pick(TYPES)
    if (types.length === 0) return { ...schema, type: added }
    if (types.includes(added) && types.length > 1)
      return { ...schema, type: types.filter((type) => type !== added) }
    return types.includes(added)
      ? without(schema, 'type')
      : { ...schema, type: random.chance(0.5) ? added : [...types, added] }
  },
  enum: (schema, random) => {
    const list = schema.enum
    if (!Array.isArray(list)) return undefined
    if (random.chance(0.3)) return without(schema, 'enum')
    if (random.chance(0.5)) return { ...schema, enum: [...list, random.pick(['added', 7, null])] }
    return list.length > 1
      ? { ...schema, enum: list.filter((_, at) => at !== list.length - 1) }
      : undefined
  },
  restrict: (schema, random) =>
    typesOf(schema).includes('string') && !schema.enum
      ? { ...schema, enum: ['', 'x', 'name'].slice(random.index(2)) }
      : undefined,
  required: (schema, random) => {
    if (!isMap(schema.properties)) return undefined
    const required = Array.isArray(schema.required) ? (schema.required as string[]) : []
    const name = random.pick(Object.keys(schema.properties))
    if (name === undefined) return undefined
    const rest = required.includes(name)
      ? required.filter((one) => one !== name)
      : [...required, name]
    return rest.length > 0 ? { ...schema, required: rest } : without(schema, 'required')
  },
  addProperty: (schema, random, piece) =>
    isMap(schema.properties)
      ? {
          ...schema,
          properties: { ...schema.properties, [random.pick(['extra', 'a', 'b'])]: piece },
        }
      : undefined,
  removeProperty: (schema, random) => {
    if (!isMap(schema.properties)) return undefined
    const name = random.pick(Object.keys(schema.properties))
    return name === undefined
      ? undefined
      : { ...schema, properties: without(schema.properties, name) }
  },
  additional: (schema, random, piece) => {
    if (!typesOf(schema).includes('object')) return undefined
    const value = random.pick([true, false, piece, undefined])
    return value === undefined
      ? without(schema, 'additionalProperties')
      : { ...schema, additionalProperties: value }
  },
  pattern: (schema, random) => {
    if (!typesOf(schema).includes('string')) return undefined
    const pattern = random.pick(['^x', '^[a-z]+$', '^.{1,3}$', undefined])
    return pattern === undefined ? without(schema, 'pattern') : { ...schema, pattern }
  },
  alternative: (schema, random, piece) => {
    const keyword = random.pick(['anyOf', 'oneOf'])
    const list = schema[keyword]
    if (!Array.isArray(list)) return schema.$ref ? undefined : { [keyword]: [schema, piece] }
    return random.chance(0.5) || list.length < 2
      ? { ...schema, [keyword]: [...list, piece] }
      : { ...schema, [keyword]: list.slice(1) }
  },
  demand: (schema, _random, piece) => ({ allOf: [schema, piece] }),
  denial: (schema, random, piece) => {
    if (schema.not) return without(schema, 'not')
    return schema.$ref ? undefined : { ...schema, not: random.chance(0.5) ? piece : { const: 'x' } }
  },
  unique: (schema) =>
    typesOf(schema).includes('array')
      ? schema.uniqueItems
        ? without(schema, 'uniqueItems')
        : { ...schema, uniqueItems: true }
      : undefined,
  keyword: (schema, random) => {
    const key = random.pick(
      Object.keys(schema).filter((one) => !/^(?:\$|definitions|format|id$)/.test(one)),
    )
    return key === undefined ? undefined : without(schema, key)
  },
  // These read otherwise and mean the same.
  typesAsAlternatives: (schema) => {
    const types = typesOf(schema)
    return types.length > 1 && !schema.anyOf
      ? { ...without(schema, 'type'), anyOf: types.map((type) => ({ type })) }
      : undefined
  },
  wrapped: (schema, random) => ({ [random.pick(['allOf', 'anyOf', 'oneOf'])]: [schema] }),
  twice: (schema) => ({ anyOf: [schema, structuredClone(schema)] }),
  splitByType: (schema) => {
    const types = typesOf(schema)
    return types.length > 1
      ? {
          oneOf: types
            .filter((type) => type !== 'integer' || !types.includes('number'))
            .map((type) => ({ ...schema, type })),
        }
      : undefined
  },
  splitByLength: (schema, random) => {
    const [type, other] = typesOf(schema)
    const least = type === 'string' ? 'minLength' : type === 'array' ? 'minItems' : null
    if (
      !least ||
      other ||
      schema[least] !== undefined ||
      schema[least.replace('min', 'max')] !== undefined
    )
      return undefined
    const at = 1 + random.index(3)
    return {
      oneOf: [
        { ...schema, [least.replace('min', 'max')]: at - 1 },
        { ...schema, [least]: at },
      ],
    }
  },
  valuesAsAlternatives: (schema) =>
    Array.isArray(schema.enum) &&
    new Set(schema.enum).size === schema.enum.length &&
    schema.enum.length < 12
      ? {
          ...without(schema, 'enum'),
          oneOf: schema.enum.map((value: unknown) => ({ const: value })),
        }
      : undefined,
  deniedTwice: (schema) => (schema.$ref ? undefined : { not: { not: schema } }),
}

/** `schema` with one place changed, `piece` being a schema to add; null where no change was found. */
export function mutated(schema: unknown, piece: unknown, random: Random): Mutated | null {
  const box = { schema: structuredClone(schema) }
  const spots = spotsOf(box.schema, '', (value) => (box.schema = value))
  if (spots.length === 0) return null
  for (let tries = 0; tries < 12; tries++) {
    const spot = random.pick(spots)
    const kind = random.pick(Object.keys(CHANGES))
    const isRoot = spot.pointer === ''
    const { $schema, $defs, definitions, ...own } = spot.schema
    const now = CHANGES[kind]!(isRoot ? own : spot.schema, random, structuredClone(piece))
    if (now === undefined) continue
    const kept = Object.entries({ $schema, $defs, definitions }).filter(
      ([, value]) => value !== undefined,
    )
    spot.replace(isRoot ? { ...Object.fromEntries(kept), ...(now as JsonMap) } : now)
    return { schema: box.schema, pointer: spot.pointer, kind }
  }
  return null
}
