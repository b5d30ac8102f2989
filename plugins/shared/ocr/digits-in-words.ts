/**
 * Letters that a recogniser took for digits of the same shape: in many typewriter faces "1" and "l",
 * "0" and "o" are drawn alike, and only the letters around tell them apart.
 */

/** So many letters of one word, and no other digit, make it a word: "c0mercial", not "a1b". */
const LETTERS_MIN = 4

/** 0 or 1 between small letters, also behind the capital: "G0yette". */
const INSIDE = /(?<=\p{Ll})[01]{1,2}(?=\p{Ll})|(?<=^\p{Lu})0(?=\p{Ll})/gu
/** A 0 in a word of three letters: "v0or". */
const ZERO_WITHIN = /^\p{Ll}+0\p{Ll}+$/u
/** A 0 or 1 that ends a word of small letters: "Gal1i" is inside, "tota1" ends. */
const AT_END = /(?<=\p{Ll}{3})[01]$/u
/** A 0 that begins a name: "0lten". */
const AT_START = /^0(?=\p{Ll}{4,}$)/u

/** Words of two letters: "20% 0n 125.35", "Invoice n0. 4711". */
const SHORT_WORDS: Readonly<Record<string, string>> = {
  '0n': 'on',
  '0f': 'of',
  n0: 'no',
  'n0.': 'no.',
  'N0.': 'No.',
}

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
  const short = SHORT_WORDS[word]
  if (short !== undefined) return short
  for (const [form, whole] of LEGAL_FORMS) if (form.test(word)) return whole
  const digits = word.replaceAll(/\D/g, '')
  const letters = word.replaceAll(/[^\p{L}]/gu, '')
  const least = ZERO_WITHIN.test(word) ? LETTERS_MIN - 1 : LETTERS_MIN
  if (letters.length < least || digits.length > 2 || /[2-9]/.test(digits)) return word
  const letterOf = (digit: string): string => (digit === '0' ? 'o' : 'l')
  return word
    .replaceAll(INSIDE, (read) => [...read].map(letterOf).join(''))
    .replace(AT_END, letterOf)
    .replace(AT_START, 'O')
}
