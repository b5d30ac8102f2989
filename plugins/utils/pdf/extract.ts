/** One PDF to text and tables, page by page. Runs in a child process of the document pool. */
import { openPdf } from './read/open.ts'
import { readPage, visibilityOf } from './read/page.ts'
import { upright } from './read/upright.ts'
import { tablesOf } from './tables/tables.ts'
import { linesOf } from './text/lines.ts'
import { pageText } from './text/print.ts'
import { wordsOf } from './text/words.ts'

export interface PdfOrder {
  bytes: Uint8Array
  includeTables: boolean
  maxPages: number
  /** Page numbers asked for, ascending; absent: from the first. */
  pages?: number[]
}
export interface PdfPage {
  page: number
  text: string
}
export interface PdfTable {
  page: number
  rows: string[][]
}
export interface PdfMeta {
  pageCount: number
  bytesDecoded: number
  engine: string
  warnings: PdfWarning[]
}
export interface PdfWarning {
  /** Absent when it is about the whole document. */
  page?: number
  code: 'page_unreadable' | 'image_only' | 'page_truncated' | 'pages_left_out' | 'no_such_page'
  message: string
}
export type PdfOutcome =
  | { ok: true; output: { pages: PdfPage[]; tables: PdfTable[]; meta: PdfMeta } }
  | { ok: false; reason: 'encrypted' | 'broken'; message: string }

const ENGINE = 'pdfjs-dist 6.5.438'

/**
 * Text and tables of the pages asked for, or why the file cannot be read. A page that cannot be
 * read has text '' and a warning; when none can, the file is broken.
 */
export async function extractPdf(
  order: PdfOrder,
  report: (progress: unknown) => void,
): Promise<PdfOutcome> {
  const bytesDecoded = order.bytes.length
  const opened = await openPdf(order.bytes)
  if (!opened.ok) return opened
  const { pdf } = opened
  try {
    const warnings: PdfWarning[] = []
    const numbers = chosenPages(order, pdf.numPages, warnings)
    const isVisible = await visibilityOf(pdf)
    const pages: PdfPage[] = []
    const tables: PdfTable[] = []
    let unreadable = 0
    for (const number of numbers) {
      try {
        const page = await pdf.getPage(number)
        const marks = upright(await readPage(page, isVisible))
        page.cleanup()
        const words = wordsOf(marks.glyphs)
        const found = order.includeTables ? tablesOf(marks, words) : []
        const text = pageText(
          linesOf(words),
          found.map(({ box }) => box),
        )
        pages.push({ page: number, text })
        for (const { rows } of found) tables.push({ page: number, rows })
        if (text === '' && marks.images > 0) {
          const message = 'The page shows images only; text in images is not read'
          warnings.push({ page: number, code: 'image_only', message })
        }
        if (marks.truncated) {
          const message = 'The page has more drawing than is examined; some may be missing'
          warnings.push({ page: number, code: 'page_truncated', message })
        }
      } catch {
        unreadable++
        pages.push({ page: number, text: '' })
        const message = 'The page is damaged and cannot be read'
        warnings.push({ page: number, code: 'page_unreadable', message })
      }
      report({ progress: pages.length, total: numbers.length })
    }
    if (numbers.length > 0 && unreadable === numbers.length)
      return { ok: false, reason: 'broken', message: 'No page of the PDF can be read' }
    const meta = { pageCount: pdf.numPages, bytesDecoded, engine: ENGINE, warnings }
    return { ok: true, output: { pages, tables, meta } }
  } finally {
    await pdf.loadingTask.destroy().catch(() => undefined)
  }
}

function chosenPages(order: PdfOrder, pageCount: number, warnings: PdfWarning[]): number[] {
  const wanted = order.pages ?? Array.from({ length: pageCount }, (_, i) => i + 1)
  const existing = wanted.filter((number) => number <= pageCount)
  if (existing.length < wanted.length) {
    const message = `The PDF has ${pageCount} pages; higher page numbers were left out`
    warnings.push({ code: 'no_such_page', message })
  }
  if (existing.length > order.maxPages) {
    const left = existing.length - order.maxPages
    const message = `${left} more pages were not read (maxPages ${order.maxPages})`
    warnings.push({ code: 'pages_left_out', message })
  }
  return existing.slice(0, order.maxPages)
}
