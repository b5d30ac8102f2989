/** The operator's page on the real gateway: over HTTP as the page asks, and in a browser where there is one. */
import { rmSync } from 'node:fs'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { launchBrowser, located, type TestBrowser } from '../support/browser.ts'
import { startGateway, type Answer, type GatewayProcess } from '../support/gateway.ts'
import { patientProducts } from '../support/products.ts'
import { skipPart } from '../support/skips.ts'
import { webhookSink, type Sink } from './console-sink.ts'
import { PATIENT } from '../support/patience.ts'

const HOSTILE = '<img src=x onerror="document.title=1">'

let gateway: GatewayProcess
let sink: Sink
let products: string
let key: { id: string; key: string }
let hostileId: string

beforeAll(async () => {
  sink = webhookSink()
  products = patientProducts()
  gateway = await startGateway({
    PRODUCTS_DIR: products,
    SANDBOX_CHAIN: 'false',
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    UTILS_UPSTREAM_KEY: 'upstream-secret-of-the-operator',
  })
  key = await gateway.key(100)
  hostileId = (await gateway.admin('POST', '/v1/keys', { name: HOSTILE })).json.id
  for (const input of ['a', 'b', 'c']) await buy('/v1/paid/hash', { input })
  await buy('/v1/utils/extract', { url: 'http://[::1]:1/' })
})
afterAll(async () => {
  await gateway.stop()
  sink.stop()
  rmSync(products, { recursive: true, force: true })
})

const buy = (path: string, body: object) =>
  gateway.call('POST', path, { body, headers: { 'x-api-key': key.key } })
const callsOf = async (query: string) =>
  (await gateway.admin('GET', `/v1/admin/calls?${query}`)).json

describe('the page', () => {
  it.each([
    ['/console', 'text/html'],
    ['/console/console.js', 'text/javascript'],
    ['/console/console.css', 'text/css'],
  ])('%s is %s, kept nowhere and closed to other origins', async (path, type) => {
    const { status, headers, text } = await gateway.call('GET', path, {
      headers: { origin: 'https://evil.example' },
    })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(text).not.toContain(gateway.adminToken)
    expect(text).not.toContain(HOSTILE)
  })

  it('is linked from the status page and the first lines of the start', async () => {
    expect((await gateway.call('GET', '/')).text).toContain('<a href="/console">')
    expect(gateway.output()).toMatch(/\/console +console for operators/)
    const { json } = await gateway.call('GET', '/v1/products')
    expect(json.products.map((one: any) => one.product_id)).not.toContain('console')
  })
})

describe('what it asks for', () => {
  it.each([
    ['GET', '/v1/admin/overview'],
    ['GET', '/v1/admin/calls'],
    ['GET', '/v1/admin/calls/0197f3c2-a1b0-7c44-a3e2-b1c0d9e8f702'],
    ['GET', '/v1/admin/config'],
    ['POST', '/v1/admin/ledger/verify'],
  ])('%s %s needs the admin token', async (method, path) => {
    expect((await gateway.call(method, path)).status).toBe(401)
    const asKey = { headers: { 'x-api-key': key.key, authorization: `Bearer ${key.key}` } }
    const { status, headers } = await gateway.call(method, path, asKey)
    expect(status).toBe(401)
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it('overview: revenue, minutes, instances, rails', async () => {
    const overview = async () => (await gateway.admin('GET', '/v1/admin/overview')).json
    // Sums that take longer than two seconds are shown later.
    await expect.poll(overview, PATIENT).toMatchObject({
      revenue: expect.any(Array),
      minutes: expect.any(Array),
    })
    const json = await overview()
    expect(json).toMatchObject({
      version: '0.1.0',
      sandbox: true,
      holds: { open: 0, usdcAtomic: '0', oldestAt: null },
      settlements: { pending: 0 },
      instances: [{ since: expect.any(String) }],
    })
    expect(json.revenue).toHaveLength(7)
    // Midnight may have passed since.
    expect([...json.revenue[0].rows, ...json.revenue[1].rows]).toEqual([
      {
        skill: 'demo.hash',
        rail: 'credits',
        calls: 3,
        usdcAtomic: '60000',
        refundedUsdcAtomic: '0',
      },
    ])
    expect(json.minutes).toHaveLength(60)
    expect(json.rails.map((rail: any) => rail.id)).toContain('credits')
  })

  it('calls: filtered, in pages, and one with all that is linked to it', async () => {
    expect((await callsOf('skill=demo.hash')).calls).toHaveLength(3)
    expect((await callsOf('outcome=uncharged')).calls).toMatchObject([
      { skill: 'utils.extract', state: 'released', chargedUsdcAtomic: 0 },
    ])
    expect((await callsOf(`apiKeyId=${hostileId}`)).calls).toEqual([])
    const first = await callsOf('limit=3')
    const second = await callsOf(`limit=3&cursor=${encodeURIComponent(first.nextCursor)}`)
    const ids = [...first.calls, ...second.calls].map((call: any) => call.id)
    expect([new Set(ids).size, second.nextCursor]).toEqual([4, null])
    const [call] = (await callsOf('skill=demo.hash&limit=1')).calls
    const one = await gateway.admin('GET', `/v1/admin/calls/${call.id}`)
    expect(one.json).toMatchObject({ ...call, settlement: null, priceVersion: 1 })
    expect(one.json.entries.map((row: any) => row.kind)).toEqual(['capture', 'authorize'])
    expect((await callsOf(`requestId=${call.requestId}`)).calls).toHaveLength(1)
  })

  it.each([
    'limit=0',
    'cursor=zzz',
    'cursor=1.2.3',
    'rail=cash',
    'outcome=odd',
    'skill=%00',
    'requestId=',
  ])('calls?%s is refused by name', async (query) => {
    const { status, json } = await gateway.admin('GET', `/v1/admin/calls?${query}`)
    expect(status).toBe(400)
    expect(json.error.details.issues[0].path).toBe(`/${query.split('=')[0]}`)
  })

  it('no call of an id that is none', async () => {
    for (const id of ['x', '0197f3c2-a1b0-7c44-a3e2-b1c0d9e8f702', "'; DROP TABLE"]) {
      const path = `/v1/admin/calls/${encodeURIComponent(id)}`
      expect((await gateway.admin('GET', path)).status).toBe(404)
    }
  })

  it('configuration: effective, with its origin, secrets masked', async () => {
    const { json, text } = await gateway.admin('GET', '/v1/admin/config')
    expect(json.settings).toContainEqual({ name: 'HOLD_TTL', value: '15m', origin: 'default' })
    expect(text).not.toContain(gateway.adminToken)
    expect(text).not.toContain('upstream-secret-of-the-operator')
  })

  it('the proof of the books', async () => {
    const { json } = await gateway.admin('POST', '/v1/admin/ledger/verify')
    expect(json).toMatchObject({ ok: true, violations: [], checked: { holds: 4 } })
  })

  it('is counted by its route, as the kernel’s own routes are', async () => {
    const { text } = await gateway.call('GET', '/metrics?format=prom')
    expect(text).toMatch(/\{route="\/v1\/admin\/calls\/\{id\}",method="GET",status="404"\}/)
  })

  it('a replay, with a token of the key that owns the delivery', async () => {
    const endpoint = await gateway.admin('POST', '/v1/admin/webinfra/endpoints', {
      name: 'orders',
      verification: { scheme: 'none' },
      destinations: [{ url: sink.url }],
    })
    const { id } = endpoint.json
    const path = `/v1/webinfra/endpoints/${id}/ingress`
    expect((await buy(path, { type: 'order.paid' })).status).toBe(200)
    const { json } = await gateway.admin('GET', '/v1/admin/webinfra/deliveries')
    const [delivery] = json.deliveries
    expect(delivery).toMatchObject({ status: 'forwarded', apiKeyId: key.id })
    const { token } = (await gateway.admin('POST', `/v1/keys/${delivery.apiKeyId}/jwt`)).json
    const replayed = await gateway.call('POST', `/v1/webinfra/deliveries/${delivery.id}/replay`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(replayed.json).toMatchObject({ replayed: true, status: 'forwarded' })
    expect(sink.received()).toBe(2)
  })
})

const OWN = { 'x-coinop-console': '1' }
const api = (cookie: string, path: string, headers: Record<string, string> = {}) =>
  gateway.call('GET', `/console/api${path}`, { headers: { ...OWN, cookie, ...headers } })
const signIn = (token: string, headers: Record<string, string> = {}) =>
  gateway.call('POST', '/console/session', { body: { token }, headers: { ...OWN, ...headers } })
const cookieFrom = ({ headers }: Answer) => headers.getSetCookie()[0]!.split(';')[0]!

describe('the session', () => {
  it('is opened by the admin token, asks with its rights, and is ended for good', async () => {
    const answer = await signIn(gateway.adminToken)
    expect([answer.status, answer.json]).toEqual([200, { signedIn: true }])
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^coinop-console=[\w-]{43}; HttpOnly; SameSite=Strict$/),
    ])
    const cookie = cookieFrom(answer)
    const overview = await api(cookie, '/v1/admin/overview')
    expect([overview.status, overview.json.sandbox]).toEqual([200, true])
    expect(overview.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(overview.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    const id = encodeURIComponent(hostileId)
    expect((await api(cookie, `/v1/keys/${id}`)).json.name).toBe(HOSTILE)
    expect((await api(cookie, '/v1/admin/products/demo/versions?limit=1')).status).toBe(200)
    expect((await api(cookie, '/v1/nothing')).status).toBe(404)
    // As "Send again" asks: with a token of the key that pays.
    const { token } = (await gateway.admin('POST', `/v1/keys/${key.id}/jwt`)).json
    const bearer = { authorization: `Bearer ${token}` }
    expect((await api(cookie, '/v1/credits/balance')).status).toBe(401)
    expect((await api(cookie, '/v1/credits/balance', bearer)).status).toBe(200)
    // Descriptions of APIs are larger than other bodies.
    const imported = await gateway.call('POST', '/console/api/v1/admin/products/import', {
      body: { document: `{"openapi":"3.1.0"${' '.repeat(3_000_000)}}`, priceCredits: 1 },
      headers: { ...OWN, cookie },
    })
    expect(imported.status).toBe(400)
    const out = await gateway.call('DELETE', '/console/session', { headers: { ...OWN, cookie } })
    expect(out.headers.getSetCookie()[0]).toContain('Max-Age=0')
    const { status, json } = await api(cookie, '/v1/admin/overview')
    expect([status, json.error.details]).toEqual([401, { reason: 'session_ended' }])
  })

  it('is Secure and of its own name over HTTPS', async () => {
    const answer = await signIn(gateway.adminToken, {
      origin: 'https://gateway.example',
      'sec-fetch-site': 'same-origin',
    })
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-coinop-console=[\w-]{43}; HttpOnly; SameSite=Strict; Secure; Path=\/$/,
    )
    expect((await api(cookieFrom(answer), '/v1/admin/config')).status).toBe(200)
  })

  it('is not the one that another host or page planted', async () => {
    const own = cookieFrom(await signIn(gateway.adminToken))
    const https = { origin: 'https://gateway.example', 'sec-fetch-site': 'same-origin' }
    const secure = cookieFrom(await signIn(gateway.adminToken, https))
    const of = async (cookie: string, headers = {}) =>
      (await api(cookie, '/v1/admin/config', headers)).status
    const planted = `coinop-console=${'a'.repeat(43)}`
    expect(await of(`${own}; ${planted}`)).toBe(401)
    expect(await of(`${planted}; ${own}`)).toBe(401)
    expect(await of(`${planted}; ${secure}`, https)).toBe(200)
    expect(await of(secure)).toBe(200)
    for (const cookie of [own, own.replace('coinop', '__Secure-coinop'), `${secure}; ${secure}`])
      expect(await of(cookie, https)).toBe(401)
  })

  it.each<[string, Record<string, string>]>([
    ['without the header of the page', { 'x-coinop-console': '' }],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another host of this site', { 'sec-fetch-site': 'same-site' }],
    ['typed into the address', { 'sec-fetch-site': 'none' }],
    ['of another origin', { origin: 'https://evil.example' }],
    ['of an origin that is none', { origin: 'null' }],
  ])('takes no request %s, with the cookie of the operator', async (_, headers) => {
    const cookie = cookieFrom(await signIn(gateway.adminToken))
    for (const answer of [
      await api(cookie, '/v1/admin/overview', headers),
      await signIn(gateway.adminToken, headers),
    ]) {
      expect([answer.status, answer.json.error.details.reason]).toEqual([403, 'not_same_origin'])
      expect(answer.headers.getSetCookie()).toEqual([])
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('grants no preflight', async () => {
    const { headers } = await gateway.call('OPTIONS', '/console/api/v1/admin/overview', {
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    })
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it('of no admin route makes a cookie a credential', async () => {
    const cookie = cookieFrom(await signIn(gateway.adminToken))
    const headers = { ...OWN, cookie }
    expect((await gateway.call('GET', '/v1/admin/overview', { headers })).status).toBe(401)
  })
})

describe.skipIf(!located.ok && skipPart('console in a browser', located.message))(
  'in a browser',
  () => {
    let browser: Browser
    let page: Page
    let launched: TestBrowser
    const wrongs: string[] = []

    beforeAll(async () => {
      launched = await launchBrowser()
      browser = launched.browser
      page = await browser.newPage()
      page.on('pageerror', (error) => wrongs.push(String(error)))
      page.on('console', (message) => {
        if (/policy|trusted/i.test(message.text())) wrongs.push(message.text())
      })
    })
    afterAll(async () => {
      await launched?.close()
    })
    const text = () => page.$eval('body', (body) => body.innerText)
    const shows = (words: string) =>
      page.waitForFunction((words) => document.body.innerText.includes(words), {}, words)
    const press = (name: string) =>
      page.$$eval(
        'button',
        (buttons, name) => buttons.find((button) => button.textContent === name)!.click(),
        name,
      )
    const open = async (hash: string, words: string) => {
      await page.evaluate((hash) => {
        location.hash = hash
      }, hash)
      await shows(words)
    }

    it('says that a token is wrong, and keeps the right one nowhere: a cookie holds a session', async () => {
      await page.goto(`${gateway.url}/console#/keys`)
      await page.waitForSelector('#token')
      await page.type('#token', 'a-wrong-token')
      await page.keyboard.press('Enter')
      await shows('This is not a token of an operator of this gateway.')
      await page.$eval('#token', (input) => ((input as HTMLInputElement).value = ''))
      await page.type('#token', gateway.adminToken)
      await page.keyboard.press('Enter')
      await shows('New key …')
      expect(page.url()).toBe(`${gateway.url}/console#/keys`)
      expect(await browser.cookies()).toMatchObject([
        { path: '/console', httpOnly: true, sameSite: 'Strict', session: true },
      ])
      const readable = await page.evaluate(() => [
        document.cookie,
        sessionStorage.length,
        localStorage.length,
      ])
      expect(readable).toEqual(['', 0, 0])
      const [cookie] = await browser.cookies()
      expect(cookie!.value).not.toContain(gateway.adminToken)
    })

    it('shows a hostile name as the text it is', async () => {
      await open('#/keys', HOSTILE)
      expect(await page.$$('img')).toEqual([])
      expect(await page.title()).toBe('Keys · Coinop console')
    })

    it('shows every tab', async () => {
      await open('#/', 'Revenue today (UTC)')
      await open('#/calls', 'demo.hash')
      await open('#/ledger', 'capture')
      await open('#/accounts', 'New account …')
      await open('#/accounts/events', 'no account has run low')
      await open('#/products', `${products}/demo.yaml`)
      await open('#/webhooks', 'forwarded')
      await open('#/configuration', 'HOLD_TTL')
      await open('#/keys/key_none', 'No API key has this id')
      expect(await text()).toContain('request id')
    })

    it('shows an account with its keys, and which budget is near its end', async () => {
      const account = await gateway.admin('POST', '/v1/accounts', { name: HOSTILE })
      const { id } = account.json
      const budgets = { day: 2.5, month: 100 }
      await gateway.admin('POST', '/v1/keys', { name: 'thrifty', accountId: id, budgets })
      await gateway.admin('POST', '/v1/keys', { name: 'idle', accountId: id, budgets: { day: 0 } })
      await open(`#/accounts/${id}`, 'thrifty')
      expect(await text()).toContain('2.5 credits a day, 100 credits a month')
      expect(await text()).toContain('used up')
      expect(await page.$$('img')).toEqual([])
      await open('#/keys/key_none', 'No API key has this id')
    })

    it('stays signed in when it is loaded again', async () => {
      await page.reload()
      await shows('No API key has this id')
    })

    it('proves the books at a click, and ends the session on signing out', async () => {
      await open('#/ledger', 'Verify the ledger')
      await press('Verify the ledger')
      await shows('Every invariant holds')
      await press('Sign out')
      await page.waitForSelector('#token')
      expect(await browser.cookies()).toEqual([])
      await page.reload()
      await page.waitForSelector('#token')
      expect(wrongs).toEqual([])
    })
  },
)

// The last, because wrong tokens of this address are refused for a minute afterwards.
describe('wrong tokens', () => {
  it('open no session, and are counted with those of bearers', async () => {
    for (const token of ['', 'wrong']) expect((await signIn(token)).status).toBe(401)
    expect((await gateway.call('POST', '/console/session', { headers: OWN })).status).toBe(401)
    const limited = await vi.waitUntil(async () => {
      const answer = await signIn('wrong')
      return answer.status === 429 && answer
    })
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/)
    const bearer = { headers: { authorization: 'Bearer wrong' } }
    expect((await gateway.call('GET', '/v1/admin/config', bearer)).status).toBe(429)
    expect((await signIn(gateway.adminToken)).status).toBe(200)
  })
})
