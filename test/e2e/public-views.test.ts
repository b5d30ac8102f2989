/** What everybody sees of a gateway, and what only its operator does; how a sandbox says what it is. */
import { mkdtempSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_WALLET } from '../../plugins/x402/sandbox/wallets.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { startUpstream } from '../support/upstream.ts'
import { encode, requirementsIn, signPayment } from '../support/x402/payments.ts'

const root = resolve(import.meta.dirname, '../..')
const METRICS_TOKEN = 'metrics-token-of-at-least-32-characters'
let folder: string
let upstream: Awaited<ReturnType<typeof startUpstream>>
let gateway: GatewayProcess

beforeAll(async () => {
  upstream = await startUpstream((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"fine":true}')
  })
  folder = mkdtempSync(join(tmpdir(), 'coinop-views-'))
  for (const name of ['console', 'demo', 'topup', 'x402'])
    cpSync(join(root, `products/${name}.yaml`), join(folder, `${name}.yaml`))
  writeFileSync(
    join(folder, 'secretive.yaml'),
    `product_id: secretive
visibility: private
metered: true
upstream: { url: "${upstream.url}", allow_private: true }
skills:
  - { id: secretive.get, route: GET /get, price: { credits: 7 } }
`,
  )
  writeFileSync(join(folder, 'broken.yaml'), 'product_id: broken\nplugin: nothing-of-this-name\n')
  gateway = await startGateway({ PRODUCTS_DIR: folder, METRICS_TOKEN })
  const { key } = await gateway.key(100)
  const headers = { 'x-api-key': key }
  await gateway.call('GET', '/v1/secretive/get', { headers })
  await gateway.call('POST', '/v1/paid/hash', { headers, body: { input: 'a' } })
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.close()
  rmSync(folder, { recursive: true, force: true })
})

const seen = async (path: string, token?: string) =>
  (
    await gateway.call('GET', path, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
  ).text

describe('readiness and metrics', () => {
  it.each(['/ready', '/metrics', '/metrics?format=prom', '/'])(
    'GET %s tells everybody neither paths, addresses, private products nor revenue',
    async (path) => {
      for (const token of [undefined, 'wrong-token-of-at-least-32-characters!']) {
        const text = await seen(path, token)
        expect(text).not.toContain(folder)
        expect(text).not.toContain('broken.yaml')
        expect(text).not.toContain(new URL(upstream.url).host)
        expect(text).not.toContain('secretive')
        expect(text).not.toContain('gateway_charged_atomic_total')
        expect(text).not.toContain('gateway_accounts_low')
      }
    },
  )

  it('robots.txt, the sitemap, the catalog of APIs and the front page tell of no private product', async () => {
    for (const path of ['/robots.txt', '/sitemap.xml', '/.well-known/api-catalog']) {
      const { status, text } = await gateway.call('GET', path)
      expect(status).toBe(200)
      expect(text).toContain(gateway.url)
      expect(text).not.toContain('secretive')
    }
    expect(await seen('/sitemap.xml')).toContain(`${gateway.url}/docs/skills/demo.hash<`)
    const front = await gateway.call('GET', '/', { headers: { accept: 'text/markdown' } })
    expect(front.headers.get('content-type')).toContain('text/markdown')
    expect(front.headers.get('link')).toContain('rel="api-catalog"')
    expect(front.headers.get('link')).toContain(`<${gateway.url}/openapi.json>; rel="service-desc"`)
    expect(front.text).toBe(await seen('/llms.txt'))
    expect(front.text).not.toContain('secretive')
  })

  it('still says what is up', async () => {
    const { json } = await gateway.call('GET', '/ready')
    expect(json.status).toBe('degraded')
    expect(json.checks.database).toMatchObject({ state: 'ok', critical: true })
    expect(json.checks.products.state).toBe('degraded')
    expect(json.checks.database).not.toHaveProperty('detail')
    const metrics = await seen('/metrics?format=prom')
    expect(metrics).toContain('skill="demo.hash"')
    expect(metrics).toContain('gateway_check_state{check="products"} 1')
  })

  it('tells the operator everything, by either token', async () => {
    for (const token of [gateway.adminToken, METRICS_TOKEN]) {
      expect(await seen('/ready', token)).toContain('broken.yaml')
      expect(await seen('/ready', token)).toContain('upstream:secretive')
      const metrics = await seen('/metrics?format=prom', token)
      expect(metrics).toContain('gateway_charged_atomic_total{skill="secretive.get"')
      expect(metrics).toContain('gateway_check_state{check="upstream:secretive"} 0')
    }
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    expect((await gateway.call('GET', '/v1/keys', { headers })).status).toBe(401)
  })
})

describe('prices', () => {
  const pricesBy = async (path: string, headers: Record<string, string>) =>
    (await gateway.call('GET', path, { headers })).text

  it('of private products are for keys that may buy them, of gone ones for the operator', async () => {
    const any = { 'x-api-key': (await gateway.key(0)).key }
    const made = await gateway.admin('POST', '/v1/keys', { name: 'demo', products: ['demo'] })
    const narrow = { 'x-api-key': made.json.key as string }
    const ofSkills = async (skills: string[]) => {
      const { json } = await gateway.admin('POST', '/v1/keys', { name: 'skills', skills })
      return { 'x-api-key': json.key as string }
    }
    const [other, one] = [await ofSkills(['demo.hash']), await ofSkills(['secretive.get'])]
    const admin = { authorization: `Bearer ${gateway.adminToken}` }
    const wrong = { authorization: 'Bearer wrong-token-of-at-least-32-characters!' }
    const version = (await gateway.call('GET', '/v1/prices')).json.version
    const own = { 'x-coinop-console': '1' }
    const token = gateway.adminToken
    const signedIn = await gateway.call('POST', '/console/session', {
      body: { token },
      headers: own,
    })
    const page = { ...own, cookie: signedIn.headers.getSetCookie()[0]!.split(';')[0]! }
    expect(await pricesBy('/console/api/v1/prices', page)).toContain('secretive')
    for (const path of ['/v1/prices', `/v1/prices?version=${version}`]) {
      for (const headers of [{}, wrong, narrow, other]) {
        const text = await pricesBy(path, headers)
        expect(text).toContain('demo.hash')
        expect(text).not.toContain('secretive')
      }
      for (const headers of [any, one, admin])
        expect(await pricesBy(path, headers)).toContain('secretive')
    }
    const read = {
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: 'coinop://pricing' },
    }
    expect((await gateway.call('POST', '/mcp', { body: read })).text).not.toContain('secretive')
    const quote = async (headers: Record<string, string>) =>
      (await gateway.call('POST', '/v1/quote', { headers, body: { skill: 'secretive.get' } }))
        .status
    expect([await quote({}), await quote(narrow), await quote(other)]).toEqual([404, 404, 404])
    expect([await quote(one), await quote(any)]).toEqual([200, 200])
    const menu = async (headers: Record<string, string>) =>
      (await gateway.call('GET', '/v1/secretive', { headers })).status
    expect([await menu({}), await menu(narrow), await menu(other)]).toEqual([401, 403, 403])
    expect([await menu(one), await menu(any)]).toEqual([200, 200])
    const etag = (await gateway.call('GET', '/v1/prices', { headers: any })).headers.get('etag')!
    const asStranger = await gateway.call('GET', '/v1/prices', {
      headers: { 'if-none-match': etag },
    })
    expect(asStranger.status).toBe(200)
    await gateway.admin('DELETE', '/v1/admin/products/secretive')
    for (const headers of [{}, any])
      expect(await pricesBy(`/v1/prices?version=${version}`, headers)).not.toContain('secretive')
    expect(await pricesBy(`/v1/prices?version=${version}`, admin)).toContain('secretive')
    const restored = await gateway.admin('POST', '/v1/admin/products/secretive/rollback', {
      version: 1,
    })
    expect(restored.status).toBe(200)
  })
})

describe('a sandbox', () => {
  it('says so in the 402, llms.txt, discovery and the page for people', async () => {
    const unpaid = await gateway.call('POST', '/v1/paid/hash', { body: { input: 'a' } })
    expect(unpaid.json.prepaid.sandbox).toContain('test money')
    const header = unpaid.headers.get('payment-required')
    if (header !== null) {
      expect(unpaid.json.sandbox).toContain('test money')
      expect(JSON.parse(atob(header)).resource.serviceName).toContain('sandbox')
      expect((await gateway.call('GET', '/.well-known/x402')).json.sandbox).toBe(true)
    }
    expect(await seen('/llms.txt')).toContain('This is a sandbox')
    expect(await seen('/')).toContain('Sandbox')
  })

  it('points callers at no route of the operator', async () => {
    const { json } = await gateway.call('POST', '/v1/paid/hash', { body: { input: 'a' } })
    expect(json.prepaid.topup).not.toBe('/v1/credits/topup/initialize')
  })

  it('offers no payment for a private product to who has no key', async () => {
    const { status, json, headers } = await gateway.call('GET', '/v1/secretive/get')
    expect([status, json.accepts, headers.get('payment-required')]).toEqual([402, undefined, null])
    expect(json.prepaid.header).toBe('X-Api-Key')
    // Nor one to settle ahead, which no call without the key could use.
    const body = { skill: 'secretive.get' }
    const ask = (given: Record<string, string>) =>
      gateway.call('POST', '/v1/x402/challenge', { body, headers: given })
    expect((await ask({})).status).toBe(404)
    const { key } = await gateway.key(1)
    expect((await ask({ 'x-api-key': key })).status).not.toBe(404)
  })

  it('takes no payment for it with a key that may not buy it', async () => {
    const made = await gateway.admin('POST', '/v1/keys', { name: 'demo', products: ['demo'] })
    const narrow = { 'x-api-key': made.json.key as string }
    const any = { 'x-api-key': (await gateway.key(0)).key }
    const skill = 'secretive.get'
    const ask = (headers: Record<string, string>) =>
      gateway.call('POST', '/v1/x402/challenge', { body: { skill }, headers })
    expect((await ask(narrow)).status).toBe(404)
    const { challenge } = (await ask(any)).json
    const buyer = privateKeyToAccount(TEST_WALLET.privateKey)
    const payment = encode(await signPayment(buyer, requirementsIn(challenge)))
    const ahead = { skill, requestId: crypto.randomUUID(), paymentSignature: payment }
    const settled = await gateway.call('POST', '/v1/x402/settle', { body: ahead, headers: narrow })
    expect(settled.status).toBe(404)
    const get = (headers: Record<string, string>) =>
      gateway.call('GET', '/v1/secretive/get', {
        headers: { ...headers, 'payment-signature': payment },
      })
    const refused = await get(narrow)
    expect([refused.status, refused.json.error.details.reason]).toEqual([
      403,
      'product_not_allowed',
    ])
    const bought = await get(any)
    expect([bought.status, bought.headers.get('x-payment-rail')]).toEqual([200, 'x402'])
  })
})

describe('a declared input of an upstream product', () => {
  const order = {
    product_id: 'orders',
    metered: true,
    upstream: { url: '', allow_private: true },
    skills: [
      {
        id: 'orders.make',
        route: 'POST /make/{shop}',
        price: { credits: 1 },
        input: {
          type: 'object',
          properties: { shop: { type: 'integer' }, amount: { type: 'integer' } },
          required: ['amount'],
          additionalProperties: false,
        },
      },
    ],
  }
  const send = async (body: string, headers: Record<string, string> = {}, query = '') => {
    const { key } = await gateway.key(10)
    const url = `${gateway.url}/v1/orders/make/7${query}`
    const type = { 'content-type': 'application/json' }
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: { ...type, 'x-api-key': key, ...headers },
    })
    return [answer.status, answer.headers.get('x-charged-credits')]
  }

  it('is checked over HTTP too, before anything is held', async () => {
    order.upstream.url = upstream.url
    expect((await gateway.admin('PUT', '/v1/admin/products/orders', order)).status).toBe(200)
    const before = upstream.requests.length
    expect(await send('{"amount":"three"}')).toEqual([400, '0'])
    expect(await send('{}')).toEqual([400, '0'])
    expect(await send('{"amount":3,"more":1}')).toEqual([400, '0'])
    expect(await send('{"amount":')).toEqual([400, '0'])
    expect(await send('{"amount":"x"}', { 'idempotency-key': 'abc' })).toEqual([400, '0'])
    expect(upstream.requests.length).toBe(before)
    expect(await send('[3]')).toEqual([400, '0'])
    expect(await send('{"amount":3}')).toEqual([200, '1'])
    // A parameter may stand in the query, and one that was not declared is the upstream's.
    expect(await send('{}', {}, '?amount=3&trace=1')).toEqual([200, '1'])
    // What says that it is no JSON is the upstream's to judge.
    expect(await send('amount=three', { 'content-type': 'text/plain' })).toEqual([200, '1'])
    expect(await send('')).toEqual([200, '1'])
  })
})

it('shows that a product differs from its file after a rollback', async () => {
  const file = join(folder, 'turning.yaml')
  const text = (credits: number) =>
    `product_id: turning\nmetered: true\nupstream: { url: "${upstream.url}", allow_private: true }\nskills:\n  - { id: turning.get, route: GET /get, price: { credits: ${credits} } }\n`
  const shown = async () => (await gateway.admin('GET', '/v1/admin/products/turning')).json
  const until = async (version: number) => {
    while ((await shown())?.serving !== version) await Bun.sleep(50)
  }
  writeFileSync(file, text(1))
  await until(1)
  writeFileSync(file, text(2))
  await until(2)
  expect((await shown()).drift).toBe(false)
  await gateway.admin('POST', '/v1/admin/products/turning/rollback', { version: 1 })
  expect(await shown()).toMatchObject({ version: 1, drift: true })
})

it('a sandbox that listens beyond this machine warns', async () => {
  const open = await startGateway({ HOST: '0.0.0.0', SANDBOX_CHAIN: 'false', PRODUCTS_DIR: folder })
  // Only then has all of its output come.
  await open.stop()
  expect(open.output()).toContain('a sandbox listens beyond this machine')
  expect(gateway.output()).not.toContain('a sandbox listens beyond this machine')
})
