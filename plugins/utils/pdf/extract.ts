/** One PDF to text and tables, page by page. Runs in a child process of the document pool. */
import {
  linksOf,
  metadataOf,
  outlineOf,
  type OutlineItem,
  type PdfLink,
  type PdfMetadata,
} from './about.ts'
import type { Extra } from './extras.ts'
import type { PageMarks } from './read/marks.ts'
import { DrawnPages, UNREAD_LEAST } from './read/drawn.ts'
import { openPdf } from './read/open.ts'
import { readPage, visibilityOf } from './read/page.ts'
import { upright } from './read/upright.ts'
import { tablesOf } from './tables/tables.ts'
import type { Table } from './tables/table.ts'
import { type Line, linesOf } from './text/lines.ts'
import { pageMarkdown, tableCsv } from './text/markdown.ts'
import { pageText } from './text/print.ts'
import { boxOf, wordsOf } from './text/words.ts'
import type { Word } from './text/word.ts'
import type { PdfOrder } from './pdf-order.ts'

/** Left, top, right and bottom in points, on the upright page. */
export type PdfBox = [number, number, number, number]
export interface PdfPage {
  page: number
  text: string
  markdown?: string
  width?: number
  height?: number
  words?: { text: string; box: PdfBox }[]
  /** Of a page whose text was recognised (OCR): mean confidence, 0..1. */
  ocrConfidence?: number
}
export interface PdfTable {
  page: number
  rows: string[][]
  csv?: string
  box?: PdfBox
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
  code:
    | 'page_unreadable'
    | 'image_only'
    | 'unmapped_text'
    | 'page_truncated'
    | 'ocr_partial'
    | 'ocr_left_out'
    | 'pages_left_out'
    | 'no_such_page'
  message: string
}
export interface PdfOutput {
  pages: PdfPage[]
  tables: PdfTable[]
  outline?: OutlineItem[]
  metadata?: PdfMetadata
  links?: PdfLink[]
  meta: PdfMeta
}
export type PdfOutcome =
  | { ok: true; output: PdfOutput; isEmpty: boolean }
  | { ok: false; reason: 'encrypted' | 'broken'; message: string }

const ENGINE = 'pdfjs-dist 6.5.438'
/** Most words of a page whose boxes are listed. */
const WORDS_LISTED = 20_000

/**
 * Text and tables of the pages asked for, or why the file cannot be read. A page that cannot be
 * read has text '' and a warning; when none can, the file is broken.
 */
export async function extractPdf(
  order: PdfOrder,
  report: (progress: unknown) => void,
): Promise<PdfOutcome> {
  const bytesDecoded = order.bytes.length
  const drawn = new DrawnPages(order)
  const opened = await openPdf(order.bytes, order.password)
  if (!opened.ok) return opened
  const { pdf } = opened
  const wants = (extra: Extra): boolean => order.include?.includes(extra) ?? false
  try {
    const warnings: PdfWarning[] = []
    const numbers = chosenPages(order, pdf.numPages, warnings)
    const isVisible = await visibilityOf(pdf)
    const pages: PdfPage[] = []
    const tables: PdfTable[] = []
    const links: PdfLink[] = []
    let unreadable = 0
    for (const number of numbers) {
      try {
        const page = await pdf.getPage(number)
        const shown = upright(await readPage(page, isVisible))
        const { marks, ...recognised } = await recognisedPage(number, shown, drawn)
        if (wants('links')) links.push(...(await linksOf(page, number)))
        page.cleanup()
        const read = pageOf(number, marks, order)
        pages.push({ ...read.page, ...recognised.page })
        tables.push(...read.tables)
        warnings.push(...recognised.warnings, ...warningsOf(number, marks, read.page.text))
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
    const outline = wants('outline') ? await outlineOf(pdf) : undefined
    const output = {
      pages,
      tables,
      ...(outline && { outline }),
      ...(wants('metadata') && { metadata: await metadataOf(pdf) }),
      ...(wants('links') && { links }),
      meta: { pageCount: pdf.numPages, bytesDecoded, engine: ENGINE, warnings },
    }
    const isEmpty =
      pages.every(({ text }) => text === '') &&
      tables.length === 0 &&
      links.length === 0 &&
      (outline ?? []).length === 0
    return { ok: true, output, isEmpty }
  } finally {
    await pdf.loadingTask.destroy().catch(() => undefined)
    await drawn.close()
  }
}

/** The page's marks, with those that recognition (OCR) adds where the page needs it. */
async function recognisedPage(
  page: number,
  shown: PageMarks,
  drawn: DrawnPages,
): Promise<{ marks: PageMarks; page: Partial<PdfPage>; warnings: PdfWarning[] }> {
  const imageShare = await drawn.imageShare(shown, page)
  const marks = { ...shown, images: Math.max(shown.images, imageShare > 0 ? 1 : 0) }
  const asShown = { marks, page: {}, warnings: [] }
  if (!drawn.isWanted(marks, imageShare)) return asShown
  const read = await drawn.read(marks, page, imageShare)
  if (read.state === 'nothing') return asShown
  if (read.state === 'skipped') {
    const message =
      'The page was left out of recognition (OCR): time or the most pages were used up'
    return { ...asShown, warnings: [{ page, code: 'ocr_left_out', message }] }
  }
  const message = 'Recognition (OCR) of the page ran out of time: lines amid the page are missing'
  return {
    marks: read.marks,
    page: { ocrConfidence: Math.round(read.confidence * 100) / 100 },
    warnings: read.isPartial ? [{ page, code: 'ocr_partial', message }] : [],
  }
}

function pageOf(
  number: number,
  marks: PageMarks,
  { includeTables, include = [] }: PdfOrder,
): { page: PdfPage; tables: PdfTable[] } {
  const words = wordsOf(marks.glyphs)
  const found = includeTables ? tablesOf(marks, words) : []
  const lines = linesOf(words)
  const text = pageText(
    lines,
    found.map(({ box }) => box),
  )
  return {
    page: { page: number, text, ...extrasOf(lines, words, found, marks, include) },
    tables: found.map(({ rows, box }) => ({
      page: number,
      rows,
      ...(include.includes('csv') && { csv: tableCsv(rows) }),
      ...(include.includes('boxes') && { box: boxed(box) }),
    })),
  }
}

function extrasOf(
  lines: readonly Line[],
  words: readonly Word[],
  tables: readonly Table[],
  { width, height }: PageMarks,
  include: readonly Extra[],
): Partial<PdfPage> {
  return {
    ...(include.includes('markdown') && { markdown: pageMarkdown(lines, tables) }),
    ...(include.includes('boxes') && {
      width: tenth(width),
      height: tenth(height),
      words: words
        .filter(({ text }) => text.trim() !== '')
        .slice(0, WORDS_LISTED)
        .map((word) => ({ text: word.text, box: boxed(boxOfWord(word)) })),
    }),
  }
}

const boxOfWord = ({ u0, u1, v, size, turn, vertical }: Word): ReturnType<typeof boxOf> =>
  boxOf(u0, u1, v, size, turn, vertical)
const tenth = (value: number): number => Math.round(value * 10) / 10
const boxed = ({ x0, y0, x1, y1 }: { x0: number; y0: number; x1: number; y1: number }): PdfBox => [
  tenth(x0),
  tenth(y0),
  tenth(x1),
  tenth(y1),
]

function warningsOf(page: number, marks: PageMarks, text: string): PdfWarning[] {
  const warnings: PdfWarning[] = []
  if (text === '' && marks.images > 0) {
    const message = 'The page shows images only, and no text was read in them'
    warnings.push({ page, code: 'image_only', message })
  }
  if (marks.unread > 0 && marks.unread >= marks.glyphs.length * UNREAD_LEAST) {
    const message = `The fonts of the page do not say which characters ${marks.unread} of its ${marks.glyphs.length} glyphs are; they are left out; options.ocr "force" reads the page as it is drawn`
    warnings.push({ page, code: 'unmapped_text', message })
  }
  if (marks.truncated) {
    const message = 'The page has more drawing than is examined; some may be missing'
    warnings.push({ page, code: 'page_truncated', message })
  }
  return warnings
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
