/**
 * Places glyphs: the text operators with their matrices, as pdf.js hands them over (ISO 32000-1
 * 9.4). Each glyph that can be seen on the page becomes a mark.
 */
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { FontView } from './fonts.ts'
import type { Glyph, PageMarks, Turn } from './marks.ts'
import { textOfVariant } from './glyph-names.ts'
import { apply, IDENTITY, type Matrix, matrixOf, multiply } from './matrix.ts'
import { num, type State } from './state.ts'
import { texEncoding } from './tex-fonts.ts'
import { Type3Sizes } from './type3.ts'
import { UnmappedCodes } from './unmapped.ts'

interface ShownGlyph {
  unicode?: string
  /** What is drawn: in a font that is not in the file, a character. */
  fontChar?: string
  originalCharCode?: number
  width?: number
  vmetric?: readonly number[] | null
  isSpace?: boolean
}

/** Where a glyph is drawn: in text space, but for the size on the page. */
interface Place {
  x: number
  y: number
  advance: number
  size: number
  turn: Turn
  vertical: boolean
}

export class TextPlacer {
  /** Set while what is drawn belongs to content that is not shown. */
  isHidden = false
  /** The annotation that is being drawn, by pdf.js id. */
  annotation: string | null = null
  /** Annotations that showed glyphs. */
  readonly annotationsWithText = new Set<string>()
  readonly #marks: PageMarks
  readonly #fonts: (name: string) => FontView | null
  readonly #type3 = new Type3Sizes()
  readonly #unmapped = new UnmappedCodes()
  #textMatrix: Matrix = IDENTITY
  #lineX = 0
  #lineY = 0
  #x = 0
  #y = 0

  constructor(marks: PageMarks, fonts: (name: string) => FontView | null) {
    this.#marks = marks
    this.#fonts = fonts
  }

  /** What is only known once all glyphs of a font were seen; how many of them nobody can read. */
  settle(): number {
    this.#type3.settle()
    return this.#unmapped.settle()
  }

  /** Carries out one operator, when it is one about text. */
  step(op: number, args: unknown[], state: State): void {
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
        this.#setFont(args, state)
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
        this.#setGState(args[0], state)
        break
      case OPS.showText:
      case OPS.showSpacedText:
        this.#show(args[0] as (ShownGlyph | number | null)[], state)
        break
      case OPS.nextLineShowText:
        this.#moveText(0, state.leading)
        this.#show(args[0] as (ShownGlyph | number | null)[], state)
        break
    }
  }

  #setFont(args: readonly unknown[], state: State): void {
    state.fontName = String(args[0])
    state.font = this.#fonts(state.fontName)
    state.size = num(args[1])
  }

  #setGState(entries: unknown, state: State): void {
    if (!Array.isArray(entries)) return
    for (const [key, value] of entries as [string, unknown][]) {
      if (key === 'Font' && Array.isArray(value)) this.#setFont(value, state)
      else if (key === 'LW') state.lineWidth = num(value, 1)
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

  #show(items: (ShownGlyph | number | null)[], state: State): void {
    const { font, size, charSpacing, wordSpacing, scale, rise, ctm } = state
    if (!Array.isArray(items) || size === 0) return
    const trm = multiply(ctm, this.#textMatrix)
    const vertical = font?.vertical === true
    const unit = num(font?.fontMatrix?.[0], 0.001)
    const turn = turnOf(trm, scale * Math.sign(size))
    const pageSize = Math.hypot(trm[2], trm[3]) * Math.abs(size)
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
        const place = { x: this.#x - left * scale, y: this.#y - top, advance: length }
        this.#note(item, state, trm, { ...place, size: pageSize, turn: 0, vertical })
        this.#y += length + spacing
      } else {
        const advance = num(item.width) * unit * size * scale
        const place = { x: this.#x, y: this.#y + rise, advance }
        this.#note(item, state, trm, { ...place, size: pageSize, turn, vertical })
        this.#x += advance + spacing * scale
      }
    }
  }

  #note(item: ShownGlyph, state: State, trm: Matrix, place: Place): void {
    if (this.isHidden) return
    const { font, fontName } = state
    const glyph = glyphAt(textOf(item, font), fontName, trm, place)
    if (!glyph || !this.#isOnPage(glyph)) return
    if (this.annotation !== null && glyph.text.trim() !== '')
      this.annotationsWithText.add(this.annotation)
    this.#marks.glyphs.push(glyph)
    const isType3 = font?.isType3Font === true
    if (isType3) this.#type3.note(glyph, widthAtSize1(font, item))
    if ((isType3 || font?.composite === true) && item.originalCharCode !== undefined)
      this.#unmapped.note(glyph, item.originalCharCode, isType3)
  }

  #isOnPage(glyph: Glyph): boolean {
    const { width, height } = this.#marks
    const [ex, ey] = endOf(glyph)
    return (
      Math.max(glyph.x, ex) >= 0 &&
      Math.min(glyph.x, ex) <= width &&
      Math.max(glyph.y, ey) >= 0 &&
      Math.min(glyph.y, ey) <= height &&
      glyph.width <= width + height
    )
  }
}

/** A glyph's text; without a stated encoding pdf.js answers its bare code. */
function textOf(
  { unicode = '', fontChar, originalCharCode: code }: ShownGlyph,
  font: FontView | null,
): string {
  const isBare = unicode === '' || (unicode.length === 1 && unicode.charCodeAt(0) === code)
  if (code === undefined || !isBare) return unicode
  // A font of numbered glyphs that is not in the file is one that pdf.js knows by its name.
  if (font?.missingFile === true && font.composite === true && isPrinted(fontChar)) return fontChar
  const variant = font?.differences?.get(code)
  return (
    (font?.name === undefined ? undefined : texEncoding(font.name)?.[code]) ??
    (variant === undefined ? null : textOfVariant(variant)) ??
    unicode
  )
}

const isPrinted = (char: string | undefined): char is string =>
  char !== undefined && /^\P{C}$/u.test(char)

/** The glyph in page points, or null when its place or size make no sense. */
function glyphAt(text: string, font: string, trm: Matrix, place: Place): Glyph | null {
  const { x, y, advance, size, turn, vertical } = place
  const along = vertical ? Math.hypot(trm[2], trm[3]) : Math.hypot(trm[0], trm[1])
  const width = Math.abs(advance) * along
  const [px, py] = apply(trm, x, y)
  if (!Number.isFinite(px + py + width + size) || size <= 0) return null
  const glyph: Glyph = { text, x: px, y: py, width, size, turn, font, vertical }
  if (vertical) return glyph
  const [qx, qy] = apply(trm, x + advance, y)
  return isBackwards(turn, qx - px, qy - py) ? { ...glyph, x: qx, y: qy } : glyph
}

/** A glyph's width in the height's units, at font size 1. */
function widthAtSize1({ fontMatrix }: FontView, { width }: ShownGlyph): number {
  const along = num(fontMatrix?.[0], 0.001)
  return Math.abs(num(width) * num(fontMatrix?.[3], along))
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

/** Whether an advance runs against the direction of writing, as in mirrored text. */
function isBackwards(turn: Turn, dx: number, dy: number): boolean {
  if (turn === 0) return dx < 0
  if (turn === 1) return dy < 0
  return turn === 2 ? dx > 0 : dy > 0
}
