/** Pages that everybody sees, by axe in a real browser: every width, light and dark, and by keyboard. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, located, type TestBrowser } from '../support/browser.ts'
import { startGateway, type GatewayProcess } from '../support/gateway.ts'
import { skipPart } from '../support/skips.ts'

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')
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

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

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

  it.each(PAGES)('%s has no violation, and nothing overflows', async (path) => {
    const page = await launched.browser.newPage()
    // The pages' own policy is none of the tool's business: other tests hold them to it.
    await page.setBypassCSP(true)
    const found: unknown[] = []
    for (const width of [390, 820, 1440]) {
      await page.setViewport({ width, height: 900 })
      for (const scheme of ['light', 'dark']) {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
        await page.goto(gateway.url + path, { waitUntil: 'load' })
        await page.evaluate(AXE)
        const seen = await page.evaluate(async () => {
          const { axe } = window as unknown as { axe: Axe }
          const { violations } = await axe.run()
          return {
            violations: violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
            overflow: document.documentElement.scrollWidth - innerWidth,
          }
        })
        const shots = process.env['AXE_SHOTS']
        const name = path.replaceAll(/\W+/g, '-')
        if (shots)
          await page.screenshot({ path: `${shots}/${width}-${scheme}${name}.png`, fullPage: true })
        if (seen.violations.length > 0 || seen.overflow > 0) found.push([width, scheme, seen])
      }
    }
    expect(found).toEqual([])
    await page.close()
  })

  it.each(PAGES)(
    '%s is walked by Tab: each stop has a name and shows that it is there',
    async (path) => {
      const page = await launched.browser.newPage()
      await page.goto(gateway.url + path, { waitUntil: 'load' })
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
