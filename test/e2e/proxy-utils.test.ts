/** The utils product in its upstream mode, from the shipped file as it stands. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'

const PRODUCTS = resolve(import.meta.dirname, '../../products')

let gateway: GatewayProcess
let upstream: TestUpstream
let productsDir: string
beforeAll(async () => {
  upstream = await startUpstream((incoming, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ at: incoming.url }))
  })
  productsDir = mkdtempSync(join(tmpdir(), 'coinop-utils-'))
  for (const file of ['utils.yaml', 'mcp.yaml'])
    copyFileSync(join(PRODUCTS, file), join(productsDir, file))
  gateway = await startGateway({
    PRODUCTS_DIR: productsDir,
    UTILS_UPSTREAM_URL: `${upstream.url}/v1/utils`,
    UTILS_UPSTREAM_KEY: 'our-key-there',
    ALLOW_PRIVATE_TARGETS: `127.0.0.1:${upstream.port}`,
  })
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.close()
  rmSync(productsDir, { recursive: true, force: true })
})

it('lists what it sells at /v1/utils, free and by itself', async () => {
  const { status, json } = await gateway.call('GET', '/v1/utils')
  expect(status).toBe(200)
  expect(json.skills).toContainEqual({
    skill: 'utils.pdf_extract',
    title: 'Text and tables of a PDF',
    method: 'POST',
    path: '/v1/utils/pdf/extract',
    tools: ['extract.pdf'],
    metered: true,
    price: { credits: 10, usdc_atomic: '100000' },
  })
  expect(upstream.requests).toEqual([])
})

it.each(['health', 'pricing'])('passes GET /%s through unmetered', async (path) => {
  const { status, json } = await gateway.call('GET', `/v1/utils/${path}`)
  expect([status, json]).toEqual([200, { at: `/v1/utils/${path}` }])
  const { headers } = upstream.requests.at(-1)!
  expect(headers).toMatchObject({ 'x-api-key': 'our-key-there' })
  expect(headers).not.toHaveProperty('x-kernel-service-token')
  expect(headers).not.toHaveProperty('x-kernel-api-key-id')
})

it.each([
  ['extract', 5, {}],
  ['screenshot', 10, { url: 'https://example.com/' }],
  ['pdf/extract', 10, {}],
  ['schema', 2, {}],
  ['diff', 5, { before: {}, after: {} }],
])('sells POST /%s for %i credits', async (path, price, body) => {
  expect((await gateway.call('POST', `/v1/utils/${path}`, { body: {} })).status).toBe(402)
  const { key } = await gateway.key(20)
  const answer = await gateway.call('POST', `/v1/utils/${path}`, {
    body,
    headers: { 'x-api-key': key },
  })
  expect([answer.status, answer.json]).toEqual([200, { at: `/v1/utils/${path}` }])
  expect(answer.headers.get('x-balance-credits')).toBe(String(20 - price))
})

it('passes the aliases of a PDF on from a tool call', async () => {
  const { key } = await gateway.key(20)
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'extract.pdf', arguments: { pdf: 'JVBERi0=', options: { pages: [1] } } },
  }
  const answer = await gateway.call('POST', '/mcp', {
    body: message,
    headers: { 'x-api-key': key, accept: 'application/json, text/event-stream' },
  })
  expect(answer.json.result).not.toHaveProperty('isError', true)
  expect(upstream.requests.at(-1)).toMatchObject({ method: 'POST', url: '/v1/utils/pdf/extract' })
})

it('holds extract.webpage to a url, as the plugin does', async () => {
  const { id, key } = await gateway.key(20)
  const message = (args: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'extract.webpage', arguments: args },
  })
  const before = upstream.requests.length
  const answer = await gateway.call('POST', '/mcp', {
    body: message({ text: 'no page' }),
    headers: { 'x-api-key': key },
  })
  expect(answer.json.result).toMatchObject({
    isError: true,
    structuredContent: { error: { details: { issues: [{ path: '/url' }, { path: '/text' }] } } },
  })
  expect(upstream.requests.length).toBe(before)
  expect((await gateway.admin('GET', `/v1/keys/${id}`)).json.balance.credits).toBe(20)
})

it('never forwards a path that it does not list', async () => {
  const before = upstream.requests.length
  expect((await gateway.call('POST', '/v1/utils/other', { body: {} })).status).toBe(404)
  expect((await gateway.call('GET', '/v1/utils/extract')).status).toBe(405)
  expect(upstream.requests.length).toBe(before)
})

const SERVICE_TOKEN = 'service-token-between-first-parties-0001'

describe('with another gateway as the upstream, and the service token between them', () => {
  let seller: GatewayProcess
  let worker: GatewayProcess
  let workerKey: { id: string; key: string }
  beforeAll(async () => {
    worker = await startGateway({ PRODUCTS_DIR: productsDir, SERVICE_TOKEN })
    workerKey = await worker.key(100)
    seller = await startGateway({
      PRODUCTS_DIR: productsDir,
      UTILS_UPSTREAM_URL: `${worker.url}/v1/utils`,
      UTILS_UPSTREAM_SERVICE_TOKEN: SERVICE_TOKEN,
      UTILS_UPSTREAM_KEY_ID: workerKey.id,
      ALLOW_PRIVATE_TARGETS: new URL(worker.url).host,
    })
  })
  afterAll(async () => {
    await seller?.stop()
    await worker?.stop()
  })

  it('mounts the file as a proxy here and as the plugin there', async () => {
    const pluginOf = async (gateway: GatewayProcess) =>
      (await gateway.admin('GET', '/v1/admin/products')).json.products.find(
        (product: { product_id: string }) => product.product_id === 'utils',
      ).plugin
    expect([await pluginOf(seller), await pluginOf(worker)]).toEqual(['proxy', 'utils'])
  })

  it('sells the work of the other one: each charges its own customer', async () => {
    const { key } = await seller.key(20)
    const answer = await seller.call('POST', '/v1/utils/schema', {
      body: { mode: 'validate', schema: { type: 'integer' }, instance: 'x' },
      headers: { 'x-api-key': key },
    })
    expect([answer.status, answer.json.valid]).toEqual([200, false])
    expect(answer.headers.get('x-balance-credits')).toBe('18')
    const { balance } = (await worker.admin('GET', `/v1/keys/${workerKey.id}`)).json
    expect(balance.credits).toBe(98)
  })

  it('charges nobody for input that the other one refuses', async () => {
    const { key } = await seller.key(20)
    const answer = await seller.call('POST', '/v1/utils/schema', {
      body: { mode: 'nonsense' },
      headers: { 'x-api-key': key },
    })
    expect(answer.status).toBe(400)
    expect(answer.json.error.details.issues).toMatchObject([{ path: '/mode' }])
    expect(answer.headers.get('x-charged-credits') ?? '0').toBe('0')
    const refused = await seller.call('POST', '/v1/utils/screenshot', {
      body: { url: 'http://169.254.169.254/' },
      headers: { 'x-api-key': key },
    })
    expect(refused.status).toBe(403)
    expect(refused.json.error).toMatchObject({ code: 'INVALID_INPUT', details: { reason: 'ssrf' } })
    expect(refused.headers.get('x-charged-credits') ?? '0').toBe('0')
    const { balance } = (await worker.admin('GET', `/v1/keys/${workerKey.id}`)).json
    expect(balance.credits).toBe(98)
  })

  it('passes the free routes of the other one through', async () => {
    expect((await seller.call('GET', '/v1/utils/health')).status).toBe(200)
  })
})
