/** Work in the console, in a real browser: keys with an end, grants, endpoints, revisions compared. */
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wrongLooks } from '../support/axe.ts'
import { launchBrowser, located, type TestBrowser } from '../support/browser.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { skipPart } from '../support/skips.ts'

/** An API with two tags, a header that no input has, and a server beside the document. */
const TIDES = `openapi: 3.0.0
info: { title: Tides, version: "1" }
servers: [{ url: /api }]
paths:
  /high:
    get:
      operationId: highWater
      tags: [public]
      parameters:
        - { name: port, in: query, required: true, schema: { type: string } }
        - { name: session, in: cookie, schema: { type: string } }
      responses: { 200: { description: ok } }
  /admin/reset:
    post: { tags: [internal], responses: { 200: { description: ok } } }
`

describe.skipIf(!located.ok && skipPart('console work', located.message))('in Chromium', () => {
  let gateway: GatewayProcess
  let upstream: ReturnType<typeof Bun.serve>
  let launched: TestBrowser
  let page: Page
  let key: { id: string; key: string }
  const wrongs: string[] = []
  /** Whether /flaky takes what it is sent, and how much it has taken. */
  let isWell = false
  let taken = 0

  beforeAll(async () => {
    upstream = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch({ url }) {
        if (!url.endsWith('/flaky'))
          return new Response(url.endsWith('/openapi.yaml') ? TIDES : '{}')
        taken += Number(isWell)
        return new Response(null, { status: isWell ? 200 : 500 })
      },
    })
    gateway = await startGateway({
      ALLOW_PRIVATE_TARGETS: `127.0.0.1:${upstream.port}`,
      SANDBOX_CHAIN: 'false',
    })
    key = await gateway.key(10)
    await gateway.admin('PATCH', `/v1/keys/${key.id}`, {
      name: 'night batch',
      expiresAt: '2031-05-01T12:00:00Z',
      networks: ['192.0.2.0/24', '2001:db8::/32'],
      metadata: { team: 'billing', seats: 3 },
    })
    launched = await launchBrowser()
    page = await launched.browser.newPage()
    await page.setBypassCSP(true)
    page.on('pageerror', (error) => wrongs.push(String(error)))
    await page.goto(`${gateway.url}/console#/keys`)
    await page.waitForSelector('#token')
    await page.type('#token', gateway.adminToken)
    await page.keyboard.press('Enter')
    await shows('night batch')
  })
  afterAll(async () => {
    await launched?.close()
    await gateway?.stop()
    await upstream?.stop(true)
  })

  const shows = (words: string) =>
    page.waitForFunction((text) => document.body.innerText.includes(text), {}, words)
  const goTo = async (place: string, words: string) => {
    await page.goto(`${gateway.url}/console#/${place}`)
    await shows(words)
  }
  const press = (name: string) =>
    page.$$eval(
      'button',
      (buttons, text) => {
        const found = buttons.findLast((button) => button.textContent === text)
        if (!found) throw new Error(`no button ${text}`)
        found.click()
      },
      name,
    )
  const fill = (name: string, value: string) =>
    page.$eval(
      `dialog [name="${name}"]`,
      (field, text) => ((field as HTMLInputElement).value = text),
      value,
    )
  const closed = () => page.waitForFunction(() => !document.querySelector('dialog[open]'))

  const rowsNow = () =>
    page.$$eval('main tbody tr', (rows) => rows.map(({ innerText }) => innerText))
  const type = async (name: string, words: string) => {
    const [field] = await page.$$(`form input${name}`)
    await field!.click({ count: 3 })
    await field!.type(words)
    await page.keyboard.press('Enter')
  }

  it('finds a key by its name, and by how it begins with no secret in the address', async () => {
    await goTo('keys', 'night batch')
    await type('[aria-label^="Name, id"]', 'NIGHT')
    await page.waitForFunction(() => location.hash === '#/keys?find=NIGHT')
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1)
    expect(await rowsNow()).toEqual([expect.stringContaining('night batch')])
    await type('[aria-label^="Name, id"]', 'nobody has this')
    await shows('No key is found by this.')
    await type('[aria-label^="Name, id"]', key.key)
    await shows('night batch')
    const start = key.key.split('_', 3).join('_')
    expect(await page.evaluate(() => location.hash)).toBe(`#/keys?find=${start}`)
    await type('[aria-label^="Name, id"]', key.id)
    await shows('192.0.2.0/24, 2001:db8::/32')
  })

  it('finds a product and its prices by a word', async () => {
    await goTo('products', 'Prices')
    await type('[name="find"]', 'Docintel')
    await page.waitForFunction(() => location.hash === '#/products?find=Docintel')
    await page.waitForFunction(() => {
      const { innerText } = document.body
      return innerText.includes('/v1/docintel') && !innerText.includes('/v1/utils')
    })
    const rows = await rowsNow()
    expect(rows.filter((row) => row.includes('docintel')).length).toBeGreaterThan(2)
    await type('[name="find"]', 'nothing of this')
    await shows('No product is found by this.')
    await shows('No skill is found by this.')
  })

  it('a key shows its end, networks and notes, which a dialog changes', async () => {
    await goTo('keys', 'night batch')
    expect(await wrongLooks(page, 'keys')).toEqual([])
    await goTo(`keys/${key.id}`, '192.0.2.0/24, 2001:db8::/32')
    await shows('team: billing')
    expect(await wrongLooks(page, 'key')).toEqual([])
    await press('Change …')
    expect(await wrongLooks(page, 'key-change')).toEqual([])
    await fill('networks', '')
    await fill('metadata', 'team = billing\nseats = 3\nowner = joe')
    // What nobody has touched in the dialog stays as another tab has set it meanwhile.
    await gateway.admin('PATCH', `/v1/keys/${key.id}`, { budgets: { day: 5 }, products: [] })
    await press('Save')
    await closed()
    await shows('any address')
    const { json } = await gateway.admin('GET', `/v1/keys/${key.id}`)
    expect(json).toMatchObject({
      budgets: { day: 5 },
      products: [],
      networks: null,
      expiresAt: '2031-05-01T12:00:00.000Z',
      metadata: { team: 'billing', seats: 3, owner: 'joe' },
    })
    await gateway.admin('PATCH', `/v1/keys/${key.id}`, { budgets: { day: null }, products: null })
  })

  it('a grant needs a reason, which the ledger and the log of changes keep', async () => {
    await goTo(`keys/${key.id}`, 'night batch')
    await press('Grant credits …')
    await fill('amount', '7')
    await fill('note', 'sorry for Monday')
    expect(await wrongLooks(page, 'grant')).toEqual([])
    await press('Grant')
    await closed()
    await shows('17 credits')
    const rows = await gateway.admin('GET', `/v1/ledger?apiKeyId=${key.id}&kind=adjustment`)
    expect(rows.json.rows).toMatchObject([{ amountCredits: 7, note: 'sorry for Monday' }])
    const changes = await gateway.admin('GET', '/v1/admin/changes?path=/v1/credits/grant')
    expect(changes.json.changes[0]).toMatchObject({
      operator: 'ADMIN_TOKEN',
      input: { note: 'sorry for Monday', apiKeyId: key.id },
    })
  })

  it('an endpoint is made, changed, paused, and gets destinations and secrets', async () => {
    const target = `http://127.0.0.1:${upstream.port}/hook`
    await goTo('webhooks/endpoints', 'There is no webhook endpoint yet.')
    await press('New endpoint …')
    await fill('name', 'github')
    await fill('key', key.id)
    await fill('scheme', 'github')
    await fill('url', target)
    await press('Make the endpoint')
    await shows('The sender signs with')
    await press('Done')
    const one = async () =>
      (await gateway.admin('GET', '/v1/admin/webinfra/endpoints')).json.endpoints[0]
    const { id } = await one()
    await goTo(`webhooks/endpoints/${id}`, target)
    expect(await wrongLooks(page, 'endpoint')).toEqual([])
    await press('Add a destination …')
    await fill('url', `${target}/2`)
    await fill('events', 'order.*, ping')
    await press('Add it')
    await shows('is signed with')
    await press('Done')
    await shows('order.*, ping')
    await page.$$eval('p.buttons button', (buttons) =>
      buttons.find(({ textContent }) => textContent === 'Change …')!.click(),
    )
    await fill('name', 'github pushes')
    await fill('maxAttempts', '3')
    await press('Save')
    await closed()
    await shows('github pushes')
    await page.$$eval('p.buttons button', (buttons) =>
      buttons.find(({ textContent }) => textContent === 'Pause')!.click(),
    )
    await shows('by the operator')
    await page.$$eval('p.buttons button', (buttons) =>
      buttons.find(({ textContent }) => textContent === 'New secret …')!.click(),
    )
    await press('Change the secret')
    await shows('The new one')
    await press('Done')
    expect(await wrongLooks(page, 'endpoint-paused')).toEqual([])
    const seen = await one()
    expect(seen).toMatchObject({
      name: 'github pushes',
      status: 'disabled',
      disabledBy: 'operator',
      maxAttempts: 3,
      apiKeyId: key.id,
    })
    expect(seen.destinations.map(({ events }: { events: unknown }) => events)).toEqual([
      null,
      ['order.*', 'ping'],
    ])
    expect(seen.verification.secrets).toHaveLength(2)
  })

  it('sends what failed again, each once, however often it is pressed', async () => {
    const keys = [await gateway.key(10), await gateway.key(10)] as const
    for (const [at, { id, key: paying }] of keys.entries()) {
      const made = await gateway.admin('POST', '/v1/admin/webinfra/endpoints', {
        name: `flaky ${at}`,
        apiKeyId: id,
        verification: { scheme: 'none' },
        destinations: [{ url: `http://127.0.0.1:${upstream.port}/flaky` }],
        maxAttempts: 1,
      })
      const headers = { 'x-api-key': paying, 'content-type': 'application/json' }
      await fetch(made.json.ingressUrl, { method: 'POST', headers, body: '{}' })
    }
    await gateway.admin('POST', `/v1/keys/${keys[0].id}/revoke`, {})
    isWell = true
    await goTo('webhooks', 'Send 2 failed again …')
    await press('Send 2 failed again …')
    for (let pressed = 0; pressed < 2; pressed++) {
      await press('Send again')
      await page.waitForFunction(() => !document.querySelector('dialog button.danger[disabled]'))
      await shows('1 were sent, 1 were not.')
    }
    await press('Cancel')
    expect(taken).toBe(1)
    const { json } = await gateway.admin('GET', `/v1/keys/${keys[1].id}`)
    expect(json.balance.credits).toBe(9.99)
  })

  it('any two revisions of a product are compared', async () => {
    const spec = (title: string, credits: number): string =>
      `product_id: weather\ntitle: ${title}\nbase_path: /v1/weather\nmetered: true\nupstream:\n  url: http://127.0.0.1:${upstream.port}\n  headers: { x-api-key: s3cret }\nskills:\n  - id: weather.now\n    route: GET /now\n    price: { credits: ${credits} }\n`
    for (const [title, credits] of [
      ['Weather', 1],
      ['Weather', 2],
      ['Better weather', 3],
    ] as const) {
      const put = await gateway.admin('PUT', '/v1/admin/products/weather', spec(title, credits))
      expect([put.status, put.problem]).toEqual([200, undefined])
    }
    await goTo('products/weather', 'Compare revision')
    await page.select('select[aria-label="Revision before"]', '1')
    await page.select('select[aria-label="Revision after"]', '3')
    await press('Compare')
    await shows('From revision 1 to 3')
    await shows('Weather → Better weather')
    await shows('skills.weather.now.price.credits: 1 → 3')
    expect(await wrongLooks(page, 'product-diff')).toEqual([])

    const reader = { name: 'auditor', role: 'read' }
    const { token } = (await gateway.admin('POST', '/v1/admin/operators', reader)).json
    const context = await launched.browser.createBrowserContext()
    const theirs = await context.newPage()
    await theirs.goto(`${gateway.url}/console#/products/weather`)
    await theirs.waitForSelector('#token')
    await theirs.type('#token', token)
    await theirs.keyboard.press('Enter')
    await theirs.waitForFunction(() =>
      document.body.innerText.includes('without its secrets and comments'),
    )
    const text = await theirs.evaluate(() => document.body.innerText)
    expect(text).toContain('[hidden]')
    expect(text).not.toContain('s3cret')
    await context.close()
  })

  it('an OpenAPI document is imported with a report, edited, checked and put into service', async () => {
    const type = (label: string, value: string) =>
      page.evaluate(
        (words, text) => {
          const found = [...document.querySelectorAll('form.fields label')].find((one) =>
            one.querySelector('span')!.textContent!.startsWith(words),
          )!
          found.querySelector<HTMLInputElement>('input, textarea')!.value = text
        },
        label,
        value,
      )
    await goTo('products', 'Import an OpenAPI document')
    await goTo('products?import=1', 'Fetched by the gateway')
    await press('Make a spec of it')
    await shows('one of the two')
    await type('URL of', 'http://169.254.169.254/openapi.json')
    await press('Make a spec of it')
    await shows('cannot be read')
    await type('URL of', `http://127.0.0.1:${upstream.port}/openapi.yaml`)
    await type('Price', '3')
    await type('Only the tag or path', 'public')
    await press('Make a spec of it')
    await shows('tides would sell 1 skill. Nothing is in service yet.')
    await shows('POST /admin/reset: it has no tag public')
    await shows('the cookie session is not in its input')
    expect(await wrongLooks(page, 'product-import')).toEqual([])
    await page.$eval('textarea.spec', (area) => {
      const field = area as HTMLTextAreaElement
      field.value = field.value.replace('credits: 3', 'credits: none')
    })
    await press('Check')
    await shows('It would be refused')
    await page.$eval('textarea.spec', (area) => {
      const field = area as HTMLTextAreaElement
      field.value = field.value.replace('credits: none', 'credits: 4')
    })
    await press('Put into service')
    await shows('Take out of service …')
    const called = await gateway.call('GET', '/v1/tides/high?port=Cuxhaven', {
      headers: { 'x-api-key': key.key },
    })
    expect([called.status, called.headers.get('x-charged-credits')]).toEqual([200, '4'])
    await goTo('calls', 'tides.')
    expect(await wrongLooks(page, 'calls')).toEqual([])
    const changes = await gateway.admin('GET', '/v1/admin/changes?path=/v1/admin/products/')
    expect(
      changes.json.changes.map(({ method, path }: Record<string, string>) => `${method} ${path}`),
    ).toContain('PUT /v1/admin/products/tides')

    const reader = { name: 'looks only', role: 'read' }
    const { token } = (await gateway.admin('POST', '/v1/admin/operators', reader)).json
    const refused = await gateway.call('POST', '/v1/admin/products/import', {
      headers: { authorization: `Bearer ${token}` },
      body: { document: TIDES, priceCredits: 1 },
    })
    expect(refused.status).toBe(403)
  })

  it('nothing went wrong on any page', () => {
    expect(wrongs).toEqual([])
  })
})
