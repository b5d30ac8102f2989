/**
 * The `bazaar` discovery extension (x402 v2 extensions/bazaar): how a facilitator's catalogue and
 * agents learn what to send. Made from the skill's own schema and example, in three sizes, because
 * clients echo it back in a header.
 */
import { compileSchema, isObject, type Quote } from '#kernel'
import { takesBody } from '../../shared/documents/request-places.ts'

type Json = Record<string, unknown>

/** 'full' has the whole schema and examples, 'brief' no prose and no output, 'bare' the shape only. */
export type Detail = 'full' | 'brief' | 'bare'

/** `{info, schema[, routeTemplate]}` of a quote; `info` always validates against `schema`. */
export function bazaarOf(quote: Quote, detail: Detail): Json {
  const schema = inputSchemaOf(quote, detail)
  const example = exampleOf(quote, schema, detail)
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
  const input =
    quote.transport === 'mcp' ? mcpInput(quote, schema, example) : httpInput(quote, schema, example)
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

/** `additionalProperties` and the like stay out: facilitators add path parameters of their own. */
function httpInput(quote: Quote, schema: Json, example: Json): { info: Json; schema: Json } {
  const { method } = quote
  const type = { type: 'string', const: 'http' }
  if (!takesBody(method)) {
    return {
      info: { type: 'http', method, queryParams: example },
      schema: {
        type: 'object',
        properties: { type, method: { type: 'string', const: method }, queryParams: schema },
        required: ['type', 'method'],
      },
    }
  }
  return {
    info: { type: 'http', method, bodyType: 'json', body: example },
    schema: {
      type: 'object',
      properties: {
        type,
        method: { type: 'string', const: method },
        bodyType: { type: 'string', const: 'json' },
        body: schema,
      },
      required: ['type', 'method', 'bodyType', 'body'],
    },
  }
}

function mcpInput(quote: Quote, schema: Json, example: Json): { info: Json; schema: Json } {
  return {
    info: {
      type: 'mcp',
      toolName: quote.tool,
      transport: 'streamable-http',
      inputSchema: schema,
      example,
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

function inputSchemaOf(quote: Quote, detail: Detail): Json {
  const whole = isObject(quote.inputSchema) ? plain(quote.inputSchema) : { type: 'object' }
  if (detail === 'full') return whole
  const properties = isObject(whole['properties']) ? whole['properties'] : {}
  if (detail === 'brief') return withoutProse(whole) as Json
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties)
        .slice(0, 24)
        .map(([name, member]) => [name, typeOnly(member)]),
    ),
  }
}

/** The skill's example when it fits the shown schema; else the schema asks for nothing. */
function exampleOf(quote: Quote, schema: Json, detail: Detail): Json {
  const example = quote.example?.input
  const shown = detail === 'bare' ? undefined : example
  if (isObject(shown) && compileSchema(schema).check(shown)) return plain(shown)
  delete schema['required']
  for (const keyword of ['oneOf', 'anyOf', 'allOf', 'minProperties']) delete schema[keyword]
  return {}
}

function typeOnly(member: unknown): Json {
  const type = isObject(member) ? member['type'] : undefined
  return typeof type === 'string' ? { type } : {}
}

/** Without titles, descriptions, examples and defaults, at any depth. */
function withoutProse(value: unknown, inProperties = false): unknown {
  if (Array.isArray(value)) return value.map((member) => withoutProse(member))
  if (!isObject(value)) return value
  const prose = new Set(['title', 'description', 'examples', 'default', '$comment'])
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => inProperties || !prose.has(name))
      .map(([name, member]) => [
        name,
        withoutProse(member, name === 'properties' && !inProperties),
      ]),
  )
}

/** A copy as JSON has it: typebox marks its schemas with symbols. */
function plain(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}
