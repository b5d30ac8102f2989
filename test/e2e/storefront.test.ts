/** The storefront in a real browser: what is sold, read at every width, and bought by key and by wallet. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'puppeteer-core'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from 'viem'
import { wrongLooks } from '../support/axe.ts'
import { launchBrowser, located, type TestBrowser } from '../support/browser.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { startUpstream } from '../support/upstream.ts'
import { PATIENT } from '../support/patience.ts'

let gateway: GatewayProcess
let launched: TestBrowser | null = null
beforeAll(async () => {
  gateway = await startGateway({
    OPERATOR_NAME: 'Example & Sons',
    TERMS_URL: 'https://example.com/terms',
  })
  if (located.ok) launched = await launchBrowser()
})
afterAll(async () => {
  await launched?.close()
  await gateway?.stop()
})

/** What a link that opens an MCP host tells it. */
function serverIn(href: string): unknown {
  const { protocol, search, searchParams } = new URL(href)
  const text =
    protocol === 'cursor:'
      ? Buffer.from(searchParams.get('config')!, 'base64').toString()
      : decodeURIComponent(search.slice(1))
  return JSON.parse(text)
}

describe('without JavaScript', () => {
  it('tells what is sold, for how much, how to pay and whose it is', async () => {
    const { text, headers } = await gateway.call('GET', '/')
    for (const told of [
      'SHA-256',
      '2 credits',
      '$0.02 per call',
      'claude mcp add',
      'mcpServers',
      'Example &amp; Sons',
      'https://example.com/terms',
      'Status: <strong',
      'Sandbox: test money only',
    ]) {
      expect(text).toContain(told)
    }
    const links = [...text.matchAll(/class="host" href="([^"]+)">Add to ([\w ]+)</g)]
    const server = {
      type: 'http',
      url: `${gateway.url}/mcp?names=underscore`,
      headers: { 'X-Api-Key': 'ck_…' },
    }
    expect(links.map(([, href, host]) => [host, serverIn(href!.replaceAll('&amp;', '&'))])).toEqual(
      [
        ['Cursor', server],
        ['VS Code', { name: 'coinop', ...server }],
      ],
    )
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\/(?!example\.com)/)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    const page = (await gateway.call('GET', '/docs/skills/demo.hash')).text
    expect(page).toContain('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824')
    expect(page).toContain('curl -X POST')
    for (const place of [text, page])
      expect(place).toContain('No key yet? <a href="/account">Sign in to your account</a>')
    expect((await gateway.call('GET', '/docs/products/demo')).text).toContain('Paid ping')
    const withoutOutput = (await gateway.call('GET', '/docs/skills/utils.screenshot')).text
    expect(withoutOutput).toContain('<h3>Schema of the answer</h3>')
    expect(withoutOutput).not.toContain('<h3>Out</h3>')
    expect((await gateway.call('GET', '/docs/skills/no.such')).status).toBe(404)
  })

  it('an address where there is nothing is a page for browsers, and JSON for programs', async () => {
    const look = (accept: string) => fetch(`${gateway.url}/no/<b>where/`, { headers: { accept } })
    const browser = await look('text/html,application/xhtml+xml,*/*;q=0.8')
    const page = await browser.text()
    expect([browser.status, browser.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
    expect(page).toContain('There is nothing at this address')
    expect(page).toContain('href="/docs"')
    expect(page).toContain('href="/no/%3Cb%3Ewhere"')
    expect(page).not.toContain('<b>where')
    expect(browser.headers.get('vary')).toContain('accept')
    expect(browser.headers.get('x-request-id')).toMatch(/^\S{36}$/)
    for (const accept of ['application/json', '*/*']) {
      const program = await look(accept)
      expect(program.headers.get('vary')).toContain('accept')
      const { error } = (await program.json()) as { error: { message: string } }
      expect([program.status, error.message]).toEqual([
        404,
        'There is nothing at this path; try it without the slash at its end',
      ])
    }
  })

  it('is packed for who takes that', async () => {
    const answer = await fetch(`${gateway.url}/docs`, { headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    const plain = await fetch(`${gateway.url}/docs`, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await answer.text()).toBe(await plain.text())
  })
})

it('leaves with STOREFRONT=false, and `/` says where the documents are', async () => {
  const without = await startGateway({ STOREFRONT: 'false', SANDBOX_CHAIN: 'false' })
  try {
    const { status, text, headers } = await without.call('GET', '/')
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/plain; charset=utf-8',
    })
    expect(text).toContain('/openapi.json')
    const docs = await without.call('GET', '/docs')
    expect({ status: docs.status, code: docs.json.error.code }).toEqual({
      status: 404,
      code: 'INVALID_INPUT',
    })
    // Who goes there with a browser reads a text.
    const page = await without.call('GET', '/docs', { headers: { accept: 'text/html,*/*' } })
    expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
      status: 404,
      type: 'text/plain; charset=utf-8',
    })
    expect(page.text).toContain('There is nothing at this address.')
    expect((await without.call('GET', '/llms.txt')).status).toBe(200)
  } finally {
    await without.stop()
  }
})

describe.skipIf(!located.ok)('in Chromium', () => {
  async function open(path: string): Promise<{ page: Page; problems: string[] }> {
    const page = await launched!.browser.newPage()
    const problems: string[] = []
    page.on('console', (line) => {
      // A 402 is what an unpaid call gets, and progress is 404 until the payment is claimed.
      const isEarly = line.location().url?.endsWith('/v1/x402/progress') === true
      if (line.type() === 'error' && !line.text().includes('402') && !isEarly)
        problems.push(line.text())
    })
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.setViewport({ width: 820, height: 900 })
    await page.goto(gateway.url + path, { waitUntil: 'load' })
    return { page, problems }
  }

  it.each(['/', '/docs', '/docs/skills/demo.hash', '/docs/products/demo'])(
    '%s fits every width, in light and dark, breaks no policy and names what can be reached',
    async (path) => {
      const { page, problems } = await open(path)
      for (const width of [390, 820, 1440]) {
        await page.setViewport({ width, height: 900 })
        for (const value of ['light', 'dark']) {
          await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }])
          const found = await page.evaluate(() => ({
            overflow: document.documentElement.scrollWidth - innerWidth,
            nameless: [...document.querySelectorAll('a,button,input,textarea')].filter(
              (one) => !(one.textContent?.trim() || one.closest('label')),
            ).length,
            headings: document.querySelectorAll('h1').length,
          }))
          expect(found).toEqual({ overflow: 0, nameless: 0, headings: 1 })
        }
      }
      expect(problems).toEqual([])
      await page.close()
    },
  )

  it('copies a block of code by its button', async () => {
    const { page, problems } = await open('/')
    await page
      .browserContext()
      .setPermission(gateway.url, { permission: { name: 'clipboard-write' }, state: 'granted' })
    const [button] = await page.$$('.exchange button.copy')
    await button!.click()
    await page.waitForFunction(
      () => document.querySelector('.exchange .copy')!.textContent !== 'Copy',
      PATIENT,
    )
    expect(await button!.evaluate(({ textContent }) => textContent)).toBe('Copied')
    expect(problems).toEqual([])
    await page.close()
  })

  /** The buttons of the form are on again: until then it is sent by no key. */
  const callEnded = (page: Page) =>
    page.waitForFunction(() => document.querySelector('#try button:disabled') === null, PATIENT)

  const stepsOf = async (page: Page): Promise<string> => {
    await page.waitForFunction(
      () => document.querySelector('#steps')!.textContent!.match(/Answer \d|ended here/),
      PATIENT,
    )
    return page.$eval('#steps', (steps) => steps.textContent ?? '')
  }

  it('sells a call to a key, by keyboard', async () => {
    const { key } = await gateway.key(10)
    const { page, problems } = await open('/docs/skills/demo.hash')
    await page.focus('input[name=key]')
    await page.keyboard.type(key)
    await page.keyboard.press('Enter')
    expect(await stepsOf(page)).toMatch(
      /2 credits charged by credits, 8 left.*ledger: authorize of 2.*ledger: capture of 2.*Answer 200, request/,
    )
    expect(await page.$eval('#answer', (answer) => answer.textContent)).toContain('2cf24dba')
    expect(await wrongLooks(page, 'try-key')).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })

  it('charges a call once whose answer is lost and asked for again', async () => {
    const { key } = await gateway.key(10)
    const { page } = await open('/docs/skills/demo.hash')
    // The call is on its way to the gateway when the network of the visitor fails.
    const cdp = await page.createCDPSession()
    await cdp.send('Fetch.enable', {
      patterns: [{ urlPattern: '*/v1/paid/hash', requestStage: 'Response' }],
    })
    // A page that is there already hears of it later than it is said here, maybe after the call.
    await page.reload({ waitUntil: 'load' })
    await page.type('input[name=key]', key)
    const answered = new Promise<string>((resolve) =>
      cdp.once('Fetch.requestPaused', ({ requestId }) => resolve(requestId)),
    )
    await page.keyboard.press('Enter')
    const requestId = await answered
    await cdp.send('Fetch.failRequest', { requestId, errorReason: 'InternetDisconnected' })
    await page.waitForFunction(
      () => document.querySelector('#steps')?.textContent?.includes('no answer came'),
      PATIENT,
    )
    await callEnded(page)
    await cdp.send('Fetch.disable')
    await page.focus('input[name=key]')
    await page.keyboard.press('Enter')
    expect(await stepsOf(page)).toMatch(/0 credits charged by credits, 8 left.*Answer 200/)
    const headers = { 'x-api-key': key }
    const account = await gateway.call('GET', '/v1/account', { headers })
    expect(account.json.balance.credits).toBe(8)
    await callEnded(page)
    // The next one is another call.
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      () => document.querySelector('#steps')?.textContent?.includes('6 left'),
      PATIENT,
    )
    await page.close()
  })

  it('asks again for an answer that was cut off, and shows it though the ledger is away', async () => {
    const { key } = await gateway.key(10)
    const { page } = await open('/docs/skills/demo.hash')
    await page.evaluate(() => {
      const real = globalThis.fetch
      let isFirst = true
      const failing = async (...asked: Parameters<typeof fetch>): Promise<Response> => {
        if (String(asked[0]).includes('/v1/usage')) throw new TypeError('Failed to fetch')
        const answer = await real(...asked)
        if (!isFirst) return answer
        isFirst = false
        const cut = new ReadableStream({ pull: (body) => body.error(new TypeError('cut')) })
        return new Response(cut, answer)
      }
      Object.assign(globalThis, { fetch: failing })
    })
    await page.type('input[name=key]', key)
    await page.keyboard.press('Enter')
    expect(await stepsOf(page)).toContain('no answer came')
    await callEnded(page)
    await page.focus('input[name=key]')
    await page.keyboard.press('Enter')
    expect(await stepsOf(page)).toMatch(/0 credits charged by credits, 8 left.*Answer 200/)
    await page.waitForFunction(
      () => document.querySelector('#answer')?.textContent?.includes('2cf24dba'),
      PATIENT,
    )
    await page.close()
  })

  /** A skill's page in a browser with a wallet of test money; null in a sandbox without a chain. */
  async function openWithWallet(path: string) {
    const sandbox = await gateway.admin('GET', '/v1/x402/sandbox')
    if (sandbox.status === 404) return null
    const account = privateKeyToAccount(sandbox.json.wallet.privateKey as Hex)
    const { page, problems } = await open(path)
    await page.exposeFunction('signTyped', (text: string) => {
      const { domain, types, primaryType, message } = JSON.parse(text)
      const { EIP712Domain: _, ...own } = types
      return account.signTypedData({ domain, types: own, primaryType, message })
    })
    await page.evaluate((address) => {
      const sign = (globalThis as unknown as { signTyped(text: string): Promise<string> }).signTyped
      Object.assign(globalThis, {
        ethereum: {
          request: async ({ method, params }: { method: string; params?: string[] }) =>
            method === 'eth_requestAccounts'
              ? [address]
              : method === 'eth_chainId'
                ? '0x2105'
                : sign(params![1]!),
        },
      })
    }, account.address)
    return { page, problems }
  }

  it('sells a call to the wallet of the visitor, settled on the local chain', async () => {
    const opened = await openWithWallet('/docs/skills/demo.hash')
    if (opened === null) return
    const { page, problems } = opened
    let asked = ''
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/x402/progress')) asked = request.postData() ?? ''
    })
    await page.click('button[value="/v1/x402/wallet.js"]')
    const steps = await stepsOf(page)
    expect(await wrongLooks(page, 'try-wallet')).toEqual([])
    expect(steps).toMatch(/Asked: 0\.02 USDC.*Signed.*Transferred: transaction 0x[0-9a-f]{64}/)
    expect(steps).toMatch(
      /Held: .*transfer is under way.*Transferred: .*In the ledger: settlement of 0\.02 USDC/,
    )
    // Each step is told once.
    for (const step of ['Held', 'Transferred', 'In the ledger']) {
      expect(steps.split(`${step}: `)).toHaveLength(2)
    }
    const [, rowId] = /settlement of 0\.02 USDC, row (\S+?)2 credits/.exec(steps) ?? []
    const { rows } = (await gateway.admin('GET', '/v1/ledger?kind=settlement')).json
    expect(rows.map(({ id }: { id: string }) => id)).toEqual([rowId])

    // Only with both, the request id and the payment as it was signed.
    const own = JSON.parse(asked)
    const payment = JSON.parse(atob(own.paymentSignature))
    const { signature } = payment.payload
    payment.payload.signature = `${signature.slice(0, 2)}${signature[2] === '0' ? '1' : '0'}${signature.slice(3)}`
    const look = async (change: object) =>
      (await gateway.call('POST', '/v1/x402/progress', { body: { ...own, ...change } })).status
    expect(await look({})).toBe(200)
    expect(await look({ requestId: `${own.requestId}0` })).toBe(404)
    expect(await look({ paymentSignature: btoa(JSON.stringify(payment)) })).toBe(404)
    expect(await look({ paymentSignature: 'AAAA' })).toBe(400)
    expect(steps).toMatch(/2 credits charged by x402.*Answer 200/)
    expect(problems).toEqual([])
    await page.close()
  })

  it('tells the hold while the work is under way, the transfer and the row when they are there', async () => {
    let finish = (): void => {}
    const work = new Promise<void>((done) => (finish = done))
    const upstream = await startUpstream((_request, response) => {
      void work.then(() => response.end('{"done":true}'))
    })
    const made = await gateway.admin('PUT', '/v1/admin/products/slow', {
      product_id: 'slow',
      upstream: { url: upstream.url, allow_private: true },
      skills: [{ id: 'slow.get', route: 'GET /get', price: { credits: 3 } }],
    })
    expect(made.status, made.text).toBeLessThan(300)
    const opened = await openWithWallet('/docs/skills/slow.get')
    if (opened === null) return
    const { page, problems } = opened
    await page.click('button[value="/v1/x402/wallet.js"]')
    await page.waitForFunction(
      () => document.querySelector('#steps')!.textContent!.match(/Held: |ended here/),
      PATIENT,
    )
    expect(await page.$eval('#steps', (steps) => steps.textContent)).not.toMatch(
      /Transferred: |In the ledger: |Answer/,
    )
    expect(await wrongLooks(page, 'try-held')).toEqual([])
    finish()
    expect(await stepsOf(page)).toMatch(
      /Held: .*Transferred: transaction 0x.*In the ledger: settlement of 0\.03 USDC.*Answer 200/,
    )
    expect(problems).toEqual([])
    await page.close()
    await upstream.close()
  })
})
