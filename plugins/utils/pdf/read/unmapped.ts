/**
 * Glyphs whose meaning a file does not tell. Where the ToUnicode map of a composite font leaves out
 * a code, pdf.js takes the code for a character: a glyph number becomes a letter of some writing.
 * A font whose other codes are mapped to something else shows that its codes are not characters.
 */
import type { Glyph } from './marks.ts'

/** Share of a font's codes that must be mapped elsewhere. */
const MAPPED_LEAST = 0.1
const MAPPED_COUNT_LEAST = 2
const SPACE = 0x20
/** The least two-byte code of those sets. */
const LEAD_LEAST = 0x8140
/** Codes of ASCII that are other signs in them: yen or won, and the overline. */
const OTHER = new Set([0x5c, 0x7e])
/** Different codes that a font without a map must show before it is judged. */
const CODES_LEAST = 4
/** Share of control characters among them that no text has. */
const CONTROLS_LEAST = 0.03

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

  /**
   * Takes the text from glyphs that only show their code; they keep their place. Answers how many
   * glyphs that were.
   */
  settle(): number {
    let unread = 0
    for (const { mapped, bare } of this.#fonts.values()) {
      const least = Math.max(MAPPED_COUNT_LEAST, MAPPED_LEAST * (mapped.size + bare.size))
      if (mapped.size < least && !areGlyphNumbers(mapped, bare)) continue
      if (isMultiByte(mapped, bare)) continue
      for (const glyph of [...bare.values()].flat()) {
        // What the code of a space shows nobody knows; it parts words all the same.
        if (glyph.text.trim() === '') continue
        unread += 1
        glyph.text = ''
      }
    }
    return unread
  }
}

/**
 * Whether the codes are those of a Chinese, Japanese or Korean set (GBK, Shift_JIS, Big5, UHC): two bytes
 * for its own characters, and one for those of ASCII, which mean what they say.
 */
function isMultiByte(
  mapped: ReadonlySet<number>,
  bare: ReadonlyMap<number, readonly Glyph[]>,
): boolean {
  const own = [...mapped]
  return (
    own.some((code) => code >= LEAD_LEAST) &&
    own.every((code) => code >= LEAD_LEAST || (code >= 0x80 && code <= 0xff) || OTHER.has(code)) &&
    [...bare.keys()].every((code) => code >= SPACE && code < 0x7f)
  )
}

/**
 * Whether the codes of a font without any map are numbers of glyphs. Most fonts have their space as
 * glyph 3, digits from 19 and letters from 36: taken for characters these are control characters and
 * letters, and never a space.
 */
function areGlyphNumbers(
  mapped: ReadonlySet<number>,
  bare: ReadonlyMap<number, readonly Glyph[]>,
): boolean {
  if (mapped.size > 0 || bare.size < CODES_LEAST || bare.has(SPACE)) return false
  let controls = 0
  let all = 0
  for (const [code, glyphs] of bare) {
    all += glyphs.length
    if (code < SPACE || (code >= 0x7f && code < 0xa0)) controls += glyphs.length
  }
  return controls >= all * CONTROLS_LEAST
}
