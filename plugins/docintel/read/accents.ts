/**
 * Letters with accents that a typesetter drew as two glyphs: TeX's old fonts set "ü" as a diaeresis
 * over a "u", which a text layer gives as "f¨" and "ur", one over the other.
 */
import type { BoxedWord } from '../../shared/ocr/contract.ts'

/** Accents that stand for themselves, and the marks that combine with a letter. */
const COMBINING: Readonly<Record<string, string>> = {
  '¨': '\u0308',
  '´': '\u0301',
  '`': '\u0300',
  ˆ: '\u0302',
  '˜': '\u0303',
  ˇ: '\u030C',
  '˚': '\u030A',
  '˝': '\u030B',
  '¸': '\u0327',
}

/** The letter that two glyphs make; null where there is none such. */
function composed(accent: string, letter: string): string | null {
  const mark = COMBINING[accent]
  if (mark === undefined) return null
  const whole = ((letter === 'ı' ? 'i' : letter) + mark).normalize('NFC')
  return [...whole].length === 1 ? whole : null
}

/** Whether a word begins under the end of the one before, on its line. */
const isUnder = (next: BoxedWord, word: BoxedWord): boolean =>
  next.x0 >= word.x0 &&
  next.x0 < word.x1 &&
  Math.abs(next.y1 - word.y1) < 0.3 * Math.max(word.y1 - word.y0, 0.01)

/** The words with such pairs as one word; those in between keep their order. */
export function withComposedAccents(words: readonly BoxedWord[]): BoxedWord[] {
  const whole: BoxedWord[] = []
  for (const word of words) {
    const last = whole.at(-1)
    const letter =
      last && isUnder(word, last) ? composed(last.text.at(-1) ?? '', word.text[0] ?? '') : null
    if (last && letter !== null)
      whole[whole.length - 1] = {
        ...last,
        text: last.text.slice(0, -1) + letter + word.text.slice(1),
        x1: Math.max(last.x1, word.x1),
      }
    else whole.push(word)
  }
  return whole
}
