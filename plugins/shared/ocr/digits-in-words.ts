/**
 * Letters that a recogniser took for digits of the same shape: in many typewriter faces "1" and "l",
 * "0" and "o" are drawn alike, and only the letters around tell them apart.
 */

/** So many letters of one word, and no other digit, make it a word: "c0mercial", not "a1b". */
const LETTERS_MIN = 4

/** A lone 0 or 1 between small letters. */
const INSIDE = /(?<=\p{Ll})[01](?=\p{Ll})/gu
/** A 0 or 1 that ends a word of small letters: "Gal1i" is inside, "tota1" ends. */
const AT_END = /(?<=\p{Ll}{3})1$/u

/** Legal forms of companies, whose letters stand alone between stops. */
const LEGAL_FORMS: readonly (readonly [RegExp, string])[] = [
  [/^S\.?r\.?1\.?$/, 'S.r.l.'],
  [/^[0o]\.0\.?$|^0\.o\.?$/, 'o.o.'],
  [/^V\.0\.F\.?$/i, 'V.O.F.'],
  [/^s\.r\.0\.?$/i, 's.r.o.'],
  [/^d\.0\.[0o]\.?$|^d\.o\.0\.?$/, 'd.o.o.'],
]

/** The word as it was most likely printed; unchanged where its digits may be digits. */
export function withoutDigitsInWords(word: string): string {
  if (!/[01]/.test(word)) return word
  for (const [form, whole] of LEGAL_FORMS) if (form.test(word)) return whole
  const digits = word.replaceAll(/\D/g, '')
  const letters = word.replaceAll(/[^\p{L}]/gu, '')
  if (letters.length < LETTERS_MIN || digits.length > 2 || /[2-9]/.test(digits)) return word
  return word.replaceAll(INSIDE, (digit) => (digit === '0' ? 'o' : 'l')).replace(AT_END, 'l')
}
