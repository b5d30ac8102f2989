/**
 * An operator of the role `read` sees no secret and changes nothing: every admin route that there is,
 * and every page of the console, of a gateway in which secrets stand wherever they can.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, located } from '../support/browser.ts'
import { startGateway, type Answer, type GatewayProcess } from '../support/gateway.ts'
import { skipPart } from '../support/skips.ts'

/** Each is in the environment, in a product or in what an operator made. */
const CANARY = 'canary'
const canary = (what: string): string => `${CANARY}-${what}-0123456789-0123456789`
const MADE_BY_US = /(?:whsec|ck_test|ca_live)_[\w+/=-]{30,}/g
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
/** What a reader may ask that is no GET: each only looks, or signs the reader in. */
const LOOKS = [
  'POST /v1/admin/console/links',
  'POST /v1/admin/ledger/verify',
  'POST /v1/admin/products/validate',
]

let products: string
let sink: ReturnType<typeof Bun.serve>
let gateway: GatewayProcess
/** Secrets that the gateway made, each shown to its maker once. */
const made: string[] = []
let reader: string
let ids: Record<string, string>

const weather = (price: number): string => `# once ${canary('comment')}
product_id: weather
base_path: /v1/weather
metered: true
upstream:
  url: http://127.0.0.1:${sink.port}
  headers:
    x-api-key: ${canary('header')}
    authorization: Bearer \${PRODUCT_WEATHER_TOKEN}
skills:
  - id: weather.now
    route: GET /now
    price: { credits: ${price} }
`
/** Its timeout is no duration, which the list of products tells. */
const BROKEN = `product_id: broken
base_path: /v1/broken
metered: true
upstream:
  url: http://127.0.0.1
  headers: { x-api-key: ${canary('broken')} }
  timeout: ${canary('problem')}
skills:
  - id: broken.now
    route: GET /now
    price: { credits: 1 }
`

beforeAll(async () => {
  products = mkdtempSync(join(tmpdir(), 'coinop-read-role-'))
  cpSync(resolve('products'), products, { recursive: true })
  cpSync(resolve('products/examples/plans.yaml'), join(products, 'plans.yaml'))
  writeFileSync(join(products, 'broken.yaml'), BROKEN)
  sink = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('{}') })
  gateway = await startGateway({
    PRODUCTS_DIR: products,
    SANDBOX_CHAIN: 'false',
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    ADMIN_TOKEN: canary('admin'),
    SERVICE_TOKEN: canary('service'),
    METRICS_TOKEN: canary('metrics'),
    EVENTS_WEBHOOK_URL: `http://127.0.0.1:${sink.port}/${canary('events-url')}`,
    EVENTS_WEBHOOK_SECRET: canary('events'),
    PROVIDER_A_SECRET_KEY: canary('provider-a'),
    PROVIDER_B_SECRET_KEY: canary('provider-b'),
    PROVIDER_B_WEBHOOK_HASH: canary('provider-b-hash'),
    PROVIDER_A_URL: `http://127.0.0.1:${sink.port}/?api_key=${canary('query')}`,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${canary('otel')}`,
    SMTP_URL: `smtp://user:${canary('smtp')}@127.0.0.1:9`,
    MAIL_FROM: 'a@example.com',
    PRODUCT_WEATHER_TOKEN: canary('product'),
  })
  const owner = (method: string, path: string, body?: unknown): Promise<Answer> =>
    gateway.call(method, path, { body, headers: { authorization: `Bearer ${canary('admin')}` } })
  const ok = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await owner(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    made.push(...(answer.text.match(MADE_BY_US) ?? []))
    return answer.json
  }
  const key = await ok('POST', '/v1/keys', { name: 'a key' })
  await ok('POST', `/v1/keys/${key.id}/rotate`, {})
  made.push((await ok('POST', `/v1/keys/${key.id}/jwt`, {})).token)
  await ok('POST', '/v1/credits/grant', {
    apiKeyId: key.id,
    amountCredits: 50,
    reference: 'a',
    note: 'to begin',
  })
  const endpoint = await ok('POST', '/v1/admin/webinfra/endpoints', {
    name: 'an endpoint',
    apiKeyId: key.id,
    verification: { scheme: 'hmac', header: 'x-sign', secret: canary('verification') },
    destinations: [
      {
        url: `http://127.0.0.1:${sink.port}/services/${canary('path')}?token=${canary('target')}`,
        headers: { 'x-destination': canary('destination') },
      },
    ],
  })
  const at = `/v1/admin/webinfra/endpoints/${endpoint.id}`
  await ok('PATCH', `${at}/destinations/${endpoint.destinations[0].id}`, {
    url: `http://127.0.0.1:${sink.port}/services/${canary('moved')}`,
  })
  await ok('POST', `${at}/destinations/${endpoint.destinations[0].id}/rotate`, {})
  await ok('POST', `${at}/rotate`, { secret: canary('rotated') })
  const delivered = await gateway.call('POST', `/v1/webinfra/endpoints/${endpoint.id}/ingress`, {
    body: { event: 'order.paid' },
    headers: { 'x-api-key': made.find((one) => one.startsWith('ck_test_'))! },
  })
  expect(delivered.status, delivered.text).toBe(200)
  await ok('PUT', '/v1/admin/products/weather', weather(1))
  await ok('PUT', '/v1/admin/products/weather', weather(2))
  const other = await ok('POST', '/v1/admin/operators', { name: 'other', role: 'owner' })
  made.push((await ok('POST', '/v1/admin/console/links')).url.split('/').at(-1))
  const deliveries = await owner('GET', '/v1/admin/webinfra/deliveries')
  const calls = await owner('GET', '/v1/admin/calls')
  ids = {
    '/v1/accounts/{id}': key.accountId,
    '/v1/admin/accounts/{id}': key.accountId,
    '/v1/keys/{id}': key.id,
    '/v1/admin/calls/{id}': calls.json.calls[0].id,
    '/v1/admin/operators/{id}': other.id,
    '/v1/admin/webinfra/endpoints/{id}': endpoint.id,
    '/v1/admin/webinfra/deliveries/{id}': deliveries.json.deliveries[0].id,
    '{product_id}': 'weather',
    '{destinationId}': endpoint.destinations[0].id,
  }
  reader = (await owner('POST', '/v1/admin/operators', { name: 'reader', role: 'read' })).json.token
})
afterAll(async () => {
  await gateway?.stop()
  await sink?.stop(true)
  if (products) rmSync(products, { recursive: true, force: true })
})

const filled = (path: string): string => {
  let full = path
  for (const [part, id] of Object.entries(ids))
    full = full.replace(part, part.startsWith('/') ? part.replace('{id}', id) : id)
  return full
}
const read = (path: string): Promise<Answer> =>
  gateway.call('GET', path, { headers: { authorization: `Bearer ${reader}` } })
/** The secrets in a text. */
const secretsIn = (text: string): string[] => [
  ...(text.match(new RegExp(`${CANARY}-[\\w-]+`, 'g')) ?? []),
  ...made.filter((secret) => text.includes(secret)),
  ...(text.match(MADE_BY_US) ?? []),
]

async function adminRoutes(): Promise<{ method: string; path: string }[]> {
  const { paths } = (await read('/openapi.json')).json
  return Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const security = (operations as any)[method]?.security as object[] | undefined
      const isAdmin = security?.length === 1 && 'bearer' in security[0]!
      return isAdmin ? [{ method: method.toUpperCase(), path }] : []
    }),
  )
}

it('no admin route tells a reader a secret', async () => {
  const looks = (await adminRoutes()).filter(({ method }) => method === 'GET')
  expect(looks.length).toBeGreaterThan(25)
  const seen: string[] = []
  for (const { path } of looks) {
    const query = path.endsWith('/diff') ? '?from=1&to=2' : ''
    const answer = await read(filled(path) + query)
    expect([path, answer.status]).toMatchObject([path, expect.toBeOneOf([200, 404])])
    if (answer.status === 200) seen.push(path)
    expect([path, secretsIn(answer.text)]).toEqual([path, []])
  }
  // A route that found nothing would have told nothing.
  expect(looks.map(({ path }) => path).filter((path) => !seen.includes(path))).toEqual([
    '/v1/admin/plans/subscriptions/{id}',
  ])
  for (const path of ['/ready', '/metrics', '/metrics?format=prom', '/', '/v1/products']) {
    const answer = await read(path)
    expect([path, answer.status, secretsIn(answer.text)]).toEqual([path, 200, []])
  }
  const endpoints = (await read('/v1/admin/webinfra/endpoints')).json.endpoints
  expect(endpoints[0].destinations[0].url).toBe(`http://127.0.0.1:${sink.port}/[hidden]`)
  expect((await read('/v1/admin/products')).json.problems[0]).toMatchObject({
    product_id: 'broken',
  })
})

it('a dry run tells a reader no variable that a spec names', async () => {
  const text = weather(1).replace(
    'headers:',
    'pass_headers: ["${PRODUCT_WEATHER_TOKEN}", "${PRODUCT_WEATHER_TOKEN}"]\n  headers:',
  )
  const headers = { authorization: `Bearer ${reader}` }
  const path = '/v1/admin/products/validate'
  const answer = await gateway.call('POST', path, { body: text, headers })
  expect(answer.json).toMatchObject({
    valid: false,
    issues: [{ message: 'names ${PRODUCT_WEATHER_TOKEN} again' }],
  })
  expect(secretsIn(answer.text)).toEqual([])
})

it('a reader changes nothing', async () => {
  const changing = (await adminRoutes()).filter(({ method }) => method !== 'GET')
  expect(changing.length).toBeGreaterThan(25)
  for (const { method, path } of changing) {
    if (LOOKS.includes(`${method} ${path}`)) continue
    const answer = await gateway.call(method, filled(path), {
      body: {},
      headers: { authorization: `Bearer ${reader}` },
    })
    expect([method, path, answer.status, answer.problem?.details?.reason]).toEqual([
      method,
      path,
      403,
      'role_too_low',
    ])
  }
})

describe.skipIf(!located.ok && skipPart('console of a reader', located.message))('console', () => {
  it('shows a reader no secret on any page', async () => {
    const link = await gateway.call('POST', '/v1/admin/console/links', {
      headers: { authorization: `Bearer ${reader}` },
    })
    const launched = await launchBrowser()
    try {
      const page = await launched.browser.newPage()
      const answers: Promise<string>[] = []
      page.on('response', (answer) => {
        if (answer.url().includes('/console/api/')) answers.push(answer.text().catch(() => ''))
      })
      await page.goto(link.json.url)
      await (await page.waitForSelector('button.main'))!.click()
      await page.waitForSelector('nav a')
      const places = new Set(
        await page.$$eval('nav a', (links) => links.map((one) => one.getAttribute('href')!)),
      )
      expect(places.size).toBeGreaterThanOrEqual(12)
      for (const one of [
        `#/webhooks/endpoints/${ids['/v1/admin/webinfra/endpoints/{id}']}`,
        `#/webhooks/${ids['/v1/admin/webinfra/deliveries/{id}']}`,
        '#/webhooks/endpoints',
        '#/operators/changes',
        '#/accounts/events',
        '#/ledger/flagged',
        '#/products/weather',
        `#/calls/${ids['/v1/admin/calls/{id}']}`,
        `#/keys/${ids['/v1/keys/{id}']}`,
        `#/accounts/${ids['/v1/accounts/{id}']}`,
      ])
        places.add(one)
      for (const place of places) {
        await page.goto(`${gateway.url}/console${place.replace(/^\/console/, '')}`)
        await page.waitForNetworkIdle({ idleTime: 300 })
        const shown = await page.evaluate(() =>
          [
            document.body.outerHTML,
            ...[...document.querySelectorAll('input,textarea')].map(
              (one) => (one as HTMLInputElement).value,
            ),
          ].join('\n'),
        )
        expect([place, secretsIn(shown)]).toEqual([place, []])
      }
      const asked = await Promise.all(answers)
      expect(asked.length).toBeGreaterThan(places.size)
      expect(asked.flatMap(secretsIn)).toEqual([])
    } finally {
      await launched.close()
    }
  })
})
