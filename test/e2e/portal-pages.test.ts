/** The account pages in a real browser: a wallet buys, an agent calls, mail, passkeys, no script, every width. */
import type { BrowserContext, Page } from 'puppeteer-core'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_WALLET } from '../../plugins/x402/sandbox/wallets.ts'
import { wrongLooks } from '../support/axe.ts'
import { launchBrowser, located, type TestBrowser } from '../support/browser.ts'
import { injectWallet } from '../support/browser-wallet.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { mailServer, type MailServer } from '../support/mail.ts'
import { freePort } from '../support/ports.ts'
import { skipPart } from '../support/skips.ts'
import { CHECKOUT, deliver, startProviderA, type TestProvider } from '../support/topup.ts'
import { PATIENT } from '../support/patience.ts'

const TABS = ['', 'keys', 'apps', 'calls', 'usage', 'webhooks', 'buy', 'receipts', 'settings']

describe.skipIf(!located.ok && skipPart('account pages', located.message))('in Chromium', () => {
  let gateway: GatewayProcess
  let url: string
  let launched: TestBrowser
  let mail: MailServer
  let provider: TestProvider

  beforeAll(async () => {
    mail = await mailServer()
    provider = startProviderA()
    const port = await freePort()
    url = `http://localhost:${port}`
    gateway = await startGateway({
      RATE_LIMIT_RPM: '100000',
      RATE_LIMIT_BURST: '10000',
      PORT: String(port),
      PUBLIC_URL: url,
      OPERATOR_NAME: 'Example & Sons',
      SMTP_URL: mail.url,
      PREPAID_FIAT: 'true',
      ...provider.env,
    })
    launched = await launchBrowser()
  })
  afterAll(async () => {
    await launched?.close()
    await gateway?.stop()
    mail?.close()
    await provider?.stop()
  })

  /** A page of a browser of its own; `problems`: what the policy refused and scripts threw. */
  async function open(): Promise<{ context: BrowserContext; page: Page; problems: string[] }> {
    const context = await launched.browser.createBrowserContext()
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) problems.push(message.text())
    })
    return { context, page, problems }
  }

  async function enterByKey(page: Page, key: string): Promise<void> {
    await page.goto(`${url}/account/sign-in`, { waitUntil: 'networkidle0' })
    await page.type('#api_key', key)
    await Promise.all([page.waitForNavigation(), page.click('form[action$="/key"] button')])
  }

  const mainText = (page: Page): Promise<string> => page.$eval('main', (main) => main.innerText)

  async function press(page: Page, text: string): Promise<void> {
    await page.waitForFunction(
      (wanted) => {
        const all = [...document.querySelectorAll('button')]
        const button = all.find(({ textContent }) => textContent?.includes(wanted))
        button?.click()
        return button !== undefined
      },
      PATIENT,
      text,
    )
  }

  it('a buyer by card is told the limits, and on coming back what became of the payment', async () => {
    const { context, page, problems } = await open()
    await page.setViewport({ width: 360, height: 740 })
    await enterByKey(page, (await gateway.key(0)).key)
    await page.goto(`${url}/account/buy`, { waitUntil: 'networkidle0' })
    const asks = async (amount: string, told: string): Promise<void> => {
      await page.$eval(
        '#amount',
        (field, value) => ((field as HTMLInputElement).value = value),
        amount,
      )
      await press(page, 'Pay by card or bank')
      const isTold = (wanted: string): boolean =>
        document.querySelector('.note')?.textContent?.includes(wanted) === true
      await page.waitForFunction(isTold, PATIENT, told)
    }
    await asks('4.99', 'The least that you can pay this way is $5.')
    await asks('10000.01', 'The most that you can buy at once is $10,000.')
    // The page leaves for the provider's, which nobody serves here.
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      if (request.url().startsWith(CHECKOUT)) void request.respond({ body: 'the checkout' })
      else void request.continue()
    })
    await page.$eval('#amount', (field) => ((field as HTMLInputElement).value = '12.50'))
    const left = page.waitForResponse((response) => response.url().startsWith(CHECKOUT), PATIENT)
    await press(page, 'Pay by card or bank')
    await press(page, 'Pay by card or bank')
    await left
    const [reference, ...more] = [...provider.charges.keys()]
    expect(more).toEqual([])
    const back = `${url}/account/buy?trxref=${reference}&reference=${reference}`
    await page.goto(back, { waitUntil: 'networkidle0' })
    expect(await mainText(page)).toContain('to confirm your payment of $12.50')
    await page.goto(`${url}/account/buy?status=cancelled&tx_ref=${reference}`, {
      waitUntil: 'networkidle0',
    })
    expect(await mainText(page)).toContain('The checkout was cancelled.')
    // Also when the buyer comes back another day.
    await page.goto(`${url}/account/buy`, { waitUntil: 'networkidle0' })
    expect(await mainText(page)).toMatch(/\bcancelled\b/)
    await deliver(gateway, 'provider_a', provider.event(provider.pay(reference!)))
    await page.goto(back, { waitUntil: 'networkidle0' })
    expect(await mainText(page)).toContain('Paid. 1,250 credits have arrived.')
    expect(await mainText(page)).toMatch(/Balance: 1,250 credits[^]*\bcredited\b/)
    await deliver(
      gateway,
      'provider_a',
      provider.reversalEvent(provider.reverse(reference!, 'refund')),
    )
    await page.goto(back, { waitUntil: 'networkidle0' })
    expect(await mainText(page)).toMatch(/Balance: 0 credits[^]*\brefunded\b/)
    await page.goto(`${url}/account/receipts`, { waitUntil: 'networkidle0' })
    expect(await mainText(page)).toContain('card or bank (provider A)')
    // Both links of a cell, of the purchase and of the refund, stand beside its name.
    const lefts = await page.$$eval('td[data-name="Receipt"] a', (links) =>
      links.map((link) => link.getBoundingClientRect().left),
    )
    expect(lefts).toHaveLength(4)
    expect(new Set(lefts).size).toBe(1)
    await context.deleteCookie(...(await context.cookies()))
    await page.goto(back)
    expect(page.url()).toContain(encodeURIComponent(`reference=${reference}`))
    expect(problems).toEqual([])
    await context.close()
  })

  it('a wallet signs in, buys with USDC, makes a key; its call and receipts are there', async () => {
    const { context, page, problems } = await open()
    const account = privateKeyToAccount(TEST_WALLET.privateKey)
    const wallet = await injectWallet(page, account, 1)
    await page.goto(`${url}/account/buy`, { waitUntil: 'networkidle0' })
    expect(await page.$eval('.wallets', (list) => list.textContent)).toBe('Test Wallet <img src=x>')
    await Promise.all([page.waitForNavigation(), page.click('.wallets button')])
    await page.waitForSelector('.wallets button', PATIENT)
    expect(new URL(page.url()).pathname).toBe('/account/buy')
    await page.evaluate(() =>
      addEventListener('eip6963:requestProvider', () => (document.body.dataset['looks'] = 'again')),
    )
    await page.$eval('#amount', (field) => ((field as HTMLInputElement).value = '2.50'))
    await page.click('.wallets button')
    await page.waitForFunction(
      () => document.querySelector('main')?.textContent?.includes('Bought 250 credits'),
      PATIENT,
    )
    // The new balance does not make the page look for wallets once more.
    await page.waitForFunction(
      () => /Balance: 250 credits/.test(document.querySelector('main')?.innerText ?? ''),
      PATIENT,
    )
    expect(await page.$eval('body', (body) => body.dataset['looks'])).toBeUndefined()
    expect(await page.$$('.wallets button')).toHaveLength(1)
    expect(wallet.methods).toEqual([
      'eth_requestAccounts',
      'eth_chainId',
      'personal_sign',
      'eth_requestAccounts',
      'eth_chainId',
      'wallet_switchEthereumChain',
      'eth_signTypedData_v4',
    ])
    await page.goto(`${url}/account/keys`, { waitUntil: 'networkidle0' })
    await press(page, 'New key')
    await page.type('dialog input[name="name"]', 'my agent')
    await page.type('dialog input[name="day"]', '10')
    await page.click('dialog button[type="submit"]')
    await page.waitForSelector('dialog .copyable code', PATIENT)
    const key = await page.$eval('dialog .copyable code', (code) => code.textContent)
    const called = await gateway.call('POST', '/v1/paid/hash', {
      body: { input: 'hello' },
      headers: { 'x-api-key': key! },
    })
    expect(called.headers.get('x-balance-credits')).toBe('248')
    await page.goto(`${url}/account/calls`, { waitUntil: 'networkidle0' })
    expect(await mainText(page)).toContain('demo.hash')
    await Promise.all([page.waitForNavigation(), page.click('tbody td a')])
    await page.waitForSelector('dl', PATIENT)
    const told = await mainText(page)
    expect(told).toContain(called.headers.get('x-request-id'))
    expect(told).toContain('capture')
    await page.goto(`${url}/account/receipts`, { waitUntil: 'networkidle0' })
    expect(await mainText(page)).toContain('250 credits')
    await Promise.all([page.waitForNavigation(), page.click('tbody a[href*="/account/receipts/"]')])
    expect(await mainText(page)).toContain('Credits bought')
    await page.goto(`${url}/account`, { waitUntil: 'networkidle0' })
    expect(await mainText(page)).toContain('248 credits')
    expect(await page.content()).not.toContain(key)
    expect(problems).toEqual([])
    await context.close()
  })

  it('a key, a mail link and signing out work with scripts off', async () => {
    const key = await gateway.key(10)
    const { context, page } = await open()
    await page.setJavaScriptEnabled(false)
    await enterByKey(page, key.key)
    expect(new URL(page.url()).pathname).toBe('/account')
    await page.deleteCookie(...(await page.cookies()))
    await page.goto(`${url}/account/sign-in?next=/account/settings`)
    await page.type('#email', 'noscript@example.com')
    await Promise.all([page.waitForNavigation(), page.click('form[action$="/mail"] button')])
    expect(await mainText(page)).toContain('Look into your mail')
    const text = await mail.mailTo('noscript@example.com')
    await page.goto(/http\S+\?token=[\w-]{43}\S*/.exec(text)![0])
    await Promise.all([page.waitForNavigation(), page.click('main button')])
    expect(new URL(page.url()).pathname).toBe('/account/settings')
    expect((await page.cookies()).map(({ name }) => name)).toContain('coinop_account')
    await context.close()
  })

  it('a passkey is added and signs in', async () => {
    const key = await gateway.key(10)
    const { context, page, problems } = await open()
    const devtools = await page.createCDPSession()
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await enterByKey(page, key.key)
    await page.goto(`${url}/account/settings`, { waitUntil: 'networkidle0' })
    await press(page, 'Add a passkey')
    await page.waitForSelector('dialog button[type="submit"]')
    await page.click('dialog button[type="submit"]')
    await page.waitForFunction(
      () => document.querySelector('table')?.textContent?.includes('passkey'),
      PATIENT,
    )
    await press(page, 'Sign out')
    await page.waitForNavigation()
    await page.waitForSelector('#with-script button', PATIENT)
    await Promise.all([page.waitForNavigation(), press(page, 'Sign in with a passkey')])
    // Back to where it signed out.
    await page.waitForSelector('dl', PATIENT)
    expect(new URL(page.url()).pathname).toBe('/account/settings')
    expect(await mainText(page)).toMatch(/Signed in by\s+passkey/)
    expect(problems).toEqual([])
    await context.close()
  })

  it('nothing overflows at any width, axe finds nothing, and Tab reaches the head', async () => {
    const key = await gateway.key(50)
    await gateway.call('POST', '/v1/paid/hash', {
      body: { input: 'x' },
      headers: { 'x-api-key': key.key },
    })
    const { context, page, problems } = await open()
    await page.goto(`${url}/account/sign-in`, { waitUntil: 'networkidle0' })
    expect(await wrongLooks(page, 'sign-in')).toEqual([])
    await enterByKey(page, key.key)
    for (const tab of TABS) {
      await page.goto(`${url}/account/${tab}`.replace(/\/$/, ''), { waitUntil: 'networkidle0' })
      expect(await wrongLooks(page, `portal-${tab}`)).toEqual([])
    }
    for (const width of [390, 1440]) {
      await page.setViewport({ width, height: 900 })
      // Every link and button of the head is reached by Tab, and shows it.
      await page.goto(`${url}/account`, { waitUntil: 'networkidle0' })
      const reached = new Set<string>()
      for (let presses = 0; presses < 14; presses++) {
        await page.keyboard.press('Tab')
        reached.add(await page.evaluate(() => document.activeElement?.textContent ?? ''))
      }
      for (const text of ['Keys', 'Settings', 'Refresh', 'Sign out'])
        expect(reached).toContain(text)
    }
    expect(problems).toEqual([])
    await context.close()
  })
})
