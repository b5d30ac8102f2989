/** Letters with marks: which there are, and what a letter as read becomes under a mark. */

/** What may stand at a place of a line, in the order of the network's outputs. */
export const MARKS = [
  'none',
  'diaeresis',
  'acute',
  'grave',
  'circumflex',
  'tilde',
  'ring',
  'caron',
  'cedilla',
  'ogonek',
  'stroke',
  'dot',
  'double acute',
  'breve',
  'macron',
  'eszett',
  'euro',
  'pound',
  'oe',
  'ae',
] as const
export type Mark = (typeof MARKS)[number]

/** Currency signs and ligatures: letters of their own, which the recogniser's alphabet lacks. */
export const SIGNS: Readonly<Partial<Record<Mark, string>>> = { euro: '€', pound: '£' }
export const LIGATURES: Readonly<Partial<Record<Mark, string>>> = { oe: 'œ', ae: 'æ' }

const COMBINING: Readonly<Partial<Record<Mark, string>>> = {
  diaeresis: '\u0308',
  acute: '\u0301',
  grave: '\u0300',
  circumflex: '\u0302',
  tilde: '\u0303',
  ring: '\u030A',
  caron: '\u030C',
  cedilla: '\u0327',
  ogonek: '\u0328',
  dot: '\u0307',
  'double acute': '\u030B',
  breve: '\u0306',
  macron: '\u0304',
}
const STROKED: Readonly<Record<string, string>> = { l: 'ł', L: 'Ł', o: 'ø', O: 'Ø', d: 'đ', D: 'Đ' }

/** Letters of European languages in Latin script; others are taken for a misread mark. */
const KNOWN = new Set(
  'äëïöüÿáéíóúýćńśźàèìòùâêîôûŵŷãõñåůčďěňřšťžľçşąęįųżėİőűăğłøđāēīūģķļņț'
    .normalize('NFC')
    .split('')
    .flatMap((letter) => [letter, letter.toUpperCase()]),
)

/** What the recogniser reads for a letter under a mark that it does not know. */
const TAKEN_FOR: Readonly<Partial<Record<Mark, Readonly<Record<string, string>>>>> = {
  circumflex: { f: 'i', t: 'i', l: 'i', I: 'I', '6': 'o', '0': 'o' },
  stroke: { t: 'l', f: 'l', '1': 'l', i: 'l', E: 'L', '0': 'O' },
  'double acute': { '6': 'o', '0': 'o', '?': 'o' },
  diaeresis: { '6': 'o', '0': 'o', l: 'i' },
  acute: { l: 'i', '6': 'o', '0': 'o' },
  grave: { l: 'i', '6': 'o', '0': 'o' },
  tilde: { '6': 'o', '0': 'o' },
  dot: { '2': 'z' },
}

const withoutMark = (letter: string): string => letter.normalize('NFD')[0]!

/** The letter under a mark; null where there is none. */
export function composed(read: string, mark: Mark): string | null {
  if (mark === 'eszett') return /^[Bβ8ß]$/.test(read) ? 'ß' : null
  const bases = [withoutMark(read), TAKEN_FOR[mark]?.[read]].filter((base) => base !== undefined)
  for (const base of bases) {
    const letter =
      mark === 'stroke'
        ? STROKED[base]
        : COMBINING[mark] && `${base}${COMBINING[mark]}`.normalize('NFC')
    if (letter && KNOWN.has(letter)) return letter
  }
  return null
}

/** The mark of a letter as it is printed; null for a letter without a mark that is known here. */
export function markOf(letter: string): Mark | null {
  for (const [mark, text] of Object.entries({ ...SIGNS, ...LIGATURES, eszett: 'ß' }))
    if (letter === text || letter === text.toUpperCase()) return mark as Mark
  if (Object.values(STROKED).includes(letter)) return 'stroke'
  if (!KNOWN.has(letter)) return null
  const combining = letter.normalize('NFD')[1]
  return (Object.keys(COMBINING) as Mark[]).find((mark) => COMBINING[mark] === combining) ?? null
}
