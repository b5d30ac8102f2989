/** Webhook endpoints in the customers' pages: made, used, replayed, rotated; nobody else's are there. */
import { createHmac } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, located, type TestBrowser } from '../support/browser.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { PortalVisitor } from '../support/portal.ts'
import { freePort } from '../support/ports.ts'
import { skipPart } from '../support/skips.ts'
import { destinationServer, type DestinationServer } from '../support/webinfra-destinations.ts'
import { PATIENT } from '../support/patience.ts'

let gateway: GatewayProcess
let destination: DestinationServer

beforeAll(async () => {
  const port = await freePort()
  destination = await destinationServer()
  gateway = await startGateway({
    SANDBOX_CHAIN: 'false',
    RATE_LIMIT_RPM: '100000',
    RATE_LIMIT_BURST: '10000',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
  })
})
afterAll(async () => {
  await gateway?.stop()
  await destination?.close()
})

interface Customer {
  key: { id: string; key: string }
  visitor: PortalVisitor
  ask: PortalVisitor['api']
}

async function customer(credits = 1): Promise<Customer> {
  const key = await gateway.key(credits)
  return { key, ...(await visit(key.key)) }
}

async function visit(key: string): Promise<Omit<Customer, 'key'>> {
  const visitor = new PortalVisitor(gateway, gateway.url.replace('127.0.0.1', 'localhost'))
  expect((await visitor.signInByKey(key)).status).toBe(303)
  return {
    visitor,
    ask: (method, path, body, headers) => visitor.api(method, `/api/relay${path}`, body, headers),
  }
}

async function endpoint({ ask, key }: Customer, fields: object = {}): Promise<any> {
  const made = await ask('POST', '/endpoints', {
    name: 'my sender',
    apiKeyId: key.id,
    verification: { scheme: 'github' },
    destinations: [{ url: destination.url }],
    ...fields,
  })
  expect(made.status, made.text).toBe(201)
  return made.json
}

async function send(id: string, secret: string, body: string) {
  return gateway.call('POST', `/v1/webinfra/endpoints/${id}/ingress`, {
    body,
    headers: {
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
  })
}

const balance = async ({ key }: Customer): Promise<number> =>
  (await gateway.call('GET', '/v1/credits/balance', { headers: { 'x-api-key': key.key } })).json
    .credits

it('sends nothing to the port of another service, which the operator alone may name', async () => {
  const owner = await customer()
  const url = 'http://93.184.215.14:9200/hook'
  const made = await endpoint(owner)
  const path = `/endpoints/${made.id}/destinations`
  const asked = [
    await owner.ask('POST', '/endpoints', {
      name: 'x',
      apiKeyId: owner.key.id,
      verification: { scheme: 'github' },
      destinations: [{ url }],
    }),
    await owner.ask('PATCH', `/endpoints/${made.id}`, { destinations: [{ url }] }),
    await owner.ask('POST', path, { url }),
    await owner.ask('PATCH', `${path}/${made.destinations[0].id}`, { url }),
  ]
  for (const { status, json } of asked) {
    expect(status).toBe(403)
    expect(json.error.details.reason).toBe('ssrf')
  }
  const byOperator = await gateway.admin('POST', `/v1/admin/webinfra${path}`, { url })
  expect(byOperator.status, byOperator.text).toBe(201)
})

it('makes an endpoint, sees what came in, and replays it at its price, once per key', async () => {
  const owner = await customer()
  const { ask } = owner
  const made = await endpoint(owner)
  const { secret } = made.verification
  expect(secret).toMatch(/^whsec_/)
  expect(made.destinations[0].secret).toMatch(/^whsec_/)
  const listed = await ask('GET', '/endpoints')
  expect(listed.json.endpoints.map(({ id }: { id: string }) => id)).toEqual([made.id])
  expect(listed.text).not.toContain(secret)
  expect(listed.text).not.toContain(made.destinations[0].secret)

  const sent = await send(made.id, secret, '{"event": "one"}')
  expect(sent.json).toMatchObject({ status: 'forwarded' })
  const deliveryId = sent.json.delivery_id as string
  const { json } = await ask('GET', `/endpoints/${made.id}/deliveries`)
  expect(json).toMatchObject({
    deliveries: [{ id: deliveryId, status: 'forwarded' }],
    nextCursor: null,
  })
  const one = await ask('GET', `/deliveries/${deliveryId}`)
  expect(one.json.forwards).toMatchObject([
    { state: 'succeeded', url: destination.url, attempts: [{ n: 1, status: 200 }] },
  ])
  expect(one.text).not.toContain('authorizationId')

  const replay = (idempotencyKey: string) =>
    ask('POST', `/deliveries/${deliveryId}/replay`, {}, { 'idempotency-key': idempotencyKey })
  const first = await replay('again-1')
  expect(first.status, first.text).toBe(200)
  expect(first.json).toMatchObject({ replayed: true, status: 'forwarded', chargedCredits: 0.01 })
  expect((await replay('again-1')).json).toMatchObject({ replayed: true })
  expect(destination.of(deliveryId)).toHaveLength(2)
  expect(await balance(owner)).toBe(0.98)
  const calls = await owner.visitor.api('GET', '/api/calls')
  expect(calls.json.calls.map((call: { skill: string }) => call.skill)).toContain(
    'webinfra.webhook_replay',
  )
})

it('replays by a key that is bound to networks from wherever its owner is signed in', async () => {
  const owner = await customer()
  const terms = { name: 'relay only', networks: ['192.0.2.0/24'] }
  const { json: bound } = await owner.visitor.api('POST', '/api/keys', terms)
  const made = await endpoint(owner, { apiKeyId: bound.id })
  const sent = await send(made.id, made.verification.secret, '{"event": "two"}')
  expect(sent.json).toMatchObject({ status: 'forwarded' })
  const again = await owner.ask('POST', `/deliveries/${sent.json.delivery_id}/replay`, {})
  expect([again.status, again.json]).toMatchObject([200, { replayed: true, chargedCredits: 0.01 }])
  const headers = { 'x-api-key': bound.key }
  expect((await gateway.call('GET', '/v1/account', { headers })).status).toBe(403)
})

it('leaves paused what the operator paused', async () => {
  const owner = await customer()
  const { ask } = owner
  const made = await endpoint(owner)
  const path = `/endpoints/${made.id}`
  const target = `${path}/destinations/${made.destinations[0].id}`
  const byOperator = (at: string, status: string) =>
    gateway.admin('PATCH', `/v1/admin/webinfra${at}`, { status })
  const set = async (at: string, status: string) => (await ask('PATCH', at, { status })).status
  expect(await set(path, 'disabled')).toBe(200)
  expect(await set(path, 'enabled')).toBe(200)
  for (const at of [path, target]) {
    expect((await byOperator(at, 'disabled')).json.status).toBe('disabled')
    const refused = await ask('PATCH', at, { status: 'enabled' })
    expect([refused.status, refused.json.error.details.state]).toEqual([409, 'paused'])
  }
  // Neither by a pause of one's own in between, nor by the list of destinations.
  expect(await set(path, 'disabled')).toBe(200)
  expect(await set(path, 'enabled')).toBe(409)
  const destinations = [{ url: destination.url, status: 'enabled' }]
  expect((await ask('PATCH', path, { destinations })).status).toBe(409)
  // Nor as the second of two that have one address.
  await byOperator(target, 'enabled')
  const second = await ask('POST', `${path}/destinations`, { url: destination.url })
  await byOperator(`${path}/destinations/${second.json.id}`, 'disabled')
  const twice = [...destinations, ...destinations]
  expect((await ask('PATCH', path, { destinations: twice })).status).toBe(409)
  await byOperator(`${path}/destinations/${second.json.id}`, 'enabled')
  expect((await ask('GET', path)).json).toMatchObject({
    status: 'disabled',
    disabledBy: 'operator',
  })
  for (const at of [path, target]) await byOperator(at, 'enabled')
  expect((await ask('GET', path)).json).toMatchObject({ status: 'enabled', disabledBy: null })
})

it('pages through the deliveries of an endpoint', async () => {
  const owner = await customer()
  const made = await endpoint(owner, { destinations: [] })
  const ids: string[] = []
  for (const n of [1, 2, 3]) {
    ids.unshift((await send(made.id, made.verification.secret, `{"n": ${n}}`)).json.delivery_id)
  }
  const page = async (query: string) =>
    (await owner.ask('GET', `/endpoints/${made.id}/deliveries?limit=2${query}`)).json
  const first = await page('')
  const second = await page(`&cursor=${first.nextCursor}`)
  const seen = [...first.deliveries, ...second.deliveries].map(({ id }: { id: string }) => id)
  expect(seen).toEqual(ids)
  expect(second.nextCursor).toBe(null)
})

it('takes both secrets of senders in the grace time, and signs with both of a destination', async () => {
  const owner = await customer()
  const made = await endpoint(owner)
  const old = made.verification.secret as string
  const rotated = await owner.ask('POST', `/endpoints/${made.id}/rotate`, { graceSeconds: 3600 })
  const next = rotated.json.verification.secret as string
  expect(next).toMatch(/^whsec_/)
  expect(next).not.toBe(old)
  for (const secret of [old, next]) {
    expect((await send(made.id, secret, `{"by": "${secret.slice(-8)}"}`)).status).toBe(200)
  }
  const [to] = made.destinations
  const path = `/endpoints/${made.id}/destinations/${to.id}`
  const changed = await owner.ask('POST', `${path}/rotate`, {})
  expect(changed.json.secret).not.toBe(to.secret)
  const sent = await send(made.id, next, '{"after": "rotation"}')
  const [got] = destination.of(sent.json.delivery_id)
  expect(String(got!.headers['webhook-signature']).split(' ')).toHaveLength(2)

  await owner.ask('POST', `/endpoints/${made.id}/rotate`, { graceSeconds: 0 })
  expect((await send(made.id, next, '{"too": "late"}')).status).toBe(401)

  const paused = await owner.ask('PATCH', path, { status: 'disabled' })
  expect(paused.json).toMatchObject({ status: 'disabled', disabledReason: 'owner' })
  const idle = await owner.ask('POST', `/deliveries/${sent.json.delivery_id}/replay`, {})
  expect(idle.status).toBe(409)
  expect(idle.json.error.message).toContain('no destination is enabled')
  const added = await owner.ask('POST', `/endpoints/${made.id}/destinations`, {
    url: destination.url,
  })
  expect(added.status).toBe(201)
  expect((await owner.ask('DELETE', path)).json).toMatchObject({ deleted: true })
  expect((await owner.ask('DELETE', `/endpoints/${made.id}`)).status).toBe(200)
  expect((await owner.ask('GET', `/endpoints/${made.id}`)).status).toBe(404)
  expect((await owner.ask('GET', `/deliveries/${sent.json.delivery_id}`)).status).toBe(200)
})

it('knows nothing of what belongs to another account', async () => {
  const owner = await customer()
  const stranger = await customer()
  const made = await endpoint(owner)
  const sent = await send(made.id, made.verification.secret, '{"mine": true}')
  const at = `/endpoints/${made.id}`
  const to = `${at}/destinations/${made.destinations[0].id}`
  const delivery = `/deliveries/${sent.json.delivery_id}`
  const before = (await owner.ask('GET', at)).text
  for (const [method, path, body] of [
    ['GET', at, undefined],
    ['PATCH', at, { status: 'disabled' }],
    ['PATCH', at, { apiKeyId: stranger.key.id }],
    ['DELETE', at, undefined],
    ['POST', `${at}/rotate`, {}],
    ['POST', `${at}/destinations`, { url: destination.url }],
    ['PATCH', to, { status: 'disabled' }],
    ['DELETE', to, undefined],
    ['POST', `${to}/rotate`, {}],
    ['GET', `${at}/deliveries`, undefined],
    ['GET', delivery, undefined],
    ['POST', `${delivery}/replay`, {}],
  ] as const) {
    const answer = await stranger.ask(method, path, body)
    expect([answer.status, method, path], answer.text).toEqual([404, method, path])
  }
  expect((await stranger.ask('GET', '/endpoints')).json.endpoints).toEqual([])
  expect((await owner.ask('GET', at)).text).toBe(before)
  expect(destination.of(sent.json.delivery_id)).toHaveLength(1)
  // Neither at making nor later can another account's key be made to pay, or an endpoint be given away.
  const taken = { name: 'x', verification: { scheme: 'none' }, apiKeyId: owner.key.id }
  expect((await stranger.ask('POST', '/endpoints', taken)).status).toBe(400)
  expect((await owner.ask('PATCH', at, { apiKeyId: stranger.key.id })).status).toBe(400)
  expect((await owner.ask('PATCH', at, { apiKeyId: null })).status).toBe(400)
  const unowned = { name: 'x', verification: { scheme: 'none' } }
  expect((await stranger.ask('POST', '/endpoints', unowned)).status).toBe(400)
  const own = await endpoint(stranger)
  const crossed = `/endpoints/${own.id}/destinations/${made.destinations[0].id}`
  expect((await stranger.ask('DELETE', crossed)).status).toBe(404)
})

it('lets a key with a budget see and replay its own, and change nothing', async () => {
  const owner = await customer()
  const { json: limited } = await owner.visitor.api('POST', '/api/keys', { name: 'agent', day: 5 })
  const ofOwner = await endpoint(owner)
  const ofAgent = await endpoint(owner, { apiKeyId: limited.id })
  const agent = await visit(limited.key)
  const listed = await agent.ask('GET', '/endpoints')
  expect(listed.json.endpoints.map(({ id }: { id: string }) => id)).toEqual([ofAgent.id])
  expect((await agent.ask('GET', `/endpoints/${ofOwner.id}`)).status).toBe(404)
  const at = `/endpoints/${ofAgent.id}`
  for (const [method, path] of [
    ['POST', '/endpoints'],
    ['PATCH', at],
    ['DELETE', at],
    ['POST', `${at}/rotate`],
    ['POST', `${at}/destinations`],
    ['POST', `${at}/destinations/${ofAgent.destinations[0].id}/rotate`],
  ] as const) {
    expect((await agent.ask(method, path, {})).status).toBe(403)
  }
  const sent = await send(ofAgent.id, ofAgent.verification.secret, '{"for": "the agent"}')
  const replay = `/deliveries/${sent.json.delivery_id}/replay`
  expect((await agent.ask('POST', replay, {})).json).toMatchObject({ replayed: true })
  const foreign = await send(ofOwner.id, ofOwner.verification.secret, '{"for": "the owner"}')
  const foreignReplay = `/deliveries/${foreign.json.delivery_id}/replay`
  expect((await agent.ask('POST', foreignReplay, {})).status).toBe(404)

  await owner.visitor.api('DELETE', `/api/keys/${limited.id}`)
  const revoked = await owner.ask('POST', replay, {})
  expect(revoked.status).toBe(409)
  expect(revoked.json.error.message).toContain('revoked')
})

it('holds at most 100 endpoints for an account', async () => {
  const owner = await customer()
  const fields = { verification: { scheme: 'none' }, destinations: [] }
  // The operator's route has no limit and is not counted as a customer's writing.
  for (let made = 0; made < 100; made++) {
    const body = { name: 'one of many', apiKeyId: owner.key.id, ...fields }
    expect((await gateway.admin('POST', '/v1/admin/webinfra/endpoints', body)).status).toBe(201)
  }
  const first = (await owner.ask('GET', '/endpoints')).json.endpoints[0]
  await owner.ask('DELETE', `/endpoints/${first.id}`)
  const full = await owner.ask('POST', '/endpoints', {
    name: 'one more',
    apiKeyId: owner.key.id,
    ...fields,
  })
  expect([full.status, full.json.error.details.state]).toEqual([409, 'full'])
})

it('is not there while no product relays webhooks', async () => {
  const products = mkdtempSync(join(tmpdir(), 'coinop-products-'))
  for (const name of ['portal.yaml', 'topup.yaml']) {
    copyFileSync(join(import.meta.dirname, '../../products', name), join(products, name))
  }
  const port = await freePort()
  const bare = await startGateway({
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    PRODUCTS_DIR: products,
  })
  try {
    const visitor = new PortalVisitor(bare, `http://localhost:${port}`)
    await visitor.signInByKey((await bare.key(0)).key)
    const hidden = (text: string) => /name="coinop-hidden-tabs" content="([^"]*)"/.exec(text)?.[1]
    expect(hidden((await visitor.get('/account')).text)).toBe('webhooks plan')
    expect((await visitor.api('GET', '/api/relay/endpoints')).status).toBe(503)
  } finally {
    await bare.stop()
    rmSync(products, { recursive: true, force: true })
  }
})

describe.skipIf(!located.ok && skipPart('account webhooks', located.message))('in Chromium', () => {
  let launched: TestBrowser
  beforeAll(async () => {
    launched = await launchBrowser()
  })
  afterAll(() => launched?.close())

  async function press(page: Page, text: string): Promise<void> {
    await page.waitForFunction(
      (wanted) => {
        const button = [...document.querySelectorAll('main button')].find(
          ({ textContent }) => textContent === wanted,
        ) as HTMLButtonElement | undefined
        button?.click()
        return button !== undefined
      },
      PATIENT,
      text,
    )
  }
  const told = (page: Page, text: string) =>
    page.waitForFunction((wanted) => document.body.innerText.includes(wanted), PATIENT, text)

  it('an owner makes an endpoint, follows a delivery and sends it again', async () => {
    const { key } = await customer()
    const page = await (await launched.browser.createBrowserContext()).newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    const shots = process.env['SHOTS']
    const shoot = async (name: string) => {
      if (!shots) return
      for (const width of [390, 1440]) {
        await page.setViewport({ width, height: 900 })
        await page.screenshot({ path: `${shots}/${name}-${width}.png`, fullPage: true })
      }
    }
    const noneIsCutOff = () =>
      page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
    const url = gateway.url.replace('127.0.0.1', 'localhost')
    await page.goto(`${url}/account/sign-in`, { waitUntil: 'networkidle0' })
    await page.type('#api_key', key.key)
    await Promise.all([page.waitForNavigation(), page.click('form[action$="/key"] button')])
    await page.waitForSelector('nav a[href="/account/webhooks"]', PATIENT)
    await page.goto(`${url}/account/webhooks`, { waitUntil: 'networkidle0' })
    await press(page, 'New endpoint …')
    await page.waitForSelector('dialog input[name="name"]', PATIENT)
    await page.type('dialog input[name="name"]', 'my shop')
    await page.select('dialog select[name="scheme"]', 'github')
    await page.type('dialog input[name="url"]', destination.url)
    await shoot('make')
    await page.click('dialog button[type="submit"]')
    await page.waitForSelector('dialog .copyable code', PATIENT)
    const secret = await page.$eval('dialog .copyable code', (code) => code.textContent!)
    await shoot('secrets')
    // The dialog that asked is closed by now, and leaves the page a moment later.
    await page.waitForFunction(() => document.querySelectorAll('dialog').length === 1, PATIENT)
    await page.click('dialog .buttons button.main')
    await page.waitForSelector('tbody a[href*="/webhooks/ep_"]', PATIENT)
    await shoot('list')
    await Promise.all([page.waitForNavigation(), page.click('tbody a[href*="/webhooks/ep_"]')])
    await told(page, 'Destinations')
    const id = new URL(page.url()).pathname.split('/').at(-1)!
    expect((await send(id, secret, '{"event": "paid"}')).json.status).toBe('forwarded')
    await page.reload({ waitUntil: 'networkidle0' })
    await page.waitForSelector('tbody a[href*="/deliveries/dlv_"]', PATIENT)
    for (const width of [390, 1440]) {
      await page.setViewport({ width, height: 900 })
      expect(await noneIsCutOff()).toBe(true)
    }
    await shoot('endpoint')
    await Promise.all([page.waitForNavigation(), page.click('tbody a[href*="/deliveries/dlv_"]')])
    await press(page, 'Send it again …')
    await page.waitForSelector('dialog button[type="submit"]', PATIENT)
    await page.click('dialog button[type="submit"]')
    await told(page, 'Charged: 0.01 credits.')
    await page.waitForFunction(() => document.querySelectorAll('dialog').length === 1, PATIENT)
    await page.click('dialog .buttons button.main')
    await told(page, 'replay 1')
    await shoot('delivery')
    for (const width of [390, 1440]) {
      await page.setViewport({ width, height: 900 })
      expect(await noneIsCutOff()).toBe(true)
    }
    expect(await page.content()).not.toContain(secret)
    expect(problems).toEqual([])
  })
})
