/**
 * Two gateway processes over one PostgreSQL, and callers who try to have more than an account pays
 * for: by many credentials, in the moment of a change, and by asking again. The ledger adds up after
 * each of them.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { verifyLedger } from '../../host/reporting/verify.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type Answer, type GatewayProcess } from '../support/gateway.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'

let database: TestDatabase
let products: string
let upstream: TestUpstream
let gateways: GatewayProcess[]
/** Ends the answers that the upstream keeps back. */
let release: (() => void)[] = []

beforeAll(async () => {
  database = await testDatabase()
  products = mkdtempSync(join(tmpdir(), 'coinop-products-'))
  upstream = await startUpstream((incoming, response) => {
    const pages = new URL(incoming.url ?? '', 'http://x').searchParams.get('pages')
    response.writeHead(200, { 'content-type': 'application/json' })
    release.push(() => response.end(`{"usage":{"pages":${pages}}}`))
  })
  const env = {
    DATABASE_URL: database.url,
    COINOP_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
    // Tokens of one are good at the other.
    PUBLIC_URL: 'http://coinop.test',
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    PRODUCTS_DIR: products,
    PRODUCT_UPSTREAM_URL: upstream.url,
    RATE_LIMIT_RPM: '1000000',
    RATE_LIMIT_BURST: '10000',
  }
  gateways = [await startGateway(env), await startGateway(env)]
  await put('demo', DEMO)
  await put('meter', METER(2))
  await put('plans', PLANS)
})
afterEach(async () => {
  expect((await verifyLedger(database.db.sql)).violations).toEqual([])
})
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await Promise.all([database.close(), upstream.close()])
  rmSync(products, { recursive: true, force: true })
})

const DEMO = {
  product_id: 'demo',
  base_path: '/v1/paid',
  plugin: 'demo',
  metered: true,
  skills: [{ skill: 'demo.hash', route: 'POST /hash', price: { credits: 1 } }],
}
const METER = (credits: number) => ({
  product_id: 'meter',
  base_path: '/v1/meter',
  upstream: { url: '${PRODUCT_UPSTREAM_URL}', allow_private: true },
  skills: [
    {
      id: 'meter.pages',
      route: 'GET /pages',
      price: { credits: 1, per: { unit: 'page', from: '/usage/pages', credits }, max: 20 },
    },
  ],
})
const PLANS = {
  product_id: 'plans',
  base_path: '/v1/plans',
  plugin: 'plans',
  metered: false,
  config: { plans: { pro: { title: 'Pro', price: { credits: 50 }, monthly_credits: 10 } } },
}

/** Registers a product, and waits until the other gateway sells what this one does. */
async function put(id: string, spec: object): Promise<void> {
  const { status, text } = await at(0).admin('PUT', `/v1/admin/products/${id}`, spec)
  if (status >= 300) throw new Error(text)
  const soldAt = async (i: number): Promise<string> => {
    const [prices, plans] = [
      await at(i).call('GET', '/v1/prices'),
      await at(i).call('GET', '/v1/plans'),
    ]
    return JSON.stringify([prices.json.hash, plans.status])
  }
  while ((await soldAt(1)) !== (await soldAt(0))) await Bun.sleep(20)
}

const at = (i: number): GatewayProcess => gateways[i % gateways.length]!
const times = <T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))
const hash = (i: number, headers: Record<string, string>): Promise<Answer> =>
  at(i).call('POST', '/v1/paid/hash', { body: { input: 'x' }, headers })
const admin = async (method: string, path: string, body?: object) => {
  const answer = await at(0).admin(method, path, body)
  if (answer.status >= 300) throw new Error(answer.text)
  return answer.json
}
const counts = (answers: Answer[]): Record<number, number> =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([s, of]) => [s, of.length]),
  )

/** An account with so many credits, and keys on it. */
async function team(credits: number, ...budgets: object[]) {
  const { id } = await admin('POST', '/v1/accounts', { name: 'team' })
  const grant = { accountId: id, amountCredits: credits, note: 'test', reference: id }
  await admin('POST', '/v1/credits/grant', grant)
  const keys = await times(budgets.length, (i) =>
    admin('POST', '/v1/keys', { name: 'agent', accountId: id, budget: budgets[i] }),
  )
  return { id: id as string, keys: keys as { id: string; key: string }[] }
}
const balanceOf = async (id: string) => (await admin('GET', `/v1/accounts/${id}`)).balance

it('a key and tokens of it, at once over both gateways, share one budget', async () => {
  const { id, keys } = await team(100, { day: 7 })
  const [{ id: keyId, key }] = keys as [{ id: string; key: string }]
  const tokens = await times(
    3,
    async () => (await admin('POST', `/v1/keys/${keyId}/jwt`, {})).token,
  )
  const credentials = [
    { 'x-api-key': key },
    ...tokens.map((token) => ({ authorization: `Bearer ${token}` })),
  ]
  const answers = await times(64, (i) => hash(i, credentials[i % credentials.length]!))
  expect(counts(answers)).toEqual({ 200: 7, 429: 57 })
  expect(await balanceOf(id)).toMatchObject({ credits: 93, heldCredits: 0 })
})

it('a retry across a refusal by the budget is charged once, when the budget has room', async () => {
  const { id, keys } = await team(100, { day: 0.5 })
  const [{ id: keyId, key }] = keys as [{ id: string; key: string }]
  const headers = { 'x-api-key': key, 'idempotency-key': crypto.randomUUID() }
  expect(counts(await times(8, (i) => hash(i, headers)))[200]).toBeUndefined()
  await admin('PATCH', `/v1/keys/${keyId}`, { budget: { day: 1 } })
  const answers = await times(16, (i) => hash(i, headers))
  const good = answers.filter(({ status }) => status === 200)
  expect(good.length).toBeGreaterThan(0)
  expect(good.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(
    1,
  )
  // The replay needs no room of the budget, which is used up.
  const again = await hash(1, headers)
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
  expect(await balanceOf(id)).toMatchObject({ credits: 99, heldCredits: 0 })
})

it('a budget that is lowered under way holds from its answer on', async () => {
  const { keys } = await team(1000, { day: 500 })
  const [{ id: keyId, key }] = keys as [{ id: string; key: string }]
  const calls = times(300, (i) => hash(i, { 'x-api-key': key }))
  const { budget } = await admin('PATCH', `/v1/keys/${keyId}`, { budget: { day: 40 } })
  const paid = (await calls).filter(({ status }) => status === 200).length
  const { spentTodayCredits } = await admin('GET', `/v1/keys/${keyId}`)
  expect(spentTodayCredits).toBe(paid)
  expect(paid).toBeLessThanOrEqual(Math.max(40, budget.spent.day))
})

it('a revoked key and a closed account buy nothing after the answer says so', async () => {
  const { id, keys } = await team(5000, {}, {})
  const [first, second] = keys as [{ id: string; key: string }, { id: string; key: string }]
  const now = { isOver: false, isRevoked: false, isClosed: false }
  const late: number[] = []
  /** Calls until told to stop; notes calls that began after `ended` and were answered. */
  const calling = async (i: number, key: string, ended: () => boolean): Promise<void> => {
    while (!now.isOver) {
      const wasEnded = ended()
      const { status } = await hash(i, { 'x-api-key': key })
      if (wasEnded && status === 200) late.push(status)
    }
  }
  const callers = [
    ...Array.from({ length: 6 }, (_, i) => calling(i, first.key, () => now.isRevoked)),
    ...Array.from({ length: 6 }, (_, i) => calling(i, second.key, () => now.isClosed)),
  ]
  await hash(0, { 'x-api-key': second.key })
  await admin('POST', `/v1/keys/${first.id}/revoke`, {})
  now.isRevoked = true
  await times(10, (i) => hash(i, { 'x-api-key': first.key }))
  await admin('POST', `/v1/accounts/${id}/close`, {})
  now.isClosed = true
  const after = await balanceOf(id)
  await times(10, (i) => hash(i, { 'x-api-key': second.key }))
  now.isOver = true
  await Promise.all(callers)
  expect(late).toEqual([])
  const end = await balanceOf(id)
  expect(end.heldCredits).toBe(0)
  // What was held when it closed may have been charged or given back; nothing else was taken.
  expect(after.credits - end.credits).toBeLessThanOrEqual(0)
})

it('transfers of everything to and fro, while both accounts buy, lose and make nothing', async () => {
  const [one, other] = [await team(200, {}), await team(200, {})]
  const move = async (from: string, to: string, i: number): Promise<void> => {
    const { credits } = await balanceOf(from)
    if (credits === 0) return
    const body = { toAccountId: to, amountCredits: credits, reference: crypto.randomUUID() }
    const { status } = await at(i).admin('POST', `/v1/accounts/${from}/transfer`, body)
    expect([200, 402]).toContain(status)
  }
  const [answers] = await Promise.all([
    times(200, (i) => hash(i, { 'x-api-key': [one, other][i % 2]!.keys[0]!.key })),
    times(30, (i) => (i % 2 === 0 ? move(one.id, other.id, i) : move(other.id, one.id, i))),
  ])
  const paid = answers.filter(({ status }) => status === 200).length
  const [a, b] = [await balanceOf(one.id), await balanceOf(other.id)]
  expect(a.credits + b.credits).toBe(400 - paid)
  expect(a.heldCredits + b.heldCredits).toBe(0)
  const itself = { toAccountId: one.id, amountCredits: 1, reference: crypto.randomUUID() }
  expect((await at(0).admin('POST', `/v1/accounts/${one.id}/transfer`, itself)).status).toBe(400)
})

it('holds of the public routes are inside the budgets, and a refund opens none again', async () => {
  const { id, keys } = await team(100, { call: 2, day: 9, products: { own: { day: 6 }, demo: {} } })
  const [{ key }] = keys as [{ id: string; key: string }]
  const hold = (i: number, amountCredits: number, skill: string) =>
    at(i).call('POST', '/v1/credits/authorize', {
      headers: { 'x-api-key': key },
      body: { requestId: crypto.randomUUID(), skill, amountCredits },
    })
  expect((await hold(0, 2.0001, 'own.work')).json.error.details.limit).toBe('budget_call')
  const made = await times(40, (i) => hold(i, 1.5, 'own.work'))
  expect(counts(made)).toEqual({ 200: 4, 429: 36 })
  expect((await hold(0, 1, 'meter.pages')).status).toBe(403)
  const held = made.filter(({ status }) => status === 200).map(({ json }) => json)
  const end = (i: number, how: string, { authorizationId }: { authorizationId: string }) =>
    at(i).call('POST', `/v1/credits/${how}`, {
      headers: { 'x-api-key': key },
      body: { authorizationId },
    })
  // Captured and released at once, on both gateways: each ends one way.
  const ends = await times(16, (i) => end(i, i % 4 < 2 ? 'capture' : 'release', held[i % 4]!))
  expect(ends.every(({ status }) => status === 200 || status === 409)).toBe(true)
  const captured = await end(0, 'capture', held[0]!)
  const states = await times(4, async (i) => (await end(i, 'capture', held[i]!)).status)
  const charged = states.filter((status) => status === 200).length
  expect(captured.status).toBe(states[0])
  const { budget } = (await at(0).call('GET', '/v1/account', { headers: { 'x-api-key': key } }))
    .json
  expect(budget.spent.day).toBe(1.5 * charged)
  const refunds = await times(8, (i) =>
    at(i).admin('POST', '/v1/credits/refund', { requestId: held[i % 4]!.requestId }),
  )
  expect(refunds.every(({ status }) => status === 200 || status === 409)).toBe(true)
  const after = (await at(1).call('GET', '/v1/account', { headers: { 'x-api-key': key } })).json
  expect(after.budget.spent.day).toBe(1.5 * charged)
  expect(await balanceOf(id)).toMatchObject({ credits: 100, heldCredits: 0 })
})

it('a call under way when its price changes costs what was quoted, and never more than is held', async () => {
  const { id, keys } = await team(100, {})
  const headers = { 'x-api-key': keys[0]!.key }
  release = []
  const old = at(1).call('GET', '/v1/meter/pages?pages=5', { headers })
  while (release.length === 0) await Bun.sleep(10)
  await put('meter', METER(9))
  const dear = at(1).call('GET', '/v1/meter/pages?pages=5', { headers })
  while (release.length === 1) await Bun.sleep(10)
  for (const end of release) end()
  const answers = [await old, await dear]
  expect(
    answers.map(({ headers: said }) =>
      ['x-charged-credits', 'x-usage', 'x-price-capped'].map((name) => said.get(name)),
    ),
  ).toEqual([
    ['11', 'page=5', null],
    ['20', 'page=5', '1'],
  ])
  expect(await balanceOf(id)).toMatchObject({ credits: 69, heldCredits: 0 })
})

it('a plan that both gateways are asked for at once begins once', async () => {
  const { id, keys } = await team(120, { month: 60 })
  const subscribe = (i: number) =>
    at(i).call('POST', '/v1/plans/subscription', {
      headers: { 'x-api-key': keys[0]!.key },
      body: { plan: 'pro' },
    })
  const answers = await times(16, subscribe)
  expect(counts(answers)).toEqual({
    [answers.find(({ status }) => status < 300)!.status]: 1,
    409: 15,
  })
  expect(await balanceOf(id)).toMatchObject({ credits: 80, heldCredits: 0 })
})
