/**
 * Every route that fetches, asked by every spelling of loopback to reach a door there that must stay
 * untouched: by HTTP and MCP, in URLs, in references of schemas, in pages that are given as text.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { startCanary, urlsTo, type Canary } from './canary.ts'

let database: TestDatabase
let gateway: GatewayProcess
let canary: Canary
let owner: { id: string; key: string }

beforeAll(async () => {
  database = await testDatabase()
  canary = await startCanary()
  gateway = await startGateway({
    DATABASE_URL: database.url,
    COINOP_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    RATE_LIMIT_RPM: '100000',
    RATE_LIMIT_BURST: '100000',
    MCP_OAUTH: 'true',
  })
  owner = await gateway.key(10_000)
})
afterAll(async () => {
  await gateway.stop()
  await canary.close()
  await database.close()
})

const paid = async (path: string, body: object) =>
  gateway.call('POST', path, { body, headers: { 'x-api-key': owner.key } })
const untouched = (what: string): void => expect(canary.touched(), what).toBe(0)

/** What takes an address of the web, by route. */
const FETCHES: readonly [string, (url: string) => [string, object]][] = [
  ['extract', (url) => ['/v1/utils/extract', { url }]],
  ['extract, drawn', (url) => ['/v1/utils/extract', { url, render: true }]],
  ['pdf', (url) => ['/v1/utils/pdf/extract', { url }]],
  ['screenshot', (url) => ['/v1/utils/screenshot', { url }]],
]

it('the door is there', async () => {
  const own = await startCanary()
  for (const host of ['127.0.0.1', '[::1]']) {
    expect(await (await fetch(`http://${host}:${own.port}/`)).text()).toBe('secret')
  }
  expect(own.touched()).toBe(2)
  await own.close()
})

it.each(FETCHES)(
  '%s reaches no address of this machine, and takes nothing for it',
  async (what, asked) => {
    for (const url of urlsTo(canary.port)) {
      const answer = await paid(...asked(url))
      expect(answer.status, `${url}: ${answer.text}`).toBeGreaterThanOrEqual(400)
      expect(answer.text).not.toContain('secret')
      expect([null, '0'], url).toContain(answer.headers.get('x-charged-credits'))
      untouched(`${what} ${url}`)
    }
  },
)

it('tools reach none either', async () => {
  for (const [name, more] of [
    ['utils.extract', {}],
    ['utils.screenshot', {}],
    ['utils.pdf_extract', {}],
  ] as const) {
    for (const url of urlsTo(canary.port).slice(0, 8)) {
      const params = { name, arguments: { url, ...more } }
      const { json } = await gateway.call('POST', '/mcp', {
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
        headers: { 'x-api-key': owner.key, accept: 'application/json, text/event-stream' },
      })
      expect(json.error !== undefined || json.result.isError === true, JSON.stringify(json)).toBe(
        true,
      )
    }
  }
  untouched('tools')
})

it('references of schemas and documents are followed nowhere', async () => {
  // What is never fetched is fetched in no spelling: two show it.
  for (const url of urlsTo(canary.port).slice(0, 2)) {
    for (const schema of [
      { $ref: url },
      { $schema: url },
      { $id: url, $ref: '#/x' },
      { $dynamicRef: url },
    ]) {
      await paid('/v1/utils/schema', { mode: 'validate', schema, instance: { a: 1 } })
      await paid('/v1/utils/diff', { before: schema, after: { type: 'object' } })
    }
    await paid('/v1/utils/diff', {
      before: `openapi: 3.1.0\npaths:\n  /a: { $ref: "${url}" }`,
      after: { openapi: '3.1.0', paths: {} },
    })
  }
  untouched('references')
})

it('a page given as text draws and fetches nothing', async () => {
  const at = `http://127.0.0.1:${canary.port}`
  const html = `<title>t</title><base href="${at}/"><link rel=stylesheet href="${at}/a.css"><img src="${at}/i.png">
    <script src="${at}/s.js"></script><iframe src="${at}/"></iframe><meta http-equiv=refresh content="0;url=${at}/"><p>text of some length</p>`
  await paid('/v1/utils/extract', { html })
  const entity = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "${at}/x"><!ENTITY % y SYSTEM "${at}/y">%y;]><Invoice>&x;</Invoice>`
  const file_base64 = Buffer.from(entity).toString('base64')
  await paid('/v1/docintel/extract/invoice', { file_base64, content_type: 'application/xml' })
  await paid('/v1/utils/extract', { text: entity })
  untouched('a page')
})

it('the relay sends to no address of this machine', async () => {
  for (const url of urlsTo(canary.port)) {
    const made = await gateway.admin('POST', '/v1/admin/webinfra/endpoints', {
      name: 'ssrf',
      apiKeyId: owner.id,
      verification: { scheme: 'none' },
      destinations: [{ url }],
    })
    // Refused when it is named, or blocked when it is sent to: a name may lead elsewhere by then.
    expect([201, 400, 403], made.text).toContain(made.status)
    if (made.status !== 201) continue
    const sent = await paid(`/v1/webinfra/endpoints/${made.json.id}/ingress`, { deliveryId: url })
    expect(sent.text).not.toContain('"forwarded"')
  }
  untouched('the relay')
})

it('an upstream on this machine must be allowed by name', async () => {
  for (const url of urlsTo(canary.port).slice(0, 8)) {
    const put = await gateway.admin('PUT', '/v1/admin/products/ssrf', {
      product_id: 'ssrf',
      upstream: { url },
      skills: [{ id: 'ssrf.get', route: 'GET /get', price: { credits: 1 } }],
    })
    if (put.status < 300) {
      const answer = await gateway.call('GET', '/v1/ssrf/get', {
        headers: { 'x-api-key': owner.key },
      })
      expect(answer.status).toBeGreaterThanOrEqual(400)
    }
  }
  untouched('an upstream')
})

it('documents of OAuth clients are fetched from no address of this machine', async () => {
  for (const url of urlsTo(canary.port)) {
    const client = url.replace('http:', 'https:')
    const query = new URLSearchParams({
      client_id: `${client}client.json`,
      response_type: 'code',
      redirect_uri: `${client}back`,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    })
    const { status } = await gateway.call('GET', `/mcp/oauth/authorize?${query}`)
    expect([400, 401, 403, 404, 429]).toContain(status)
    const registered = await gateway.call('POST', '/mcp/oauth/register', {
      body: {
        redirect_uris: [`${client}back`],
        jwks_uri: url,
        logo_uri: url,
        client_uri: url,
        policy_uri: url,
      },
    })
    expect(registered.status).toBeLessThan(500)
  }
  untouched('OAuth clients')
})
