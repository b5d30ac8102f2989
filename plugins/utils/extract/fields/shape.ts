/** What a caller's schema asks for: JSON Schema, or the short form {"price": "number"}. */
import { pointerOfFragment, valueAt } from '../../../shared/json-pointer.ts'
import { isObject, type JsonObject } from '../harvest/json-ld.ts'

export type ShapeType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'any'

export interface Shape {
  type: ShapeType
  format: string | null
  enum: readonly unknown[]
  /** Of an object, in the schema's order. */
  properties: readonly { name: string; shape: Shape; hint: string }[]
  /** Of an array. */
  items: Shape | null
  maxItems: number
}

const DEPTH_MAX = 8
const PROPERTIES_MAX = 300
const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean'])
const SHORT: Readonly<Record<string, ShapeType>> = {
  str: 'string',
  text: 'string',
  url: 'string',
  date: 'string',
  datetime: 'string',
  float: 'number',
  int: 'integer',
  bool: 'boolean',
  list: 'array',
}

const ANY: Shape = {
  type: 'any',
  format: null,
  enum: [],
  properties: [],
  items: null,
  maxItems: Infinity,
}

function pointed(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return null
  return valueAt(root, pointerOfFragment(reference.slice(1)))
}

class Reader {
  readonly #root: unknown
  #left = PROPERTIES_MAX

  constructor(root: unknown) {
    this.#root = root
  }

  read(schema: unknown, depth: number): Shape {
    if (depth > DEPTH_MAX) return ANY
    if (typeof schema === 'string') return this.#short(schema)
    if (Array.isArray(schema))
      return { ...ANY, type: 'array', items: this.read(schema[0] ?? 'string', depth + 1) }
    if (!isObject(schema)) return ANY
    if (typeof schema.$ref === 'string')
      return this.read(pointed(this.#root, schema.$ref), depth + 1)
    const all = Array.isArray(schema.allOf) ? schema.allOf.filter(isObject) : []
    if (all.length > 0) {
      const joined = [
        schema,
        ...all
          .map((one) => (typeof one.$ref === 'string' ? pointed(this.#root, one.$ref) : one))
          .filter(isObject),
      ]
      const properties = Object.assign(
        {},
        ...joined.map((one) => one.properties).filter(isObject),
      ) as JsonObject
      return this.read({ ...Object.assign({}, ...joined), allOf: undefined, properties }, depth + 1)
    }
    for (const branch of [schema.anyOf, schema.oneOf]) {
      const first =
        Array.isArray(branch) && branch.find((one) => !isObject(one) || one.type !== 'null')
      if (first)
        return this.read(
          isObject(first) ? { ...schema, anyOf: undefined, oneOf: undefined, ...first } : first,
          depth + 1,
        )
    }
    const type = this.#typeOf(schema)
    const format = typeof schema.format === 'string' ? schema.format : null
    const values = Array.isArray(schema.enum)
      ? schema.enum
      : 'const' in schema
        ? [schema.const]
        : []
    const max = typeof schema.maxItems === 'number' ? Math.max(0, schema.maxItems) : Infinity
    return {
      type,
      format,
      enum: values.filter((one) => one !== null),
      properties: type === 'object' ? this.#properties(schema, depth) : [],
      items:
        type === 'array'
          ? this.read(
              Array.isArray(schema.items) ? (schema.items[0] ?? {}) : (schema.items ?? {}),
              depth + 1,
            )
          : null,
      maxItems: max,
    }
  }

  #properties(schema: JsonObject, depth: number): Shape['properties'] {
    const given = isObject(schema.properties) ? schema.properties : schema
    const isShorthand = given === schema
    const properties: { name: string; shape: Shape; hint: string }[] = []
    for (const [name, one] of Object.entries(given)) {
      if (isShorthand && (name.startsWith('$') || (KEYWORD.test(name) && !isShort(schema))))
        continue
      if ((this.#left -= 1) < 0) break
      const hint = isObject(one) && typeof one.description === 'string' ? one.description : ''
      properties.push({ name, shape: this.read(one, depth + 1), hint })
    }
    return properties
  }

  #typeOf(schema: JsonObject): ShapeType {
    const given = Array.isArray(schema.type)
      ? schema.type.find((one) => one !== 'null')
      : schema.type
    if (typeof given === 'string' && TYPES.has(given) && !isShort(schema)) return given as ShapeType
    if (isObject(schema.properties)) return 'object'
    if (schema.items !== undefined && !isShort(schema)) return 'array'
    if (Array.isArray(schema.enum)) return typeof schema.enum[0] === 'number' ? 'number' : 'string'
    if (typeof schema.format === 'string' && Object.keys(schema).length < 4) return 'string'
    return isShort(schema) ? 'object' : 'any'
  }

  #short(text: string): Shape {
    const name = text.toLowerCase().replaceAll(/[?\s]/g, '')
    const list = /^(?:array<(.+)>|(.+)\[\])$/.exec(name)
    if (list) return { ...ANY, type: 'array', items: this.#short((list[1] ?? list[2])!) }
    const type = TYPES.has(name) ? (name as ShapeType) : (SHORT[name] ?? 'string')
    return {
      ...ANY,
      type,
      format: name === 'date' ? 'date' : name === 'url' ? 'uri' : null,
      items: type === 'array' ? ANY : null,
    }
  }
}

const KEYWORD =
  /^(?:type|format|items|required|additionalProperties|title|description|min\w*|max\w*|pattern|default|examples?|nullable|uniqueItems|x-.*|const|multipleOf|exclusive\w*|\$\w+|definitions)$/

function isTypeWord(value: unknown): boolean {
  if (typeof value !== 'string') return false
  const word = value.toLowerCase().replaceAll(/[?\s]|\[\]/g, '')
  return TYPES.has(word) || word in SHORT || word.startsWith('array<')
}

/** Whether an object is the short form: no keyword of JSON Schema describes it. */
function isShort(schema: JsonObject): boolean {
  if (
    isObject(schema.properties) ||
    schema.$ref ||
    schema.anyOf ||
    schema.oneOf ||
    schema.allOf ||
    schema.enum
  )
    return false
  const keys = Object.keys(schema).filter((key) => !key.startsWith('$') && key !== 'definitions')
  const type = schema.type
  if (typeof type === 'string' && (TYPES.has(type) || type === 'null'))
    return keys.some((key) => !KEYWORD.test(key))
  if (Array.isArray(type)) return false
  return (
    keys.length > 0 &&
    keys.every(
      (key) => isTypeWord(schema[key]) || isObject(schema[key]) || Array.isArray(schema[key]),
    )
  )
}

/** The shape of a schema; unknown parts are 'any'. */
export function shapeOf(schema: unknown): Shape {
  return new Reader(schema).read(schema, 0)
}
