/** Pages that everybody sees, by axe in a real browser: every width, light and dark, and by keyboard. */
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wrongLooks } from '../support/axe.ts'
import { launchBrowser, located, type TestBrowser } from '../support/browser.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { skipPart } from '../support/skips.ts'

const PAGES = [
  '/',
  '/docs',
  '/docs/products/demo',
  '/docs/skills/demo.hash',
  '/docs/skills/utils.screenshot',
  '/docs/skills/no.such',
  '/console',
  '/account/sign-in',
]
/** More than the longest of these pages has before its main part. */
const PRESSES = 40

describe.skipIf(!located.ok && skipPart('axe', located.message))('in Chromium', () => {
  let gateway: GatewayProcess
  let launched: TestBrowser
  beforeAll(async () => {
    gateway = await startGateway({
      OPERATOR_NAME: 'Example & Sons',
      TERMS_URL: 'https://example.com/terms',
      PRIVACY_URL: 'https://example.com/privacy',
      SUPPORT_URL: 'https://example.com/support',
    })
    launched = await launchBrowser()
  })
  afterAll(async () => {
    await launched?.close()
    await gateway?.stop()
  })

  /** Until it shows something to use: some pages are drawn after they are loaded. */
  async function open(page: Page, path: string): Promise<void> {
    await page.goto(gateway.url + path, { waitUntil: 'load' })
    await page.waitForSelector(':is(a[href], button, input)', { visible: true })
  }

  it.each(PAGES)('%s has no violation, and nothing overflows', async (path) => {
    const page = await launched.browser.newPage()
    // The pages' own policy is none of the tool's business: other tests hold them to it.
    await page.setBypassCSP(true)
    await open(page, path)
    expect(await wrongLooks(page, path.replaceAll(/\W+/g, '-'))).toEqual([])
    await page.close()
  })

  it.each(PAGES)(
    '%s is walked by Tab: each stop has a name and shows that it is there',
    async (path) => {
      const page = await launched.browser.newPage()
      await open(page, path)
      const stops: { name: string; isShown: boolean }[] = []
      for (let press = 0; press < PRESSES; press++) {
        await page.keyboard.press('Tab')
        const stop = await page.evaluate(() => {
          const one = document.activeElement as HTMLElement | null
          if (one === null || one === document.body) return null
          const style = getComputedStyle(one)
          const labels = (one as HTMLInputElement).labels ?? []
          const label = [...labels].map(({ textContent }) => textContent).join(' ')
          return {
            name: (one.getAttribute('aria-label') ?? one.textContent + label).trim(),
            isShown:
              (style.outlineStyle !== 'none' && style.outlineWidth !== '0px') ||
              style.boxShadow !== 'none',
          }
        })
        if (stop === null) break
        stops.push(stop)
      }
      expect(stops.length).toBeGreaterThan(0)
      expect(stops.filter(({ name, isShown }) => name === '' || !isShown)).toEqual([])
      await page.close()
    },
  )
})
