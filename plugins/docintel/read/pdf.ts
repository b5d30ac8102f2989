/**
 * PDF: embedded files, the text layer with positions, form values, and pages as pixels for OCR.
 * Runs in a child process: a hostile file costs that child.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import {
  getDocument,
  OPS,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { decodeXml, XML_BYTES_MAX } from '../einvoice/xml.ts'
import type { BoxedWord } from '../model/document.ts'
import { rasterOf, type Raster } from './raster.ts'

const PAGES_MAX = 40
const WORDS_MAX = 60_000
const ATTACHMENTS_MAX = 8
const OCR_DPI = 200
const SIDE_MAX = 4000

const require = createRequire(import.meta.url)
const ROOT = dirname(require.resolve('pdfjs-dist/package.json'))
const FONTS = join(ROOT, 'standard_fonts')
/**
 * Text in a font that is neither in the file nor of a known name is drawn in one of these families.
 * They are files of pdf.js, so a page looks the same on a machine with other fonts or none.
 */
const LAST_RESORT = [
  ['sans-serif', 'LiberationSans-Regular.ttf'],
  ['serif', 'FoxitSerif.pfb'],
  ['monospace', 'FoxitFixed.pfb'],
] as const
for (const [family, file] of LAST_RESORT) GlobalFonts.registerFromPath(join(FONTS, file), family)

export type OpenOutcome =
  | { ok: true; pdf: PDFDocumentProxy }
  | { ok: false; reason: 'encrypted' | 'broken'; message: string }

/** Opens a PDF; files locked by a password and broken ones are told apart. */
export async function openPdf(bytes: Uint8Array): Promise<OpenOutcome> {
  try {
    const pdf = await getDocument({
      data: new Uint8Array(bytes),
      disableFontFace: true,
      useSystemFonts: false,
      standardFontDataUrl: `${FONTS}/`,
      cMapUrl: `${join(ROOT, 'cmaps')}/`,
      cMapPacked: true,
      wasmUrl: `${join(ROOT, 'wasm')}/`,
      iccUrl: `${join(ROOT, 'iccs')}/`,
      verbosity: 0,
      enableXfa: false,
      maxImageSize: 50_000_000,
    }).promise
    return { ok: true, pdf }
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'PasswordException')
      return { ok: false, reason: 'encrypted', message: 'The PDF is locked by a password' }
    return { ok: false, reason: 'broken', message: 'The PDF cannot be read' }
  }
}

/** Texts of embedded XML files, those named like an e-invoice first. */
export async function embeddedXml(pdf: PDFDocumentProxy): Promise<string[]> {
  const attachments = await pdf.getAttachments().catch(() => null)
  if (!attachments) return []
  const known = /factur-?x|zugferd|xrechnung|order-?x|cii|ubl|invoice|rechnung|facture/i
  const files = [...attachments]
    .map(([id, { filename }]) => ({ id, name: filename || id }))
    .filter(({ name }) => /\.xml$/i.test(name) || known.test(name))
    .toSorted((a, b) => Number(known.test(b.name)) - Number(known.test(a.name)))
    .slice(0, ATTACHMENTS_MAX)
  const texts: string[] = []
  for (const { id } of files) {
    const content = await pdf.getAttachmentContent(id).catch(() => null)
    if (content instanceof Uint8Array && content.length <= XML_BYTES_MAX)
      texts.push(decodeXml(content))
  }
  return texts
}

export interface PageText {
  words: BoxedWord[]
  characters: number
  /** Share of the page that images cover, 0..1; looked at only where there is little text. */
  imageShare: number
  /** Size in the unit of the words. */
  width: number
  height: number
}

/** A page with more characters is read by its text, whatever it draws beside it. */
const FEW_CHARACTERS = 600

type Matrix = readonly [number, number, number, number, number, number]
const times = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5],
]
const IMAGES = new Set<number>([
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
])

/** Share of the page under images; strips of a scan add up. */
async function imageShareOf(page: PDFPageProxy): Promise<number> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const [x0, y0, x1, y1] = page.view as [number, number, number, number]
  let matrix: Matrix = [1, 0, 0, 1, 0, 0]
  const stack: Matrix[] = []
  let area = 0
  for (const [at, operator] of fnArray.entries()) {
    const args = argsArray[at] as Matrix & { 0: Matrix }
    if (operator === OPS.save) stack.push(matrix)
    else if (operator === OPS.restore) matrix = stack.pop() ?? matrix
    else if (operator === OPS.transform) matrix = times(matrix, args)
    else if (operator === OPS.paintFormXObjectBegin) {
      stack.push(matrix)
      if (args[0]) matrix = times(matrix, args[0])
    } else if (operator === OPS.paintFormXObjectEnd) matrix = stack.pop() ?? matrix
    else if (IMAGES.has(operator)) area += Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])
  }
  return Math.min(1, area / Math.max(1, (x1 - x0) * (y1 - y0)))
}

/** Words of one page in its upright orientation, y downwards; form values included. */
async function wordsOfPage(page: PDFPageProxy): Promise<BoxedWord[]> {
  const viewport = page.getViewport({ scale: 1 })
  const [a, b, c, d, e, f] = viewport.transform as [number, number, number, number, number, number]
  const place = (x: number, y: number): [number, number] => [a * x + c * y + e, b * x + d * y + f]
  const words: BoxedWord[] = []
  const seen = new Set<string>()
  const content = await page.getTextContent({ includeMarkedContent: false })
  for (const item of content.items) {
    if (!('str' in item) || item.str.trim() === '') continue
    const [m0, m1, m2, m3, m4, m5] = item.transform as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    const height = Math.hypot(m2, m3) || item.height || 1
    const [x, y] = place(m4, m5)
    // Direction of writing after the page's own rotation; text that runs up or down is left out.
    const dx = a * m0 + c * m1
    const dy = b * m0 + d * m1
    if (Math.abs(dy) > Math.abs(dx) * 0.2) continue
    const leftToRight = dx >= 0
    const width = item.width
    const step = width / item.str.length
    for (const match of item.str.matchAll(/\S+/g)) {
      const start = leftToRight ? x + match.index * step : x - width + match.index * step
      const box = {
        text: match[0],
        x0: start,
        x1: start + match[0].length * step,
        y0: y - height * 0.8,
        y1: y + height * 0.2,
      }
      // Bold by drawing twice leaves the same word a hair apart.
      const key = `${match[0]}@${Math.round(box.x0 / 2)},${Math.round(box.y0 / 2)}`
      if (seen.has(key)) continue
      seen.add(key)
      words.push(box)
      if (words.length >= WORDS_MAX) return words
    }
  }
  for (const annotation of await page.getAnnotations().catch(() => [])) {
    const { fieldValue, rect, subtype } = annotation as {
      fieldValue?: unknown
      rect?: number[]
      subtype?: string
    }
    if (subtype !== 'Widget' || typeof fieldValue !== 'string' || !rect || fieldValue.trim() === '')
      continue
    const [x0, y0] = place(rect[0]!, rect[1]!)
    const [x1, y1] = place(rect[2]!, rect[3]!)
    const height = Math.min(Math.abs(y1 - y0), 12)
    const middle = (y0 + y1) / 2
    words.push({
      text: fieldValue.trim(),
      x0: Math.min(x0, x1),
      x1: Math.min(x0, x1) + fieldValue.trim().length * height * 0.5,
      y0: middle - height / 2,
      y1: middle + height / 2,
    })
  }
  return words
}

/** Text of the first 40 pages. */
export async function pdfText(pdf: PDFDocumentProxy): Promise<PageText[]> {
  const pages: PageText[] = []
  for (let number = 1; number <= Math.min(pdf.numPages, PAGES_MAX); number++) {
    const page = await pdf.getPage(number)
    const words = await wordsOfPage(page)
    const characters = words.reduce((n, w) => n + w.text.length, 0)
    const imageShare = characters < FEW_CHARACTERS ? await imageShareOf(page).catch(() => 0) : 0
    const { width, height } = page.getViewport({ scale: 1 })
    page.cleanup()
    pages.push({ words, characters, imageShare, width, height })
  }
  return pages
}

/** A page at 200 dpi, its longer side at most 4000 pixels. */
export async function renderPage(pdf: PDFDocumentProxy, number: number): Promise<Raster> {
  const page = await pdf.getPage(number)
  const base = page.getViewport({ scale: 1 })
  const scale = Math.min(OCR_DPI / 72, SIDE_MAX / Math.max(base.width, base.height))
  const viewport = page.getViewport({ scale })
  const canvas = createCanvas(
    Math.max(1, Math.ceil(viewport.width)),
    Math.max(1, Math.ceil(viewport.height)),
  )
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  // pdf.js asks for a browser's canvas; this one has the same drawing calls.
  await page.render({
    canvas: null,
    canvasContext: context as unknown as CanvasRenderingContext2D,
    viewport,
  }).promise
  page.cleanup()
  return rasterOf(canvas)
}
