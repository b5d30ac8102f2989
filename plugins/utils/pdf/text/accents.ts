/**
 * Accents that are drawn as glyphs of their own, over or under their letter: TeX's older fonts set
 * them so, and so do writings with vowel signs. They belong to the letter that they stand over.
 */

/** Spacing accents and the combining marks that they stand for. */
const SPACING: Readonly<Record<string, string>> = {
  '`': '\u0300',
  '\u00b4': '\u0301',
  '^': '\u0302',
  '\u02c6': '\u0302',
  '~': '\u0303',
  '\u02dc': '\u0303',
  '\u00af': '\u0304',
  '\u02c9': '\u0304',
  '\u02d8': '\u0306',
  '\u02d9': '\u0307',
  '\u00a8': '\u0308',
  '\u02da': '\u030a',
  '\u02dd': '\u030b',
  '\u02c7': '\u030c',
  '\u00b8': '\u0327',
  '\u02db': '\u0328',
}
const MARKS = /^\p{M}+$/u
const RIGHT_TO_LEFT_MARKS =
  /^[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0711-\u074a\u08d3-\u08ff]+$/
const BASE = /^\p{L}/u
const DOTLESS: Readonly<Record<string, string>> = { '\u0131': 'i', '\u0237': 'j' }

/** Whether a glyph's text is an accent, spacing or combining. */
export function isAccent(text: string): boolean {
  return text in SPACING || MARKS.test(text)
}

/** Whether it is a sign of a right-to-left writing. */
export function isVowelSign(text: string): boolean {
  return RIGHT_TO_LEFT_MARKS.test(text)
}

/** The letter with the accent as one text, or null when they do not go together. */
export function accented(base: string, accent: string): string | null {
  if (!BASE.test(base)) return null
  const spacing = SPACING[accent]
  const plain = (DOTLESS[base] ?? base) + (spacing ?? accent)
  const whole = plain.normalize('NFC')
  // A spacing accent that no such letter has was meant as a sign.
  return spacing === undefined || whole.length < plain.length ? whole : null
}
