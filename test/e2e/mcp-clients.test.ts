/** The official MCP clients against the real gateway: discover, list, read, pay, retry. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_WALLET } from '../../plugins/x402/sandbox/wallets.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { CLIENTS, type McpClient } from '../support/mcp-clients.ts'
import { encode, requirementsIn, signPayment } from '../support/x402/payments.ts'
import { withoutChain } from '../support/x402/chain.ts'
import { PATIENT } from '../support/patience.ts'

const without = withoutChain('x402 payments over MCP')
const products = mkdtempSync(join(tmpdir(), 'coinop-mcp-products-'))
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 255,
  fetch: async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/slow') await Bun.sleep(120_000)
    return Response.json({ city: searchParams.get('city') })
  },
})

let gateway: GatewayProcess
let url: string

beforeAll(async () => {
  mkdirSync(products, { recursive: true })
  for (const name of ['demo', 'mcp', 'x402']) {
    writeFileSync(join(products, `${name}.yaml`), await Bun.file(`products/${name}.yaml`).text())
  }
  gateway = await startGateway({
    PRODUCTS_DIR: products,
    SANDBOX_CHAIN: String(!without),
    ALLOW_PRIVATE_TARGETS: `127.0.0.1:${upstream.port}`,
  })
  url = `${gateway.url}/mcp`
})
afterAll(async () => {
  await upstream.stop(true)
  expect(await gateway.stop()).toBe(0)
  rmSync(products, { recursive: true, force: true })
})

describe.each(Object.entries(CLIENTS))('%s', (_name, { connect, version }) => {
  async function connected(
    work: (client: McpClient) => Promise<void>,
    headers: Record<string, string> = {},
  ): Promise<void> {
    const client = await connect(url, headers)
    try {
      await work(client)
    } finally {
      await client.close()
    }
  }
  const withKey = async (credits = 10) => {
    const { key } = await gateway.key(credits)
    return { key, headers: { 'x-api-key': key } }
  }
  const balance = async (key: string) =>
    (await gateway.call('GET', '/v1/credits/balance', { headers: { 'x-api-key': key } })).json

  it('connects without credentials and is told how to pay', () =>
    connected(async (client) => {
      expect(client.version).toBe(version)
      expect(client.instructions).toContain('x402')
    }))

  it('lists tools with prices, prompts and resources, and reads every resource', () =>
    connected(async (client) => {
      const tools = await client.listTools()
      const hash = tools.find((tool) => tool.name === 'demo.hash')
      expect(hash._meta['coinop/price']).toMatchObject({ credits: 2, usdcAtomic: '20000' })
      expect(Array.isArray(await client.listPrompts())).toBe(true)
      const resources = await client.listResources()
      expect(resources.map(({ name }) => name)).toEqual([
        'examples',
        'llms_txt',
        'openapi',
        'pricing',
      ])
      for (const { uri } of resources) {
        const { contents } = await client.readResource(uri)
        expect(contents[0].text.length).toBeGreaterThan(50)
      }
      const { contents } = await client.readResource('coinop://examples')
      const shown = JSON.parse(contents[0].text).examples.map((example: any) => example.tool)
      expect(shown.sort()).toEqual(tools.map(({ name }) => name).sort())
      await expect(client.readResource('coinop://nothing')).rejects.toThrow()
    }))

  it('gets a payable result for an unpaid call, and does not throw', () =>
    connected(async (client) => {
      // After tools/list the clients check results against outputSchema.
      await client.listTools()
      const result = await client.callTool('demo.hash', { input: 'hi' })
      expect(result.isError).toBe(true)
      expect(result.structuredContent).toMatchObject({ x402Version: 2 })
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
    }))

  it('calls with a key, is charged once under one idempotency key, and fails for nothing', async () => {
    const { key, headers } = await withKey()
    await connected(async (client) => {
      await client.listTools()
      const meta = { 'coinop/idempotency-key': `e2e-${version}` }
      const first = await client.callTool('demo.hash', { input: 'hi' }, { meta })
      expect(first.structuredContent.hash).toMatch(/^8f434346648f6b96/)
      expect(first._meta['coinop/call']).toMatchObject({ chargedCredits: 2, balanceCredits: 8 })
      const again = await client.callTool('demo.hash', { input: 'hi' }, { meta })
      expect(again.structuredContent).toEqual(first.structuredContent)
      expect(again._meta['coinop/call']).toMatchObject({ replayed: true, chargedCredits: 0 })
      const bad = await client.callTool('demo.hash', { nothing: 1 })
      expect(bad.isError).toBe(true)
      expect(bad.structuredContent.error).toMatchObject({ code: 'INVALID_INPUT', charged: 0 })
    }, headers)
    expect(await balance(key)).toMatchObject({ credits: 8, heldCredits: 0 })
  })

  it('gets the result of a call for which it wants progress', async () => {
    const { headers } = await withKey()
    await connected(async (client) => {
      const result = await client.callTool('demo.echo', { message: 'x' }, { onProgress: () => {} })
      expect(result.structuredContent).toEqual({ message: 'x' })
    }, headers)
  })

  it('cannot connect or call with a wrong key', async () => {
    await expect(connected(async () => {}, { 'x-api-key': 'ck_test_nonsense' })).rejects.toThrow()
  })

  it.skipIf(without)('pays with x402 in _meta, as object and as base64, once each', () =>
    connected(async (client) => {
      await client.listTools()
      const account = privateKeyToAccount(TEST_WALLET.privateKey)
      const unpaid = await client.callTool('demo.hash', { input: 'hi' })
      const requirements = requirementsIn(unpaid.structuredContent)
      for (const form of ['object', 'base64']) {
        const payment = await signPayment(account, requirements)
        const meta = { 'x402/payment': form === 'object' ? payment : encode(payment) }
        const paid = await client.callTool('demo.hash', { input: 'hi' }, { meta })
        expect(paid.structuredContent.hash).toMatch(/^8f434346648f6b96/)
        const receipt = paid._meta['x402/payment-response']
        expect(receipt).toMatchObject({ success: true, network: 'eip155:8453' })
        const again = await client.callTool('demo.hash', { input: 'hi' }, { meta })
        expect(again.structuredContent).toEqual(paid.structuredContent)
        expect(again._meta['x402/payment-response'].transaction).toBe(receipt.transaction)
        const other = await client.callTool('demo.hash', { input: 'another' }, { meta })
        expect(other.isError).toBe(true)
        expect(other._meta['coinop/error'].details.reason).toBe('nonce_already_used')
      }
    }),
  )
})

describe('a product dropped as YAML', () => {
  it('is a tool without a restart, gives what HTTP gives, and goes when it is taken away', async () => {
    const client = await CLIENTS['SDK v1']!.connect(url)
    const names = async () => (await client.listTools()).map(({ name }) => name as string)
    const file = join(products, 'weather.yaml')
    const base = `http://127.0.0.1:${upstream.port}`
    writeFileSync(
      file,
      `product_id: weather
upstream: { url: "${base}", allow_private: true }
skills:
  - id: weather.forecast
    route: GET /forecast
    tool: weather.forecast
    description: The forecast of a city.
    price: { credits: 1 }
    input: { type: object, properties: { city: { type: string } }, required: [city] }
`,
    )
    try {
      await expect.poll(names, PATIENT).toContain('weather.forecast')
      const unpaid = await client.callTool('weather.forecast', { city: 'Bern' })
      expect(unpaid.isError).toBe(true)
      const { key } = await gateway.key(10)
      const http = await gateway.call('GET', '/v1/weather/forecast?city=Bern', {
        headers: { 'x-api-key': key },
      })
      const paying = await CLIENTS['SDK v2, auto']!.connect(url, { 'x-api-key': key })
      const paid = await paying.callTool('weather.forecast', { city: 'Bern' })
      await paying.close()
      expect(http.json).toEqual({ city: 'Bern' })
      expect(paid.structuredContent).toEqual(http.json)
      expect(paid._meta['coinop/call']).toMatchObject({ chargedCredits: 1, balanceCredits: 8 })
    } finally {
      rmSync(file, { force: true })
    }
    await expect.poll(names, PATIENT).not.toContain('weather.forecast')
    await client.close()
  })
})

describe('a client that hangs up while its tool works', () => {
  const statusOf = async (id: string) => (await gateway.call('GET', `/v1/products/${id}`)).status
  it.each([
    ['on a stream', { accept: 'application/json, text/event-stream' }],
    ['on a plain answer', { accept: 'application/json' }],
  ])('%s gets its hold back', async (_name, accept) => {
    const file = join(products, 'slow.yaml')
    const base = `http://127.0.0.1:${upstream.port}`
    writeFileSync(
      file,
      `product_id: slow
upstream: { url: "${base}", allow_private: true, timeout: 120s }
skills:
  - id: slow.work
    route: GET /slow
    tool: slow.work
    price: { credits: 1 }
    limits: { timeout: 120s }
    input: { type: object }
`,
    )
    try {
      const { key } = await gateway.key(10)
      const headers = { 'x-api-key': key, 'content-type': 'application/json', ...accept }
      const held = async () =>
        (await gateway.call('GET', '/v1/credits/balance', { headers: { 'x-api-key': key } })).json
      await expect.poll(() => statusOf('slow'), PATIENT).toBe(200)
      const hangUp = new AbortController()
      const params = { name: 'slow.work', arguments: {}, _meta: { progressToken: 1 } }
      const answer = fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        signal: hangUp.signal,
      }).then((response) => response.text())
      answer.catch(() => {})
      await expect.poll(held, PATIENT).toMatchObject({ credits: 9, heldCredits: 1 })
      hangUp.abort()
      await expect.poll(held, PATIENT).toMatchObject({ credits: 10, heldCredits: 0 })
    } finally {
      rmSync(file, { force: true })
    }
    // The next one must not meet the product while it goes.
    await expect.poll(() => statusOf('slow'), PATIENT).toBe(404)
  })
})

describe('at the HTTP level', () => {
  it('GET and DELETE are 405 with Allow, OPTIONS names the MCP and payment headers', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await gateway.call(method, '/mcp')
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    }
    const headers = { origin: 'http://localhost:6274', 'access-control-request-method': 'POST' }
    const preflight = await gateway.call('OPTIONS', '/mcp', { headers })
    expect(preflight.status).toBe(204)
    const allowed = preflight.headers.get('access-control-allow-headers')!.toLowerCase()
    for (const name of [
      'mcp-protocol-version',
      'mcp-method',
      'mcp-name',
      'payment-signature',
      'x-api-key',
      'idempotency-key',
    ])
      expect(allowed).toContain(name)
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const listed = await gateway.call('POST', '/mcp', { body, headers })
    expect(listed.headers.get('access-control-allow-origin')).toBe('*')
    const foreign = await gateway.call('POST', '/mcp', {
      body,
      headers: { origin: 'https://evil.example' },
    })
    expect(foreign.status).toBe(403)
  })

  it('a client that leaves in the middle of a body harms nobody', async () => {
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port: Number(new URL(gateway.url).port),
      socket: { data() {} },
    })
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"jsonrpc"')
    socket.end()
    expect((await gateway.call('GET', '/health')).status).toBe(200)
  })
})
