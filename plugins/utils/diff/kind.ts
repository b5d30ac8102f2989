/**
 * What a document is: an OpenAPI description, a JSON Schema, or neither. A document of another kind
 * must not be compared: nothing in it would be understood, and nothing found would read as safe.
 */
import type { Family } from './document.ts'
import { isMap, type JsonMap } from './pointer.ts'

export type Kind =
  | { ok: true; family: Family }
  /** `name`: what it seems to be, to follow "is". */
  | { ok: false; name: string }

/** Descriptions that name themselves by their first key. */
const SELF_NAMED: readonly [key: string, name: string][] = [
  ['asyncapi', 'an AsyncAPI document'],
  ['openrpc', 'an OpenRPC document'],
  ['arazzo', 'an Arazzo document'],
  ['overlay', 'an OpenAPI overlay'],
  ['swaggerVersion', 'a Swagger 1 document'],
  ['graphql', 'a GraphQL document'],
  ['smithy', 'a Smithy model'],
  ['raml', 'a RAML document'],
  ['__schema', 'a GraphQL introspection result'],
  ['optionalProperties', 'a JSON Type Definition'],
]

const TYPES = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
  // Draft 3, and what OpenAPI 2 has for files.
  'any',
  'file',
])

const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isMap(value)
const isSchemas = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isSchema)
/** Comments stand among them in many a schema. */
const isSchemaMap = (value: unknown): boolean =>
  isMap(value) && (Object.keys(value).length === 0 || Object.values(value).some(isSchema))
const isSchemaOrNames = (value: unknown): boolean =>
  isMap(value) && Object.values(value).every((one) => isSchema(one) || Array.isArray(one))
const isType = (value: unknown): boolean =>
  typeof value === 'string'
    ? TYPES.has(value)
    : Array.isArray(value) && value.length > 0 && value.every((one) => isSchema(one) || isType(one))
const isNumber = (value: unknown): boolean => typeof value === 'number'
const isString = (value: unknown): boolean => typeof value === 'string'
const isAny = (): boolean => true

/** Keywords that a schema is known by, each with the form that its value must have. */
const TELLING: Readonly<Record<string, (value: unknown) => boolean>> = {
  $schema: isString,
  $ref: isString,
  $dynamicRef: isString,
  $recursiveRef: isString,
  $defs: isSchemaMap,
  definitions: isSchemaMap,
  type: isType,
  properties: isSchemaMap,
  patternProperties: isSchemaMap,
  dependentSchemas: isSchemaMap,
  dependencies: isSchemaOrNames,
  dependentRequired: isMap,
  additionalProperties: isSchema,
  unevaluatedProperties: isSchema,
  unevaluatedItems: isSchema,
  propertyNames: isSchema,
  additionalItems: isSchema,
  prefixItems: isSchemas,
  contains: isSchema,
  allOf: isSchemas,
  anyOf: isSchemas,
  oneOf: isSchemas,
  not: isSchema,
  enum: Array.isArray,
  const: isAny,
}

const isItems = (value: unknown): boolean =>
  isSchema(value) || (Array.isArray(value) && value.every(isSchema))

/** Keywords that other documents have as well: they tell only where nothing else stands beside. */
const COMMON: Readonly<Record<string, (value: unknown) => boolean>> = {
  items: isItems,
  required: (value) => typeof value === 'boolean' || Array.isArray(value),
  if: isSchema,
  minLength: isNumber,
  maxLength: isNumber,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: (value) => typeof value === 'boolean' || isNumber(value),
  exclusiveMaximum: (value) => typeof value === 'boolean' || isNumber(value),
  multipleOf: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  minContains: isNumber,
  maxContains: isNumber,
  minProperties: isNumber,
  maxProperties: isNumber,
  uniqueItems: (value) => typeof value === 'boolean',
  pattern: isString,
  format: isString,
  contentMediaType: isString,
  contentEncoding: isString,
  contentSchema: isSchema,
}
/** Keywords that say nothing alone. */
const ANNOTATIONS = new Set([
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$vocabulary',
  '$comment',
  'then',
  'else',
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  'nullable',
  'discriminator',
  'xml',
  'externalDocs',
])

/** Says what `value` is, the root of a document. */
export function kindOf(value: JsonMap | boolean): Kind {
  if (!isMap(value)) return { ok: true, family: 'json-schema' }
  if (typeof value.openapi === 'string' || typeof value.openapi === 'number')
    return /^3(?:\.|$)/.test(String(value.openapi))
      ? { ok: true, family: 'openapi' }
      : { ok: false, name: `OpenAPI ${String(value.openapi).slice(0, 20)}` }
  if (value.swagger !== undefined)
    return /^2(?:\.|$)/.test(String(value.swagger))
      ? { ok: true, family: 'openapi' }
      : { ok: false, name: `Swagger ${String(value.swagger).slice(0, 20)}` }
  const named = SELF_NAMED.find(([key]) => key in value)
  if (named) return { ok: false, name: named[1] }
  const mayBeOpenApi = value.$schema === undefined && value.type === undefined
  if (mayBeOpenApi && isMap(value.paths) && hasRoutes(value.paths))
    return { ok: true, family: 'openapi' }
  return looksLikeSchema(value)
    ? { ok: true, family: 'json-schema' }
    : { ok: false, name: otherName(value) }
}

const hasRoutes = (paths: JsonMap): boolean =>
  Object.keys(paths).every((path) => path.startsWith('/') || path.startsWith('x-'))

function looksLikeSchema(value: JsonMap): boolean {
  if (typeof value.$schema === 'string' && value.$schema.includes('json-schema.org')) return true
  const keys = Object.keys(value)
  // What has a keyword in a form that no schema has is something else.
  if (keys.some((key) => TELLING[key]?.(value[key]) === false)) return false
  if ('items' in value && !isItems(value.items)) return false
  if (keys.some((key) => Object.hasOwn(TELLING, key))) return true
  const isVocabulary = (key: string): boolean =>
    COMMON[key]?.(value[key]) ?? (ANNOTATIONS.has(key) || key.startsWith('x-'))
  if (!keys.every(isVocabulary)) return false
  // A record with a title and a description is no schema; the empty one accepts everything.
  return keys.length === 0 || keys.some((key) => key in COMMON || key.startsWith('$'))
}

const OTHER_NAME = 'neither an OpenAPI document nor a JSON Schema'

function otherName(value: JsonMap): string {
  if (isMap(value.info) && (Array.isArray(value.item) || '_postman_id' in value.info))
    return 'a Postman collection'
  if (isMap(value.data) && '__schema' in value.data) return 'a GraphQL introspection result'
  const isAvro =
    /^(?:record|enum|fixed|map|error)$/.test(String(value.type)) &&
    ['fields', 'symbols', 'size', 'values'].some((key) => key in value)
  return isAvro ? 'an Avro schema' : OTHER_NAME
}
