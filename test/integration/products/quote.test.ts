/** POST /v1/quote: what a call would cost, asked by skill, tool or path. */
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { accounts } from '../../../kernel/ledger/accounts.ts'
import type { FreeQuota, Ledger } from '../../../kernel/ledger/contract.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { AccountTerms, Quotes } from '../../../kernel/metering/quotes.ts'
import { definePlugin } from '../../../kernel/plugins/contract.ts'
import { defineSkill, PURE } from '../../../kernel/plugins/skill.ts'
import { flatPrice } from '../../../kernel/pricing/rule.ts'
import { creditsRail } from '../../../kernel/rails/credits/rail.ts'
import { RailRegistry } from '../../../kernel/rails/registry.ts'
import { serveRoute } from '../../../kernel/http/route-adapter.ts'
import type { Route } from '../../../kernel/plugins/route.ts'
import type { ProductRegistry } from '../../../kernel/products/registry.ts'
import { quoteRoute } from '../../../plugins/documents/quote-route.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { silentLog } from '../../support/log.ts'
import { authInstance, type AuthInstance } from '../auth/instance.ts'
import { registryOn } from './harness.ts'

const read = defineSkill({
  id: 'docs.read',
  tools: [
    { name: 'docs.read' },
    { name: 'docs.read_one', input: Type.Object({ pages: Type.Literal(1) }) },
  ],
  title: 'Read',
  description: 'Reads pages.',
  input: Type.Object({ pages: Type.Integer({ minimum: 1 }) }, { additionalProperties: false }),
  output: Type.Object({}),
  annotations: PURE,
  mostUnits: ({ pages }) => {
    if (pages === 13) throw new Error('unlucky')
    return { page: pages === 14 ? -1 : pages }
  },
  handler: async () => ({ ok: true, output: {} }),
})
const docs = definePlugin({
  id: 'docs',
  version: '1.0.0',
  kernel: '^1.0.0',
  config: Type.Object({}),
  setup: () => ({ skills: [read, { ...read, id: 'docs.list', tools: [], mostUnits: undefined }] }),
})
const SPEC = `
product_id: docs
plugin: docs
skills:
  - skill: docs.read
    route: POST /read/{pages}
    price: { credits: 1, per: { unit: page, credits: 2, first: 1 }, max: 40, free: 50/day }
  - skill: docs.list
    route: GET /list
    metered: false
`

let database: TestDatabase
let auth: AuthInstance
let registry: ProductRegistry
let route: Route
let ledger: Ledger
const accountTerms = new AccountTerms()
beforeAll(async () => {
  database = await testDatabase()
  auth = await authInstance(database.db)
  registry = await registryOn(database.db, { extra: [docs] })
  await registry.start()
  const put = await registry.put('docs', SPEC)
  expect(put).toMatchObject({ ok: true })
  const rails = new RailRegistry()
  ledger = createLedger(database.db)
  rails.add(creditsRail({ ledger, holdTtlMs: 60_000 }))
  const quotes = new Quotes('http://localhost')
  route = quoteRoute({
    catalog: registry,
    quotes: {
      http: (mounted) => quotes.http(mounted),
      tool: (mounted, tool) => quotes.tool(mounted, tool),
      at: (method, path) => registry.skillAt(method, path),
      identify: (credentials) => auth.auth.identify(credentials),
      ownPrice: (accountId, listed) => accountTerms.of(accountId, listed),
      sellers: (allowed, asked) => rails.sellers(allowed, asked),
      left: ledger,
    },
    log: silentLog,
  })
})
afterAll(async () => {
  await ledger.drain()
  await registry.stop()
  await auth.close()
  await database.close()
})

async function quote(body: unknown, headers: Record<string, string> = {}) {
  const response = await serveRoute(
    route,
    {
      request: new Request('http://localhost/v1/quote', {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      }),
      params: {},
      search: '',
      requestId: 'r-1',
      clientAddress: '192.0.2.1',
    },
    { auth: auth.auth, log: silentLog },
  )
  return { status: response.status, json: (await response.json()) as any }
}

describe('a quote', () => {
  it('says the rule, what is held, and on which rails', async () => {
    const { status, json } = await quote({ skill: 'docs.read' })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      skill: 'docs.read',
      product: 'docs',
      tool: null,
      method: 'POST',
      path: '/v1/docs/read/{pages}',
      metered: true,
      rule: {
        text: '1 credit + 2 credits per page after the first, at most 40 credits; 50 calls a day free',
      },
      held: { credits: 40 },
      atMost: { credits: 40, usd: 0.4, usdcAtomic: '400000' },
      estimate: null,
      rails: [{ rail: 'credits', title: 'prepaid credits', charges: 'measured' }],
    })
  })

  it.each([
    ['a tool', { tool: 'docs.read' }, { tool: 'docs.read', skill: 'docs.read' }],
    ['a tool by its alias', { tool: 'docs_read_one' }, { tool: 'docs.read_one' }],
    ['a path', { path: '/v1/docs/read/3?x=1' }, { skill: 'docs.read' }],
    ['a path by the id of its product', { path: '/v1/p/docs/read/3' }, { skill: 'docs.read' }],
    ['a path and method', { path: '/v1/docs/list', method: 'GET' }, { skill: 'docs.list' }],
  ])('is found by %s', async (_, body, expected) => {
    expect((await quote(body)).json).toMatchObject(expected)
  })

  it('estimates the units that the caller names, and still binds by the maximum', async () => {
    const { json } = await quote({ skill: 'docs.read', units: { page: 3 } })
    expect(json).toMatchObject({ estimate: { credits: 5 }, atMost: { credits: 40 } })
  })

  it('binds by what the skill promises for the input', async () => {
    const { json } = await quote({ skill: 'docs.read', input: { pages: 4 } })
    expect(json).toMatchObject({ atMost: { credits: 7 }, held: { credits: 40 } })
  })

  it.each([
    ['a throw', 13],
    ['no count', 14],
  ])('falls back to the maximum when the promise is %s', async (_, pages) => {
    const { json } = await quote({ skill: 'docs.read', input: { pages } })
    expect(json).toMatchObject({ atMost: { credits: 40 } })
  })

  it('of what is not metered costs nothing and names no rail', async () => {
    const { json } = await quote({ skill: 'docs.list' })
    expect(json).toMatchObject({ metered: false, atMost: { credits: 0 }, rails: [] })
  })

  it.each([
    ['nothing asked', {}, 400],
    ['two ways at once', { skill: 'docs.read', tool: 'docs.read' }, 400],
    ['an unknown skill', { skill: 'docs.write' }, 404],
    ['an unknown tool', { tool: 'docs.write' }, 404],
    ['an unknown path', { path: '/v1/nothing' }, 404],
    ['an unknown unit', { skill: 'docs.read', units: { token: 1 } }, 400],
    ['a negative count', { skill: 'docs.read', units: { page: -1 } }, 400],
    ['wrong input', { skill: 'docs.read', input: { pages: 0 } }, 400],
    ["input that is not the tool's own", { tool: 'docs.read_one', input: { pages: 2 } }, 400],
    ['an unknown member', { skill: 'docs.read', cheap: true }, 400],
  ])('refuses %s', async (_, body, status) => {
    expect((await quote(body)).status).toBe(status)
  })

  it('names wrong input by its place', async () => {
    const { json } = await quote({ skill: 'docs.read', input: { pages: 0 }, units: { 'a/b': 1 } })
    expect(json.error.details.issues).toMatchObject([
      { path: '/units/a~1b' },
      { path: '/input/pages' },
    ])
  })

  it('refuses a wrong key', async () => {
    const { status } = await quote({ skill: 'docs.read' }, { 'x-api-key': 'ck_test_wrong' })
    expect(status).toBe(401)
  })
})

describe('a quote for a key', () => {
  const keyWith = async (credits: number, isPayersOwn = false) => {
    const order = { name: 'test', mode: 'test', isPayersOwn } as const
    const { record, plaintext } = await auth.keys.create(order)
    const { id: keyId, accountId } = record
    if (credits > 0) {
      await ledger.credit({
        accountId,
        keyId,
        amountAtomic: BigInt(credits) * 10_000n,
        source: 'sandbox',
        reference: newId(),
        kind: 'grant',
      })
    }
    return { keyId, accountId, headers: { 'x-api-key': plaintext } }
  }
  const hold = (who: { keyId: string; accountId: string }, free: FreeQuota | null) =>
    ledger.authorize({
      accountId: who.accountId,
      keyId: who.keyId,
      holdId: newId(),
      requestId: newId(),
      skillId: 'docs.read',
      productId: 'docs',
      path: '/',
      amountAtomic: 400_000n,
      ttlMs: 60_000,
      scope: 'call',
      free,
    })

  it('says what is left of the balance and of the free calls', async () => {
    const who = await keyWith(100)
    const free = { calls: 50, period: 'day' } as const
    await hold(who, free)
    const { json } = await quote({ skill: 'docs.read' }, who.headers)
    expect(json.account).toMatchObject({
      accountId: who.accountId,
      apiKeyId: who.keyId,
      availableCredits: 100,
      limits: [],
      free: { calls: 50, period: 'day', used: 1, left: 49 },
      monthUnits: null,
      allowed: true,
      refusedBy: null,
    })
    expect(Date.parse(json.account.free.endsAt)).toBeGreaterThan(Date.now())
  })

  it('names the balance or the budget that is in the way once free calls are used', async () => {
    const who = await keyWith(100)
    for (let call = 0; call < 50; call += 1) await hold(who, { calls: 50, period: 'day' })
    const asked = async () => (await quote({ skill: 'docs.read' }, who.headers)).json.account
    expect(await asked()).toMatchObject({ free: { left: 0 }, allowed: true })
    await database.db.sql.begin((tx) => accounts.setBudget(tx, who, 'docs', { day: 390_000n }))
    expect(await asked()).toMatchObject({
      allowed: false,
      refusedBy: 'product_day',
      limits: [{ limit: 'product_day', product: 'docs', leftCredits: 39 }],
    })
    const poor = await keyWith(39)
    for (let call = 0; call < 50; call += 1) await hold(poor, { calls: 50, period: 'day' })
    const { json } = await quote({ skill: 'docs.read' }, poor.headers)
    expect(json.account).toMatchObject({ allowed: false, refusedBy: 'balance' })
    const gone = await keyWith(100)
    await database.db.sql.begin((tx) => accounts.close(tx, gone.accountId))
    expect((await quote({ skill: 'docs.read' }, gone.headers)).json.account).toMatchObject({
      allowed: false,
      refusedBy: 'account',
    })
  })

  it('is at its own price, where it has one, and only for its credits', async () => {
    const [who, other] = [await keyWith(100), await keyWith(100)]
    const own = flatPrice(5000n)
    accountTerms.setTerms([{ priceOf: (accountId) => (accountId === who.accountId ? own : null) }])
    const body = { skill: 'docs.read' }
    expect((await quote(body, who.headers)).json).toMatchObject({
      rule: { text: '0.5 credits' },
      ownPrice: true,
      held: { credits: 0.5 },
      rails: [{ rail: 'credits', most: { credits: 0.5 }, charges: 'exactly' }],
      account: { free: null },
    })
    accountTerms.setTerms([
      { priceOf: () => ({ ...own, free: { calls: 3, period: 'day' as const } }) },
    ])
    const payers = await keyWith(0, true)
    expect((await quote(body, payers.headers)).json.account).toMatchObject({
      free: { calls: 3, left: 3 },
      allowed: true,
    })
    accountTerms.setTerms([])
    expect((await quote(body, other.headers)).json).toMatchObject({
      ownPrice: false,
      held: { credits: 40 },
      rails: [{ rail: 'credits', most: { credits: 40 }, charges: 'measured' }],
    })
  })
})
