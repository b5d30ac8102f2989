/** Reads the keywords of one schema object, without following references, into its shape. */
import type { Document, Place } from '../document.ts'
import { equal, isMap, type JsonMap, stringsOf } from '../pointer.ts'
import { readContains } from './contains.ts'
import { readConditional } from './logic.ts'
import { PARTS } from './parts.ts'
import type { Shape } from './shape.ts'
import { listedTypes } from './type-list.ts'

const BOUND_KEYWORDS = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const
/** `shape` with what the keywords of `raw` say; allOf, anyOf, oneOf and $ref are left out. */
export function readKeywords(shape: Shape, raw: JsonMap, place: Place, document: Document): Shape {
  readTypes(shape, raw, document)
  readValues(shape, raw, document)
  readBounds(shape, raw)
  readObject(shape, raw, place, document)
  readArray(shape, raw, place, document)
  readLogic(shape, raw, place, document)
  readAnnotations(shape, raw)
  return shape
}

function readTypes(shape: Shape, raw: JsonMap, document: Document): void {
  const types = typeof raw.type === 'string' ? [raw.type] : stringsOf(raw.type)
  if (types.length > 0 && !types.includes('any')) {
    // Swagger 2 has a type of its own for uploaded and downloaded files.
    const named = types.map((type) => (type === 'file' ? 'string' : type))
    Object.assign(shape, listedTypes(named, named.includes('null')))
  }
  const flag = document.version === '2.0' ? raw['x-nullable'] : raw.nullable
  if (flag === true && shape.types) shape.nullable = true
  if (typeof raw.format === 'string' && raw.format !== 'password') shape.format = raw.format
  if (types.includes('file')) shape.format = 'binary'
}

function readValues(shape: Shape, raw: JsonMap, document: Document): void {
  const constant = 'const' in raw && raw.const !== undefined
  const named = Array.isArray(raw.enum) ? raw.enum : null
  const listed = constant
    ? (named ?? [raw.const]).filter((value) => equal(value, raw.const))
    : named
  if (listed) readEnum(shape, listed, document)
  shape.isConst = constant && shape.enum !== undefined
  if (Array.isArray(raw['x-extensible-enum'])) shape.extensible = raw['x-extensible-enum']
  if (typeof raw.pattern === 'string') shape.patterns.push(raw.pattern)
  if (typeof raw.multipleOf === 'number' && raw.multipleOf > 0) shape.multipleOf = raw.multipleOf
  shape.content = { mediaType: raw.contentMediaType, encoding: raw.contentEncoding }
}

/** Named values say which types there are, and null among them is the nullable flag. */
function readEnum(shape: Shape, listed: unknown[], document: Document): void {
  const values = listed.filter((value) => value !== null)
  const hasNull = values.length < listed.length
  if (!shape.types) {
    shape.types = new Set(values.map(typeName))
    shape.nullable = hasNull
    shape.never = listed.length === 0
  } else if (listed.length === 0) {
    shape.never = true
  } else if (values.length === 0) {
    shape.types = new Set()
    shape.never = !shape.nullable
  } else if (!hasNull && (document.version === '3.1' || document.version === 'json-schema')) {
    // OpenAPI 3.0 documents say `nullable` beside an enum without null, and mean it.
    shape.nullable = false
  }
  if (values.length > 0) shape.enum = values
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'object' ? 'object' : typeof value
}

const isFinite = (value: unknown): value is number => Number.isFinite(value)

function readBounds(shape: Shape, raw: JsonMap): void {
  for (const keyword of BOUND_KEYWORDS) {
    const value = raw[keyword]
    // A lower bound of zero says nothing, and neither does YAML's infinity.
    if (isFinite(value) && !(keyword.startsWith('min') && value <= 0)) {
      shape.bounds[keyword] = value
    }
  }
  for (const [inclusive, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const bound = raw[inclusive]
    const strict = raw[exclusive]
    if (isFinite(bound)) shape.bounds[strict === true ? exclusive : inclusive] = bound
    if (isFinite(strict)) shape.bounds[exclusive] = strict
  }
}

function readObject(shape: Shape, raw: JsonMap, place: Place, document: Document): void {
  if (isMap(raw.properties)) {
    for (const name of Object.keys(raw.properties)) {
      shape.properties.set(name, document.child(place, 'properties', name))
    }
  }
  shape.required = new Set(stringsOf(raw.required))
  const additional = raw.additionalProperties
  if (typeof additional === 'boolean') shape.additional = additional
  else if (isMap(additional)) shape.additional = document.child(place, 'additionalProperties')
  if (isMap(raw.patternProperties)) {
    for (const pattern of Object.keys(raw.patternProperties)) {
      shape.patternProperties.set(pattern, document.child(place, 'patternProperties', pattern))
    }
  }
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies'] as const) {
    for (const [name, value] of Object.entries(isMap(raw[keyword]) ? raw[keyword] : {})) {
      if (Array.isArray(value)) shape.dependentRequired.set(name, stringsOf(value))
      else shape.dependentSchemas.set(name, document.child(place, keyword, name))
    }
  }
}

function readArray(shape: Shape, raw: JsonMap, place: Place, document: Document): void {
  shape.uniqueItems = raw.uniqueItems === true
  shape.contains = readContains(raw, place, document)
  const prefix = Array.isArray(raw.prefixItems)
    ? 'prefixItems'
    : Array.isArray(raw.items)
      ? 'items'
      : null
  if (prefix) {
    const length = (raw[prefix] as unknown[]).length
    for (let index = 0; index < length; index++) {
      shape.prefixItems.push(document.child(place, prefix, index))
    }
  }
  const rest = prefix === 'items' ? 'additionalItems' : 'items'
  if (isMap(raw[rest]) || typeof raw[rest] === 'boolean')
    shape.parts.set('items', document.child(place, rest))
}

function readLogic(shape: Shape, raw: JsonMap, place: Place, document: Document): void {
  for (const keyword of PARTS) {
    if (keyword === 'items') continue
    const value = raw[keyword]
    // `true` says nothing, except under `not`.
    const says = typeof value === 'boolean' && value === (keyword === 'not')
    if (isMap(value) || says) shape.parts.set(keyword, document.child(place, keyword))
  }
  shape.conditionals = readConditional(raw, place, document)
  if (typeof raw.discriminator === 'string') {
    shape.discriminator = { propertyName: raw.discriminator, mapping: {} }
  } else if (isMap(raw.discriminator)) {
    const { propertyName, mapping } = raw.discriminator
    shape.discriminator = { propertyName, mapping: isMap(mapping) ? mapping : {} }
  }
}

function readAnnotations(shape: Shape, raw: JsonMap): void {
  if ('default' in raw && raw.default !== undefined) shape.default = { value: raw.default }
  shape.deprecated = raw.deprecated === true
  shape.sunset = raw['x-sunset']
  shape.readOnly = raw.readOnly === true
  shape.writeOnly = raw.writeOnly === true
}
