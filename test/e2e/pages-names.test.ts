/** Pages of 320 px, which 1280 px are at a zoom of 400 %, with names that have no place to break. */
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, located, type TestBrowser } from '../support/browser.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { skipPart } from '../support/skips.ts'
import { PATIENT } from '../support/patience.ts'

const NAME = `${'Donaudampfschiff'.repeat(5)} طقس المدينة 👩‍👩‍👧‍👦`
const PRODUCT = {
  title: NAME,
  description: NAME,
  plugin: 'demo',
  base_path: '/v1/long',
  skills: [
    {
      skill: 'demo.hash',
      route: 'POST /hash',
      title: NAME,
      description: NAME,
      price: { credits: 2 },
    },
  ],
}

describe.skipIf(!located.ok && skipPart('names', located.message))('long names at 320 px', () => {
  let gateway: GatewayProcess
  let launched: TestBrowser
  let page: Page
  let accountId: string

  beforeAll(async () => {
    gateway = await startGateway({ SANDBOX_CHAIN: 'false' })
    await gateway.admin('DELETE', '/v1/admin/products/demo')
    const put = await gateway.admin('PUT', '/v1/admin/products/long', PRODUCT)
    expect(put.status, put.text).toBeLessThan(300)
    accountId = (await gateway.admin('POST', '/v1/accounts', { name: NAME, mode: 'test' })).json.id
    const key = await gateway.admin('POST', '/v1/keys', { name: NAME, mode: 'test', accountId })
    await gateway.fund(key.json.id, 123_456)
    launched = await launchBrowser()
    page = await launched.browser.newPage()
    await page.setViewport({ width: 320, height: 560 })
  })
  afterAll(async () => {
    await launched?.close()
    await gateway?.stop()
  })

  /** What is wider than the place it has. */
  const tooWide = () =>
    page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('td, dialog[open]')].flatMap((one) =>
        one.scrollWidth > one.clientWidth ? [one.textContent ?? ''] : [],
      ),
    )

  it.each(['/', '/docs', '/docs/skills/demo.hash', '/docs/products/long'])('%s', async (path) => {
    await page.goto(gateway.url + path, { waitUntil: 'load' })
    expect(await page.$eval('main', ({ textContent }) => textContent)).toContain('Donaudampf')
    expect(await tooWide()).toEqual([])
  })

  it('tables and dialogs of the console', async () => {
    await page.goto(`${gateway.url}/console#/keys`)
    await page.waitForSelector('#token')
    await page.type('#token', gateway.adminToken)
    await page.keyboard.press('Enter')
    await page.waitForSelector('td time', PATIENT)
    expect(await tooWide()).toEqual([])
    await page.goto(`${gateway.url}/console#/accounts/${accountId}`)
    await page.waitForFunction(() => document.body.textContent.includes('Grant credits …'), PATIENT)
    await page.$$eval('main button', (buttons) =>
      buttons.find(({ textContent }) => textContent === 'Grant credits …')!.click(),
    )
    await page.waitForSelector('dialog[open]', PATIENT)
    expect(await page.$eval('dialog', ({ textContent }) => textContent)).toContain('Donaudampf')
    expect(await tooWide()).toEqual([])
  })

  it('a refusal below the fields of a long dialog is scrolled to', async () => {
    await page.goto('about:blank')
    await page.goto(`${gateway.url}/console#/keys`)
    await page.waitForSelector('td time', PATIENT)
    await page.$$eval('main button', (buttons) =>
      buttons.find(({ textContent }) => textContent === 'New key …')!.click(),
    )
    await page.type('dialog[open] input', 'x')
    await page.setOfflineMode(true)
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      () => document.querySelector('dialog[open]')!.textContent.includes('cannot be reached'),
      PATIENT,
    )
    const isSeen = await page.$$eval('dialog[open] *', (all) => {
      const last = all.findLast(({ textContent }) => textContent.includes('cannot be reached'))!
      const { top, bottom } = last.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    })
    expect(isSeen).toBe(true)
    await page.setOfflineMode(false)
  })
})
