/** PDFs through utils.pdf_extract's own code, pdf.js's plain text and poppler's pdftotext. */
import type { Browser } from 'puppeteer-core'
import { extractPdf, type PdfOutcome } from '../../../plugins/utils/pdf/extract.ts'
import { openPdf } from '../../../plugins/utils/pdf/read/open.ts'

/** Pages read of each file. */
export const PAGES = 100

export function outcomeOf(bytes: Uint8Array): Promise<PdfOutcome> {
  const order = { bytes: new Uint8Array(bytes), includeTables: true, maxPages: PAGES }
  return extractPdf(order, () => undefined)
}

/** Text and tables, empty when the file cannot be read. */
export async function ours(bytes: Uint8Array): Promise<{ text: string; tables: string[][][] }> {
  const outcome = await outcomeOf(bytes)
  if (!outcome.ok) return { text: '', tables: [] }
  return {
    text: outcome.output.pages.map((page) => page.text).join('\n'),
    tables: outcome.output.tables.map((table) => table.rows),
  }
}

/** What most programs do with pdf.js: the strings of getTextContent, a line end where it says so. */
export async function plain(bytes: Uint8Array): Promise<string> {
  const opened = await openPdf(new Uint8Array(bytes))
  if (!opened.ok) return ''
  const { pdf } = opened
  let text = ''
  for (let number = 1; number <= Math.min(PAGES, pdf.numPages); number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    text += `${items.map((i) => ('str' in i ? i.str + (i.hasEOL ? '\n' : '') : '')).join('')}\n`
  }
  await pdf.loadingTask.destroy()
  return text
}

export const hasPdftotext = Bun.which('pdftotext') !== null

/** What pdftotext prints in its default mode. */
export function pdftotext(bytes: Uint8Array): string {
  const run = Bun.spawnSync(['pdftotext', '-l', String(PAGES), '-', '-'], { stdin: bytes })
  return run.stdout.toString()
}

/** The page as the browser prints it on A4. */
export async function print(
  browser: Browser,
  { html, landscape = false }: { html: string; landscape?: boolean },
): Promise<Uint8Array> {
  const page = await browser.newPage()
  await page.setContent(html)
  const margin = { top: '20mm', left: '20mm', right: '20mm', bottom: '20mm' }
  const bytes = await page.pdf({ format: 'a4', landscape, margin })
  await page.close()
  return bytes
}
