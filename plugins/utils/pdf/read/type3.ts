/**
 * The em of Type 3 fonts. Their size says nothing: a glyph's coordinate system is whatever its
 * program draws in. As poppler does (TextPage::updateFont), the em is guessed from widths.
 */
import type { Glyph } from './marks.ts'

/** Width of an average 'm', and of other letters and digits, in ems. */
const M_WIDTH = 0.6
const LETTER_WIDTH = 0.5
const LETTER = /^[\p{L}\p{N}]/u

interface Font {
  glyphs: Glyph[]
  /** Widths in ems of size 1, by character. */
  widths: Map<string, number>
}

export class Type3Sizes {
  readonly #fonts = new Map<string, Font>()

  /** Remembers a glyph whose size is that of its font operator, and its width at size 1. */
  note(glyph: Glyph, width: number): void {
    let font = this.#fonts.get(glyph.font)
    if (!font) this.#fonts.set(glyph.font, (font = { glyphs: [], widths: new Map() }))
    font.glyphs.push(glyph)
    if (width > 0) font.widths.set(glyph.text, width)
  }

  /** Gives all remembered glyphs the size that their widths stand for. */
  settle(): void {
    for (const { glyphs, widths } of this.#fonts.values()) {
      const em = emOf(widths)
      for (const glyph of glyphs) glyph.size *= em
    }
  }
}

function emOf(widths: ReadonlyMap<string, number>): number {
  const m = widths.get('m')
  if (m !== undefined) return m / M_WIDTH
  const letters = [...widths].filter(([text]) => LETTER.test(text)).map(([, width]) => width)
  const known = letters.length > 0 ? letters : [...widths.values()]
  if (known.length === 0) return 1
  return known.reduce((sum, width) => sum + width, 0) / known.length / LETTER_WIDTH
}
