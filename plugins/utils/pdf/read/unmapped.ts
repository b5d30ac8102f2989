/**
 * Glyphs whose meaning a file does not tell. Where the ToUnicode map of a composite font leaves out
 * a code, pdf.js takes the code for a character: a glyph number becomes a letter of some writing.
 * A font whose other codes are mapped to something else shows that its codes are not characters.
 */
import type { Glyph } from './marks.ts'

/** Share of a font's codes that must be mapped elsewhere. */
const MAPPED_LEAST = 0.1
const MAPPED_COUNT_LEAST = 2

interface Font {
  mapped: Set<number>
  /** Glyphs that show their bare code, by code. */
  bare: Map<number, Glyph[]>
}

export class UnmappedCodes {
  readonly #fonts = new Map<string, Font>()

  /** Remembers a glyph of a composite font and its code. */
  note(glyph: Glyph, code: number): void {
    let font = this.#fonts.get(glyph.font)
    if (!font) this.#fonts.set(glyph.font, (font = { mapped: new Set(), bare: new Map() }))
    if (glyph.text !== String.fromCodePoint(code)) {
      font.mapped.add(code)
      return
    }
    const glyphs = font.bare.get(code)
    if (glyphs) glyphs.push(glyph)
    else font.bare.set(code, [glyph])
  }

  /** Takes the text from glyphs that only show their code; they keep their place. */
  settle(): void {
    for (const { mapped, bare } of this.#fonts.values()) {
      const least = Math.max(MAPPED_COUNT_LEAST, MAPPED_LEAST * (mapped.size + bare.size))
      if (mapped.size < least) continue
      for (const glyph of [...bare.values()].flat()) glyph.text = ''
    }
  }
}
