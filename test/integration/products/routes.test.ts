import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveRoute } from '../../../kernel/http/route-adapter.ts'
import type { Route } from '../../../kernel/plugins/route.ts'
import type { ProductRegistry } from '../../../kernel/products/registry.ts'
import { RouteTree } from '../../../kernel/products/route-tree.ts'
import { productRoutes as adminProductRoutes } from '../../../plugins/admin/routes/products.ts'
import { priceRoutes } from '../../../plugins/documents/price-routes.ts'
import { productRoutes } from '../../../plugins/documents/product-routes.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { silentLog } from '../../support/log.ts'
import { ADMIN_TOKEN, authInstance, type AuthInstance } from '../auth/instance.ts'
import { DEMO, registryOn } from './harness.ts'

let database: TestDatabase
let auth: AuthInstance
let registry: ProductRegistry
let routes: RouteTree<Route>
beforeAll(async () => {
  database = await testDatabase()
  auth = await authInstance(database.db)
  registry = await registryOn(database.db, { env: { SECRET_URL: 'http://hidden.example' } })
  await registry.start()
  routes = new RouteTree(
    [
      ...productRoutes(registry),
      ...adminProductRoutes({ products: registry }),
      ...priceRoutes({
        priceTable: () => registry.prices.current(),
        priceTableAt: (version) => registry.prices.at(version),
        visibleTo: async () => null,
      }),
    ].map((route) => ({
      method: route.method,
      path: route.path,
      target: route,
    })),
  )
})
afterAll(async () => {
  await registry.stop()
  await auth.close()
  await database.close()
})

async function send(
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { authorization: `Bearer ${ADMIN_TOKEN}` },
) {
  const url = new URL(path, 'http://localhost')
  const found = routes.match(method, url.pathname)
  if (found.kind !== 'found') throw new Error(`${method} ${path}: ${found.kind}`)
  const response = await serveRoute(
    found.target,
    {
      request: new Request(url, { method, headers, ...(body !== undefined && { body }) }),
      params: found.params,
      search: url.search,
      requestId: 'r-1',
      clientAddress: '192.0.2.1',
      seen: { identity: null, operator: null, failure: null },
    },
    { auth: auth.auth, log: silentLog },
  )
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text ? JSON.parse(text) : null,
  }
}
const withMatch = (value: string): Record<string, string> => ({
  authorization: `Bearer ${ADMIN_TOKEN}`,
  'if-match': value,
})

test('admin routes need the admin token; public ones none', async () => {
  for (const [method, path] of [
    ['GET', '/v1/admin/products'],
    ['PUT', '/v1/admin/products/demo'],
    ['DELETE', '/v1/admin/products/demo'],
    ['POST', '/v1/admin/products/validate'],
  ] as const)
    expect([
      path,
      (await send(method, path, method === 'GET' ? undefined : DEMO, {})).status,
    ]).toEqual([path, 401])
  expect((await send('GET', '/v1/products', undefined, {})).status).toBe(200)
  expect((await send('GET', '/v1/prices', undefined, {})).status).toBe(200)
})

test('an operator’s day: validate, put, look, condition, roll back, delete', async () => {
  const dry = await send('POST', '/v1/admin/products/validate', DEMO)
  expect(dry.json).toMatchObject({ valid: true, product_id: 'demo', serving: null })
  expect(registry.live('demo')).toBeNull()

  const put = await send('PUT', '/v1/admin/products/demo', DEMO)
  expect([put.status, put.json]).toEqual([
    200,
    { product_id: 'demo', version: 1, created: true, warnings: [] },
  ])
  expect(put.headers.get('etag')).toBe('"1"')

  const dearer = DEMO.replace('credits: 1 }', 'credits: 3 }')
  expect((await send('POST', '/v1/admin/products/validate', dearer)).json.changes).toEqual([
    { path: 'skills.demo.echo.price.credits', before: 1, after: 3 },
  ])
  const stale = await send('PUT', '/v1/admin/products/demo', dearer, withMatch('"9"'))
  expect([stale.status, stale.json.error.details]).toEqual([412, { reason: 'stale', active: 1 }])
  expect((await send('PUT', '/v1/admin/products/demo', dearer, withMatch('nonsense'))).status).toBe(
    400,
  )
  const json = JSON.stringify(
    registry.parseOne(dearer, 'demo').ok &&
      (registry.parseOne(dearer, 'demo') as { parsed: { document: object } }).parsed.document,
  )
  expect((await send('PUT', '/v1/admin/products/demo', json, withMatch('"1"'))).json).toMatchObject(
    { version: 2, created: false },
  )

  const read = await send('GET', '/v1/admin/products/demo')
  expect(read.json).toMatchObject({
    version: 2,
    serving: 2,
    source: 'api',
    text: json,
    problems: [],
  })
  expect((await send('GET', '/v1/admin/products')).json.products).toMatchObject([
    {
      product_id: 'demo',
      version: 2,
      serving: 2,
      base_path: '/v1/paid',
      plugin: 'demo',
      skills: 3,
    },
  ])
  expect(
    (await send('POST', '/v1/admin/products/demo/rollback', '{"version":1}')).json,
  ).toMatchObject({ version: 1 })
  expect((await send('POST', '/v1/admin/products/demo/rollback', '{"version":77}')).status).toBe(
    404,
  )
  const versions = await send('GET', '/v1/admin/products/demo/versions')
  expect(
    versions.json.versions.map((one: { version: number; active: boolean }) => [
      one.version,
      one.active,
    ]),
  ).toEqual([
    [2, false],
    [1, true],
  ])
  expect((await send('DELETE', '/v1/admin/products/demo')).json).toEqual({
    product_id: 'demo',
    version: 1,
    deleted: true,
  })
  expect((await send('GET', '/v1/admin/products/demo')).status).toBe(404)
  const list = (await send('GET', '/v1/admin/products')).json
  expect([list.products, list.removed]).toEqual([[], [{ product_id: 'demo', file: null }]])
  expect((await send('DELETE', '/v1/admin/products/demo')).status).toBe(404)
})

test('a refused spec names line, column, field and reason', async () => {
  const answer = await send(
    'PUT',
    '/v1/admin/products/demo',
    DEMO.replace('credits: 1 }', 'credits: "1" }'),
  )
  expect(answer.status).toBe(400)
  expect(answer.json.error).toMatchObject({
    code: 'INVALID_INPUT',
    message: 'Invalid product spec: line 5:62 skills[0].price.credits must be number (got "1")',
    details: {
      stage: 'spec',
      issues: [
        {
          path: '/skills/0/price/credits',
          message: 'must be number',
          line: 5,
          column: 62,
          got: '"1"',
        },
      ],
    },
  })
  const other = await send('PUT', '/v1/admin/products/other', DEMO)
  expect(other.json.error.message).toContain('product_id must be other, as in the URL')
  const bytes = await send('PUT', '/v1/admin/products/demo', '\u0000\u0001')
  expect(bytes.status).toBe(400)
})

test('a body that is neither JSON nor text says what to send instead', async () => {
  const pdf = new Uint8Array([...Buffer.from('%PDF-1.7'), 0xe2, 0xff])
  const messages = async (method: string, path: string, body: string | typeof pdf) => {
    const { status, json } = await send(method, path, body)
    expect(status).toBe(400)
    return json.error.details.issues
  }
  const rollback = '/v1/admin/products/demo/rollback'
  const noJson = [{ path: '', message: 'must be JSON (application/json)' }]
  expect(await messages('POST', rollback, pdf)).toEqual(noJson)
  expect(await messages('POST', rollback, 'version=1')).toEqual(noJson)
  expect(await messages('POST', rollback, '{"version":')).toEqual([
    { path: '', message: 'must be JSON' },
  ])
  // None at all counts as `{}`, whose issues name what is missing.
  expect(await messages('POST', rollback, '')).toEqual([
    { path: '/version', message: 'is required' },
  ])
  const noSpec = [{ path: '', message: 'must be a product as YAML or JSON in UTF-8' }]
  expect(await messages('PUT', '/v1/admin/products/demo', pdf)).toEqual(noSpec)
  expect(await messages('POST', '/v1/admin/products/validate', pdf)).toEqual(noSpec)
})

test('a conflict is 409 and names both owners', async () => {
  await send('PUT', '/v1/admin/products/demo', DEMO)
  const thief = DEMO.replace('product_id: demo', 'product_id: thief')
  const answer = await send('PUT', '/v1/admin/products/thief', thief)
  expect(answer.status).toBe(409)
  expect(answer.json.error.message).toMatch(/base_path \/v1\/paid of thief is taken by demo/)
})

test('public answers show prices and schemas, and neither upstream nor configuration', async () => {
  await send('PUT', '/v1/admin/products/demo', DEMO)
  const list = await send('GET', '/v1/products', undefined, {})
  expect(list.json.products).toMatchObject([
    {
      product_id: 'demo',
      base_path: '/v1/paid',
      skills: [
        {
          skill: 'demo.echo',
          method: 'POST',
          path: '/v1/paid/echo',
          credits: 1,
          usd: 0.01,
          usdcAtomic: '10000',
        },
        {},
        {},
      ],
    },
  ])
  const one = await send('GET', '/v1/products/demo', undefined, {})
  expect(one.json.skills[1].input.required).toEqual(['input'])
  expect(Object.keys(one.json).sort()).toEqual([
    'base_path',
    'description',
    'metered',
    'product_id',
    'skills',
    'title',
    'version',
  ])
  expect((await send('GET', '/v1/products/nope', undefined, {})).status).toBe(404)
  expect((await send('GET', '/v1/products?limit=0', undefined, {})).status).toBe(400)
})

test('an unlisted product works and is not in the list', async () => {
  await send(
    'PUT',
    '/v1/admin/products/demo',
    DEMO.replace('plugin: demo', 'plugin: demo\nvisibility: unlisted'),
  )
  expect((await send('GET', '/v1/products', undefined, {})).json.products).toEqual([])
  expect((await send('GET', '/v1/products/demo', undefined, {})).status).toBe(200)
})

test('prices: the table in force, older versions, and 304 for a known one', async () => {
  await send('PUT', '/v1/admin/products/demo', DEMO)
  const prices = await send('GET', '/v1/prices', undefined, {})
  expect(prices.json).toMatchObject({
    peg: { creditUsd: 0.01, creditUsdcAtomic: '10000' },
    skills: [
      {
        skill: 'demo.echo',
        tool: 'demo.echo',
        product: 'demo',
        method: 'POST',
        path: '/v1/paid/echo',
        credits: 1,
        usd: 0.01,
        usdcAtomic: '10000',
      },
      { skill: 'demo.hash', usdcAtomic: '20000' },
      { skill: 'demo.health', method: 'GET', usdcAtomic: '10000' },
    ],
  })
  const etag = prices.headers.get('etag')!
  expect((await send('GET', '/v1/prices', undefined, { 'if-none-match': etag })).status).toBe(304)
  await send('PUT', '/v1/admin/products/demo', DEMO.replace('credits: 2 }', 'credits: 4 }'))
  expect((await send('GET', '/v1/prices', undefined, { 'if-none-match': etag })).status).toBe(200)
  const older = await send('GET', `/v1/prices?version=${prices.json.version}`, undefined, {})
  expect(older.json).toEqual(prices.json)
  expect((await send('GET', '/v1/prices?version=999999', undefined, {})).status).toBe(404)
  expect((await send('GET', '/v1/prices?version=x', undefined, {})).status).toBe(400)
})
