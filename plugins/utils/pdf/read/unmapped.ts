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
/** That share where a code is the one of a space, or where letters of TeX have such codes. */
const CONTROLS_MANY = 0.1
/** Share of the codes up to the highest that numbered glyphs take up; TeX's alphabets have gaps. */
const DENSITY_LEAST = 0.5

interface Font {
  isType3: boolean
  hasSpace: boolean
  mapped: Set<number>
  /** Glyphs that are mapped to a control character, by code. */
  controls: Map<number, Glyph[]>
  /** Glyphs that show their bare code, by code. */
  bare: Map<number, Glyph[]>
}

export class UnmappedCodes {
  readonly #fonts = new Map<string, Font>()

  /** Remembers a glyph of a composite or Type 3 font and its code. */
  note(glyph: Glyph, code: number, isType3: boolean): void {
    let font = this.#fonts.get(glyph.font)
    if (!font) {
      font = {
        isType3,
        hasSpace: false,
        mapped: new Set(),
        controls: new Map(),
        bare: new Map(),
      }
      this.#fonts.set(glyph.font, font)
    }
    if (glyph.text === ' ') font.hasSpace = true
    if (glyph.text === String.fromCodePoint(code)) return addTo(font.bare, code, glyph)
    font.mapped.add(code)
    if (isControl(glyph.text.charCodeAt(0))) addTo(font.controls, code, glyph)
  }

  /**
   * Takes the text from glyphs that only show their code, or a control character; they keep their place.
   * Answers how many glyphs that were.
   */
  settle(): number {
    let unread = 0
    for (const font of this.#fonts.values()) {
      const unknown = [
        ...(isSpaceOnly(font) ? [] : font.controls.values()),
        ...(isUnmapped(font) ? font.bare.values() : []),
      ]
      for (const glyph of unknown.flat()) {
        // What the code of a space shows nobody knows; it parts words all the same.
        if (glyph.text.trim() === '') continue
        unread += 1
        glyph.text = ''
      }
    }
    return unread
  }
}

function addTo(glyphs: Map<number, Glyph[]>, code: number, glyph: Glyph): void {
  const known = glyphs.get(code)
  if (known) known.push(glyph)
  else glyphs.set(code, [glyph])
}

/** Whether the only glyph with a control character is likely the space, which the font else lacks. */
const isSpaceOnly = ({ controls, hasSpace }: Font): boolean => controls.size === 1 && !hasSpace

/** Whether it is a character that no glyph shows, as a map says that knows nothing better. */
const isControl = (code: number): boolean => code < SPACE || (code >= 0x7f && code < 0xa0)

/** Whether the codes of a font that stand for themselves are no characters. */
function isUnmapped({ isType3, mapped, bare }: Font): boolean {
  // Its glyphs have names, by which most codes may well be the characters that they are elsewhere.
  if (isType3) return areGlyphNumbers(mapped, bare, CONTROLS_MANY) && isDense(bare)
  const least = Math.max(MAPPED_COUNT_LEAST, MAPPED_LEAST * (mapped.size + bare.size))
  const isCode = mapped.size >= least || areGlyphNumbers(mapped, bare, CONTROLS_LEAST)
  return isCode && !isMultiByte(mapped, bare)
}

const isDense = (bare: ReadonlyMap<number, unknown>): boolean =>
  bare.size >= DENSITY_LEAST * (Math.max(...bare.keys()) + 1)

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
 * letters, and seldom a space.
 */
function areGlyphNumbers(
  mapped: ReadonlySet<number>,
  bare: ReadonlyMap<number, readonly Glyph[]>,
  controlsLeast: number,
): boolean {
  if (mapped.size > 0 || bare.size < CODES_LEAST) return false
  let controls = 0
  let all = 0
  for (const [code, glyphs] of bare) {
    all += glyphs.length
    if (isControl(code)) controls += glyphs.length
  }
  return controls >= all * (bare.has(SPACE) ? CONTROLS_MANY : controlsLeast)
}
