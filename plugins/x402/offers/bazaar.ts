/**
 * The `bazaar` discovery extension (x402 v2 extensions/bazaar): how a facilitator's catalogue and
 * agents learn what to send. Made from the skill's own schema and example, in three sizes, because
 * clients echo it back in a header.
 */
import { compileSchema, isObject, type Quote } from '#kernel'
import {
  FORM_BODY,
  isJsonType,
  JSON_BODY,
  membersOf,
  MULTIPART_BODY,
} from '../../shared/documents/request-places.ts'
import { requestParts, without, type RequestPart } from './request-parts.ts'

type Json = Record<string, unknown>

/** 'full' has the whole schema and examples, 'brief' no prose and no output, 'bare' the shape only. */
export type Detail = 'full' | 'brief' | 'bare'

/** `{info, schema[, routeTemplate]}` of a quote; `info` always validates against `schema`. */
export function bazaarOf(quote: Quote, detail: Detail): Json {
  const output = detail === 'full' ? quote.example?.output : undefined
  const outputInfo = isObject(output) ? { output: { type: 'json', example: output } } : {}
  const outputSchema = isObject(output)
    ? {
        output: {
          type: 'object',
          properties: { type: { type: 'string' }, example: { type: 'object' } },
          required: ['type'],
        },
      }
    : {}
  const input = quote.transport === 'mcp' ? mcpInput(quote, detail) : httpInput(quote, detail)
  return {
    info: { input: input.info, ...outputInfo },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { input: input.schema, ...outputSchema },
      required: ['input'],
    },
    ...(quote.transport === 'http' &&
      quote.path.includes('{') && { routeTemplate: quote.path.replaceAll(/\{([^}]+)\}/g, ':$1') }),
  }
}

/** `additionalProperties` and the like stay out: facilitators add members of their own. */
function httpInput(quote: Quote, detail: Detail): { info: Json; schema: Json } {
  const { method } = quote
  const { path, query, headers, body } = requestParts(quote, inputOf(quote), quote.example?.input)
  const pathParams = path && toldPart(path, detail)
  const queryParams = query && toldPart(query, detail)
  const sent = body && toldPart(body, detail)
  const type = body && bazaarType(body.type)
  const own = headers && toldPart(headers, detail)
  // Else a form would be taken for multipart, and a file for text.
  const typeHeader = body && PLAIN_TYPES[type!] !== body.type && { 'content-type': body.type }
  return {
    info: {
      type: 'http',
      method,
      ...(pathParams && pathParams.isExample && { pathParams: pathParams.example }),
      ...(queryParams && { queryParams: queryParams.example }),
      ...(sent && { bodyType: type, body: sent.example }),
      ...((typeHeader || own?.isExample) && {
        headers: { ...typeHeader, ...(own?.isExample && (own.example as Json)) },
      }),
    },
    schema: {
      type: 'object',
      properties: {
        type: { type: 'string', const: 'http' },
        method: { type: 'string', const: method },
        ...(pathParams && { pathParams: pathParams.schema }),
        ...(queryParams && { queryParams: queryParams.schema }),
        ...(sent && { bodyType: { type: 'string', const: type }, body: sent.schema }),
        ...((typeHeader || own) && {
          headers: { ...own?.schema, type: 'object', additionalProperties: { type: 'string' } },
        }),
      },
      required: ['type', 'method', ...(sent ? ['bodyType', 'body'] : [])],
    },
  }
}

type BodyType = 'json' | 'form-data' | 'text'
/** The media type that is understood where only a type of the bazaar is named. */
const PLAIN_TYPES: Record<BodyType, string> = {
  json: JSON_BODY,
  'form-data': MULTIPART_BODY,
  text: 'text/plain',
}

function bazaarType(mediaType: string): BodyType {
  if (isJsonType(mediaType)) return 'json'
  return mediaType === FORM_BODY || mediaType === MULTIPART_BODY ? 'form-data' : 'text'
}

/** A client checks its arguments by this schema: it asks for all that the tool asks for. */
function mcpInput(quote: Quote, detail: Detail): { info: Json; schema: Json } {
  const inputSchema = shownSchema(inputOf(quote), detail)
  const example = shownExample({ schema: inputSchema, example: quote.example?.input }, detail)
  return {
    info: {
      type: 'mcp',
      toolName: quote.tool,
      transport: 'streamable-http',
      inputSchema,
      ...(example !== undefined && { example }),
    },
    schema: {
      type: 'object',
      properties: {
        type: { type: 'string', const: 'mcp' },
        toolName: { type: 'string' },
        transport: { type: 'string', enum: ['streamable-http'] },
        inputSchema: { type: 'object' },
        example: { type: 'object' },
      },
      required: ['type', 'toolName', 'inputSchema'],
    },
  }
}

/** A copy as JSON has it: typebox marks its schemas with symbols. */
function inputOf({ inputSchema }: Quote): Json {
  return isObject(inputSchema)
    ? (JSON.parse(JSON.stringify(inputSchema)) as Json)
    : { type: 'object' }
}

/** The part as it is told: its example where that fits its schema; else the schema asks for nothing. */
function toldPart(part: RequestPart, detail: Detail): RequestPart & { isExample: boolean } {
  const schema = shownSchema(withoutReferences(part.schema), detail)
  const example = shownExample({ schema, example: part.example }, detail)
  if (example !== undefined) return { schema, example, isExample: true }
  const open = Object.fromEntries(Object.entries(schema).filter(([name]) => SHAPE.has(name)))
  const type: unknown = [open['type']].flat()[0]
  const empty = typeof type === 'string' && Object.hasOwn(EMPTY, type) ? EMPTY[type] : {}
  return { schema: open, example: empty, isExample: false }
}

/** Keywords that an empty value of the type fits. */
const SHAPE = new Set([
  'type',
  'title',
  'description',
  'properties',
  'items',
  'additionalProperties',
])
const EMPTY: Readonly<Record<string, unknown>> = {
  object: {},
  array: [],
  string: '',
  number: 0,
  integer: 0,
  boolean: false,
  null: null,
}

/** The example if there is room for one and it fits; else undefined. */
function shownExample({ schema, example }: RequestPart, detail: Detail): unknown {
  if (detail === 'bare' || example === undefined) return undefined
  return compileSchema(schema).check(example) ? example : undefined
}

function shownSchema(schema: Json, detail: Detail): Json {
  if (detail === 'full') return schema
  if (detail === 'brief') return mapped(schema, (one) => without(one, PROSE)) as Json
  const members = Object.entries(membersOf(schema)).slice(0, 24)
  const properties = Object.fromEntries(members.map(([name, member]) => [name, typeOnly(member)]))
  return { ...typeOnly(schema), ...(members.length > 0 && { properties }) }
}

function typeOnly(member: unknown): Json {
  const type = isObject(member) ? member['type'] : undefined
  return typeof type === 'string' ? { type } : {}
}

const PROSE = ['title', 'description', 'example', 'examples', 'default', '$comment']

/** A reference counts from the root of the schema that it stood in: what it leads to is left open. */
function withoutReferences(schema: Json): Json {
  return mapped(schema, (one) =>
    one['$ref'] !== undefined || one['$dynamicRef'] !== undefined ? {} : without(one, ROOTS),
  ) as Json
}
const ROOTS = ['$id', '$schema', '$anchor', '$dynamicAnchor', '$defs', 'definitions']

/** Keywords whose members are schemas under names of the author. */
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas'])
/** Keywords that hold values and no schemas. */
const VALUES = new Set(['const', 'enum', 'default', 'example', 'examples'])

/** A copy of a schema with `change` made to every schema in it, from outside inwards. */
function mapped(schema: unknown, change: (one: Json) => Json): unknown {
  if (Array.isArray(schema)) return schema.map((one) => mapped(one, change))
  if (!isObject(schema)) return schema
  const entries = Object.entries(change(schema)).map(([keyword, inner]) => {
    if (VALUES.has(keyword)) return [keyword, inner]
    if (!MAPS.has(keyword) || !isObject(inner)) return [keyword, mapped(inner, change)]
    const members = Object.entries(inner).map(([name, one]) => [name, mapped(one, change)])
    return [keyword, Object.fromEntries(members)]
  })
  return Object.fromEntries(entries) as Json
}
