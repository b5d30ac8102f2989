/**
 * Walks a page's operator list with its graphics state (ISO 32000-1 8.4) and notes where each glyph
 * and each ruling stands. pdf.js's own getTextContent merges glyphs into runs and guesses the
 * spaces; the positions that words and table cells need are only here.
 */
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { FontView, OperatorList } from './fonts.ts'
import { type Matrix, matrixOf, multiply } from './matrix.ts'
import type { PageMarks } from './marks.ts'
import { PathReader } from './paths.ts'
import { TextPlacer } from './text-operators.ts'
import { INITIAL, num, type State } from './state.ts'

/** Glyphs of one page; more than any page that people read. */
const GLYPHS_MAX = 250_000
const OPERATORS_MAX = 3_000_000
const STATES_MAX = 500

/** Answers whether content marked with these optional-content properties is shown. */
export type Visibility = (properties: unknown) => boolean

export class Interpreter {
  readonly #marks: PageMarks
  readonly #base: Matrix
  readonly #isVisible: Visibility
  readonly #paths: PathReader
  readonly #text: TextPlacer
  readonly #stack: State[] = []
  #state: State
  /** One entry per open marked content: whether it hides what is inside. */
  #hidden: boolean[] = []
  #hiddenDepth = 0

  constructor(
    page: { transform: Matrix; width: number; height: number },
    fonts: (name: string) => FontView | null,
    isVisible: Visibility,
  ) {
    this.#base = page.transform
    this.#isVisible = isVisible
    this.#state = { ...INITIAL, ctm: this.#base }
    this.#paths = new PathReader(page)
    this.#marks = {
      width: page.width,
      height: page.height,
      glyphs: [],
      rulings: [],
      shapes: [],
      images: 0,
      unread: 0,
      truncated: false,
    }
    this.#text = new TextPlacer(this.#marks, fonts)
  }

  /** Annotations that showed glyphs, by pdf.js id. */
  get annotationsWithText(): ReadonlySet<string> {
    return this.#text.annotationsWithText
  }

  run(list: OperatorList): PageMarks {
    const count = Math.min(list.fnArray.length, OPERATORS_MAX)
    if (count < list.fnArray.length) this.#marks.truncated = true
    for (let i = 0; i < count; i++) {
      this.#step(list.fnArray[i]!, (list.argsArray[i] ?? []) as unknown[])
      if (this.#marks.glyphs.length < GLYPHS_MAX) continue
      this.#marks.truncated = true
      break
    }
    this.#marks.unread = this.#text.settle()
    this.#marks.rulings = this.#paths.rulings
    this.#marks.shapes = this.#paths.shapes
    if (this.#paths.truncated) this.#marks.truncated = true
    return this.#marks
  }

  #step(op: number, args: unknown[]): void {
    const state = this.#state
    switch (op) {
      case OPS.save:
        this.#save()
        break
      case OPS.restore:
        this.#restore()
        break
      case OPS.transform: {
        const m = matrixOf(args)
        if (m) state.ctm = multiply(state.ctm, m)
        break
      }
      case OPS.paintFormXObjectBegin: {
        this.#save()
        const m = matrixOf(args[0])
        if (m) this.#state.ctm = multiply(this.#state.ctm, m)
        break
      }
      case OPS.paintFormXObjectEnd:
        this.#restore()
        break
      case OPS.beginGroup:
        this.#save()
        break
      case OPS.endGroup:
        this.#restore()
        break
      case OPS.beginAnnotation:
        this.#beginAnnotation(args)
        break
      case OPS.endAnnotation:
        this.#text.annotation = null
        this.#restore()
        break
      case OPS.beginMarkedContent:
        this.#mark(false)
        break
      case OPS.beginMarkedContentProps:
        this.#mark(args[0] === 'OC' && !this.#isVisible(args[1]))
        break
      case OPS.endMarkedContent:
        if (this.#hidden.pop()) this.#text.isHidden = --this.#hiddenDepth > 0
        break
      case OPS.setLineWidth:
        state.lineWidth = num(args[0], 1)
        break
      case OPS.constructPath:
        if (!this.#text.isHidden) this.#paths.read(args, state.ctm, state.lineWidth)
        break
      case OPS.paintImageXObject:
      case OPS.paintInlineImageXObject:
      case OPS.paintImageMaskXObject:
        this.#marks.images++
        break
      default:
        this.#text.step(op, args, state)
    }
  }

  #save(): void {
    if (this.#stack.length < STATES_MAX) this.#stack.push({ ...this.#state })
  }

  #restore(): void {
    const saved = this.#stack.pop()
    if (saved) this.#state = saved
  }

  #beginAnnotation(args: unknown[]): void {
    this.#stack.length = 0
    this.#state = { ...INITIAL, ctm: this.#base }
    this.#hidden = []
    this.#hiddenDepth = 0
    this.#text.isHidden = false
    this.#save()
    this.#text.annotation = String(args[0])
    for (const part of [args[2], args[3]]) {
      const m = matrixOf(part)
      if (m) this.#state.ctm = multiply(this.#state.ctm, m)
    }
  }

  #mark(hides: boolean): void {
    this.#hidden.push(hides)
    if (!hides) return
    this.#hiddenDepth++
    this.#text.isHidden = true
  }
}
