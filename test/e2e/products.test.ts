/** What callers see of products that are hidden, and of one that cannot start. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { PATIENT } from '../support/patience.ts'
import { freePort } from '../support/ports.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'

let database: TestDatabase
let gateway: GatewayProcess
let upstream: TestUpstream
let productsDir: string
const answer = (_: unknown, response: ServerResponse) => void response.end('{}')
const start = () =>
  startGateway({
    DATABASE_URL: database.url,
    COINOP_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
    SANDBOX: 'true',
    PRODUCTS_DIR: productsDir,
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
  })
const product = (id: string, more: object = {}) => ({
  product_id: id,
  upstream: { url: upstream.url },
  skills: [
    { id: `${id}.run`, route: 'POST /run', tool: `${id}.run`, price: { credits: 1 } },
    { id: `${id}.free`, route: 'GET /free', metered: false },
  ],
  ...more,
})
const put = async (spec: { product_id: string }) => {
  const { status, text } = await gateway.admin('PUT', `/v1/admin/products/${spec.product_id}`, spec)
  expect([status, text]).toEqual([200, expect.any(String)])
}
beforeAll(async () => {
  database = await testDatabase()
  upstream = await startUpstream(answer, await freePort())
  productsDir = mkdtempSync(join(tmpdir(), 'coinop-products-'))
  copyFileSync(
    resolve(import.meta.dirname, '../../products/x402.yaml'),
    join(productsDir, 'x402.yaml'),
  )
  gateway = await start()
  await put({ product_id: 'mcp', base_path: '/mcp', plugin: 'mcp', metered: false } as never)
  await put(product('shown'))
  await put(product('hidden', { visibility: 'unlisted' }))
  await put(product('closed', { visibility: 'private' }))
  await put({
    product_id: 'wide',
    upstream: { url: upstream.url },
    skills: [
      { id: 'wide.any', route: 'ANY /any', price: { credits: 1 } },
      { id: 'wide.below', route: 'POST /below/*', price: { credits: 1 } },
    ],
  } as never)
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.close()
  await database?.close()
  rmSync(productsDir, { recursive: true, force: true })
})

describe('hidden products', () => {
  it.each([
    ['GET', '/v1/products', undefined],
    ['GET', '/openapi.json', undefined],
    ['GET', '/llms.txt', undefined],
    ['GET', '/.well-known/x402', undefined],
    ['GET', '/', undefined],
    ['POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  ])('are not in %s %s', async (method, path, body) => {
    const { text } = await gateway.call(method, path, {
      body,
      headers: { accept: 'application/json, text/event-stream, text/html;q=0.5' },
    })
    expect(text).toContain('shown')
    for (const id of ['hidden', 'closed']) {
      expect(text).not.toContain(`/v1/${id}`)
      expect(text).not.toContain(`${id}.run`)
    }
  })

  it('are served: unlisted to everybody, private to keys only', async () => {
    expect((await gateway.call('GET', '/v1/hidden/free')).status).toBe(200)
    expect((await gateway.call('POST', '/v1/hidden/run', { body: {} })).status).toBe(402)
    expect((await gateway.call('GET', '/v1/products/hidden')).status).toBe(200)
    expect((await gateway.call('GET', '/v1/products/closed')).status).toBe(404)
    expect((await gateway.call('GET', '/v1/closed')).status).toBe(401)
    expect((await gateway.call('GET', '/v1/closed/free')).status).toBe(401)
    const { key } = await gateway.key(5)
    const headers = { 'x-api-key': key }
    const quote = { skill: 'closed.run' }
    expect((await gateway.call('POST', '/v1/quote', { body: quote })).status).toBe(404)
    expect((await gateway.call('POST', '/v1/quote', { body: quote, headers })).status).toBe(200)
    expect((await gateway.call('GET', '/v1/closed', { headers })).status).toBe(200)
    expect((await gateway.call('GET', '/v1/closed/free', { headers })).status).toBe(200)
    const paid = await gateway.call('POST', '/v1/closed/run', { body: {}, headers })
    expect([paid.status, paid.headers.get('x-charged-credits')]).toEqual([200, '1'])
  })
})

it('routes of many paths or methods are sold, and in no machine-readable list', async () => {
  const openapi = await gateway.call('GET', '/openapi.json')
  expect(Object.keys(openapi.json.paths).filter((path) => path.includes('wide/'))).toEqual([])
  const { json } = await gateway.call('GET', '/.well-known/x402')
  expect(json.resources.filter((url: string) => url.includes('/wide/'))).toEqual([])
  expect(json.items.map((item: { skill: string }) => item.skill)).not.toContain('wide.any')
  expect((await gateway.call('POST', '/v1/wide/below/it', { body: {} })).status).toBe(402)
})

it('a PUT whose condition is not met is refused with the variable', async () => {
  const spec = product('elsewhere', { only_with: 'PRODUCT_NOT_SET_HERE' })
  const answer = await gateway.admin('PUT', '/v1/admin/products/elsewhere', spec)
  expect(answer.status).toBe(400)
  expect(answer.json.error.message).toMatch(
    /only_with is not met: .* PRODUCT_NOT_SET_HERE is not set/,
  )
  expect(answer.json.error.details.issues[0].path).toBe('/only_with')
})

it('a stored product whose upstream is down at the start is retryable, and comes back', async () => {
  await gateway.stop()
  await upstream.close()
  gateway = await start()
  const down = await gateway.call('POST', '/v1/shown/run', { body: {} })
  expect([down.status, down.json.error.code, down.json.error.retryable]).toEqual([
    503,
    'UPSTREAM_FAILURE',
    true,
  ])
  expect(Number(down.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await gateway.call('POST', '/v1/p/shown/run', { body: {} })).status).toBe(503)
  expect((await gateway.call('POST', '/v1/unknown/run', { body: {} })).status).toBe(404)
  expect((await gateway.call('GET', '/ready')).json.checks.products.state).toBe('degraded')
  upstream = await startUpstream(answer, upstream.port)
  await expect
    .poll(async () => (await gateway.call('POST', '/v1/shown/run', { body: {} })).status, {
      ...PATIENT,
      interval: 200,
    })
    .toBe(402)
})
