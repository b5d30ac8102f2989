/** POST /v1/quote: what a call would cost, asked by skill, tool or path. */
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { Quotes } from '../../../kernel/metering/quotes.ts'
import { definePlugin } from '../../../kernel/plugins/contract.ts'
import { defineSkill, PURE } from '../../../kernel/plugins/skill.ts'
import { creditsRail } from '../../../kernel/rails/credits/rail.ts'
import { RailRegistry } from '../../../kernel/rails/registry.ts'
import { serveRoute } from '../../../kernel/http/route-adapter.ts'
import { quoteRoute } from '../../../kernel/http/routes/quote.ts'
import type { Route } from '../../../kernel/plugins/route.ts'
import type { ProductRegistry } from '../../../kernel/products/registry.ts'
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
beforeAll(async () => {
  database = await testDatabase()
  auth = await authInstance(database.db)
  registry = await registryOn(database.db, { extra: [docs] })
  await registry.start()
  const put = await registry.put('docs', SPEC)
  expect(put).toMatchObject({ ok: true })
  const rails = new RailRegistry()
  rails.add(creditsRail({ ledger: createLedger(database.db), holdTtlMs: 60_000 }))
  route = quoteRoute({
    auth: auth.auth,
    registry,
    rails,
    quotes: new Quotes('http://localhost'),
    log: silentLog,
  })
})
afterAll(async () => {
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
