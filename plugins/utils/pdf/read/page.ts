/** Everything that one page shows, form values that have no drawn appearance included. */
import {
  AnnotationMode,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { fontsOf } from './fonts.ts'
import { Interpreter, type Visibility } from './interpret.ts'
import { apply, type Matrix } from './matrix.ts'
import type { Glyph, PageMarks } from './marks.ts'

type OptionalContent = Awaited<ReturnType<PDFDocumentProxy['getOptionalContentConfig']>>

/** Answers which optional content is shown when the document is opened. */
export async function visibilityOf(pdf: PDFDocumentProxy): Promise<Visibility> {
  const config: OptionalContent | null = await pdf.getOptionalContentConfig().catch(() => null)
  return (properties) => {
    if (!config || properties === null || typeof properties !== 'object') return true
    try {
      return config.isVisible(properties as Parameters<OptionalContent['isVisible']>[0]) !== false
    } catch {
      return true
    }
  }
}

/** Glyphs, rulings and form values of one page, in points on the upright page, y downwards. */
export async function readPage(page: PDFPageProxy, isVisible: Visibility): Promise<PageMarks> {
  const viewport = page.getViewport({ scale: 1 })
  const list = await page.getOperatorList({
    intent: 'display',
    annotationMode: AnnotationMode.ENABLE,
  })
  const fonts = await fontsOf(page, list)
  const interpreter = new Interpreter(
    {
      transform: viewport.transform as unknown as Matrix,
      width: viewport.width,
      height: viewport.height,
    },
    (name) => fonts.get(name) ?? null,
    isVisible,
  )
  const marks = interpreter.run(list)
  const annotations = (await page.getAnnotations().catch(() => [])) as Annotation[]
  for (const annotation of annotations) {
    if (annotation.id !== undefined && interpreter.annotationsWithText.has(annotation.id)) continue
    const text = shownText(annotation)
    if (text === '' || !annotation.rect) continue
    const transform = viewport.transform as unknown as Matrix
    const [x0, y0] = apply(transform, annotation.rect[0] ?? 0, annotation.rect[1] ?? 0)
    const [x1, y1] = apply(transform, annotation.rect[2] ?? 0, annotation.rect[3] ?? 0)
    marks.glyphs.push(...typeset(text, [x0, y0, x1, y1]))
  }
  return marks
}

interface Annotation {
  id?: string
  subtype?: string
  fieldType?: string
  fieldValue?: unknown
  hidden?: boolean
  noView?: boolean
  password?: boolean
  rect?: number[]
  checkBox?: boolean
  radioButton?: boolean
  contentsObj?: { str?: string }
}

/** What a reader sees in an annotation that has no appearance of its own. */
function shownText(annotation: Annotation): string {
  const { subtype, fieldType, fieldValue, contentsObj } = annotation
  if (annotation.hidden || annotation.noView || annotation.password) return ''
  if (subtype === 'FreeText') return contentsObj?.str?.trim() ?? ''
  if (subtype !== 'Widget' || (fieldType !== 'Tx' && fieldType !== 'Ch')) return ''
  if (Array.isArray(fieldValue)) return fieldValue.filter((v) => typeof v === 'string').join('\n')
  return typeof fieldValue === 'string' ? fieldValue.trim() : ''
}

const LETTER_WIDTH = 0.5
const SIZE_MAX = 12
const LINES_MAX = 500

/** Glyphs for a text without positions, set line by line into its rectangle. */
function typeset(text: string, rect: [number, number, number, number]): Glyph[] {
  const x0 = Math.min(rect[0], rect[2])
  const y0 = Math.min(rect[1], rect[3])
  const height = Math.abs(rect[3] - rect[1])
  const lines = text.split(/\r\n|[\r\n]/).slice(0, LINES_MAX)
  const size = Math.max(1, Math.min(SIZE_MAX, (height / lines.length) * 0.8))
  return lines.flatMap((line, row) =>
    [...line].map((char, i) => ({
      text: char,
      x: x0 + i * size * LETTER_WIDTH,
      y: lines.length === 1 ? y0 + height / 2 + size * 0.35 : y0 + (row + 1) * size * 1.1,
      width: size * LETTER_WIDTH,
      size,
      turn: 0 as const,
      font: '',
      vertical: false,
    })),
  )
}
