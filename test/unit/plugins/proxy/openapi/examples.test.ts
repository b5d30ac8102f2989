/** Examples of imported skills: what the document shows, then what it says, then what must be there. */
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseProducts } from '../../../../../host/product-files/parse.ts'
import { productFromOpenApi } from '../../../../../plugins/proxy/openapi/from-openapi.ts'

type Json = Record<string, unknown>

/** The skill that one operation becomes, in a product that the gateway takes without a remark. */
function skillOf(operation: Json, path = '/things', method = 'post'): Json {
  const servers = [{ url: 'https://api.example.com' }]
  const document = { servers, paths: { [path]: { [method]: operation } } }
  const made = productFromOpenApi(document, { productId: 'api', priceCredits: 1 })
  if (!made.ok) throw new Error(made.message)
  const [product] = parseProducts(made.yaml, { file: null, env: {} })
  expect(product).toMatchObject({ ok: true, warnings: [] })
  return parse(made.yaml).skills[0]
}

const body = (schema: Json, beside: Json = {}, type = 'application/json'): Json => ({
  requestBody: { content: { [type]: { schema, ...beside } } },
})
const ORDER = {
  type: 'object',
  required: ['sku', 'size', 'count', 'at', 'owner'],
  properties: {
    sku: { type: 'string', minLength: 5 },
    size: { type: 'string', enum: ['S', 'M'] },
    count: { type: 'integer', minimum: 2, default: 3 },
    at: { type: 'string', format: 'date-time' },
    owner: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
    note: { type: 'string', example: 'soon' },
    secret: { type: 'string', readOnly: true, example: 'of the answer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
}

it('has what must be there and what is shown, out of the schemas of the members', () => {
  expect(skillOf(body(ORDER))['example']).toEqual({
    input: {
      sku: 'sku..',
      size: 'S',
      count: 3,
      at: '2026-01-31T12:00:00Z',
      owner: { id: 1 },
      note: 'soon',
    },
  })
})

it('has lists as long as they must be, all of a tuple, and numbers within their bounds', () => {
  const text = { type: 'string' }
  const number = { type: 'number' }
  const properties = {
    pair: { type: 'array', items: number, minItems: 2 },
    tuple: { type: 'array', prefixItems: [text, number] },
    above: { type: 'integer', exclusiveMinimum: 4 },
    below: { type: 'number', maximum: -2 },
  }
  const operation = body({ type: 'object', required: Object.keys(properties), properties })
  expect(skillOf(operation)['example']).toEqual({
    input: { pair: [1, 1], tuple: ['tuple', 1], above: 5, below: -2 },
  })
})

const whole = { sku: 'A-100', size: 'M', count: 2, at: '2030-01-01T00:00:00Z', owner: { id: 9 } }

it.each([
  ['beside its schema', body(ORDER, { example: whole })],
  ['as the first of several', body(ORDER, { examples: { one: { value: whole }, two: {} } })],
  ['in its schema', body({ ...ORDER, example: whole })],
])('takes the example of a body whole: %s', (_where, operation) => {
  expect(skillOf(operation)['example']).toEqual({ input: whole })
})

it('takes examples of the path, of the query and of headers', () => {
  const schema = { type: 'array', items: { type: 'string' } }
  const operation = {
    parameters: [
      { name: 'Thing-Id', in: 'path', required: true, schema: { type: 'integer', example: 7 } },
      { name: 'tag', in: 'query', schema, example: ['a', 'b'] },
      { name: 'sort', in: 'query', schema: { type: 'string', enum: ['up', 'down'] } },
      { name: 'X-Trace', in: 'header', schema: { type: 'string' }, example: 'abc' },
    ],
  }
  expect(skillOf(operation, '/things/{Thing-Id}', 'get')['example']).toEqual({
    input: { thing_Id: 7, tag: ['a', 'b'], 'X-Trace': 'abc' },
  })
})

it('leaves an example out that the input does not take', () => {
  expect(skillOf(body(ORDER, { example: { sku: 5 } }))['example']).toMatchObject({
    input: { sku: 'sku..', note: 'soon' },
  })
  const never = { type: 'object', required: ['a'], properties: { a: { type: 'string', not: {} } } }
  expect(skillOf(body(never))).not.toHaveProperty('example')
})

it('has none where there is nothing to send', () => {
  expect(skillOf({}, '/things', 'get')).not.toHaveProperty('example')
  const optional = { type: 'object', properties: { a: { type: 'string' } } }
  expect(skillOf(body(optional))).not.toHaveProperty('example')
})

const { secret: _, ...sent } = ORDER.properties
const SENT = { ...ORDER, properties: sent }

it.each([
  ['of texts', { type: 'array', items: { type: 'string' } }, undefined, ['value']],
  ['with an example', { type: 'array', items: {} }, ['x', 'y'], ['x', 'y']],
  ['of orders', { type: 'array', minItems: 1, items: SENT }, 'no list', undefined],
])('says that a body is a list %s', (_which, schema: Json, example, shown) => {
  const { input } = skillOf(body(schema, { ...(example !== undefined && { example }) }))
  const said = (input as Json)['x-body-schema'] as Json
  expect(said).toMatchObject(schema)
  if (shown === undefined) expect(said['example']).toMatchObject([{ size: 'S', owner: { id: 1 } }])
  else expect(said['example']).toEqual(shown)
})

it('says what the parts of a body are that has no named members of its own', () => {
  const part = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }
  const { input } = skillOf(body({ allOf: [part, { type: 'object' }] }))
  expect(input).toMatchObject({
    'x-body-schema': { allOf: [part, { type: 'object' }], example: { a: 1 } },
  })
})

it('shows no example of bytes', () => {
  const bytes = { type: 'string', format: 'binary' }
  const { input } = skillOf(body(bytes, {}, 'application/octet-stream'))
  expect(input).toMatchObject({ 'x-body': 'application/octet-stream', 'x-body-schema': bytes })
  expect(input).not.toHaveProperty('x-body-schema.example')
})
