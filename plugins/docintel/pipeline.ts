/**
 * One document from bytes or text to the result: embedded XML first, then text, then OCR, as far as
 * the tier allows. Pure apart from its own OCR worker, so it runs in the pool and in tests alike.
 */
import type { BoxedWord, Recognition } from '../shared/ocr/contract.ts'
import { openEngine, type Engine } from '../shared/ocr/engine.ts'
import { openPdf, renderPage } from '../shared/ocr/pdf-pages.ts'
import { decodeImage, type Raster } from '../shared/ocr/raster.ts'
import type { DocumentText, Row } from './model/document.ts'
import type { FileKind } from './input/bytes.ts'
import { findUnlistedXml } from './einvoice/embedded.ts'
import { looksLikeEInvoice, readEInvoice } from './einvoice/read.ts'
import { rowsOfPage } from './read/boxes.ts'
import { embeddedXml, pdfText, type PageText } from './read/pdf.ts'
import { documentFromText, normalizeCharacters } from './read/text.ts'
import type { ParseResult } from './schema.ts'
import { explain, type Explanation } from './understand/explain.ts'
import { excerptOf, understand } from './understand/understand.ts'

export type Tier = 'S' | 'M' | 'L' | 'auto'
export interface ReadJob {
  source: { kind: 'text'; text: string } | { kind: FileKind; bytes: Uint8Array }
  preferred: 'receipt' | 'invoice'
  tier: Tier
  nowMs: number
  ocr: 'auto' | 'embedded' | 'off'
  /** OCR gives what it has read after this; the rest of a page or file is missing. */
  ocrBudgetMs: number
  /** The result says where its values stand. */
  withEvidence?: boolean
  /** The outcome says by which rules its values won. */
  withReasons?: boolean
}
export interface ReadOutcome {
  ok: true
  result: ParseResult
  /** All that was read, for grounding; at most 500,000 characters. */
  text: string
  /** With `withReasons`; an e-invoice's XML is read without rules. */
  reasons?: Explanation[]
}
export interface ReadRefusal {
  ok: false
  code: 'UNSUPPORTED_FORMAT' | 'INVALID_INPUT' | 'PROCESSING_FAILURE'
  message: string
}
type Report = (progress: unknown) => void

const OCR_PAGES_MAX = 4
/** A page with fewer characters of text has none to speak of. */
const TEXT_LAYER_MIN = 25
/** Images over this share of a page with little text are a scan of it, a footer or stamp beside. */
const SCAN_SHARE = 0.5
/** From this confidence on a total is taken as read. */
const SURE = 0.9
const LEGIBLE = 0.55
const TEXT_MAX = 500_000

const refuse = (code: ReadRefusal['code'], message: string): ReadRefusal => ({
  ok: false,
  code,
  message,
})

function concluded(document: DocumentText, job: ReadJob): ReadOutcome {
  const { preferred, nowMs, withEvidence = false } = job
  const now = new Date(nowMs)
  const result = understand(document, { preferred, now, withEvidence })
  return {
    ok: true,
    result,
    text: textOf(document),
    ...(job.withReasons && { reasons: explain(document, preferred, now) }),
  }
}
const textOf = (document: DocumentText): string =>
  document.rows
    .map((r) => r.text)
    .join('\n')
    .slice(0, TEXT_MAX)

function documentOfPages(
  pages: { words: BoxedWord[]; width: number; height: number }[],
  source: DocumentText['source'],
  legibility: number,
): DocumentText {
  const rows: Row[] = []
  for (const [page, { words, width, height }] of pages.entries())
    rows.push(
      ...rowsOfPage(
        words.map((w) => ({ ...w, text: normalizeCharacters(w.text).trim() })),
        page,
        rows.length,
        { width, height },
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

/** UTF-16 that was read as UTF-8: every other character is NUL, and its mark is no character. */
const withoutNuls = (text: string): string =>
  text.includes('\0') ? text.replace(/^\uFFFD+/, '').replaceAll('\0', '') : text

function readText(given: string, job: ReadJob): ReadOutcome | ReadRefusal {
  const text = withoutNuls(given)
  if (!looksLikeEInvoice(text)) return concluded(documentFromText(text), job)
  const exact = readEInvoice(text)
  // Its tags read as words of a page would be a guess at what the XML states.
  if (!exact)
    return refuse(
      'UNSUPPORTED_FORMAT',
      'The XML of this invoice is cut off or not well-formed, or lacks the elements of CII and UBL',
    )
  exact.raw_text_excerpt = text.slice(0, 1000)
  return { ok: true, result: exact, text: text.slice(0, TEXT_MAX) }
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
    const byText = concluded(visible, job)
    const scans = scansAmong(pages, byText.result)
    if (scans.size === 0) return byText
    if (job.tier === 'S' || job.ocr === 'off') {
      byText.result.warnings.push('pages_are_images_not_read')
      return byText
    }
    return await readScans(pages, scans, (number) => renderPage(pdf, number), job, report)
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
    (read.confidence.fields.total ?? 0) >= SURE
  )
    exact.warnings.push('visible_total_differs_from_embedded_xml')
}

/**
 * Indices of the pages to be read by OCR: those whose text does not say what they show. Where `byText`,
 * what all text alone says, has a sure total, images behind text are its paper: shadows, photos, a letterhead.
 */
function scansAmong(pages: PageText[], byText: ParseResult): Set<number> {
  const isBill = byText.total !== null && (byText.confidence.fields.total ?? 0) >= SURE
  const hasText = (page: PageText): boolean => page.characters >= TEXT_LAYER_MIN
  const withoutText = !pages.some(hasText)
  const found = new Set<number>()
  for (const [at, page] of pages.entries()) {
    const isImage = page.imageShare >= SCAN_SHARE && !(isBill && hasText(page))
    // Without any text the letters may be drawn as shapes, too.
    if (withoutText || isImage) found.add(at)
  }
  return found
}

/** Words of a scan in the unit of its page, with the page's own text where OCR read none. */
function withOwnText(read: Recognition, page: PageText): BoxedWord[] {
  const scale = page.width / read.width
  const words = read.words.map((word) => ({
    ...word,
    x0: word.x0 * scale,
    x1: word.x1 * scale,
    y0: word.y0 * scale,
    y1: word.y1 * scale,
  }))
  const isRead = (own: BoxedWord): boolean =>
    words.some(
      (w) =>
        Math.min(w.x1, own.x1) - Math.max(w.x0, own.x0) > 0 &&
        Math.min(w.y1, own.y1) - Math.max(w.y0, own.y0) > 0,
    )
  return [...words, ...page.words.filter((own) => !isRead(own))]
}

async function readScans(
  pages: PageText[],
  scans: ReadonlySet<number>,
  render: (number: number) => Promise<Raster>,
  job: ReadJob,
  report: Report,
): Promise<ReadOutcome> {
  const started = performance.now()
  const wanted = [...scans].slice(0, OCR_PAGES_MAX)
  let done = 0
  let isPartial = false
  const engine = await openEngine(job.ocr === 'embedded' ? 'embedded' : 'auto', (share) =>
    report({ stage: 'ocr', progress: (done + share) / wanted.length }),
  )
  const all: PageText[] = [...pages]
  const legibilities: number[] = []
  for (const at of wanted) {
    if (performance.now() - started > job.ocrBudgetMs) break
    const read = await engine.recognize(await render(at + 1), started + job.ocrBudgetMs)
    isPartial ||= read.isPartial
    all[at] = { ...pages[at]!, words: withOwnText(read, pages[at]!) }
    legibilities.push(read.legibility)
    done++
  }
  const legibility = legibilities.reduce((sum, l) => sum + l, 0) / Math.max(legibilities.length, 1)
  const outcome = concluded(documentOfPages(all, 'ocr', legibility), job)
  if (done < scans.size) outcome.result.warnings.push('not_all_pages_read')
  if (isPartial) outcome.result.warnings.push('not_all_text_read')
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
  let best = await engine.recognize(decoded.raster, started + job.ocrBudgetMs)
  if (!engine.turnsPages && (best.legibility < LEGIBLE || best.words.length < 8))
    best = await bestTurn(best, decoded, engine, started, job)
  const outcome = concluded(documentOfPages([best], 'ocr', best.legibility), job)
  if (best.isPartial) outcome.result.warnings.push('not_all_text_read')
  return outcome
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
  const deadline = started + job.ocrBudgetMs
  for (const degrees of raster.grey().sideways ? [90, 270] : [180]) {
    if (performance.now() - started > job.ocrBudgetMs / 3) break
    const read = await engine.recognize(turned(degrees, TRIAL_SCALE), deadline)
    if (worth(read) > worth(best.read) * 1.25) best = { read, degrees }
    if (best.read.legibility > 0.7) break
  }
  if (best.degrees === 0) return first
  const full = await engine.recognize(turned(best.degrees, 1), deadline)
  return worth(full) >= worth(best.read) * 0.9 ? full : best.read
}
