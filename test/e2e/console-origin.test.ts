/**
 * What a hostile upstream can do to the operator whose browser is signed in to the console: its pages
 * come from the gateway's own origin. In a real browser, and with an origin of the operator's own.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, located, type TestBrowser } from '../support/browser.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { freePort } from '../support/ports.ts'
import { skipPart } from '../support/skips.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'

/** What an attacker would send with every answer. */
const HEADERS = {
  'service-worker-allowed': '/',
  'set-cookie': ['coinop-console=x; Path=/console', 'other=1; Path=/'],
  'clear-site-data': '"*"',
  'content-security-policy':
    "default-src * 'unsafe-inline'; sandbox allow-scripts allow-same-origin",
  'access-control-allow-origin': '*',
}
const PAGES: Record<string, [type: string, text: string]> = {
  '/page': [
    'text/html',
    `<!doctype html><title>quiet</title><script>document.title = 'ran'</script>
     <script src="/v1/evil/script.js"></script><iframe src="/console"></iframe>
     <form action="/console/session" method="post"><button>Go</button></form>`,
  ],
  '/image.svg': [
    'image/svg+xml',
    `<svg xmlns="http://www.w3.org/2000/svg"><title>quiet</title><script>document.title = 'ran'</script></svg>`,
  ],
  '/script.js': ['text/javascript', `document.title = 'ran'`],
  '/worker.js': [
    'text/javascript',
    `self.onfetch = (event) => event.respondWith(new Response('mine'))`,
  ],
}

let upstream: TestUpstream
let products: string

beforeAll(async () => {
  upstream = await startUpstream(({ url }, response) => {
    const [type, text] = PAGES[url ?? ''] ?? ['text/plain', 'nothing']
    response.writeHead(200, { ...HEADERS, 'content-type': type }).end(text)
  })
  products = mkdtempSync(join(tmpdir(), 'coinop-origin-'))
  writeFileSync(
    join(products, 'evil.yaml'),
    `product_id: evil\nmetered: false\nupstream: { url: "${upstream.url}", allow_private: true }\n`,
  )
  writeFileSync(
    join(products, 'console.yaml'),
    'product_id: console\nplugin: console\nbase_path: /console\nmetered: false\n',
  )
})
afterAll(async () => {
  await upstream.close()
  rmSync(products, { recursive: true, force: true })
})
const start = (env: Record<string, string> = {}) =>
  startGateway({ PRODUCTS_DIR: products, SANDBOX_CHAIN: 'false', ...env })

describe.skipIf(!located.ok && skipPart('console beside a hostile page', located.message))(
  'a page of an upstream, with the operator signed in',
  () => {
    let gateway: GatewayProcess
    let launched: TestBrowser
    let operator: Page
    let evil: Page
    let cookies: object[]

    beforeAll(async () => {
      gateway = await start()
      launched = await launchBrowser()
      operator = await launched.browser.newPage()
      await operator.goto(`${gateway.url}/console`)
      await operator.waitForSelector('#token')
      await operator.type('#token', gateway.adminToken)
      await operator.keyboard.press('Enter')
      await operator.waitForSelector('nav')
      cookies = await launched.browser.cookies()
      evil = await launched.browser.newPage()
      await evil.goto(`${gateway.url}/v1/evil/page`)
    })
    afterAll(async () => {
      await launched?.close()
      await gateway?.stop()
    })

    it('runs no script, in HTML or SVG, and leaves no cookie and takes none', async () => {
      expect(await evil.title()).toBe('quiet')
      expect(cookies).toHaveLength(1)
      expect(await launched.browser.cookies()).toEqual(cookies)
      const svg = await launched.browser.newPage()
      await svg.goto(`${gateway.url}/v1/evil/image.svg`)
      expect(await svg.$eval('title', (title) => title.textContent)).toBe('quiet')
    })

    it('frames no console', async () => {
      const inside = await Promise.all(
        evil
          .frames()
          .slice(1)
          .map((frame) => frame.$('#app')),
      )
      expect(inside).toEqual([null])
    })

    // The debugger runs script where the page may not: what it would find if it could.
    it('has neither storage nor cookies, window nor worker of the gateway', async () => {
      const found = await evil.evaluate(async () => {
        const tried = async (work: () => unknown): Promise<unknown> => {
          try {
            return (await work()) ?? null
          } catch (error) {
            return (error as Error).name
          }
        }
        return {
          origin: self.origin,
          storage: await tried(() => sessionStorage.length),
          cookie: await tried(() => document.cookie),
          opened: await tried(() => open('/console')),
          worker: await tried(() =>
            navigator.serviceWorker.register('/v1/evil/worker.js', { scope: '/' }),
          ),
          asked: await tried(async () => {
            const headers = { 'x-coinop-console': '1' }
            const init = { headers, credentials: 'include' } as const
            return (await fetch('/console/api/v1/admin/config', init)).text()
          }),
          blind: await tried(async () => {
            const init = { mode: 'no-cors', credentials: 'include' } as const
            return (await fetch('/console/api/v1/admin/config', init)).text()
          }),
        }
      })
      expect(found).toMatchObject({
        origin: 'null',
        storage: 'SecurityError',
        cookie: 'SecurityError',
        opened: null,
        asked: 'TypeError',
        blind: 'TypeError',
      })
      expect(found.worker).toMatch(/Error$/)
    })

    it('is not a service worker of the pages that may run script', async () => {
      const docs = await launched.browser.newPage()
      await docs.goto(`${gateway.url}/docs`)
      const registered = await docs.evaluate(() =>
        navigator.serviceWorker.register('/v1/evil/worker.js').then(
          () => 'registered',
          (error: Error) => error.name,
        ),
      )
      expect(registered).toMatch(/Error$/)
      const asked = await gateway.call('GET', '/v1/evil/worker.js', {
        headers: { 'service-worker': 'script' },
      })
      expect([asked.status, asked.json.error.details.reason]).toEqual([403, 'service_worker'])
    })

    it('leaves the console to its operator', async () => {
      await operator.reload()
      await operator.waitForSelector('nav')
      expect(await operator.evaluate(() => document.cookie)).toBe('')
      expect(
        await operator.evaluate(
          async () => (await navigator.serviceWorker.getRegistrations()).length,
        ),
      ).toBe(0)
    })
  },
)

describe('with ADMIN_URL', () => {
  let gateway: GatewayProcess
  let admin: string

  beforeAll(async () => {
    admin = `http://127.0.0.1:${await freePort()}`
    gateway = await start({ ADMIN_URL: admin })
  })
  afterAll(() => gateway?.stop())
  const at = async (origin: string, path: string, init: RequestInit = {}) => {
    const response = await fetch(origin + path, init)
    return { status: response.status, text: await response.text(), headers: response.headers }
  }

  it('pages for operators are there and nowhere else, where nothing leads to them', async () => {
    for (const path of ['/console', '/console/console.js', '/console/session']) {
      expect((await at(gateway.url, path)).status).toBe(404)
    }
    expect((await at(admin, '/console')).text).toContain('Coinop console')
    expect((await at(admin, '/')).text).toContain('<a href="/console">')
    expect((await at(gateway.url, '/')).text).not.toMatch(/console/i)
    expect(gateway.output()).toContain(`${admin}/console`)
  })

  it('nothing of an upstream is there', async () => {
    expect((await at(gateway.url, '/v1/evil/page')).status).toBe(200)
    expect((await at(admin, '/v1/evil/page')).status).toBe(404)
    expect((await at(admin, '/v1/p/evil/page')).status).toBe(404)
  })

  it('operators sign in there; bearers work on both', async () => {
    const headers = { 'x-coinop-console': '1', origin: admin, 'sec-fetch-site': 'same-origin' }
    const body = JSON.stringify({ token: gateway.adminToken })
    const signedIn = await at(admin, '/console/session', { method: 'POST', headers, body })
    const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!
    const overview = await at(admin, '/console/api/v1/admin/overview', {
      headers: { ...headers, cookie },
    })
    expect(overview.status).toBe(200)
    for (const origin of [admin, gateway.url]) {
      const bearer = { headers: { authorization: `Bearer ${gateway.adminToken}` } }
      expect((await at(origin, '/v1/admin/config', bearer)).status).toBe(200)
    }
  })
})
