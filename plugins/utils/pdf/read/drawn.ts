/**
 * Text that a page only draws: scans, letters as shapes, fonts that do not say their characters. The
 * page is drawn and recognised (OCR), and its words take the place of glyphs, so that reading order,
 * markdown and tables come about as for any other page.
 */
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { BoxedWord } from '../../../shared/ocr/contract.ts'
import { openEngine, type Engine } from '../../../shared/ocr/engine.ts'
import { imageShareOf, openPdf, renderPage } from '../../../shared/ocr/pdf-pages.ts'
import type { Glyph, PageMarks } from './marks.ts'
import type { PdfOrder } from '../pdf-order.ts'
import type { OcrMode } from '../ocr-modes.ts'

type DrawnOrder = Pick<PdfOrder, 'bytes' | 'password' | 'ocr' | 'ocrMs' | 'lookingMs'>

/** What recognition did for a page. */
export type Drawn =
  | { state: 'read'; marks: PageMarks; confidence: number; isPartial: boolean }
  /** Nothing legible was drawn. */
  | { state: 'nothing' }
  /** Time or the number of pages was over, or the page could not be drawn. */
  | { state: 'skipped' }

/** Most pages of a call that are recognised. */
const PAGES_MAX = 10

/**
 * Larger images are left out: a scanned A4 page at 600 dpi has 35 million pixels, and a file whose text
 * was read anyway must not run out of memory for a look at its pictures.
 */
const IMAGE_PIXELS_MAX = 36_000_000

/** A page with more letters is read by them, whatever images stand beside. */
const FEW_LETTERS = 600
/** Images over this share of a page with little text are a scan of it, a footer or stamp beside. */
const SCAN_SHARE = 0.5
/** Share of glyphs without a meaning from which they are recognised where they stand. */
export const UNREAD_LEAST = 0.02
/** The share from which the whole page is better read as it is drawn. */
const UNREAD_MOST = 0.3
/** Letters drawn as shapes make many of them. */
const SHAPES_LEAST = 40

/** Recognises pages of one file; the engine and the second copy of the file come with the first. */
export class DrawnPages {
  readonly #bytes: Uint8Array
  readonly #password: string | undefined
  readonly #mode: OcrMode
  #engine: Engine | null = null
  #pdf: PDFDocumentProxy | null = null
  readonly #deadline: number
  readonly #lookingMs: number
  #lookedMs = 0
  #pages = 0

  /** `bytes` are copied: pdf.js takes those that it gets. */
  constructor({
    bytes,
    password,
    ocr = 'off',
    ocrMs = Infinity,
    lookingMs = Infinity,
  }: DrawnOrder) {
    this.#bytes = bytes.slice()
    this.#password = password
    this.#mode = ocr
    this.#deadline = performance.now() + ocrMs
    this.#lookingMs = lookingMs
  }

  /**
   * The share of a page with little text that images cover, 0..1; 0 where there is text enough. The
   * copy that is opened for text leaves all images out. Once looking has taken its time, a page without
   * letters counts as covered where it may still be recognised, any other as free of images.
   */
  async imageShare(marks: PageMarks, number: number): Promise<number> {
    const letters = lettersOf(marks)
    if (letters >= FEW_LETTERS || (this.#mode === 'off' && letters > 0)) return 0
    if (this.#lookedMs >= this.#lookingMs) return letters === 0 && this.#mode !== 'off' ? 1 : 0
    const startMs = performance.now()
    const pdf = await this.#open()
    if (!pdf) return 0
    const page = await pdf.getPage(number)
    const share = await imageShareOf(page).catch(() => 0)
    page.cleanup()
    this.#lookedMs += performance.now() - startMs
    return share
  }

  /** Whether the page's own marks leave its text unread. */
  isWanted(marks: PageMarks, imageShare: number): boolean {
    if (this.#mode !== 'auto') return this.#mode === 'force'
    if (marks.unread > 0 && marks.unread >= marks.glyphs.length * UNREAD_LEAST) return true
    if (lettersOf(marks) === 0) return imageShare > 0 || marks.shapes.length >= SHAPES_LEAST
    return imageShare >= SCAN_SHARE
  }

  /** Whether the page is read by its own text but for some glyphs. */
  #hasGaps({ unread, glyphs }: PageMarks, imageShare: number): boolean {
    const isRead = unread > 0 && unread < glyphs.length * UNREAD_MOST
    return this.#mode === 'auto' && isRead && imageShare < SCAN_SHARE
  }

  /** The page with what its pixels say; text of its own stays where none was recognised. */
  async read(marks: PageMarks, number: number, imageShare: number): Promise<Drawn> {
    if (this.#pages >= PAGES_MAX || performance.now() > this.#deadline) return { state: 'skipped' }
    this.#pages++
    const pdf = await this.#open()
    if (!pdf) return { state: 'skipped' }
    this.#engine ??= await openEngine('auto', () => undefined)
    const raster = await renderPage(pdf, number).catch(() => null)
    if (!raster) return { state: 'skipped' }
    const { words, width, legibility, isPartial } = await this.#engine.recognize(
      raster,
      this.#deadline,
    )
    if (words.length === 0) return { state: isPartial ? 'skipped' : 'nothing' }
    const scale = raster.width / marks.width
    // A page that lies on its side was turned while it was read; a levelled one is a little wider.
    const isTurned = Math.abs(width - raster.height) < Math.abs(width - raster.width)
    const glyphs = glyphsOf(words, scale)
    if (this.#hasGaps(marks, imageShare)) {
      // The own text stands upright.
      if (isTurned) return { state: 'nothing' }
      const filled = withGapsFilled(marks, glyphs)
      return { state: 'read', marks: filled, confidence: legibility, isPartial }
    }
    const own = marks.unread > 0 || this.#mode === 'force' ? [] : marks.glyphs
    const page = {
      ...marks,
      ...(isTurned && { width: marks.height, height: marks.width }),
      glyphs: [...glyphs, ...own.filter((glyph) => !isCovered(glyph, glyphs))],
      unread: 0,
    }
    return { state: 'read', marks: page, confidence: legibility, isPartial }
  }

  async close(): Promise<void> {
    await this.#pdf?.loadingTask.destroy().catch(() => undefined)
  }

  async #open(): Promise<PDFDocumentProxy | null> {
    if (this.#pdf) return this.#pdf
    const opened = await openPdf(this.#bytes, this.#password, IMAGE_PIXELS_MAX)
    if (opened.ok) this.#pdf = opened.pdf
    return this.#pdf
  }
}

const lettersOf = ({ glyphs }: PageMarks): number =>
  glyphs.reduce((sum, { text }) => sum + text.trim().length, 0)

/** Of a recognised line's height: the size of its type, and what is below its baseline. */
const TYPE = 0.72
const BELOW = 0.27
/** Lines whose sizes differ by less are set in one size. */
const SAME_SIZE = 0.3

/** Words as glyphs in points; a word is one glyph of several characters. */
function glyphsOf(words: readonly BoxedWord[], scale: number): Glyph[] {
  const sizes = words.map(({ y0, y1 }) => ((y1 - y0) * TYPE) / scale)
  const usual = sizes.toSorted((a, b) => a - b)[sizes.length >> 1]!
  return words.flatMap(({ text, x0, x1, y0, y1 }, i) => {
    const glyph: Glyph = {
      text,
      x: x0 / scale,
      y: (y1 - BELOW * (y1 - y0)) / scale,
      width: (x1 - x0) / scale,
      size: Math.abs(sizes[i]! - usual) < SAME_SIZE * usual ? usual : sizes[i]!,
      turn: 0,
      font: 'recognised',
      vertical: false,
    }
    // Words end here, however near the next one stands.
    return [glyph, { ...glyph, text: ' ', x: x1 / scale, width: 0 }]
  })
}

/** The page's own text, with recognised words only where glyphs have no meaning, on the line of those. */
function withGapsFilled(marks: PageMarks, words: readonly Glyph[]): PageMarks {
  const unread = marks.glyphs.filter(({ text }) => text === '')
  const filling = words.flatMap((word) => {
    const gap = unread.find((glyph) => glyph.turn === 0 && isCovered(glyph, [word]))
    return gap
      ? [
          { ...word, y: gap.y, size: gap.size },
          { ...word, y: gap.y, size: gap.size, text: ' ', x: word.x + word.width, width: 0 },
        ]
      : []
  })
  return {
    ...marks,
    glyphs: [...filling, ...marks.glyphs.filter((glyph) => !isCovered(glyph, filling))],
    unread: unread.filter((glyph) => !isCovered(glyph, filling)).length,
  }
}

/** Whether recognition read something where this glyph stands. */
function isCovered({ x, y, width, size }: Glyph, words: readonly Glyph[]): boolean {
  const [middle, centre] = [x + width / 2, y - size / 3]
  return words.some(
    (w) =>
      middle > w.x &&
      middle < w.x + w.width &&
      centre < w.y + w.size * 0.2 &&
      centre > w.y - w.size,
  )
}
