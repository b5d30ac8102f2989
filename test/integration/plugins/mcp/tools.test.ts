/** tools/list and tools/call: what is listed, what a call costs and how its end is told. */
import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fail, quotedReason } from '../../../../kernel/errors.ts'
import { compileSchema } from '../../../../kernel/schema/json.ts'
import { mount } from '../../../support/metering.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'
import { legacy, mcpOver, modern } from '../../../support/mcp.ts'
import { skills, type Counted } from './fixtures.ts'
import { ownAccount } from '../../../support/accounts.ts'
import { PATIENT } from '../../../support/patience.ts'

let database: TestDatabase
let mcp: Awaited<ReturnType<typeof mcpOver>>
const counted: Counted = { runs: 0 }

beforeAll(async () => {
  database = await testDatabase()
  mcp = await mcpOver(database.db, { skills: skills(counted) })
})
afterAll(async () => {
  await mcp.close()
  await database.close()
})
beforeEach(() => {
  counted.runs = 0
  mcp.show({ skills: skills(counted) })
})

const available = async (id: string) =>
  (await mcp.world.ledger.balance(ownAccount(id)))!.availableAtomic
const held = async (id: string) => (await mcp.world.ledger.balance(ownAccount(id)))!.heldAtomic
const callOf = (name: string, args: object = {}, extra: object = {}) =>
  legacy('tools/call', { name, arguments: args, ...extra })
const resultOf = async (
  body: object,
  headers: Readonly<Record<string, string | undefined>> = {},
) => {
  const answer = await mcp.post(body, headers)
  expect(answer.status).toBe(200)
  return answer.json.result
}

describe('tools/list', () => {
  it('names price, schemas and annotations of each tool', async () => {
    const { tools } = await resultOf(legacy('tools/list'))
    const echo = tools.find((tool: { name: string }) => tool.name === 'work.echo')
    expect(echo).toMatchObject({
      title: 'Echo',
      inputSchema: { type: 'object', required: ['text'], additionalProperties: false },
      outputSchema: { type: 'object', anyOf: [{ required: ['text'] }, {}, {}] },
      annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false },
      _meta: {
        'coinop/price': {
          skill: 'work.echo',
          credits: 1,
          usd: '0.01',
          usdcAtomic: '10000',
          priceVersion: 1,
        },
        'agents-x402/paymentRequired': true,
        'agents-x402/priceUSD': 0.01,
      },
    })
    expect(echo.description).toContain('Price: 1 credit (USD 0.01) per successful call')
  })

  it('is sorted and the same every time, with a free skill marked as free', async () => {
    const free = { ...skills(counted)[0]!, metered: false, amountAtomic: 0n }
    mcp.show({ skills: [...skills(counted), { ...free, tools: [{ name: 'a.free' }] }] })
    const first = await mcp.post(legacy('tools/list'))
    expect((await mcp.post(legacy('tools/list'))).text).toBe(first.text)
    const { tools } = first.json.result
    const names = tools.map((tool: { name: string }) => tool.name)
    expect(names).toEqual(names.toSorted())
    expect(tools[0].description).toContain('Price: free.')
    expect(tools[0]._meta).not.toHaveProperty('agents-x402/paymentRequired')
  })

  it('changes when the catalog does', async () => {
    const [echo] = skills(counted)
    mcp.show({ skills: [{ ...echo!, tools: [{ name: 'new.tool' }] }] })
    const { tools } = await resultOf(legacy('tools/list'))
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual(['new.tool'])
    expect((await mcp.post(callOf('work.echo', { text: 'x' }))).json.error.code).toBe(-32602)
  })

  it('leaves out unlisted products, which stay callable', async () => {
    const [echo] = skills(counted)
    const product = { ...echo!.product, spec: { visibility: 'unlisted' } }
    mcp.show({ skills: [{ ...echo!, product }] })
    expect((await resultOf(legacy('tools/list'))).tools).toEqual([])
    const { key } = await mcp.world.key(10_000n)
    const prompts = async (spec: Record<string, string>) => {
      const named = { ...echo!, tools: [{ name: 'parse.receipt' }] }
      mcp.show({ skills: [{ ...named, product: { ...product, spec } }] })
      return (await resultOf(legacy('prompts/list'))).prompts.length
    }
    expect([await prompts({}), await prompts({ visibility: 'private' })]).toEqual([1, 0])
    mcp.show({ skills: [{ ...echo!, product }] })
    expect(await resultOf(callOf('work.echo', { text: 'x' }), { 'x-api-key': key })).toMatchObject({
      structuredContent: { text: 'x' },
    })
  })

  it('lists underscore names on ?names=underscore and refuses other values', async () => {
    const answer = await mcp.post(legacy('tools/list'), {}, '?names=underscore')
    const names: string[] = answer.json.result.tools.map((tool: { name: string }) => tool.name)
    expect(names).toContain('work_echo')
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect((await mcp.post(legacy('tools/list'), {}, '?names=emoji')).status).toBe(400)
  })

  it('is cut into pages that hold when the catalog changes', async () => {
    const [echo] = skills(counted)
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        ...echo!,
        tools: [{ name: `t.n${String(i).padStart(4, '0')}` }],
      }))
    mcp.show({ skills: many(600) })
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { tools, nextCursor } = await resultOf(
        legacy('tools/list', { ...(cursor && { cursor }) }),
      )
      seen.push(...tools.map((tool: { name: string }) => tool.name))
      cursor = nextCursor
      mcp.show({ skills: many(600) })
    } while (cursor)
    expect(seen).toEqual(many(600).map(({ tools }) => tools[0]!.name))
  })

  it('keeps combinators away from the root of inputSchema', async () => {
    const union = mount({
      input: Type.Union([
        Type.Object({ text: Type.String() }),
        Type.Object({ file_base64: Type.String() }),
      ]),
      output: Type.Array(Type.String()),
      handler: async () => ({ ok: true, output: ['a'] }),
    })
    mcp.show({ skills: [{ ...union, tools: [{ name: 'u.union' }] }] })
    const [tool] = (await resultOf(legacy('tools/list'))).tools
    expect(tool.inputSchema).toEqual({
      type: 'object',
      properties: { text: { type: 'string' }, file_base64: { type: 'string' } },
    })
    // Not an object: nothing is promised about structured content, and none is sent.
    expect(tool).not.toHaveProperty('outputSchema')
    const { key } = await mcp.world.key(10_000n)
    const result = await resultOf(callOf('u.union', { text: 'x' }), { 'x-api-key': key })
    expect(result.content).toEqual([{ type: 'text', text: '["a"]' }])
    expect(result).not.toHaveProperty('structuredContent')
  })
})

describe('a paid call', () => {
  it('gives the output as structured content and text, with its receipt', async () => {
    const { id, key } = await mcp.world.key(30_000n)
    for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }]) {
      const result = await resultOf(callOf('work_echo', { text: 'hi' }), headers)
      expect(result.structuredContent).toEqual({ text: 'hi' })
      expect(JSON.parse(result.content[0].text)).toEqual({ text: 'hi' })
      expect(result).not.toHaveProperty('isError')
      expect(result._meta['coinop/call']).toMatchObject({
        rail: 'credits',
        chargedCredits: 1,
        chargedUsdcAtomic: '10000',
        ledgerId: expect.any(String),
        priceVersion: 1,
      })
    }
    expect(await available(id)).toBe(10_000n)
  })

  it('shows an image as an image and not again as text', async () => {
    const { key } = await mcp.world.key(10_000n)
    const result = await resultOf(callOf('work.image'), { 'x-api-key': key })
    expect(result.content).toEqual([
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'text', text: '{"content_type":"image/png","width":1}' },
    ])
    expect(result.structuredContent.image_base64).toBe('aGk=')
  })

  it.each([
    ['the header', { 'idempotency-key': 'k-1' }, {}],
    ['_meta', {}, { _meta: { 'coinop/idempotency-key': 'k-2' } }],
  ])('under one idempotency key in %s runs and is charged once', async (_name, headers, extra) => {
    const { id, key } = await mcp.world.key(30_000n)
    const send = () =>
      resultOf(callOf('work.echo', { text: 'once' }, extra), { 'x-api-key': key, ...headers })
    const first = await send()
    const again = await send()
    expect(again.structuredContent).toEqual(first.structuredContent)
    expect(again._meta['coinop/call']).toMatchObject({ replayed: true, chargedCredits: 0 })
    expect(counted.runs).toBe(1)
    expect(await available(id)).toBe(20_000n)
    const other = await resultOf(callOf('work.echo', { text: 'other' }, extra), {
      'x-api-key': key,
      ...headers,
    })
    expect(other.isError).toBe(true)
    expect(other.structuredContent.error.details.reason).toBe('idempotency_key_reused')
    expect(other.content[1].text).toContain('a new idempotency key for a new call')
  })
})

describe('an unpaid call', () => {
  it('is a result that says how to pay with a key while x402 is closed, and runs nothing', async () => {
    const { tools } = await resultOf(legacy('tools/list'))
    const echo = tools.find((tool: { name: string }) => tool.name === 'work.echo')
    const declared = compileSchema(echo.outputSchema)
    for (const args of [{ text: 'hi' }, {}, { nonsense: 1 }]) {
      const result = await resultOf(callOf('work.echo', args))
      expect(result.isError).toBe(true)
      expect(result.structuredContent).toEqual({
        error: expect.objectContaining({ code: 'PAYMENT_REQUIRED', charged: 0 }),
        prepaid: expect.objectContaining({ priceCredits: 1, header: 'X-Api-Key' }),
      })
      expect(result._meta).not.toHaveProperty('x402/error')
      expect(declared.check(result.structuredContent)).toBe(true)
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
      expect(result.content[1].text).toMatch(/Charged: 0\./)
      expect(result.content[1].text).toMatch(/Next: pay and call again/)
      expect(result._meta['coinop/error']).toMatchObject({ code: 'PAYMENT_REQUIRED', charged: 0 })
    }
    expect(counted.runs).toBe(0)
  })

  it('carries an x402 challenge as _meta["x402/error"] when that rail is open', async () => {
    const challenge = {
      x402Version: 2,
      error: 'Payment required',
      resource: { url: 'mcp://t' },
      accepts: [{ scheme: 'exact' }],
    }
    const remove = mcp.world.rails.add({
      id: 'x402',
      precedence: 10,
      available: () => ({ ok: true }),
      presented: () => false,
      offer: () => ({
        headers: {},
        body: {},
        challenge,
        challengeKey: 'x402/error',
        advice: 'Send it as _meta["x402/payment"].',
      }),
    } as never)
    try {
      const [echo] = skills(counted)
      mcp.show({ skills: [{ ...echo!, rails: ['credits', 'x402'] }] })
      const result = await resultOf(callOf('work.echo'))
      expect(result.structuredContent).toMatchObject({ accepts: [{ scheme: 'exact' }] })
      expect(result._meta['x402/error']).toEqual(result.structuredContent)
      expect(result.content[1].text).toContain('_meta["x402/payment"]')
    } finally {
      remove()
    }
  })

  describe('in the forms that clients ask for by their capabilities', () => {
    const challenge = { accepts: [{ scheme: 'exact' }] }
    const railWith = (id: string, precedence: number, offer: object) =>
      mcp.world.rails.add({
        id,
        precedence,
        available: () => ({ ok: true }),
        presented: () => false,
        offer: () => ({ headers: {}, body: {}, ...offer }),
      } as never)
    const result = {
      capability: ['extensions', 'org.x402/payment'],
      kind: 'result',
      resultType: 'payment_required',
      member: 'paymentRequired',
    }
    const error = {
      capability: ['experimental', 'pay'],
      kind: 'error',
      code: -32042,
      message: 'Pay',
    }
    const removals: (() => void)[] = []
    beforeEach(() => {
      const meta = { 'm/offered': { n: 1 } }
      removals.push(
        railWith('first', 10, { challenge, mcpForm: result }),
        railWith('second', 20, {
          fresh: () => ({ headers: [], meta, mcpForm: { ...error, data: { n: 1 } } }),
        }),
      )
      const [echo] = skills(counted)
      mcp.show({ skills: [{ ...echo!, rails: ['credits', 'first', 'second'] }] })
    })
    afterEach(() => {
      for (const remove of removals.splice(0)) remove()
      mcp.show({ skills: skills(counted) })
    })
    const asked = async (capabilities: object) =>
      (
        await mcp.post(
          ...modern(
            'tools/call',
            { name: 'work.echo', arguments: {} },
            { 'io.modelcontextprotocol/clientCapabilities': capabilities },
          ),
        )
      ).json
    const x402 = { extensions: { 'org.x402/payment': {} } }
    const pay = { experimental: { pay: {} } }

    it('as a result of the type of the first rail that is named', async () => {
      for (const capabilities of [x402, { ...x402, ...pay }]) {
        const { result: got } = await asked(capabilities)
        expect(got).toMatchObject({
          resultType: 'payment_required',
          paymentRequired: challenge,
          _meta: { 'm/offered': { n: 1 }, 'coinop/error': { charged: 0 } },
        })
        expect(Object.keys(got).toSorted()).toEqual(['_meta', 'paymentRequired', 'resultType'])
      }
    })

    it('as a JSON-RPC error with the data of this call', async () => {
      const { error: got } = await asked(pay)
      expect(got).toEqual({ code: -32042, message: 'Pay', data: { n: 1 } })
    })

    it.each([
      {},
      { extensions: {} },
      { extensions: { 'org.x402/payment': null } },
      { extensions: ['org.x402/payment'] },
      { experimental: 'pay' },
    ])('as a tool result for %j, and for every older client', async (capabilities) => {
      const { result: got } = await asked(capabilities)
      expect(got).toMatchObject({
        resultType: 'complete',
        isError: true,
        structuredContent: challenge,
      })
      const params = { name: 'work.echo', arguments: {}, _meta: {} }
      const older = (await mcp.post(legacy('tools/call', params))).json.result
      expect(older).toMatchObject({ isError: true, _meta: { 'm/offered': { n: 1 } } })
    })
  })

  it('tells balance and price when the key has too little', async () => {
    const { id, key } = await mcp.world.key(9_999n)
    const result = await resultOf(callOf('work.echo', { text: 'x' }), { 'x-api-key': key })
    expect(result.isError).toBe(true)
    expect(result._meta['coinop/error'].details).toEqual({
      balanceCredits: 0.9999,
      priceCredits: 1,
    })
    expect([await available(id), await held(id)]).toEqual([9_999n, 0n])
  })
})

describe('a failed call', () => {
  it('names every bad field and takes nothing', async () => {
    const { id, key } = await mcp.world.key(10_000n)
    const result = await resultOf(callOf('work.echo', { tex: 1 }), { 'x-api-key': key })
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        error: {
          code: 'INVALID_INPUT',
          retryable: false,
          charged: 0,
          details: { issues: [{ path: '/text' }, { path: '/tex' }] },
        },
      },
      _meta: { 'coinop/call': { chargedCredits: 0, ledgerId: null } },
    })
    expect(result.content[1].text).toContain('Field arguments/text: is required')
    expect(result.content[1].text).toContain('will fail again')
    expect([await available(id), counted.runs]).toEqual([10_000n, 0])
  })

  it('holds a tool with an input of its own to that input', async () => {
    const [echo] = skills(counted)
    const input = Type.Object({ text: Type.String(), loud: Type.Boolean() })
    const skill = { ...echo!.skill, input: Type.Object({ text: Type.String() }) }
    mcp.show({ skills: [{ ...echo!, skill, tools: [{ name: 'work.shout', input }] }] })
    const { id, key } = await mcp.world.key(100_000n)
    const result = await resultOf(callOf('work.shout', { text: 'x' }), { 'x-api-key': key })
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        error: { code: 'INVALID_INPUT', details: { issues: [{ path: '/loud' }] } },
      },
    })
    expect(counted.runs).toBe(0)
    expect(await available(id)).toBe(100_000n)
    const shouted = callOf('work.shout', { text: 'x', loud: true })
    expect((await resultOf(shouted, { 'x-api-key': key })).structuredContent).toEqual({ text: 'x' })
  })

  it('says when to retry, gives the hold back and frees the idempotency key', async () => {
    const { id, key } = await mcp.world.key(10_000n)
    const headers = { 'x-api-key': key, 'idempotency-key': 'broken' }
    for (const runs of [1, 2]) {
      const result = await resultOf(callOf('work.broken'), headers)
      expect(result.structuredContent.error).toMatchObject({
        code: 'UPSTREAM_FAILURE',
        retryable: true,
        retryAfterSeconds: 7,
        charged: 0,
      })
      expect(result.content[1].text).toMatch(/send the same call again after 7 seconds/)
      expect(counted.runs).toBe(runs)
    }
    expect([await available(id), await held(id)]).toEqual([10_000n, 0n])
  })

  it('refuses a malformed idempotency key before anything else', async () => {
    const { key } = await mcp.world.key(10_000n)
    for (const bad of ['with space', '', 'x'.repeat(256), 7]) {
      const extra = { _meta: { 'coinop/idempotency-key': bad } }
      const result = await resultOf(callOf('work.echo', { text: 'x' }, extra), { 'x-api-key': key })
      expect(result.structuredContent.error.code).toBe('INVALID_INPUT')
    }
    expect(counted.runs).toBe(0)
  })

  it('keeps the request id of the caller', async () => {
    const result = await resultOf(callOf('work.echo'))
    expect(result._meta['coinop/call'].requestId).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('streams', () => {
  const accept = { accept: 'application/json, text/event-stream' }
  const withToken = callOf('work.slow', {}, { _meta: { progressToken: 'p1' } })
  const eventsOf = (text: string) =>
    text
      .split('\n\n')
      .filter((event) => event.startsWith('event: message\ndata: '))
      .map((event) => JSON.parse(event.slice('event: message\ndata: '.length)))

  it('send progress that grows, then the result', async () => {
    const { key } = await mcp.world.key(20_000n)
    const answer = await mcp.post(withToken, { 'x-api-key': key, ...accept })
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    const events = eventsOf(answer.text)
    expect(events.slice(0, -1).map((event) => event.params)).toEqual(
      [1, 2, 3].map((progress) => ({ progressToken: 'p1', progress, total: 3, message: 'page' })),
    )
    expect(events.at(-1)).toMatchObject({ id: 1, result: { structuredContent: { done: true } } })
  })

  it('carry no token that would be repeated at length with every step', async () => {
    const { key } = await mcp.world.key(20_000n)
    const _meta = { progressToken: 'p'.repeat(2000) }
    const asked = callOf('work.slow', {}, { _meta })
    const answer = await mcp.post(asked, { 'x-api-key': key, ...accept })
    expect(answer.text).not.toContain('ppp')
    expect(answer.json.result.structuredContent).toEqual({ done: true })
  })

  it('drop progress that a client does not read, and keep the result', async () => {
    const { key } = await mcp.world.key(20_000n)
    counted.runs = -2
    const response = await mcp.open(withToken, { 'x-api-key': key, ...accept })
    await Bun.sleep(300)
    const events = eventsOf(await response.text())
    counted.runs = 0
    expect(events.length).toBeLessThan(2000)
    expect(events.at(-1)).toMatchObject({ id: 1, result: { structuredContent: { done: true } } })
  })

  it('are used only with a progress token and an Accept that names them', async () => {
    const { key } = await mcp.world.key(40_000n)
    const headers = { 'x-api-key': key }
    const [body, names] = modern('tools/call', { name: 'work.slow' }, { progressToken: 5 })
    for (const [sent, extra] of [
      [withToken, {}],
      [withToken, { accept: '*/*' }],
      [callOf('work.slow'), accept],
    ] as const) {
      const answer = await mcp.post(sent, { ...headers, ...extra })
      expect(answer.headers.get('content-type')).toBe('application/json')
    }
    const streamed = await mcp.post(body, { ...headers, ...names, ...accept })
    expect(eventsOf(streamed.text).at(-1).result.resultType).toBe('complete')
  })

  it('that are closed cancel the call and give the hold back', async () => {
    counted.runs = -1
    const { id, key } = await mcp.world.key(10_000n)
    const response = await mcp.open(withToken, { 'x-api-key': key, ...accept })
    const reader = response.body!.getReader()
    await reader.read()
    expect(await held(id)).toBe(10_000n)
    await reader.cancel()
    await expect.poll(() => available(id), PATIENT).toBe(10_000n)
    expect(await held(id)).toBe(0n)
  })

  it('a client that hangs up on a plain answer gets its hold back, too', async () => {
    counted.runs = -1
    const { id, key } = await mcp.world.key(10_000n)
    const hangUp = new AbortController()
    const answer = mcp.open(callOf('work.slow'), { 'x-api-key': key }, { signal: hangUp.signal })
    await expect.poll(() => held(id), PATIENT).toBe(10_000n)
    hangUp.abort()
    await answer
    expect([await available(id), await held(id)]).toEqual([10_000n, 0n])
  })

  it("a tool's own 401 is a result: the caller's key is a good one", async () => {
    const closed = mount({
      id: 'work.closed',
      check: () =>
        fail('INVALID_INPUT', 'Only its owner may send here', {
          status: 401,
          details: { reason: quotedReason('invalid_signature') },
        }),
      handler: async () => ({ ok: true, output: {} }),
    })
    mcp.show({ skills: [{ ...closed, tools: [{ name: 'work.closed' }] }] })
    const { key } = await mcp.world.key(1_000_000n)
    const result = await resultOf(callOf('work.closed'), { 'x-api-key': key })
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'INVALID_INPUT', charged: 0 } },
    })
    expect(result.content[1].text).not.toContain('send a valid API key')
  })

  it('a wrong key is 401 also when a stream was asked for', async () => {
    const answer = await mcp.post(withToken, { 'x-api-key': 'ck_test_x', ...accept })
    expect(answer.status).toBe(401)
  })
})
