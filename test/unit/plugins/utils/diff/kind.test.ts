/** Documents of other kinds are refused: nothing found in them would read as safe. */
import { afterAll, describe, expect, test } from 'vitest'
import { diffSkill } from '../../../../../plugins/utils/diff/skill.ts'
import { contextWith, startPool } from '../schema/pool.ts'

const pool = startPool()
afterAll(() => pool.stop(new Date()))
const skill = diffSkill()
const run = (input: Record<string, unknown>) =>
  skill.handler(contextWith(pool), input as Parameters<typeof skill.handler>[1])

const FOREIGN: [name: string, document: unknown, message: RegExp][] = [
  ['AsyncAPI', { asyncapi: '3.0.0', info: { title: 'x' }, channels: {} }, /AsyncAPI/],
  ['an Avro record', { type: 'record', name: 'User', fields: [] }, /Avro/],
  ['an Avro enum', { type: 'enum', name: 'Suit', symbols: ['A'] }, /Avro/],
  ['an Avro array', { type: 'array', items: ['null', 'string'], namespace: 'x' }, /neither/],
  ['a Postman collection', { info: { name: 'x', schema: 'y' }, item: [] }, /Postman/],
  ['GraphQL introspection', { data: { __schema: { types: [] } } }, /GraphQL/],
  ['GraphQL introspection, bare', { __schema: { types: [] } }, /GraphQL/],
  ['OpenRPC', { openrpc: '1.2.6', info: {}, methods: [] }, /OpenRPC/],
  ['Arazzo', { arazzo: '1.0.0', info: {}, workflows: [] }, /Arazzo/],
  ['an OpenAPI overlay', { overlay: '1.0.0', actions: [] }, /overlay/],
  ['Swagger 1', { swaggerVersion: '1.2', apis: [] }, /Swagger 1/],
  ['OpenAPI 4', { openapi: '4.0.0', paths: {} }, /OpenAPI 4/],
  ['a JSON Type Definition', { properties: { a: {} }, optionalProperties: {} }, /Type Definition/],
  ['RAML as YAML', '#%RAML 1.0\ntitle: x\n/songs:\n  get: {}', /neither/],
  ['a Kubernetes resource', { apiVersion: 'v1', kind: 'Service', spec: {} }, /neither/],
  ['a GeoJSON feature', { type: 'Feature', properties: { name: 'x' }, geometry: null }, /neither/],
  ['a package.json', { name: 'x', version: '1.0.0', type: 'module' }, /neither/],
  ['a record', { id: 7, title: 'x', description: 'y' }, /neither/],
  ['titles alone', { title: 'x', description: 'y' }, /neither/],
  ['a list of items', { items: [{ id: 1 }], total: 1 }, /neither/],
]

describe.each(FOREIGN)('%s', (_, document, message) => {
  test.each(['auto', 'json-schema'])('is refused with format %s', async (format) => {
    const result = await run({ before: document, after: document, format })
    expect(result).toMatchObject({
      ok: false,
      code: 'UNSUPPORTED_FORMAT',
      details: {
        reason: 'document_kind',
        issues: [{ path: '/before', message: expect.stringMatching(message) }, { path: '/after' }],
      },
    })
  })
})

test('GraphQL as text is refused', async () => {
  const text = 'type Query {\n  hello: String\n}'
  expect(await run({ before: text, after: text })).toMatchObject({ ok: false })
})

test.each([
  ['nothing', {}],
  ['true', true],
  ['bounds alone', { minimum: 3 }],
  ['a tuple', { items: [{ type: 'string' }] }],
  ['a reference', { $ref: '#/$defs/a', $defs: { a: {} } }],
  ['a property that is named like another format', { properties: { asyncapi: {} } }],
  ['own keywords beside the standard ones', { type: 'object', 'x-order': 1, javaType: 'x' }],
  ['comments among the properties', { properties: { $comment: 'x', a: { type: 'string' } } }],
  ['an identifier alone', { $id: 'https://example.com/a.json' }],
  ['draft 3', { type: 'any' }],
])('a JSON Schema of %s is read', async (_, document) => {
  expect(await run({ before: document, after: document })).toMatchObject({
    ok: true,
    output: { format: 'json-schema', breaking: false },
  })
})
