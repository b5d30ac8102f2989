/** Prints pages of HTML with Chromium, which is started at the first of them. */
import { launchBrowser, type TestBrowser } from '../../browser.ts'

export interface PagePrinter {
  print(html: string): Promise<Uint8Array>
  close(): Promise<void>
}

export function pagePrinter(): PagePrinter {
  let browser: TestBrowser | null = null
  return {
    async print(html) {
      browser ??= await launchBrowser()
      const tab = await browser.browser.newPage()
      // Pages of others ask for fonts and pictures of the web, which are not there.
      await tab.setContent(html, { waitUntil: 'domcontentloaded' })
      const bytes = await tab.pdf({
        format: 'A4',
        printBackground: true,
        margin: { top: 40, bottom: 40, left: 40, right: 40 },
      })
      await tab.close()
      return bytes
    },
    async close() {
      await browser?.close()
    },
  }
}
