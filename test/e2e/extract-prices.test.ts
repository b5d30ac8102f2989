/** utils.extract as an operator sells it: a page that is drawn at a price of its own, headers that no site takes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeServers, httpServer } from '../integration/net/servers.ts'
import { type GatewayProcess, startGateway } from '../support/gateway.ts'
import { locateBrowser } from '../../plugins/utils/screenshot/browser/locate.ts'
import { skipPart } from '../support/skips.ts'

const PRODUCT = `product_id: pages
base_path: /v1/pages
plugin: utils
skills:
  - skill: utils.extract
    route: POST /extract
    price: { credits: 5, per: { unit: drawn, credits: 3 }, max: 8 }
`
const browser = await locateBrowser({ chromiumPath: process.env['CHROMIUM_PATH'] })
const without = !browser.ok && skipPart('prices of drawn pages', browser.message)
const TEXT = 'Words of a story that goes on for a while. '.repeat(10)

describe('a price for drawn pages', () => {
  let gateway: GatewayProcess
  let site: string
  let folder: string
  const asked: (string | undefined)[] = []

  beforeAll(async () => {
    const server = await httpServer((request, response) => {
      asked.push(request.headers.cookie)
      response.setHeader('content-type', 'text/html').end(`<h1>A story</h1><p>${TEXT}</p>`)
    })
    site = `127.0.0.1:${server.port}`
    folder = mkdtempSync(join(tmpdir(), 'coinop-products-'))
    writeFileSync(join(folder, 'pages.yaml'), PRODUCT)
    gateway = await startGateway({
      SANDBOX: 'true',
      SANDBOX_CHAIN: 'false',
      PRODUCTS_DIR: folder,
      ALLOW_PRIVATE_TARGETS: site,
    })
  })
  afterAll(async () => {
    await gateway?.stop()
    await closeServers()
    rmSync(folder, { recursive: true, force: true })
  })

  /** One call with a key of its own: its status, what is left of `funds`, and the answer. */
  async function buy(order: object, funds = 20) {
    const { key } = await gateway.key(funds)
    const headers = { 'x-api-key': key }
    const body = { url: `http://${site}/`, ...order }
    const { status, json } = await gateway.call('POST', '/v1/pages/extract', { body, headers })
    const { credits } = (await gateway.call('GET', '/v1/credits/balance', { headers })).json
    return { status, cost: funds - credits, json }
  }

  it('counts a page that is read as it came at the base', async () => {
    expect(await buy({})).toMatchObject({ status: 200, cost: 5 })
    // No more is held than it can cost.
    expect(await buy({}, 5)).toMatchObject({ status: 200, cost: 5 })
  })

  it.skipIf(without)('counts what a browser drew', async () => {
    expect(await buy({ render: true })).toMatchObject({ status: 200, cost: 8 })
    expect(await buy({ render: true }, 5)).toMatchObject({ status: 402, cost: 0 })
  })

  it('costs nothing where nothing was found', async () => {
    const found = await buy({ schema: { isbn: 'string' } })
    expect(found).toMatchObject({ status: 200, cost: 0, json: { data: { isbn: null } } })
  })

  it.each(['a=1\r\nhost: evil', 'a=\u4e2d', 'a=\u0000'])(
    'refuses the header %j before any site sees it',
    async (cookie) => {
      asked.length = 0
      expect(await buy({ headers: { cookie } })).toMatchObject({ status: 400, cost: 0 })
      expect(asked).toEqual([])
      expect(await buy({ headers: { cookie: 'a=1' } })).toMatchObject({ status: 200 })
      expect(asked).toContain('a=1')
    },
  )
})
