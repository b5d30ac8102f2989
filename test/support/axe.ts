/** What axe and the widths say of a page as it is now, in a real browser. */
import { readFileSync } from 'node:fs'
import type { Page } from 'puppeteer-core'

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')
/** Colours depend on the scheme and the order of things on the width: axe judges each once at least. */
const LOOKS = [
  [390, 'light', true],
  [390, 'dark', true],
  [820, 'light', false],
  [1440, 'light', false],
  [1440, 'dark', true],
] as const

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}
interface Seen {
  violations: [id: string, nodes: string[]][]
  overflow: number
}
export interface Look {
  width: number
  scheme: 'light' | 'dark'
  seen: Seen
}

/**
 * The looks of a page in which axe finds a violation or something overflows; none of a good page. With
 * AXE_SHOTS, a folder, a picture of each look is left there under `name`.
 */
export async function wrongLooks(page: Page, name: string): Promise<Look[]> {
  const found: Look[] = []
  await page.evaluate(AXE)
  for (const [width, scheme, isJudged] of LOOKS) {
    await page.setViewport({ width, height: 900 })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    const seen = await page.evaluate(async (runs): Promise<Seen> => {
      const { axe } = window as unknown as { axe: Axe }
      // The size of a target (WCAG 2.5.8) is judged only where it is asked for.
      const rules = { 'target-size': { enabled: true } }
      const { violations } = runs ? await axe.run({ rules }) : { violations: [] }
      return {
        violations: violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
        overflow: document.documentElement.scrollWidth - innerWidth,
      }
    }, isJudged)
    const shots = process.env['AXE_SHOTS']
    if (shots)
      await page.screenshot({ path: `${shots}/${name}-${width}-${scheme}.png`, fullPage: true })
    if (seen.violations.length > 0 || seen.overflow > 0) found.push({ width, scheme, seen })
  }
  return found
}
