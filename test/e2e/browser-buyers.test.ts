/** Unmodified clients in a page of another origin: the browser asks the gateway before it lets them pay. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'puppeteer-core'
import { launchBrowser, located, type TestBrowser } from '../support/browser.ts'
import type { Buyer } from '../support/buying-page.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'

let gateway: GatewayProcess
let site: TestUpstream
let launched: TestBrowser
let page: Page

async function bundled(): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dirname, '../support/buying-page.ts')],
    target: 'browser',
  })
  return built.outputs[0]!.text()
}

describe.skipIf(!located.ok)('in a page of another origin', () => {
  beforeAll(async () => {
    const program = await bundled()
    site = await startUpstream((request, response) => {
      const isProgram = request.url === '/program.js'
      response.setHeader('content-type', isProgram ? 'text/javascript' : 'text/html')
      response.end(isProgram ? program : '<meta charset=utf-8><script src=/program.js></script>')
    })
    gateway = await startGateway()
    launched = await launchBrowser()
    page = await launched.browser.newPage()
    await page.goto(site.url)
  })
  afterAll(async () => {
    await launched?.close()
    await gateway?.stop()
    await site?.close()
  })

  /** What the page gets for a call that the client pays with the sandbox's wallet. */
  async function buy(buyer: Buyer) {
    const sandbox = await gateway.admin('GET', '/v1/x402/sandbox')
    if (sandbox.status === 404) return null
    return page.evaluate(
      (...asked) =>
        (globalThis as unknown as { buy(...asked: unknown[]): Promise<unknown[]> }).buy(...asked),
      buyer,
      `${gateway.url}/v1/paid/echo`,
      { message: 'hi' },
      sandbox.json.wallet.privateKey,
    )
  }

  // They send `Access-Control-Expose-Headers` and `Accept-Payment`, which a browser asks leave for.
  it.each(['x402/fetch', 'x402/axios', 'mppx'] as const)('%s pays', async (buyer) => {
    const got = await buy(buyer)
    if (got !== null) expect(got).toEqual([200, '{"message":"hi"}', 'x402'])
  })

  it('a request with headers that the gateway does not know is answered', async () => {
    const got = await buy('traced')
    if (got !== null) expect(got).toEqual([402, expect.stringContaining('"accepts"'), null])
  })
})
