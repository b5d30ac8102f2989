/** An account in the operator's page on the real gateway: what holds it open, and ending each of it. */
import { rmSync } from 'node:fs'
import type { Page } from 'puppeteer-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, located, type TestBrowser } from '../support/browser.ts'
import { startGateway, type Answer, type GatewayProcess } from '../support/gateway.ts'
import { patientProducts } from '../support/products.ts'
import { skipPart } from '../support/skips.ts'

const wallet = privateKeyToAccount(generatePrivateKey())
const SUBJECT = `eip155:${wallet.address.toLowerCase()}`

let gateway: GatewayProcess
let products: string
let accountId: string

beforeAll(async () => {
  products = patientProducts()
  gateway = await startGateway({ PRODUCTS_DIR: products, SANDBOX_CHAIN: 'false' })
  accountId = (await signIn()).json.accountId
})
afterAll(async () => {
  await gateway.stop()
  rmSync(products, { recursive: true, force: true })
})

/** Signs in at /account with the wallet, which opens an account the first time. */
async function signIn(): Promise<Answer> {
  const headers = { 'x-coinop-account': '1', origin: gateway.url }
  const asked = await gateway.call('POST', '/account/sign-in/wallet/nonce', {
    body: { address: wallet.address, chainId: 84532 },
    headers,
  })
  const cookie = asked.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const { message } = asked.json
  const signature = await wallet.signMessage({ message })
  return gateway.call('POST', '/account/sign-in/wallet', {
    body: { message, signature },
    headers: { ...headers, cookie },
  })
}

const holders = async () => (await gateway.admin('GET', `/v1/admin/accounts/${accountId}`)).json

describe('what holds an account open', () => {
  it('is the operator’s to read alone', async () => {
    const path = `/v1/admin/accounts/${accountId}`
    expect((await gateway.call('GET', path)).status).toBe(401)
    expect((await gateway.admin('GET', `${path.slice(0, -1)}_`)).status).toBe(404)
  })

  it('shows the wallet that signs in, and its session', async () => {
    expect(await holders()).toMatchObject({
      grants: [],
      owners: [{ subject: SUBJECT }],
      sessions: [{ way: 'wallet', apiKeyId: null, address: expect.any(String) }],
      purchases: [],
    })
  })

  it('refuses to take the last way in away', async () => {
    const path = `/v1/admin/accounts/${accountId}/owners/remove`
    const refused = await gateway.admin('POST', path, { subject: SUBJECT })
    expect(refused.status).toBe(409)
    expect(refused.problem.details.reason).toBe('last_owner')
    expect((await gateway.admin('POST', path, { subject: 'email:a@b.c' })).status).toBe(404)
  })
})

describe.skipIf(!located.ok && skipPart('account in a browser', located.message))(
  'in a browser',
  () => {
    let launched: TestBrowser
    let page: Page
    const wrongs: string[] = []

    beforeAll(async () => {
      launched = await launchBrowser()
      page = await launched.browser.newPage()
      await page.setViewport({ width: 1200, height: 1000 })
      page.on('pageerror', (error) => wrongs.push(String(error)))
      await page.goto(`${gateway.url}/console#/accounts/${accountId}`)
      await page.waitForSelector('#token')
      await page.type('#token', gateway.adminToken)
      await page.keyboard.press('Enter')
    })
    afterAll(() => launched?.close())

    const shows = (words: string) =>
      page.waitForFunction((words) => document.body.innerText.includes(words), {}, words)
    const press = (name: string) =>
      page.$$eval(
        'button',
        (buttons, name) => buttons.findLast((button) => button.textContent === name)!.click(),
        name,
      )

    it('shows sign-ins, sessions and purchases, and ends a session', async () => {
      await shows(SUBJECT)
      await shows('Nothing spends this balance but its keys.')
      await shows('No credits were bought, granted or moved.')
      const capture = process.env['COINOP_SCREENSHOTS']
      if (capture) await page.screenshot({ path: `${capture}/account.png`, fullPage: true })
      await press('End …')
      await shows('has to sign in again')
      await press('End it')
      await shows('Nobody is signed in at this moment.')
      expect((await holders()).sessions).toEqual([])
    })

    it('finds accounts by a part of a way to sign in, and by the whole id', async () => {
      await page.evaluate(() => (location.hash = '#/accounts'))
      const find = async (text: string): Promise<void> => {
        const field = await page.waitForSelector('input[aria-label^="Name, id, mailbox"]')
        await field!.evaluate((input) => (input.value = ''))
        await field!.type(text)
        await field!.press('Enter')
      }
      await shows('Low mark')
      await find('nobody here')
      await shows('No account is found by this.')
      await find(SUBJECT.slice(-12))
      await page.waitForSelector(`a[href*="${accountId}"]`)
      await find(accountId)
      await shows(SUBJECT)
    })

    it('says why the last way in stays', async () => {
      await press('Remove …')
      await shows('no longer leads to this account')
      await press('Remove')
      await shows('only way in')
      expect(wrongs).toEqual([])
    })
  },
)
