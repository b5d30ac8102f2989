import {
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
  type DiscoveryExtension,
} from '@x402/extensions/bazaar'
import { describe, expect, it } from 'vitest'
import type { Quote } from '../../../../kernel/rails/contract.ts'
import { bazaarOf, type Detail } from '../../../../plugins/x402/offers/bazaar.ts'

const FORM = 'application/x-www-form-urlencoded'
const DETAILS: Detail[] = ['full', 'brief', 'bare']

type Json = Record<string, unknown>

function quote(method: string, path: string, inputSchema: Json, input?: unknown): Quote {
  return {
    skillId: 'shop.order',
    productId: 'shop',
    title: 'Order',
    description: 'Orders.',
    method,
    path,
    resourceUrl: `http://127.0.0.1:4020${path}`,
    transport: 'http',
    amountAtomic: 10_000n,
    priceVersion: 1,
    timeoutMs: 10_000,
    inputSchema,
    ...(input !== undefined && { example: { input } }),
  }
}

const list = { type: 'array', items: { type: 'integer' } }
const object = { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'string' } } }
const order = {
  type: 'object',
  properties: {
    shop: { type: 'string' },
    dry: { type: 'boolean', 'x-in': 'query' },
    item: { type: 'string' },
    count: { type: 'integer' },
  },
  required: ['shop', 'dry', 'item'],
}
const ofOrder = { shop: 'main', dry: true, item: 'tea', count: 2 }

/** What the catalogue is told of the request, in every size that a 402 has of it. */
function told(given: Quote): { info: Json; schema: Json } {
  for (const detail of DETAILS) {
    const bazaar = bazaarOf(given, detail) as unknown as DiscoveryExtension
    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true })
    expect(validateDiscoveryExtensionSpec(bazaar as never)).toEqual({ valid: true })
  }
  const { info, schema } = bazaarOf(given, 'full') as {
    info: { input: Json }
    schema: { properties: { input: { properties: Json } } }
  }
  return { info: info.input, schema: schema.properties.input.properties }
}

describe('the bazaar extension', () => {
  it('tells path, query and body apart', () => {
    const { info, schema } = told(quote('POST', '/v1/shop/{shop}/orders', order, ofOrder))
    expect(info).toEqual({
      type: 'http',
      method: 'POST',
      pathParams: { shop: 'main' },
      queryParams: { dry: true },
      bodyType: 'json',
      body: { item: 'tea', count: 2 },
    })
    expect(schema).toMatchObject({
      pathParams: { properties: { shop: { type: 'string' } }, required: ['shop'] },
      queryParams: { properties: { dry: { type: 'boolean' } }, required: ['dry'] },
      body: { properties: { item: {}, count: {} }, required: ['item'] },
    })
    expect(JSON.stringify(schema)).not.toContain('x-in')
  })

  it('asks for nothing where it has no example', () => {
    const { info, schema } = told(quote('POST', '/v1/shop/{shop}/orders', order))
    expect(info).toEqual({
      type: 'http',
      method: 'POST',
      queryParams: {},
      bodyType: 'json',
      body: {},
    })
    expect(schema['body']).not.toHaveProperty('required')
  })

  it('has what stands in the path of a request without a body outside the query', () => {
    const { item: _item, ...input } = ofOrder
    const { info, schema } = told(quote('GET', '/v1/shop/{shop}', order, input))
    expect(info['pathParams']).toEqual({ shop: 'main' })
    expect(schema['queryParams']).toMatchObject({ properties: { dry: {}, item: {}, count: {} } })
    expect(schema['queryParams']).not.toHaveProperty('properties.shop')
  })

  it('names a form, and writes its lists and objects as the request has them', () => {
    const properties = {
      names: { ...list, 'x-style': 'comma' },
      tags: list,
      at: { ...object, 'x-style': 'deepObject' },
      place: object,
    }
    const input = { names: [1, 2], tags: [3, 4], at: { x: 5 }, place: { y: 'a' } }
    const given = quote('POST', '/v1/form', { type: 'object', properties, 'x-body': FORM }, input)
    const { info, schema } = told(given)
    expect(info).toEqual({
      type: 'http',
      method: 'POST',
      bodyType: 'form-data',
      body: { names: '1,2', tags: [3, 4], 'at[x]': '5', place: '{"y":"a"}' },
      headers: { 'content-type': FORM },
    })
    expect(schema['body']).toMatchObject({
      properties: {
        names: { type: 'string' },
        'at[x]': {},
        'at[y]': {},
        place: { type: 'string' },
      },
    })
  })

  it('writes the query by its styles', () => {
    const properties = {
      place: { ...object, 'x-style': 'members' },
      ids: { ...list, 'x-style': 'pipe' },
    }
    const input = { place: { x: 1, y: 'b' }, ids: [1, 2] }
    const schema = { type: 'object', properties, required: ['place', 'ids'] }
    const shown = told(quote('GET', '/v1/places', schema, input))
    expect(shown.info['queryParams']).toEqual({ x: 1, y: 'b', ids: '1|2' })
    expect(shown.schema['queryParams']).toMatchObject({
      properties: { x: { type: 'integer' }, y: { type: 'string' }, ids: { type: 'string' } },
      required: ['ids'],
    })
  })

  it.each([
    ['application/merge-patch+json', 'json', { a: 1 }, true],
    ['multipart/form-data', 'form-data', { a: 1 }, false],
    ['text/plain', 'text', '', false],
    ['application/pdf', 'text', '', true],
  ])('says of a body of %s that it is %s', (type, bodyType, body, isNamed) => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } }, 'x-body': type }
    const { info } = told(quote('PATCH', '/v1/body', schema, { a: 1 }))
    expect(info).toEqual({
      type: 'http',
      method: 'PATCH',
      bodyType,
      body,
      ...(isNamed && { headers: { 'content-type': type } }),
    })
  })

  it('has an empty body where the request has none, because a catalogue knows no POST without one', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } }, 'x-body': 'none' }
    expect(told(quote('POST', '/v1/start', schema, { a: 1 })).info).toEqual({
      type: 'http',
      method: 'POST',
      queryParams: { a: 1 },
      bodyType: 'json',
      body: {},
    })
  })

  it('has a body that is a list', () => {
    const whole = { ...list, minItems: 1 }
    const bare = { type: 'object', properties: {}, 'x-body-schema': whole }
    expect(told(quote('POST', '/v1/list', bare)).info['body']).toEqual([])
    const shown = { ...bare, 'x-body-schema': { ...whole, example: [1, 2] } }
    expect(told(quote('POST', '/v1/list', shown)).info['body']).toEqual([1, 2])
  })

  it('says nothing of the body of a DELETE, because a catalogue knows none', () => {
    const text = { type: 'string' }
    const properties = { sha: text, force: { type: 'boolean', 'x-in': 'query' } }
    const schema = { type: 'object', properties, 'x-body': 'application/json' }
    const { info } = told(quote('DELETE', '/v1/file', schema, { sha: 'a', force: true }))
    expect(info).toEqual({ type: 'http', method: 'DELETE', queryParams: { force: true } })
  })

  it('leaves open what its schema refers to', () => {
    const tree = {
      $id: 'https://example.com/tree',
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' }, name: { type: 'string' } },
      $defs: { node: { type: 'object', properties: { in: { $ref: '#/$defs/node' } } } },
    }
    const input = { tree: { in: {} }, name: 'a' }
    const { info, schema } = told(quote('POST', '/v1/tree', tree, input))
    expect(info['body']).toEqual(input)
    expect(schema['body']).toEqual({
      type: 'object',
      properties: { tree: {}, name: { type: 'string' } },
    })
  })

  it('has the input of a tool as one object, with all that it asks for', () => {
    const { dry: _dry, ...lacking } = ofOrder
    for (const input of [ofOrder, lacking]) {
      const given = { ...quote('POST', 'mcp://tool/shop.order', order, input), tool: 'shop.order' }
      const { info } = told({ ...given, transport: 'mcp' })
      expect(info['inputSchema']).toMatchObject({ required: ['shop', 'dry', 'item'] })
      expect(info['example']).toEqual(input === ofOrder ? ofOrder : undefined)
    }
  })
})
