/** Pages of a PDF as pixels for OCR. Runs in a child process: a hostile file costs that child. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import {
  getDocument,
  OPS,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { rasterOf, type Raster } from './raster.ts'

const OCR_DPI = 200
const SIDE_MAX = 4000
/** Larger images of a page are left out: an A4 page at 600 dpi has 35 million pixels. */
const IMAGE_PIXELS_MAX = 50_000_000

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

/**
 * Opens a PDF whose pages can be drawn, with images of at most so many pixels; files locked by a
 * password and broken ones are told apart.
 */
export async function openPdf(
  bytes: Uint8Array,
  password?: string,
  imagePixelsMax: number = IMAGE_PIXELS_MAX,
): Promise<OpenOutcome> {
  try {
    const pdf = await getDocument({
      data: new Uint8Array(bytes),
      ...(password !== undefined && { password }),
      disableFontFace: true,
      useSystemFonts: false,
      standardFontDataUrl: `${FONTS}/`,
      cMapUrl: `${join(ROOT, 'cmaps')}/`,
      cMapPacked: true,
      wasmUrl: `${join(ROOT, 'wasm')}/`,
      iccUrl: `${join(ROOT, 'iccs')}/`,
      verbosity: 0,
      enableXfa: false,
      maxImageSize: imagePixelsMax,
    }).promise
    return { ok: true, pdf }
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'PasswordException')
      return { ok: false, reason: 'encrypted', message: 'The PDF is locked by a password' }
    return { ok: false, reason: 'broken', message: 'The PDF cannot be read' }
  }
}

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

/** Share of the page under images, 0..1; strips of a scan add up. */
export async function imageShareOf(page: PDFPageProxy): Promise<number> {
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
