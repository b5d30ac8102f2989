/** Screenshots bought over HTTP; the browser goes with the gateway, however that ends. */
import { readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { locateBrowser } from '../../plugins/utils/screenshot/browser/locate.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { HOSTILE_PAGES } from '../support/hostile-pages.ts'
import { PATIENT } from '../support/patience.ts'
import { narrowPages } from '../support/products.ts'
import { skipPart } from '../support/skips.ts'
import { closeServers, httpServer, type TestServer } from '../integration/net/servers.ts'

const located = await locateBrowser({ chromiumPath: undefined })
const test = it.skipIf(!located.ok && skipPart('screenshots sold', located.message))

let site: TestServer
let database: TestDatabase
let products: string
let gateway: GatewayProcess

beforeAll(async () => {
  site = await httpServer((request, response) => {
    if (request.url === '/robots.txt') return void response.end('User-agent: *\nDisallow: /closed')
    if (request.url === '/hostile')
      return void response.setHeader('content-type', 'text/html').end(HOSTILE_PAGES['arrays']!())
    if (request.url === '/gone') return void response.writeHead(410).end('gone')
    response.setHeader('content-type', 'text/html').end('<h1>For sale</h1>')
  })
  // A gateway that is killed leaves an embedded PostgreSQL of its own behind.
  database = await testDatabase()
  products = narrowPages()
  gateway = await startGateway({
    DATABASE_URL: database.url,
    PRODUCTS_DIR: products,
    COINOP_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
    SANDBOX: 'true',
    SANDBOX_CHAIN: 'false',
    ALLOW_PRIVATE_TARGETS: `127.0.0.1:${site.port}`,
  })
})
afterAll(async () => {
  await gateway?.stop().catch(() => undefined)
  await closeServers()
  await database?.close()
  if (products) rmSync(products, { recursive: true, force: true })
})

/** Ids of running browsers that were started by this process id. */
function browsersOf(pid: number): number[] {
  const listed = Bun.spawnSync(['ps', '-eo', 'pid,args']).stdout.toString()
  return listed
    .split('\n')
    .filter((line) => line.includes(`coinop-browser-${pid}-`))
    .map((line) => Number(line.trim().split(' ')[0]))
}

it('reads pages in a batch at the price of those that said something', async () => {
  // Enough for these three, not for the hundred that a batch may have.
  const { key } = await gateway.key(15)
  const answer = await gateway.call('POST', '/v1/utils/extract/batch', {
    body: { urls: ['', 'gone', 'closed'].map((path) => `${site.url}/${path}`) },
    headers: { 'x-api-key': key },
  })
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  expect(answer.json).toMatchObject({
    results: [
      { data: { title: 'For sale' } },
      { error: { code: 'UPSTREAM_FAILURE', retryable: false } },
      { error: { code: 'INVALID_INPUT', details: { reason: 'robots' } } },
    ],
    meta: { charged: 1, failed: 2 },
  })
  expect(answer.headers.get('x-charged-credits')).toBe('5')
  expect(answer.headers.get('x-balance-credits')).toBe('10')
})

test('charges for a picture only and leaves no browser behind', async () => {
  const { id, key } = await gateway.key(100)
  const headers = { 'x-api-key': key }
  const shoot = (url: string) =>
    gateway.call('POST', '/v1/utils/screenshot', {
      body: { url, viewport: { width: 400, height: 320 } },
      headers,
    })
  const balance = async (): Promise<number> =>
    (await gateway.call('GET', '/v1/credits/balance', { headers })).json.credits

  let picture = await shoot(`${site.url}/`)
  // On a busy machine no browser may start in its half minute: then the call may be made again.
  const patientUntil = Date.now() + PATIENT.timeout
  while (picture.problem?.details?.reason === 'browser' && Date.now() < patientUntil)
    picture = await shoot(`${site.url}/`)
  expect(picture.status, picture.text.slice(0, 300)).toBe(200)
  expect(picture.json).toMatchObject({
    width: 400,
    height: 320,
    format: 'png',
    content_type: 'image/png',
  })
  expect(Buffer.from(picture.json.image_base64, 'base64')).toHaveLength(picture.json.bytes)
  expect(await balance(), id).toBe(90)

  expect((await shoot(`${site.url}/closed`)).json.error).toMatchObject({
    code: 'INVALID_INPUT',
    details: { reason: 'robots' },
  })
  expect((await shoot('http://169.254.169.254/latest')).status).toBe(403)
  expect((await shoot(`${site.url}/gone`)).json.error.code).toBe('UPSTREAM_FAILURE')
  expect((await shoot('file:///etc/passwd')).status).toBe(400)
  expect(await balance()).toBe(90)

  const file = await fetch(`${gateway.url}/v1/utils/screenshot`, {
    method: 'POST',
    headers: { ...headers, accept: 'image/png', 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${site.url}/`, viewport: { width: 400, height: 320 } }),
  })
  expect(file.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await file.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG')
  expect(await balance()).toBe(80)

  // A page that takes memory without end is not charged, and another caller's page is taken.
  const other = await gateway.key(100)
  const [hostile, plain] = await Promise.all([
    shoot(`${site.url}/hostile`),
    gateway.call('POST', '/v1/utils/screenshot', {
      body: { url: `${site.url}/` },
      headers: { 'x-api-key': other.key },
    }),
  ])
  expect(hostile.status, hostile.text.slice(0, 300)).toBe(503)
  expect(hostile.json.error).toMatchObject({
    code: 'PROCESSING_FAILURE',
    retryable: false,
    details: { reason: 'page_memory' },
  })
  expect(plain.status, plain.text.slice(0, 300)).toBe(200)
  expect(await balance()).toBe(80)

  const health = await gateway.call('GET', '/v1/utils/health')
  expect(health.json).toMatchObject({
    status: 'ok',
    checks: [{ name: 'screenshot_browser', state: 'ok' }],
  })
  expect(browsersOf(gateway.pid).length).toBeGreaterThan(0)
  await gateway.kill()
  const until = Date.now() + PATIENT.timeout
  while (browsersOf(gateway.pid).length > 0 && Date.now() < until) await Bun.sleep(100)
  expect(browsersOf(gateway.pid)).toEqual([])
  expect(() => readFileSync(`/proc/${gateway.pid}/stat`)).toThrow()
})
