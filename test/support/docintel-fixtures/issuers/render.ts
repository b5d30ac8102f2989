/** Turns issuer fixtures into PDF bytes; HTML ones need a Chromium and are left out without one. */
import { existsSync } from 'node:fs'
import puppeteer, { type Browser } from 'puppeteer-core'
import { drawScene } from './scene.ts'
import type { IssuerFixture } from './types.ts'

const CHROMIUM = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
)

/** Every fixture with its PDF; `skipped` counts those that needed a Chromium. */
export async function renderIssuers(
  fixtures: readonly IssuerFixture[],
): Promise<{ rendered: { fixture: IssuerFixture; bytes: Uint8Array }[]; skipped: number }> {
  const rendered: { fixture: IssuerFixture; bytes: Uint8Array }[] = []
  let browser: Browser | null = null
  let skipped = 0
  try {
    for (const fixture of fixtures) {
      if (fixture.scene !== undefined) {
        rendered.push({ fixture, bytes: drawScene(fixture.scene, fixture.style) })
        continue
      }
      if (CHROMIUM === undefined) {
        skipped++
        continue
      }
      browser ??= await puppeteer.launch({
        executablePath: CHROMIUM,
        args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      })
      const tab = await browser.newPage()
      await tab.setContent(fixture.html ?? '')
      rendered.push({ fixture, bytes: await tab.pdf({ preferCSSPageSize: true }) })
      await tab.close()
    }
  } finally {
    await browser?.close()
  }
  return { rendered, skipped }
}
