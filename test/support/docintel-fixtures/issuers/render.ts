/** Turns issuer fixtures into PDF bytes; HTML ones need a browser and are left out without one. */
import { launchBrowser, located, type TestBrowser } from '../../browser.ts'
import { drawScene } from './scene.ts'
import type { IssuerFixture } from './types.ts'

/** Every fixture with its PDF; `skipped` counts those that needed a browser. */
export async function renderIssuers(
  fixtures: readonly IssuerFixture[],
): Promise<{ rendered: { fixture: IssuerFixture; bytes: Uint8Array }[]; skipped: number }> {
  const rendered: { fixture: IssuerFixture; bytes: Uint8Array }[] = []
  let opened: TestBrowser | null = null
  let skipped = 0
  try {
    for (const fixture of fixtures) {
      if (fixture.scene !== undefined) {
        rendered.push({ fixture, bytes: drawScene(fixture.scene, fixture.style) })
        continue
      }
      if (!located.ok) {
        skipped++
        continue
      }
      opened ??= await launchBrowser()
      const tab = await opened.browser.newPage()
      await tab.setContent(fixture.html ?? '')
      rendered.push({ fixture, bytes: await tab.pdf({ preferCSSPageSize: true }) })
      await tab.close()
    }
  } finally {
    await opened?.close()
  }
  return { rendered, skipped }
}
