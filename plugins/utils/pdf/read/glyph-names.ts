/**
 * Characters by the name of a glyph where pdf.js knows none: variants with a suffix ("one.oldstyle", "a.sc")
 * and ligatures by their parts ("f_i"), as the Adobe Glyph List Specification reads them.
 */
const NAMED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'zero one two three four five six seven eight nine'
      .split(' ')
      .map((name, digit) => [name, String(digit)]),
  ),
  ...Object.fromEntries(
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma1 sigma tau upsilon phi chi psi omega'
      .split(' ')
      .flatMap((name, at) => {
        const small = String.fromCodePoint(0x3b1 + at)
        const capital = `${name[0]!.toUpperCase()}${name.slice(1)}`
        return name === 'sigma1'
          ? [[name, small]]
          : [
              [name, small],
              [capital, small.toUpperCase()],
            ]
      }),
  ),
  space: ' ',
  period: '.',
  comma: ',',
  colon: ':',
  semicolon: ';',
  hyphen: '-',
  endash: '–',
  emdash: '—',
  parenleft: '(',
  parenright: ')',
  bracketleft: '[',
  bracketright: ']',
  slash: '/',
  percent: '%',
  plus: '+',
  equal: '=',
  asterisk: '*',
  numbersign: '#',
  ampersand: '&',
  exclam: '!',
  question: '?',
  dollar: '$',
  sterling: '£',
  yen: '¥',
  Euro: '€',
  cent: '¢',
  quoteleft: '‘',
  quoteright: '’',
  quotedblleft: '“',
  quotedblright: '”',
  quotesingle: "'",
  guillemotleft: '«',
  guillemotright: '»',
  germandbls: 'ß',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  OE: 'Œ',
  oslash: 'ø',
  Oslash: 'Ø',
  eth: 'ð',
  thorn: 'þ',
  lslash: 'ł',
  Lslash: 'Ł',
  dotlessi: 'ı',
  ff: 'ff',
  fi: 'fi',
  fl: 'fl',
  ffi: 'ffi',
  ffl: 'ffl',
}
const MARKS: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circumflex: '\u0302',
  tilde: '\u0303',
  macron: '\u0304',
  breve: '\u0306',
  dotaccent: '\u0307',
  dieresis: '\u0308',
  ring: '\u030a',
  hungarumlaut: '\u030b',
  caron: '\u030c',
  cedilla: '\u0327',
  ogonek: '\u0328',
}
const MARKED = new RegExp(`^([A-Za-z])(${Object.keys(MARKS).join('|')})$`)
const CODED = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$/

function characterOf(name: string): string | null {
  if (/^[A-Za-z]$/.test(name)) return name
  if (Object.hasOwn(NAMED, name)) return NAMED[name]!
  const marked = MARKED.exec(name)
  if (marked) return `${marked[1]!}${MARKS[marked[2]!]!}`.normalize('NFC')
  const coded = CODED.exec(name)
  const code = coded ? Number.parseInt((coded[1] ?? coded[2])!, 16) : 0
  return code > 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    ? String.fromCodePoint(code)
    : null
}

/** The text of a variant or a ligature; null for a name of another kind. */
export function textOfVariant(name: string): string | null {
  if (!/^[^._]+[._]/.test(name)) return null
  const parts = name.split('.')[0]!.split('_').map(characterOf)
  return parts.includes(null) ? null : parts.join('')
}
