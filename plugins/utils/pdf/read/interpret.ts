/**
 * Walks a page's operator list with its graphics and text state (ISO 32000-1 8.4, 9.3) and notes
 * where each glyph and each ruling stands. pdf.js's own getTextContent merges glyphs into runs and
 * guesses the spaces; the positions that words and table cells need are only here.
 */
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { FontView, OperatorList } from './fonts.ts'
import { apply, IDENTITY, type Matrix, matrixOf, multiply } from './matrix.ts'
import type { Glyph, PageMarks, Turn } from './marks.ts'
import { PathReader } from './paths.ts'
import { texEncoding } from './tex-fonts.ts'

/** Glyphs of one page; more than any page that people read. */
const GLYPHS_MAX = 250_000
const OPERATORS_MAX = 3_000_000
const STATES_MAX = 500

interface ShownGlyph {
  unicode?: string
  originalCharCode?: number
  width?: number
  vmetric?: readonly number[] | null
  isSpace?: boolean
}
interface State {
  ctm: Matrix
  font: FontView | null
  fontName: string
  size: number
  charSpacing: number
  wordSpacing: number
  scale: number
  leading: number
  rise: number
  lineWidth: number
}
const INITIAL: Omit<State, 'ctm'> = {
  font: null,
  fontName: '',
  size: 0,
  charSpacing: 0,
  wordSpacing: 0,
  scale: 1,
  leading: 0,
  rise: 0,
  lineWidth: 1,
}

/** Answers whether content marked with these optional-content properties is shown. */
export type Visibility = (properties: unknown) => boolean

const num = (value: unknown, fallback = 0): number => {
  const n = Number(value)
  return Number.isFinite(n) ? n : fallback
}

export class Interpreter {
  readonly #marks: PageMarks
  readonly #base: Matrix
  readonly #fonts: (name: string) => FontView | null
  readonly #isVisible: Visibility
  readonly #paths: PathReader
  readonly #stack: State[] = []
  #state: State
  #textMatrix: Matrix = IDENTITY
  #lineX = 0
  #lineY = 0
  #x = 0
  #y = 0
  /** One entry per open marked content: whether it hides what is inside. */
  #hidden: boolean[] = []
  #hiddenDepth = 0
  /** Annotations that showed glyphs, by pdf.js id. */
  readonly annotationsWithText = new Set<string>()
  #annotation: string | null = null

  constructor(
    page: { transform: Matrix; width: number; height: number },
    fonts: (name: string) => FontView | null,
    isVisible: Visibility,
  ) {
    this.#base = page.transform
    this.#fonts = fonts
    this.#isVisible = isVisible
    this.#state = { ...INITIAL, ctm: this.#base }
    this.#paths = new PathReader(page)
    this.#marks = {
      width: page.width,
      height: page.height,
      glyphs: [],
      rulings: [],
      images: 0,
      truncated: false,
    }
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
    this.#marks.rulings = this.#paths.rulings
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
        this.#annotation = null
        this.#restore()
        break
      case OPS.beginMarkedContent:
        this.#mark(false)
        break
      case OPS.beginMarkedContentProps:
        this.#mark(args[0] === 'OC' && !this.#isVisible(args[1]))
        break
      case OPS.endMarkedContent:
        if (this.#hidden.pop()) this.#hiddenDepth--
        break
      case OPS.setLineWidth:
        state.lineWidth = num(args[0], 1)
        break
      case OPS.constructPath:
        if (this.#hiddenDepth === 0) this.#paths.read(args, state.ctm, state.lineWidth)
        break
      case OPS.paintImageXObject:
      case OPS.paintInlineImageXObject:
      case OPS.paintImageMaskXObject:
        this.#marks.images++
        break
      default:
        this.#textStep(op, args)
    }
  }

  #textStep(op: number, args: unknown[]): void {
    const state = this.#state
    switch (op) {
      case OPS.beginText:
        this.#setTextMatrix(IDENTITY)
        break
      case OPS.setTextMatrix:
        this.#setTextMatrix(matrixOf(args[0]) ?? matrixOf(args) ?? IDENTITY)
        break
      case OPS.moveText:
        this.#moveText(num(args[0]), num(args[1]))
        break
      case OPS.setLeadingMoveText:
        state.leading = num(args[1])
        this.#moveText(num(args[0]), num(args[1]))
        break
      case OPS.nextLine:
        this.#moveText(0, state.leading)
        break
      case OPS.setFont:
        state.fontName = String(args[0])
        state.font = this.#fonts(state.fontName)
        state.size = num(args[1])
        break
      case OPS.setCharSpacing:
        state.charSpacing = num(args[0])
        break
      case OPS.setWordSpacing:
        state.wordSpacing = num(args[0])
        break
      case OPS.setHScale:
        state.scale = num(args[0], 100) / 100
        break
      case OPS.setLeading:
        state.leading = -num(args[0])
        break
      case OPS.setTextRise:
        state.rise = num(args[0])
        break
      case OPS.setGState:
        this.#setGState(args[0])
        break
      case OPS.showText:
      case OPS.showSpacedText:
        this.#show(args[0] as (ShownGlyph | number | null)[])
        break
      case OPS.nextLineShowText:
        this.#moveText(0, state.leading)
        this.#show(args[0] as (ShownGlyph | number | null)[])
        break
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
    this.#save()
    this.#annotation = String(args[0])
    for (const part of [args[2], args[3]]) {
      const m = matrixOf(part)
      if (m) this.#state.ctm = multiply(this.#state.ctm, m)
    }
  }

  #mark(hides: boolean): void {
    this.#hidden.push(hides)
    if (hides) this.#hiddenDepth++
  }

  #setGState(entries: unknown): void {
    if (!Array.isArray(entries)) return
    for (const [key, value] of entries as [string, unknown][]) {
      if (key === 'Font' && Array.isArray(value)) {
        this.#state.fontName = String(value[0])
        this.#state.font = this.#fonts(this.#state.fontName)
        this.#state.size = num(value[1])
      } else if (key === 'LW') this.#state.lineWidth = num(value, 1)
    }
  }

  #setTextMatrix(m: Matrix): void {
    this.#textMatrix = m
    this.#x = this.#lineX = 0
    this.#y = this.#lineY = 0
  }

  #moveText(x: number, y: number): void {
    this.#x = this.#lineX += x
    this.#y = this.#lineY += y
  }

  #show(items: (ShownGlyph | number | null)[]): void {
    const { font, size, charSpacing, wordSpacing, scale, rise, ctm } = this.#state
    if (!Array.isArray(items) || size === 0) return
    const trm = multiply(ctm, this.#textMatrix)
    const vertical = font?.vertical === true
    const unit = num(font?.fontMatrix?.[0], 0.001)
    const turn = turnOf(trm, scale * Math.sign(size))
    const pageSize = this.#pageSize(trm, size, unit, font?.isType3Font === true)
    for (const item of items) {
      if (item === null) continue
      if (typeof item === 'number') {
        const shift = (-item / 1000) * size
        if (vertical) this.#y += shift
        else this.#x += shift * scale
        continue
      }
      const spacing = charSpacing + (item.isSpace ? wordSpacing : 0)
      if (vertical) {
        const metric = item.vmetric
        const length = num(metric?.[0], -1000) * unit * size
        const left = num(metric?.[1], num(item.width, 1000) / 2) * unit * size
        const top = num(metric?.[2], 880) * unit * size
        this.#note(item, trm, this.#x - left * scale, this.#y - top, length, pageSize, 0, true)
        this.#y += length + spacing
      } else {
        const advance = num(item.width) * unit * size * scale
        this.#note(item, trm, this.#x, this.#y + rise, advance, pageSize, turn, false)
        this.#x += advance + spacing * scale
      }
    }
  }

  /** A glyph's text; without a stated encoding pdf.js answers its bare code. */
  #textOf({ unicode = '', originalCharCode: code }: ShownGlyph): string {
    const isBare = unicode === '' || (unicode.length === 1 && unicode.charCodeAt(0) === code)
    if (code === undefined || !isBare) return unicode
    const name = this.#state.font?.name
    return (name === undefined ? undefined : texEncoding(name)?.[code]) ?? unicode
  }

  #pageSize(trm: Matrix, size: number, unit: number, isType3: boolean): number {
    const height = Math.hypot(trm[2], trm[3]) * Math.abs(size)
    // The size of a Type 3 font says nothing by itself; its matrix does.
    return isType3 ? height * Math.abs(unit) * 1000 : height
  }

  #note(
    item: ShownGlyph,
    trm: Matrix,
    x: number,
    y: number,
    advance: number,
    size: number,
    turn: Turn,
    vertical: boolean,
  ): void {
    if (this.#hiddenDepth > 0) return
    const text = this.#textOf(item)
    if (text === '') return
    const [px, py] = apply(trm, x, y)
    const { width: pageWidth, height: pageHeight } = this.#marks
    const along = vertical ? Math.hypot(trm[2], trm[3]) : Math.hypot(trm[0], trm[1])
    const width = Math.abs(advance) * along
    if (!Number.isFinite(px + py + width + size) || size <= 0) return
    const glyph: Glyph = {
      text,
      // A mirrored or right-to-left advance starts at the other end.
      x: px,
      y: py,
      width,
      size,
      turn,
      font: this.#state.fontName,
      vertical,
    }
    if (advance < 0 && !vertical) moveBack(glyph)
    const [ex, ey] = endOf(glyph)
    if (Math.max(px, ex) < 0 || Math.min(px, ex) > pageWidth) return
    if (Math.max(py, ey) < 0 || Math.min(py, ey) > pageHeight) return
    if (width > pageWidth + pageHeight) return
    if (this.#annotation !== null && text.trim() !== '')
      this.annotationsWithText.add(this.#annotation)
    this.#marks.glyphs.push(glyph)
  }
}

/** The quarter turn that the direction of writing is nearest to, y pointing down. */
function turnOf(trm: Matrix, sign: number): Turn {
  const dx = trm[0] * (sign < 0 ? -1 : 1)
  const dy = trm[1] * (sign < 0 ? -1 : 1)
  // Mirrored glyphs (negative width, upright height) still read to the right.
  if (Math.abs(dx) >= Math.abs(dy)) return dx > 0 || trm[3] < 0 ? 0 : 2
  return dy > 0 ? 1 : 3
}

function endOf(glyph: Glyph): [number, number] {
  const { x, y, width, turn, vertical } = glyph
  if (vertical) return [x, y + width]
  if (turn === 0) return [x + width, y]
  if (turn === 1) return [x, y + width]
  return turn === 2 ? [x - width, y] : [x, y - width]
}

function moveBack(glyph: Glyph): void {
  const [x, y] = endOf({ ...glyph, width: -glyph.width })
  glyph.x = x
  glyph.y = y
}
