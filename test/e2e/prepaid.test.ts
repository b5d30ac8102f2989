/** A newcomer's first minutes against the real server: key, credits, calls, receipts, ledger. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(async () => {
  expect(await gateway.stop()).toBe(0)
})

describe('a prepaid call', () => {
  it('is charged, said on the receipt headers and found in the ledger', async () => {
    const { id, key } = await gateway.key(10)
    const answer = await gateway.call('POST', '/v1/paid/hash', {
      body: { input: 'hello' },
      headers: { 'x-api-key': key, 'x-request-id': 'first-call', 'x-kernel-acquisition': 'spring' },
    })
    expect(answer.status).toBe(200)
    expect(answer.text).toContain(
      '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    )
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-request-id': 'first-call',
      'x-payment-rail': 'credits',
      'x-charged-credits': '2',
      'x-balance-credits': '8',
      'x-price-version': expect.stringMatching(/^\d+$/),
    })
    const rows = await gateway.admin('GET', `/v1/ledger?requestId=first-call`)
    const capture = rows.json.rows.find((row: { kind: string }) => row.kind === 'capture')
    expect(capture).toMatchObject({
      apiKeyId: id,
      requestId: 'first-call',
      rail: 'credits',
      skill: 'demo.hash',
      path: '/v1/paid/hash',
      amountCredits: 2,
      amountUsdcAtomic: 20000,
      credit: 'revenue',
      priceVersion: expect.any(Number),
      acquisition: 'spring',
    })
  })

  it('accepts the key as a bearer and as a JWT made from it', async () => {
    const { id, key } = await gateway.key(10)
    const byBearer = await gateway.call('GET', '/v1/paid/health', {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(byBearer.status).toBe(200)
    const jwt = await gateway.admin('POST', `/v1/keys/${id}/jwt`)
    const token = jwt.json.token ?? jwt.json.jwt
    expect(
      (
        await gateway.call('GET', '/v1/paid/health', {
          headers: { authorization: `Bearer ${token}` },
        })
      ).status,
    ).toBe(200)
    await gateway.admin('POST', `/v1/keys/${id}/revoke`)
    for (const credential of [key, token]) {
      const refused = await gateway.call('GET', '/v1/paid/health', {
        headers: { authorization: `Bearer ${credential}` },
      })
      expect(refused.status).toBe(401)
      expect(refused.headers.get('www-authenticate')).toContain('Bearer')
    }
  })

  it('replays under an Idempotency-Key without a second charge', async () => {
    const { key } = await gateway.key(10)
    const send = () =>
      gateway.call('POST', '/v1/paid/echo', {
        body: { message: 'hi', at: 1 },
        headers: { 'x-api-key': key, 'idempotency-key': 'abc' },
      })
    const first = await send()
    const again = await send()
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(
      (await gateway.call('GET', '/v1/credits/balance', { headers: { 'x-api-key': key } })).json
        .credits,
    ).toBe(9)
  })

  it('is refused with 402 and the price when the balance is too small', async () => {
    const { key } = await gateway.key(1)
    const answer = await gateway.call('POST', '/v1/paid/hash', {
      body: { input: 'x' },
      headers: { 'x-api-key': key },
    })
    expect(answer.status).toBe(402)
    expect(answer.json.error).toMatchObject({
      code: 'PAYMENT_REQUIRED',
      retryable: false,
      details: { balanceCredits: 1, priceCredits: 2 },
    })
  })

  it('answers by product id as by mount', async () => {
    const { key } = await gateway.key(10)
    const answer = await gateway.call('POST', '/v1/p/demo/echo', {
      body: { message: 'x' },
      headers: { 'x-api-key': key },
    })
    expect([answer.status, answer.json]).toEqual([200, { message: 'x' }])
  })
})

describe('hold operations', () => {
  it('authorize, capture and refund move credits once each', async () => {
    const { key } = await gateway.key(10)
    const headers = { 'x-api-key': key }
    const order = { requestId: 'r1', skill: 'own.work', path: '/own', amountCredits: 3 }
    const hold = await gateway.call('POST', '/v1/credits/authorize', { body: order, headers })
    expect(hold.json).toMatchObject({
      requestId: 'r1',
      state: 'authorized',
      amountCredits: 3,
      amountUsdcAtomic: 30000,
    })
    expect(
      (await gateway.call('POST', '/v1/credits/authorize', { body: order, headers })).json
        .authorizationId,
    ).toBe(hold.json.authorizationId)
    expect(
      (
        await gateway.call('POST', '/v1/credits/authorize', {
          body: { ...order, amountCredits: 4 },
          headers,
        })
      ).status,
    ).toBe(409)
    const end = { authorizationId: hold.json.authorizationId, requestId: 'r1' }
    const captured = await gateway.call('POST', '/v1/credits/capture', { body: end, headers })
    expect(captured.json).toMatchObject({ state: 'captured' })
    expect(
      (await gateway.call('POST', '/v1/credits/capture', { body: end, headers })).json.ledgerId,
    ).toBe(captured.json.ledgerId)
    const released = await gateway.call('POST', '/v1/credits/release', { body: end, headers })
    expect([released.status, released.json.error.details.state]).toEqual([409, 'captured'])
    const refund = await gateway.admin('POST', '/v1/credits/refund', {
      requestId: 'r1',
      note: 'test',
    })
    expect(refund.json).toMatchObject({ state: 'refunded' })
    expect(
      (await gateway.admin('POST', '/v1/credits/refund', { requestId: 'r1' })).json.ledgerId,
    ).toBe(refund.json.ledgerId)
    expect((await gateway.call('GET', '/v1/credits/balance', { headers })).json).toMatchObject({
      credits: 10,
      heldCredits: 0,
    })
  })

  it.each([
    ['a float below an atomic unit', { amountCredits: 0.00001 }],
    ['a negative amount', { amountCredits: -1 }],
    ['zero', { amountCredits: 0 }],
    ['text', { amountCredits: '1' }],
    ['a huge amount', { amountCredits: 1e300 }],
    ['two amounts that disagree', { amountCredits: 1, amountUsdcAtomic: 9999 }],
    ['no amount', {}],
  ])('refuses %s and holds nothing', async (_name, amount) => {
    const { key } = await gateway.key(10)
    const headers = { 'x-api-key': key }
    const answer = await gateway.call('POST', '/v1/credits/authorize', {
      body: { requestId: 'bad', skill: 's', path: '/p', ...amount },
      headers,
    })
    expect(answer.status).toBe(400)
    expect(answer.json.error.details.issues[0].path).toMatch(/^\/?(amount|$)/)
    expect((await gateway.call('GET', '/v1/credits/balance', { headers })).json).toMatchObject({
      credits: 10,
      heldCredits: 0,
    })
  })
})

describe('pages and documents', () => {
  it.each([
    '/',
    '/health',
    '/ready',
    '/metrics',
    '/openapi.json',
    '/docs',
    '/docs/page.css',
    '/docs/page.js',
    '/docs/skills/demo.hash',
    '/docs/products/demo',
    '/v1/prices',
    '/v1/products',
    '/v1/products/demo',
    '/llms.txt',
    '/v1/sandbox/fixtures',
    '/.well-known/jwks.json',
  ])('GET %s answers without credentials', async (path) => {
    expect((await gateway.call('GET', path)).status).toBe(200)
  })

  it('counts what it sold', async () => {
    const prom = await gateway.call('GET', '/metrics?format=prom')
    expect(prom.text).toMatch(
      /gateway_calls_total\{skill="demo\.hash",rail="credits",outcome="charged"\} \d+/,
    )
    expect(prom.text).toContain('http_server_request_duration_seconds_bucket')
  })

  it('lists the mounted routes with their price in the OpenAPI document', async () => {
    const { json } = await gateway.call('GET', '/openapi.json')
    expect(json.paths['/v1/paid/hash'].post['x-payment-info'].price).toEqual({
      mode: 'fixed',
      currency: 'USD',
      amount: '0.02',
    })
    expect(json.paths['/v1/paid/hash'].post.responses).toHaveProperty('402')
  })
})
