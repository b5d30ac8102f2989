/** Plans in a real browser: an owner begins one and ends it, a key with a budget only looks, the operator gives one. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, located, type TestBrowser } from '../support/browser.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { skipPart } from '../support/skips.ts'
import { PATIENT } from '../support/patience.ts'

const PLANS = `
product_id: plans
base_path: /v1/plans
plugin: plans
metered: false
config:
  plans:
    starter:
      title: Starter
      price: { credits: 50 }
      monthly_credits: 60
      free: { demo.echo: 1/day }
      prices: { demo.hash: { credits: 0.5 } }
    partner: { title: Partner, monthly_credits: 10 }
`

describe.skipIf(!located.ok && skipPart('pages of plans', located.message))('plans', () => {
  const products = mkdtempSync(join(tmpdir(), 'coinop-products-'))
  let gateway: GatewayProcess
  let launched: TestBrowser

  beforeAll(async () => {
    const shipped = resolve(import.meta.dirname, '../../products')
    for (const name of ['console', 'demo', 'portal', 'topup']) {
      cpSync(join(shipped, `${name}.yaml`), join(products, `${name}.yaml`))
    }
    writeFileSync(join(products, 'plans.yaml'), PLANS)
    gateway = await startGateway({ PRODUCTS_DIR: products, SANDBOX_CHAIN: 'false' })
    launched = await launchBrowser()
  })
  afterAll(async () => {
    await launched?.close()
    await gateway?.stop()
    rmSync(products, { recursive: true, force: true })
  })

  async function signedIn(key: string): Promise<Page> {
    const context = await launched.browser.createBrowserContext()
    const page = await context.newPage()
    await page.goto(`${gateway.url}/account/sign-in?next=/account/plan`, {
      waitUntil: 'networkidle0',
    })
    await page.type('#api_key', key)
    await Promise.all([page.waitForNavigation(), page.click('form[action$="/key"] button')])
    await says(page, 'Starter')
    return page
  }

  /** The whole page's text once it has this in it. */
  async function says(page: Page, text: string): Promise<string> {
    await page.waitForFunction(
      (wanted) => document.querySelector('main')?.innerText.includes(wanted),
      PATIENT,
      text,
    )
    return page.$eval('main', (main) => main.innerText)
  }

  async function press(page: Page, text: string): Promise<void> {
    await page.waitForFunction(
      (wanted) => {
        const last = [...document.querySelectorAll('button')]
          .filter(({ textContent }) => textContent?.includes(wanted))
          .at(-1)
        last?.click()
        return last !== undefined
      },
      PATIENT,
      text,
    )
  }

  it('an owner begins a plan from the balance and ends it with its month', async () => {
    const key = await gateway.key(50)
    const page = await signedIn(key.key)
    const before = await says(page, 'on request')
    expect(before).toContain('demo.echo: 1 a day')
    await page.setViewport({ width: 390, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await press(page, 'Begin …')
    await press(page, 'Begin')
    expect(await says(page, 'This account has Starter')).toContain('Next month')
    const { json } = await gateway.call('GET', '/v1/plans/subscription', {
      headers: { 'x-api-key': key.key },
    })
    expect(json.subscription).toMatchObject({ plan: 'starter', state: 'active' })
    await press(page, 'End it …')
    await press(page, 'End it with its month')
    expect(await says(page, 'Ends for good')).not.toContain('End it …')
    await press(page, 'Go on with it …')
    await press(page, 'Go on with it')
    expect(await says(page, 'Next month')).toContain('End it …')
  })

  it('a balance that does not cover the month is told so, in the dialog', async () => {
    const page = await signedIn((await gateway.key(1)).key)
    await press(page, 'Begin …')
    await press(page, 'Begin')
    await page.waitForFunction(
      () => document.querySelector('dialog')?.innerText.includes('does not cover'),
      PATIENT,
    )
  })

  it('a key with a budget sees them and begins none', async () => {
    const made = await gateway.admin('POST', '/v1/keys', { name: 'small', budgets: { day: 5 } })
    const page = await signedIn(made.json.key)
    expect(await says(page, 'an owner of the account')).not.toContain('Begin …')
  })

  it('the operator gives one in the console and sees its months', async () => {
    const key = await gateway.key(5)
    const page = await (await launched.browser.createBrowserContext()).newPage()
    await page.goto(`${gateway.url}/console#/plans`, { waitUntil: 'networkidle0' })
    await page.type('input[type="password"]', gateway.adminToken)
    await page.click('form button')
    await press(page, 'Give a plan …')
    await page.select('dialog select[name="plan"]', 'partner')
    await page.type('dialog input[name="apiKeyId"]', key.id)
    await press(page, 'Begin it')
    await says(page, 'given')
    await page.evaluate(() => {
      const links = [...document.querySelectorAll('a')]
      links.find(({ textContent }) => textContent === 'partner')?.click()
    })
    expect(await says(page, 'started')).toContain('Lapsed')
  })
})
