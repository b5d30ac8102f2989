/**
 * PDF: embedded files, the text layer with positions and form values. Runs in a child process: a
 * hostile file costs that child.
 */
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { decodeXml, XML_BYTES_MAX } from '../../shared/xml.ts'
import type { BoxedWord } from '../../shared/ocr/contract.ts'
import { imageShareOf } from '../../shared/ocr/pdf-pages.ts'
import { withComposedAccents } from './accents.ts'
import { withWholePhrases } from './right-to-left.ts'

const PAGES_MAX = 40
const WORDS_MAX = 60_000
const ATTACHMENTS_MAX = 8

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

/** Words of one page in its upright orientation, y downwards; form values included. */
async function wordsOfPage(page: PDFPageProxy): Promise<BoxedWord[]> {
  const viewport = page.getViewport({ scale: 1 })
  const [a, b, c, d, e, f] = viewport.transform as [number, number, number, number, number, number]
  const place = (x: number, y: number): [number, number] => [a * x + c * y + e, b * x + d * y + f]
  const words: BoxedWord[] = []
  const seen = new Set<string>()
  const content = await page.getTextContent({ includeMarkedContent: false })
  for (const item of withWholePhrases(content.items.filter((part) => 'str' in part))) {
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
    const words = withComposedAccents(await wordsOfPage(page))
    const characters = words.reduce((n, w) => n + w.text.length, 0)
    const imageShare = characters < FEW_CHARACTERS ? await imageShareOf(page).catch(() => 0) : 0
    const { width, height } = page.getViewport({ scale: 1 })
    page.cleanup()
    pages.push({ words, characters, imageShare, width, height })
  }
  return pages
}
