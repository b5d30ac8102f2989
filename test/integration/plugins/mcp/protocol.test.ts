/** Every cell of the status table of the two eras: what is answered, and that nothing ran. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { legacy, mcpOver, MODERN, modern } from '../../../support/mcp.ts'
import { skills, type Counted } from './fixtures.ts'
import { ownAccount } from '../../../support/accounts.ts'

let database: TestDatabase
let mcp: Awaited<ReturnType<typeof mcpOver>>
let key: string
const counted: Counted = { runs: 0 }

beforeAll(async () => {
  database = await testDatabase()
  mcp = await mcpOver(database.db, { skills: skills(counted) })
  key = (await mcp.world.key(1_000_000n)).key
})
afterAll(async () => {
  await mcp.close()
  await database.close()
})
beforeEach(() => {
  counted.runs = 0
})

const codeOf = (answer: { json: any }) => answer.json?.error?.code
const call = { name: 'work.echo', arguments: { text: 'hi' } }

describe('messages that are none', () => {
  it.each([
    ['no JSON', '{"jsonrpc":', -32700],
    ['not UTF-8', new Uint8Array([0xff, 0xfe]), -32700],
    ['nested too deep', '['.repeat(200) + ']'.repeat(200), -32700],
    ['an empty body', '', -32600],
    ['null', 'null', -32600],
    ['a number', '0', -32600],
    ['text', '"x"', -32600],
    ['no jsonrpc', { id: 1, method: 'ping' }, -32600],
    ['another jsonrpc', { jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
    ['a null id', { jsonrpc: '2.0', id: null, method: 'ping' }, -32600],
    ['an object as id', { jsonrpc: '2.0', id: {}, method: 'ping' }, -32600],
    ['a fractional id', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, -32600],
    ['a numeric method', { jsonrpc: '2.0', id: 1, method: 5 }, -32600],
    ['params that are an array', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32600],
    ['params that are text', { jsonrpc: '2.0', id: 1, method: 'ping', params: 'x' }, -32600],
    ['neither method nor result', { jsonrpc: '2.0', id: 1 }, -32600],
    ['a response without an id', { jsonrpc: '2.0', result: {} }, -32600],
    ['an empty batch', [], -32600],
  ])('%s is 400', async (_name, body, code) => {
    const answer = await mcp.post(body)
    expect([answer.status, codeOf(answer)]).toEqual([400, code])
    expect(answer.json.id === null || answer.json.id === 1).toBe(true)
  })

  it('a body over 20 MiB is 413 and never parsed', async () => {
    const answer = await mcp.post('x'.repeat(20 * 1024 * 1024 + 1))
    expect([answer.status, codeOf(answer)]).toEqual([413, -32600])
  })

  it('__proto__ and constructor are no methods', async () => {
    for (const method of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(codeOf(await mcp.post(legacy(method)))).toBe(-32601)
    }
  })
})

describe('messages without an answer', () => {
  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an unknown notification', { jsonrpc: '2.0', method: 'what/ever' }],
    ['a tools/call without an id', { jsonrpc: '2.0', method: 'tools/call', params: call }],
    ['a posted response', { jsonrpc: '2.0', id: 'x', result: {} }],
    ['a posted error', { jsonrpc: '2.0', id: 3, error: { code: 1, message: 'no' } }],
  ])('%s is 202, empty, and runs nothing', async (_name, body) => {
    const { id } = await mcp.world.key(100_000n)
    for (const headers of [
      { 'x-api-key': key },
      { 'x-api-key': key, 'mcp-protocol-version': MODERN },
    ]) {
      const answer = await mcp.post(body, headers)
      expect([answer.status, answer.text]).toEqual([202, ''])
    }
    expect(counted.runs).toBe(0)
    expect((await mcp.world.ledger.balance(ownAccount(id)))!.heldAtomic).toBe(0n)
  })
})

describe('2026-07-28', () => {
  it('answers a good request with a complete result that says who answers', async () => {
    const answer = await mcp.post(...modern('server/discover'))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.json.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [MODERN],
      capabilities: { tools: {}, prompts: {}, resources: {} },
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'coinop' } },
    })
    expect(answer.json.result.ttlMs).toBeGreaterThan(0)
  })

  it.each(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])(
    '%s carries ttlMs and cacheScope',
    async (method) => {
      const { result } = (await mcp.post(...modern(method))).json
      expect(result).toMatchObject({ resultType: 'complete', cacheScope: 'public' })
      expect(result.ttlMs).toBeGreaterThan(0)
    },
  )

  it.each([
    'nothing/here',
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'subscriptions/listen',
  ])('%s is 404 with −32601', async (method) => {
    const answer = await mcp.post(...modern(method))
    expect([answer.status, codeOf(answer)]).toEqual([404, -32601])
  })

  it('wants the envelope when the header names the revision', async () => {
    const answer = await mcp.post(legacy('tools/list'), { 'mcp-protocol-version': MODERN })
    expect([answer.status, codeOf(answer)]).toEqual([400, -32602])
  })

  it.each([
    ['no clientCapabilities', { 'io.modelcontextprotocol/clientCapabilities': undefined }],
    ['clientCapabilities as text', { 'io.modelcontextprotocol/clientCapabilities': 'all' }],
    ['a numeric version', { 'io.modelcontextprotocol/protocolVersion': 7 }],
    ['a clientInfo without a name', { 'io.modelcontextprotocol/clientInfo': {} }],
  ])('%s is 400 with −32602', async (_name, meta) => {
    const answer = await mcp.post(...modern('tools/list', {}, meta))
    expect([answer.status, codeOf(answer)]).toEqual([400, -32602])
  })

  it.each([
    ['another version in the header', { 'mcp-protocol-version': '2025-11-25' }],
    ['no version header', { 'mcp-protocol-version': undefined }],
    ['no Mcp-Method', { 'mcp-method': undefined }],
    ['another Mcp-Method', { 'mcp-method': 'tools/list' }],
    ['no Mcp-Name', { 'mcp-name': undefined }],
    ['another Mcp-Name', { 'mcp-name': 'work.broken' }],
    ['Mcp-Name in broken base64', { 'mcp-name': '=?base64?d29yay5lY2hv' }],
    ['Mcp-Name that is no UTF-8', { 'mcp-name': '=?base64?/////w==?=' }],
  ])('%s is 400 with −32020 and runs nothing', async (_name, change) => {
    const [body, headers] = modern('tools/call', call)
    const answer = await mcp.post(body, { ...headers, ...change, 'x-api-key': key })
    expect([answer.status, codeOf(answer)]).toEqual([400, -32020])
    expect(counted.runs).toBe(0)
  })

  it('decodes Mcp-Name before it compares', async () => {
    const [body, headers] = modern('tools/call', call)
    const encoded = `=?base64?${Buffer.from('work.echo').toString('base64')}?=`
    const answer = await mcp.post(body, { ...headers, 'mcp-name': encoded, 'x-api-key': key })
    expect(answer.json.result.structuredContent).toEqual({ text: 'hi' })
  })

  it('an unknown version is 400 with −32022 and what is supported', async () => {
    const [body, headers] = modern(
      'tools/list',
      {},
      {
        'io.modelcontextprotocol/protocolVersion': '2099-01-01',
      },
    )
    const answer = await mcp.post(body, { ...headers, 'mcp-protocol-version': '2099-01-01' })
    expect(answer.status).toBe(400)
    expect(answer.json.error).toMatchObject({
      code: -32022,
      data: { supported: [MODERN], requested: '2099-01-01' },
    })
  })

  it('a batch is 400 with −32600', async () => {
    const [body, headers] = modern('tools/list')
    const answer = await mcp.post([body], headers)
    expect([answer.status, codeOf(answer)]).toEqual([400, -32600])
    expect((await mcp.post([body])).status).toBe(400)
  })

  it('an unknown resource is −32602 with its uri', async () => {
    const answer = await mcp.post(...modern('resources/read', { uri: 'coinop://nothing' }))
    expect(answer.status).toBe(200)
    expect(answer.json.error).toMatchObject({ code: -32602, data: { uri: 'coinop://nothing' } })
  })
})

describe('revisions with a handshake', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'])(
    'initialize agrees on %s',
    async (protocolVersion) => {
      const answer = await mcp.post(legacy('initialize', { protocolVersion, capabilities: {} }))
      expect(answer.json.result).toMatchObject({
        protocolVersion,
        serverInfo: { name: 'coinop' },
        capabilities: { tools: {} },
      })
      expect(answer.headers.get('mcp-session-id')).toBe(null)
    },
  )

  it('initialize offers the newest revision with a handshake for an unknown one', async () => {
    for (const protocolVersion of ['1999-01-01', MODERN, undefined]) {
      const answer = await mcp.post(legacy('initialize', { protocolVersion }))
      expect(answer.json.result.protocolVersion).toBe('2025-11-25')
    }
  })

  it('initialize under the header of 2026-07-28 is 400 with −32020', async () => {
    const answer = await mcp.post(legacy('initialize'), { 'mcp-protocol-version': MODERN })
    expect([answer.status, codeOf(answer)]).toEqual([400, -32020])
  })

  it('an unknown method is 200 with −32601', async () => {
    for (const method of ['nothing/here', 'server/discover', 'subscriptions/listen']) {
      const answer = await mcp.post(legacy(method))
      expect([answer.status, codeOf(answer)]).toEqual([200, -32601])
    }
  })

  it('a subscription is neither advertised nor refused: the answer says that no updates are sent', async () => {
    const { capabilities } = (await mcp.post(legacy('initialize'))).json.result
    expect(capabilities.resources).toEqual({})
    for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
      const { result } = (await mcp.post(legacy(method, { uri: 'coinop://pricing' }))).json
      expect(result._meta['coinop/subscription']).toContain('No updates are sent')
      expect(codeOf(await mcp.post(legacy(method, { uri: 'coinop://nothing' })))).toBe(-32002)
      expect(codeOf(await mcp.post(legacy(method)))).toBe(-32602)
    }
  })

  it('ping answers an empty result, with integer and text ids', async () => {
    for (const id of [0, -5, 'abc', '']) {
      expect((await mcp.post(legacy('ping', undefined, id))).json).toEqual({
        jsonrpc: '2.0',
        id,
        result: {},
      })
    }
  })

  it('an unknown version header is 400, the headers of the new era and sessions are ignored', async () => {
    expect((await mcp.post(legacy('ping'), { 'mcp-protocol-version': '2025-01-01' })).status).toBe(
      400,
    )
    expect((await mcp.post(legacy('ping'), { 'mcp-protocol-version': 'banana' })).status).toBe(400)
    const ignored = await mcp.post(legacy('ping'), {
      'mcp-protocol-version': '2025-06-18',
      'mcp-method': 'tools/call',
      'mcp-name': 'x',
      'mcp-session-id': 'old',
      'last-event-id': '7',
    })
    expect(ignored.status).toBe(200)
  })

  it('results carry nothing of the new era', async () => {
    const { result } = (await mcp.post(legacy('tools/list'))).json
    expect(Object.keys(result)).toEqual(['tools'])
  })

  it('an unknown resource is −32002', async () => {
    const answer = await mcp.post(legacy('resources/read', { uri: 'x://y' }))
    expect([answer.status, codeOf(answer)]).toEqual([200, -32002])
  })
})

describe('both eras', () => {
  it.each([
    ['an unknown tool', 'tools/call', { name: 'no.tool' }],
    ['a tools/call without a name', 'tools/call', {}],
    ['arguments that are no object', 'tools/call', { name: 'work.echo', arguments: 'hi' }],
    ['an unknown prompt', 'prompts/get', { name: 'no_prompt' }],
    ['an unknown cursor of tools/list', 'tools/list', { cursor: 'xyz' }],
    ['a numeric cursor', 'prompts/list', { cursor: 5 }],
    ['an unknown cursor of resources/list', 'resources/list', { cursor: '%%' }],
    ['a uri that is no text', 'resources/read', { uri: 7 }],
  ])('%s is 200 with −32602', async (_name, method, params) => {
    const old = await mcp.post(legacy(method, params), { 'x-api-key': key })
    const [body, headers] = modern(method, params)
    const now = await mcp.post(body, { ...headers, 'x-api-key': key })
    for (const answer of [old, now]) expect([answer.status, codeOf(answer)]).toEqual([200, -32602])
    expect(counted.runs).toBe(0)
  })

  it.each([
    ['a foreign page', 'https://evil.example', 403],
    ['a page without an origin', 'null', 403],
    ['a rebound name', 'http://evil.example:4020', 403],
    ['a name that begins like ours', 'https://gw.example.evil.example', 403],
    ['this gateway', 'https://gw.example', 200],
    ['a page on this machine', 'http://localhost:6274', 200],
    ['a page on loopback', 'http://127.0.0.1', 200],
  ])('Origin of %s (%s) is %i', async (_name, origin, status) => {
    const answer = await mcp.post(legacy('tools/list'), { origin })
    expect(answer.status).toBe(status)
    if (status === 403) expect(codeOf(answer)).toBe(-32600)
  })

  it('a wrong key is 401 with WWW-Authenticate, whatever the method', async () => {
    for (const method of ['initialize', 'tools/list', 'tools/call', 'prompts/list']) {
      const answer = await mcp.post(legacy(method, call), { 'x-api-key': 'ck_test_nonsense' })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toContain('Bearer')
      expect(answer.json.error).toMatchObject({ code: 401, data: { code: 'INVALID_INPUT' } })
    }
    expect(counted.runs).toBe(0)
  })
})

describe('batches', () => {
  it('are answered in order, one call after the other, without notifications', async () => {
    const { id, key: own } = await mcp.world.key(1_000_000n)
    const batch = [
      legacy('tools/call', call, 'a'),
      { jsonrpc: '2.0', method: 'tools/call', params: call },
      legacy('tools/call', { name: 'work.broken', arguments: {} }, 'b'),
      legacy('tools/call', call, 'c'),
      { jsonrpc: '2.0', id: null, method: 'ping' },
      legacy('initialize', {}, 'd'),
    ]
    for (const headers of [{}, { 'mcp-protocol-version': '2025-03-26' }]) {
      const answer = await mcp.post(batch, { 'x-api-key': own, ...headers })
      expect(answer.status).toBe(200)
      expect(answer.json.map((one: { id: unknown }) => one.id)).toEqual(['a', 'b', 'c', null, 'd'])
      expect(answer.json[1].result.isError).toBe(true)
      expect(answer.json[4].error.code).toBe(-32600)
    }
    expect(counted.runs).toBe(6)
    const balance = (await mcp.world.ledger.balance(ownAccount(id)))!
    expect([balance.availableAtomic, balance.heldAtomic]).toEqual([960_000n, 0n])
  })

  it('one answer is still an array, none is 202', async () => {
    const one = await mcp.post([legacy('ping')])
    expect(one.json).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
    const none = await mcp.post([{ jsonrpc: '2.0', method: 'notifications/initialized' }])
    expect([none.status, none.text]).toEqual([202, ''])
  })

  it('are refused in other revisions and when too long', async () => {
    const batch = [legacy('ping')]
    for (const version of ['2025-06-18', '2025-11-25', '2024-11-05', 'banana']) {
      const answer = await mcp.post(batch, { 'mcp-protocol-version': version })
      expect([answer.status, codeOf(answer)]).toEqual([400, -32600])
    }
    const long = Array.from({ length: 21 }, (_, id) => legacy('tools/call', call, id))
    expect((await mcp.post(long, { 'x-api-key': key })).status).toBe(400)
    expect(counted.runs).toBe(0)
  })

  it('give every call a key of its own under one Idempotency-Key header', async () => {
    const { id, key: own } = await mcp.world.key(1_000_000n)
    const batch = [legacy('tools/call', call, 1), legacy('tools/call', call, 2)]
    const headers = { 'x-api-key': own, 'idempotency-key': 'batch-1' }
    await mcp.post(batch, headers)
    await mcp.post(batch, headers)
    expect(counted.runs).toBe(2)
    expect((await mcp.world.ledger.balance(ownAccount(id)))!.availableAtomic).toBe(980_000n)
  })
})
