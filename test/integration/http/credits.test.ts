import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import { eventually, SERVICE_TOKEN } from '../auth/instance.ts'
import { routeHarness, type Answer, type RouteHarness } from './credits-harness.ts'
import { ownAccount } from '../../support/accounts.ts'

let gateway: RouteHarness
beforeAll(async () => {
  gateway = await routeHarness()
})
afterAll(() => gateway.close())

const hold = (key: string, body: object): Promise<Answer> =>
  gateway.as(key, 'POST', '/v1/credits/authorize', {
    requestId: randomUUID(),
    skill: 'utils.diff',
    path: '/v1/utils/diff',
    ...body,
  })
const end = (key: string, how: 'capture' | 'release', body: object): Promise<Answer> =>
  gateway.as(key, 'POST', `/v1/credits/${how}`, body)
const asService = (id: string, what: string, body: object): Promise<Answer> =>
  gateway.send('POST', `/v1/credits/${what}`, {
    headers: { 'x-kernel-service-token': SERVICE_TOKEN, 'x-kernel-api-key-id': id },
    body: JSON.stringify(body),
  })
const balanceOf = async (key: string): Promise<unknown> =>
  (await gateway.as(key, 'GET', '/v1/credits/balance')).json

describe('balance', () => {
  it('shows credits, held credits and atomic units', async () => {
    const { id, key } = await gateway.fundedKey(12.5)
    await hold(key, { amountCredits: 2 })
    expect(await balanceOf(key)).toEqual({
      credits: 10.5,
      heldCredits: 2,
      usdcAtomic: 105_000,
      currency: 'USDC',
      apiKeyId: id,
    })
  })

  it('is 401 without a key', async () => {
    const refused = await gateway.as('', 'GET', '/v1/credits/balance')
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toContain('Bearer')
  })
})

describe('authorize', () => {
  it('holds credits, and the same request again is the same hold', async () => {
    const { key } = await gateway.fundedKey(10)
    const body = { requestId: 'order-1', amountCredits: 4, amountUsdcAtomic: 40_000 }
    const first = await hold(key, body)
    expect(first.status).toBe(200)
    expect(first.json).toEqual({
      authorizationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      requestId: 'order-1',
      state: 'authorized',
      amountCredits: 4,
      amountUsdcAtomic: 40_000,
      expiresAt: expect.any(String),
    })
    expect(Date.parse(first.json.expiresAt)).toBeGreaterThan(Date.now() + 800_000)
    expect((await hold(key, body)).json).toEqual(first.json)
    expect(await balanceOf(key)).toMatchObject({ credits: 6, heldCredits: 4 })
  })

  it('is 409 for the same requestId with another body', async () => {
    const { key } = await gateway.fundedKey(10)
    await hold(key, { requestId: 'order-1', amountCredits: 4 })
    const refused = await hold(key, { requestId: 'order-1', amountCredits: 5 })
    expect(refused.status).toBe(409)
    expect(refused.json.error).toMatchObject({
      code: 'INVALID_INPUT',
      details: { state: 'authorized' },
    })
  })

  it('is one hold and one debit for 64 duplicates at once', async () => {
    const { key } = await gateway.fundedKey(10)
    const body = { requestId: 'burst', amountCredits: 1 }
    const all = await Promise.all(Array.from({ length: 64 }, () => hold(key, body)))
    expect(new Set(all.map((answer) => answer.json.authorizationId)).size).toBe(1)
    expect(await balanceOf(key)).toMatchObject({ credits: 9, heldCredits: 1 })
  })

  it('is 402 with balance and price when the balance is too small', async () => {
    const { key } = await gateway.fundedKey(1)
    const refused = await hold(key, { amountCredits: 1.0001 })
    expect(refused.status).toBe(402)
    expect(refused.json.error).toMatchObject({
      code: 'PAYMENT_REQUIRED',
      details: { balanceCredits: 1, priceCredits: 1.0001 },
    })
  })

  it('is 429 until midnight UTC at the daily spend ceiling', async () => {
    const { key } = await gateway.fundedKey(10, { budget: { day: 30_000n } })
    expect((await hold(key, { amountCredits: 3 })).status).toBe(200)
    const refused = await hold(key, { amountCredits: 1 })
    expect(refused.status).toBe(429)
    expect(refused.json.error).toMatchObject({
      code: 'RATE_LIMITED',
      retryable: true,
      details: { limit: 'budget_day', ceilingCredits: 3, spentTodayCredits: 3 },
    })
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(86_400)
  })

  it('takes amounts down to one atomic unit', async () => {
    const { key } = await gateway.fundedKey(1)
    expect((await hold(key, { amountUsdcAtomic: 1 })).json.amountCredits).toBe(0.0001)
    expect((await hold(key, { amountCredits: 0.0001 })).json.amountUsdcAtomic).toBe(1)
    expect(await balanceOf(key)).toMatchObject({ usdcAtomic: 9998 })
  })

  it('works for a service that acts for the key', async () => {
    const { id, key } = await gateway.fundedKey(5)
    const answer = await gateway.send('POST', '/v1/credits/authorize', {
      headers: { 'x-kernel-service-token': SERVICE_TOKEN, 'x-kernel-api-key-id': id },
      body: JSON.stringify({ requestId: 'r', skill: 's', path: '/p', amountCredits: 5 }),
    })
    expect(answer.status).toBe(200)
    expect(await balanceOf(key)).toMatchObject({ credits: 0, heldCredits: 5 })
  })

  it('keeps the request ids of a service apart from those of the key', async () => {
    const { id, key } = await gateway.fundedKey(10)
    const body = {
      requestId: 'job-1',
      skill: 'utils.diff',
      path: '/v1/utils/diff',
      amountCredits: 2,
    }
    const squatted = await hold(key, body)
    const service = await asService(id, 'authorize', body)
    expect(service.status).toBe(200)
    expect(service.json.authorizationId).not.toBe(squatted.json.authorizationId)
    expect((await asService(id, 'authorize', body)).json).toEqual(service.json)
    expect((await hold(key, body)).json).toEqual(squatted.json)
    expect(await balanceOf(key)).toMatchObject({ credits: 6, heldCredits: 4 })
  })

  it.each<[string, object | string, string]>([
    ['no amount', { amountCredits: undefined }, '/amountCredits'],
    ['an amount of text', { amountCredits: '1' }, '/amountCredits'],
    ['null', { amountCredits: null }, '/amountCredits'],
    ['NaN', { amountCredits: NaN }, '/amountCredits'],
    ['zero', { amountCredits: 0 }, '/amountCredits'],
    ['minus zero', '{"requestId":"r","skill":"s","amountCredits":-0}', '/amountCredits'],
    ['a negative amount', { amountCredits: -1 }, '/amountCredits'],
    ['a part of an atomic unit', { amountCredits: 0.00001 }, '/amountCredits'],
    ['a hair too much', { amountCredits: 1.00001 }, '/amountCredits'],
    ['a huge amount', { amountCredits: 1e300 }, '/amountCredits'],
    ['infinity', '{"requestId":"r","skill":"s","amountCredits":1e999}', '/amountCredits'],
    ['atomic text', { amountCredits: undefined, amountUsdcAtomic: '10000' }, '/amountUsdcAtomic'],
    [
      'half an atomic unit',
      { amountCredits: undefined, amountUsdcAtomic: 0.5 },
      '/amountUsdcAtomic',
    ],
    ['atomic zero', { amountCredits: undefined, amountUsdcAtomic: 0 }, '/amountUsdcAtomic'],
    ['negative atomic', { amountCredits: undefined, amountUsdcAtomic: -5 }, '/amountUsdcAtomic'],
    ['huge atomic', { amountCredits: undefined, amountUsdcAtomic: 1e18 }, '/amountUsdcAtomic'],
    ['amounts that disagree', { amountUsdcAtomic: 10_001 }, '/amountUsdcAtomic'],
    ['an empty requestId', { requestId: '' }, '/requestId'],
    ['a long requestId', { requestId: 'x'.repeat(129) }, '/requestId'],
    ['a requestId with a line break', { requestId: 'a\nb' }, '/requestId'],
    ['a requestId with NUL', { requestId: 'a\u0000' }, '/requestId'],
    ['a requestId of a number', { requestId: 5 }, '/requestId'],
    ['no requestId', { requestId: undefined }, '/requestId'],
    ['no skill', { skill: undefined }, '/skill'],
    ['a skill of an object', { skill: {} }, '/skill'],
    ['a long path', { path: '/'.repeat(2049) }, '/path'],
    ['another key', { apiKeyId: 'key_other' }, '/apiKeyId'],
    ['__proto__', '{"requestId":"r","skill":"s","amountCredits":1,"__proto__":{}}', '/__proto__'],
  ])('refuses %s, names the field and moves nothing', async (_, body, path) => {
    const { key } = await gateway.fundedKey(2)
    const refused =
      typeof body === 'string'
        ? await gateway.as(key, 'POST', '/v1/credits/authorize', body)
        : await hold(key, { amountCredits: 1, ...body })
    expect(refused.status).toBe(400)
    expect(refused.json.error.code).toBe('INVALID_INPUT')
    const issues: { path: string }[] = refused.json.error.details.issues
    expect(issues.map((issue) => issue.path)).toContain(path)
    expect(await balanceOf(key)).toMatchObject({ credits: 2, heldCredits: 0 })
  })
})

describe('capture, release and refund', () => {
  it('captures once, and the same again answers the same', async () => {
    const { key } = await gateway.fundedKey(10)
    const { json } = await hold(key, { requestId: 'a', amountCredits: 4 })
    const body = { authorizationId: json.authorizationId, requestId: 'a' }
    const first = await end(key, 'capture', body)
    expect(first.json).toEqual({
      ...json,
      state: 'captured',
      ledgerId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect((await end(key, 'capture', body)).json).toEqual(first.json)
    const released = await end(key, 'release', body)
    expect(released.status).toBe(409)
    expect(released.json.error.details.state).toBe('captured')
    expect(await balanceOf(key)).toMatchObject({ credits: 6, heldCredits: 0 })
  })

  it('releases once, and a capture after it is 409', async () => {
    const { key } = await gateway.fundedKey(10)
    const { json } = await hold(key, { amountCredits: 4 })
    const body = { authorizationId: json.authorizationId }
    const first = await end(key, 'release', body)
    expect(first.json.state).toBe('released')
    expect((await end(key, 'release', body)).json).toEqual(first.json)
    expect((await end(key, 'capture', body)).json.error.details.state).toBe('released')
    expect(await balanceOf(key)).toMatchObject({ credits: 10, heldCredits: 0 })
  })

  it('refunds a captured hold once, for the operator only', async () => {
    const { id, key } = await gateway.fundedKey(10)
    const requestId = randomUUID()
    const { json } = await hold(key, { requestId, amountCredits: 4 })
    const early = await gateway.admin('POST', '/v1/credits/refund', { requestId })
    expect(early.status).toBe(409)
    expect(early.json.error.details.state).toBe('authorized')
    await end(key, 'capture', { authorizationId: json.authorizationId })
    expect((await gateway.as(key, 'POST', '/v1/credits/refund', { requestId })).status).toBe(401)
    const body = { requestId, note: 'goodwill', apiKeyId: id }
    const first = await gateway.admin('POST', '/v1/credits/refund', body)
    expect(first.json).toMatchObject({ authorizationId: json.authorizationId, state: 'refunded' })
    expect((await gateway.admin('POST', '/v1/credits/refund', body)).json).toEqual(first.json)
    expect(await balanceOf(key)).toMatchObject({ credits: 10, heldCredits: 0 })
    const rows = await gateway.admin('GET', `/v1/ledger?requestId=${requestId}&kind=refund`)
    expect(rows.json.rows).toHaveLength(1)
    expect(rows.json.rows[0]).toMatchObject({ id: first.json.ledgerId, note: 'goodwill' })
  })

  it('asks which call is meant when two keys used the same requestId', async () => {
    const requestId = randomUUID()
    const keys = [await gateway.fundedKey(1), await gateway.fundedKey(1)]
    for (const { key } of keys) {
      const { json } = await hold(key, { requestId, amountCredits: 1 })
      await end(key, 'capture', { authorizationId: json.authorizationId })
    }
    const refused = await gateway.admin('POST', '/v1/credits/refund', { requestId })
    expect(refused.status).toBe(409)
    expect(refused.json.error.details.authorizationIds).toHaveLength(2)
    const apiKeyId = keys[0]!.id
    const done = await gateway.admin('POST', '/v1/credits/refund', { requestId, apiKeyId })
    expect(done.json.state).toBe('refunded')
    expect(await balanceOf(keys[1]!.key)).toMatchObject({ credits: 0 })
  })

  it("is 404 for a service's hold, which only a service ends", async () => {
    const { id, key } = await gateway.fundedKey(10)
    const body = {
      requestId: 'job-1',
      skill: 'utils.diff',
      path: '/v1/utils/diff',
      amountCredits: 4,
    }
    const { authorizationId } = (await asService(id, 'authorize', body)).json
    for (const how of ['release', 'capture'] as const) {
      expect((await end(key, how, { authorizationId, requestId: 'job-1' })).status).toBe(404)
    }
    expect(await balanceOf(key)).toMatchObject({ credits: 6, heldCredits: 4 })
    const captured = await asService(id, 'capture', { authorizationId, requestId: 'job-1' })
    expect(captured.json).toMatchObject({ state: 'captured', requestId: 'job-1' })
    const verdict = await verifyLedger(gateway.database.db.sql)
    expect(verdict.violations).toEqual([])
  })

  it("captures a service's hold after its key was revoked or bound to other networks", async () => {
    const { keys } = gateway.instance
    const ends = [
      (id: string) => keys.revoke(id),
      (id: string) => keys.patch(id, { networks: ['198.51.100.7/32'] }),
    ]
    for (const endKey of ends) {
      const { id } = await gateway.fundedKey(10)
      const body = { requestId: 'job-1', skill: 'utils.diff', amountCredits: 4 }
      const { authorizationId } = (await asService(id, 'authorize', body)).json
      await endKey(id)
      await eventually(async () =>
        [401, 403].includes((await asService(id, 'authorize', body)).status),
      )
      expect((await asService(id, 'capture', { authorizationId })).json.state).toBe('captured')
    }
  })

  it("is 404 for an unknown hold and for another key's", async () => {
    const mine = await gateway.fundedKey(5)
    const theirs = await gateway.fundedKey(5)
    const { json } = await hold(mine.key, { requestId: 'mine', amountCredits: 1 })
    for (const authorizationId of [randomUUID(), 'x', "'; DROP TABLE", json.authorizationId]) {
      for (const how of ['capture', 'release'] as const) {
        const refused = await end(theirs.key, how, { authorizationId, requestId: 'mine' })
        expect(refused.status).toBe(404)
      }
    }
    expect((await gateway.admin('POST', '/v1/credits/refund', { requestId: 'none' })).status).toBe(
      404,
    )
    expect(await balanceOf(mine.key)).toMatchObject({ heldCredits: 1 })
  })

  it.each([
    ['at the price of the table', 1],
    ["at a plan's price", null],
  ])(
    'is 404 for the hold of a metered call %s, whose id its key can read',
    async (_, priceVersion) => {
      const { id, key } = await gateway.fundedKey(10)
      const { accountId } = (await gateway.instance.keys.get(id))!
      const order = { holdId: Bun.randomUUIDv7(), accountId, keyId: id }
      await gateway.ledger.authorize({
        ...order,
        requestId: 'call-1',
        skillId: 'utils.diff',
        productId: 'utils',
        path: '/v1/utils/diff',
        amountAtomic: 40_000n,
        priceVersion,
        ttlMs: 60_000,
        scope: 'call',
      })
      const { rows } = (await gateway.as(key, 'GET', '/v1/usage?requestId=call-1')).json
      expect(rows).toMatchObject([{ id: order.holdId, kind: 'authorize' }])
      for (const how of ['release', 'capture'] as const) {
        expect((await end(key, how, { authorizationId: rows[0].id })).status).toBe(404)
      }
      expect(await balanceOf(key)).toMatchObject({ credits: 6, heldCredits: 4 })
      const captured = await gateway.ledger.capture({ ...order, amountAtomic: 30_000n })
      expect(captured.outcome).toBe('done')
      expect((await end(key, 'release', { authorizationId: rows[0].id })).status).toBe(409)
    },
  )

  it('is 400 when the requestId is not that of the hold', async () => {
    const { key } = await gateway.fundedKey(5)
    const { json } = await hold(key, { requestId: 'a', amountCredits: 1 })
    const { authorizationId } = json
    const refused = await end(key, 'capture', { authorizationId, requestId: 'b' })
    expect(refused.status).toBe(400)
    expect(refused.json.error.details.issues[0].path).toBe('/requestId')
    expect((await end(key, 'capture', { requestId: 'a' })).status).toBe(400)
    expect(await balanceOf(key)).toMatchObject({ heldCredits: 1 })
  })
})

describe('sandbox top-up', () => {
  it('grants credits to a test key', async () => {
    const { id, key } = await gateway.fundedKey(0)
    const granted = await gateway.admin('POST', '/v1/sandbox/topup', {
      apiKeyId: id,
      amount: 0.01,
      provider: 'provider_a',
    })
    expect(granted.json).toEqual({
      ledgerId: expect.any(String),
      apiKeyId: id,
      provider: 'provider_a',
      amountCredits: 0.01,
      amountUsdcAtomic: 100,
      duplicate: false,
      balance: { credits: 0.01, heldCredits: 0, usdcAtomic: 100 },
    })
    expect(await balanceOf(key)).toMatchObject({ usdcAtomic: 100 })
  })

  it('grants once per Idempotency-Key, and refuses it for another body', async () => {
    const { id, key } = await gateway.fundedKey(0)
    const grant = (amount: number): Promise<Answer> =>
      gateway.admin(
        'POST',
        '/v1/sandbox/topup',
        { apiKeyId: id, amount },
        { 'idempotency-key': id },
      )
    const first = await grant(5)
    const again = await grant(5)
    expect(again.json).toEqual({ ...first.json, duplicate: true })
    expect((await grant(6)).status).toBe(409)
    expect(await balanceOf(key)).toMatchObject({ credits: 5 })
  })

  it('never funds a live key, an unknown or a revoked one', async () => {
    const live = await gateway.instance.keys.create({ name: 'live', mode: 'live' })
    const refused = await gateway.admin('POST', '/v1/sandbox/topup', {
      apiKeyId: live.record.id,
      amount: 5,
    })
    expect(refused.status).toBe(400)
    expect(refused.json.error.details.issues[0].path).toBe('/apiKeyId')
    expect(await balanceOf(live.plaintext)).toMatchObject({ credits: 0 })
    const unknown = { apiKeyId: 'key_nobody', amount: 5 }
    expect((await gateway.admin('POST', '/v1/sandbox/topup', unknown)).status).toBe(404)
    const { id } = await gateway.fundedKey(0)
    await gateway.instance.keys.revoke(id)
    const revoked = { apiKeyId: id, amount: 5 }
    expect((await gateway.admin('POST', '/v1/sandbox/topup', revoked)).status).toBe(409)
  })

  it('grants credits to a test account', async () => {
    const open = async (mode: 'live' | 'test') =>
      (await gateway.admin('POST', '/v1/accounts', { name: 'team', mode })).json.id
    const grant = (body: object, key: string): Promise<Answer> =>
      gateway.admin('POST', '/v1/sandbox/topup', { amount: 3, ...body }, { 'idempotency-key': key })
    const accountId = await open('test')
    const granted = await grant({ accountId }, accountId)
    expect(granted.json).toEqual({
      ledgerId: expect.any(String),
      accountId,
      provider: 'sandbox',
      amountCredits: 3,
      amountUsdcAtomic: 30_000,
      duplicate: false,
      balance: { credits: 3, heldCredits: 0, usdcAtomic: 30_000 },
    })
    expect((await grant({ accountId }, accountId)).json).toEqual({
      ...granted.json,
      duplicate: true,
    })
    const other = await open('test')
    expect((await grant({ accountId: other }, accountId)).status).toBe(409)
    const live = await grant({ accountId: await open('live') }, 'live')
    expect([live.status, live.json.error.details.issues[0].path]).toEqual([400, '/accountId'])
    expect((await grant({ accountId: 'x' }, 'x')).status).toBe(404)
    expect((await grant({ accountId: '0197f3c2-a1b0-7c44-a3e2-b1c0d9e8f702' }, 'x')).status).toBe(
      404,
    )
    const { id } = await gateway.fundedKey(0)
    expect((await grant({ accountId, apiKeyId: id }, 'both')).status).toBe(400)
    expect((await grant({}, 'none')).status).toBe(400)
    await gateway.admin('POST', `/v1/accounts/${accountId}/close`, {})
    expect((await grant({ accountId }, 'closed')).status).toBe(409)
    expect((await gateway.admin('GET', `/v1/accounts/${other}`)).json.balance.credits).toBe(0)
  })

  it.each([0, -1, 0.00001, 1e300, '5', null])('refuses an amount of %j', async (amount) => {
    const { id } = await gateway.fundedKey(0)
    const refused = await gateway.admin('POST', '/v1/sandbox/topup', { apiKeyId: id, amount })
    expect(refused.status).toBe(400)
    expect(refused.json.error.details.issues[0].path).toBe('/amount')
  })

  it('is 403 when the sandbox is off, and keys are live ones then', async () => {
    const production = await routeHarness({ sandbox: false })
    try {
      const made = await production.admin('POST', '/v1/keys', { name: 'x' })
      expect(made.json.mode).toBe('live')
      const test = await production.admin('POST', '/v1/keys', { name: 'x', mode: 'test' })
      const body = { apiKeyId: test.json.id, amount: 5 }
      const refused = await production.admin('POST', '/v1/sandbox/topup', body)
      expect(refused.status).toBe(403)
      expect(refused.json.error.details.reason).toBe('sandbox_disabled')
    } finally {
      await production.close()
    }
  })
})

describe('ledger and usage', () => {
  it('show the rows of specs/contract.md, newest first; a key sees its own only', async () => {
    const { id, key } = await gateway.fundedKey(10)
    const other = await gateway.fundedKey(10)
    const { json } = await hold(key, { requestId: 'seen', amountCredits: 4 })
    await end(key, 'capture', { authorizationId: json.authorizationId })
    const all = await gateway.admin('GET', `/v1/ledger?apiKeyId=${id}`)
    const kinds = all.json.rows.map((row: { kind: string }) => row.kind)
    expect(kinds).toEqual(['capture', 'authorize', 'grant'])
    expect(all.json.rows[0]).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      kind: 'capture',
      accountId: ownAccount(id),
      apiKeyId: id,
      requestId: 'seen',
      rail: 'credits',
      skill: 'utils.diff',
      path: '/v1/utils/diff',
      amountCredits: 4,
      amountUsdcAtomic: 40_000,
      debit: expect.any(String),
      credit: expect.any(String),
      priceVersion: null,
      acquisition: null,
      transaction: null,
      note: null,
    })
    expect((await gateway.as(key, 'GET', '/v1/usage')).json).toEqual(all.json)
    const theirs = await gateway.as(other.key, 'GET', `/v1/usage?apiKeyId=${id}`)
    expect(theirs.json.rows.map((row: { apiKeyId: string }) => row.apiKeyId)).toEqual([other.id])
    const captures = await gateway.as(key, 'GET', '/v1/usage?kind=capture')
    expect(captures.json.rows).toEqual([all.json.rows[0]])
  })

  it('page backwards with nextBefore', async () => {
    const { id } = await gateway.fundedKey(1)
    for (let i = 0; i < 4; i++) {
      await gateway.admin('POST', '/v1/sandbox/topup', { apiKeyId: id, amount: 1 })
    }
    const seen: string[] = []
    let query = ''
    for (let page = 0; page < 3; page++) {
      const { json } = await gateway.admin('GET', `/v1/ledger?apiKeyId=${id}&limit=2${query}`)
      seen.push(...json.rows.map((row: { id: string }) => row.id))
      query = `&before=${json.nextBefore}`
      expect(json.nextBefore === null).toBe(page === 2)
    }
    expect(new Set(seen).size).toBe(5)
  })

  it.each([
    ['limit=0', '/limit'],
    ['limit=501', '/limit'],
    ['limit=-1', '/limit'],
    ['limit=1e2', '/limit'],
    ['kind=theft', '/kind'],
    ['before=abc', '/before'],
    ['before=-1', '/before'],
    ['requestId=', '/requestId'],
    [`apiKeyId=${'x'.repeat(200)}`, '/apiKeyId'],
  ])('refuse ?%s', async (query, path) => {
    const refused = await gateway.admin('GET', `/v1/ledger?${query}`)
    expect(refused.status).toBe(400)
    expect(refused.json.error.details.issues[0].path).toBe(path)
  })

  it('are for the operator and for the key', async () => {
    const { key } = await gateway.fundedKey(0)
    expect((await gateway.as(key, 'GET', '/v1/ledger')).status).toBe(401)
    expect((await gateway.as('', 'GET', '/v1/usage')).status).toBe(401)
  })
})

describe('fixtures', () => {
  it('are signed over their raw bytes, as the providers sign', async () => {
    const { json } = await gateway.as('', 'GET', '/v1/sandbox/fixtures')
    expect(json.fixtures.map((one: { event: string }) => one.event)).toEqual([
      'charge.success',
      'charge.completed',
      'charge.completed',
      'refund.processed',
      'charge.dispute.create',
      'refund.completed',
      'chargeback.created',
    ])
    for (const fixture of json.fixtures) {
      expect(JSON.parse(fixture.rawBody)).toEqual(fixture.body)
      const { exampleSecret, header } = fixture.signature
      const expected: Record<string, string> = {
        'x-paystack-signature': createHmac('sha512', exampleSecret)
          .update(fixture.rawBody)
          .digest('hex'),
        'verif-hash': exampleSecret,
        'flutterwave-signature': createHmac('sha256', exampleSecret)
          .update(fixture.rawBody)
          .digest('base64'),
      }
      expect(fixture.headers[header]).toBe(expected[header]!)
    }
  })
})
