/**
 * One document from bytes or text to the result: embedded XML first, then text, then OCR, as far as
 * the tier allows. Pure apart from its own OCR worker, so it runs in the pool and in tests alike.
 */
import type { DocumentText, Row } from './model/document.ts'
import type { FileKind } from './input/bytes.ts'
import { findUnlistedXml } from './einvoice/embedded.ts'
import { looksLikeEInvoice, readEInvoice } from './einvoice/read.ts'
import { rowsOfPage } from './read/boxes.ts'
import { openEngine, type Engine, type Recognition } from './read/ocr.ts'
import { embeddedXml, openPdf, pdfText, renderPage, type PageText } from './read/pdf.ts'
import { decodeImage, type Raster } from './read/raster.ts'
import { documentFromText, normalizeCharacters } from './read/text.ts'
import type { ParseResult } from './schema.ts'
import { excerptOf, understand } from './understand/understand.ts'

export type Tier = 'S' | 'M' | 'L' | 'auto'
export interface ReadJob {
  source: { kind: 'text'; text: string } | { kind: FileKind; bytes: Uint8Array }
  preferred: 'receipt' | 'invoice'
  tier: Tier
  nowMs: number
  ocr: 'auto' | 'embedded' | 'off'
  /** OCR stops taking new pages after this. */
  ocrBudgetMs: number
}
export interface ReadOutcome {
  ok: true
  result: ParseResult
  /** All that was read, for grounding; at most 500,000 characters. */
  text: string
}
export interface ReadRefusal {
  ok: false
  code: 'UNSUPPORTED_FORMAT' | 'INVALID_INPUT' | 'PROCESSING_FAILURE'
  message: string
}
type Report = (progress: unknown) => void

const OCR_PAGES_MAX = 4
/** A page with fewer characters of text is taken for a scan. */
const TEXT_LAYER_MIN = 25
const LEGIBLE = 0.55
const TEXT_MAX = 500_000

const refuse = (code: ReadRefusal['code'], message: string): ReadRefusal => ({
  ok: false,
  code,
  message,
})

function concluded(document: DocumentText, job: ReadJob): ReadOutcome {
  const result = understand(document, { preferred: job.preferred, now: new Date(job.nowMs) })
  return { ok: true, result, text: textOf(document) }
}
const textOf = (document: DocumentText): string =>
  document.rows
    .map((r) => r.text)
    .join('\n')
    .slice(0, TEXT_MAX)

function documentOfPages(
  pages: { words: Parameters<typeof rowsOfPage>[0] }[],
  source: DocumentText['source'],
  legibility: number,
): DocumentText {
  const rows: Row[] = []
  for (const [page, { words }] of pages.entries())
    rows.push(
      ...rowsOfPage(
        words.map((w) => ({ ...w, text: normalizeCharacters(w.text).trim() })),
        page,
        rows.length,
      ),
    )
  return { rows, source, hasGeometry: true, legibility, pages: pages.length }
}

/** Reads one document. Refusals are values; a throw is a bug or a broken engine. */
export async function readDocument(
  job: ReadJob,
  report: Report = () => undefined,
): Promise<ReadOutcome | ReadRefusal> {
  const { source } = job
  if (source.kind === 'text') return readText((source as { text: string }).text, job)
  const { bytes } = source as { bytes: Uint8Array }
  if (source.kind === 'application/pdf') return readPdf(bytes, job, report)
  if (job.tier === 'S' || job.ocr === 'off')
    return refuse(
      'UNSUPPORTED_FORMAT',
      job.ocr === 'off'
        ? 'OCR is switched off on this server; send text or a PDF with text'
        : 'Tier S reads text only; an image needs tier M, L or auto',
    )
  return readImage(bytes, job, report)
}

function readText(text: string, job: ReadJob): ReadOutcome {
  if (looksLikeEInvoice(text)) {
    const exact = readEInvoice(text)
    if (exact) {
      exact.raw_text_excerpt = text.slice(0, 1000)
      return { ok: true, result: exact, text: text.slice(0, TEXT_MAX) }
    }
  }
  return concluded(documentFromText(text), job)
}

async function readPdf(
  bytes: Uint8Array,
  job: ReadJob,
  report: Report,
): Promise<ReadOutcome | ReadRefusal> {
  const opened = await openPdf(bytes)
  if (!opened.ok) return refuse('UNSUPPORTED_FORMAT', opened.message)
  const { pdf } = opened
  try {
    const exact = exactOf(await embeddedXml(pdf)) ?? exactOf([findUnlistedXml(bytes) ?? ''])
    const pages = await pdfText(pdf)
    const visible = documentOfPages(pages, 'pdf', 1)
    if (exact) {
      exact.raw_text_excerpt = excerptOf(visible)
      warnOnMismatch(exact, visible, job)
      return { ok: true, result: exact, text: textOf(visible) }
    }
    const scanned = pages.every((p) => p.characters < TEXT_LAYER_MIN)
    if (!scanned) return concluded(visible, job)
    if (job.tier === 'S' || job.ocr === 'off') {
      const outcome = concluded(visible, job)
      outcome.result.warnings.push('pages_are_images_not_read')
      return outcome
    }
    return await readScan(pages, (number) => renderPage(pdf, number), job, report)
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** The first of these texts that is an e-invoice, read exactly. */
function exactOf(texts: string[]): ParseResult | null {
  for (const xml of texts) {
    const exact = looksLikeEInvoice(xml) ? readEInvoice(xml) : null
    if (exact) return exact
  }
  return null
}

/** The printed total and the XML's should agree; the XML is returned, the doubt is said. */
function warnOnMismatch(exact: ParseResult, visible: DocumentText, job: ReadJob): void {
  if (exact.total === null || visible.rows.length === 0) return
  const read = understand(visible, { preferred: job.preferred, now: new Date(job.nowMs) })
  if (
    read.total !== null &&
    Math.abs(read.total - exact.total) > 0.01 &&
    (read.confidence.fields.total ?? 0) >= 0.9
  )
    exact.warnings.push('visible_total_differs_from_embedded_xml')
}

async function readScan(
  pages: PageText[],
  render: (number: number) => Promise<Raster>,
  job: ReadJob,
  report: Report,
): Promise<ReadOutcome> {
  const started = performance.now()
  let current = 0
  const count = Math.min(pages.length, OCR_PAGES_MAX)
  const engine = await openEngine(job.ocr === 'embedded' ? 'embedded' : 'auto', (share) =>
    report({ stage: 'ocr', progress: (current + share) / count }),
  )
  const read: Recognition[] = []
  let late = false
  for (; current < count; current++) {
    if (performance.now() - started > job.ocrBudgetMs) {
      late = true
      break
    }
    read.push(await engine.recognize(await render(current + 1)))
  }
  const legibility = read.reduce((sum, r) => sum + r.legibility, 0) / Math.max(read.length, 1)
  const outcome = concluded(documentOfPages(read, 'ocr', legibility), job)
  if (late || pages.length > count) outcome.result.warnings.push('not_all_pages_read')
  return outcome
}

async function readImage(
  bytes: Uint8Array,
  job: ReadJob,
  report: Report,
): Promise<ReadOutcome | ReadRefusal> {
  const started = performance.now()
  const decoded = await decodeImage(bytes)
  if (!decoded.ok)
    return refuse(
      decoded.reason === 'too_large' ? 'INVALID_INPUT' : 'UNSUPPORTED_FORMAT',
      decoded.message,
    )
  const engine = await openEngine(job.ocr === 'embedded' ? 'embedded' : 'auto', (share) =>
    report({ stage: 'ocr', progress: share }),
  )
  let best = await engine.recognize(decoded.raster)
  if (best.legibility < LEGIBLE || best.words.length < 8)
    best = await bestTurn(best, decoded, engine, started, job)
  return concluded(documentOfPages([best], 'ocr', best.legibility), job)
}

/** A look at half the size tells whether a turned photo reads better. */
const TRIAL_SCALE = 0.6

/** Hardly anything legible: the photo may lie on its side or upside down. */
async function bestTurn(
  first: Recognition,
  { raster, turned }: { raster: Raster; turned(degrees: number, scale: number): Raster },
  engine: Engine,
  started: number,
  job: ReadJob,
): Promise<Recognition> {
  const worth = (r: Recognition): number => r.legibility * Math.min(r.words.length, 60)
  let best = { read: first, degrees: 0 }
  for (const degrees of raster.sideways ? [90, 270] : [180]) {
    if (performance.now() - started > job.ocrBudgetMs / 3) break
    const read = await engine.recognize(turned(degrees, TRIAL_SCALE))
    if (worth(read) > worth(best.read) * 1.25) best = { read, degrees }
    if (best.read.legibility > 0.7) break
  }
  if (best.degrees === 0) return first
  const full = await engine.recognize(turned(best.degrees, 1))
  return worth(full) >= worth(best.read) * 0.9 ? full : best.read
}
