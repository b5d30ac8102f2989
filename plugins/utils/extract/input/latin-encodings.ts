/**
 * The encoding of a text in Latin letters: that in which its marked letters are all those of one language.
 * Western Europe's is the default, so the others must tell themselves apart.
 */

interface Alphabet {
  encoding: string
  /** The marked letters of its language, in small letters. */
  letters: string
}

const WESTERN: readonly string[] = [
  'äöüß',
  'àâæçéèêëîïôœùûüÿ',
  'áéíñóúü¿¡',
  'àáâãçéêíóôõúü',
  'àèéìíîòóùú',
  'åäöé',
  'æøåéòó',
  'áæðéíóöúýþ',
  'áéèëïíóöü',
  'äõöüšž',
  'àçèéíïòóúü·',
]
const OTHERS: readonly Alphabet[] = [
  ...['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'čćđšž', 'ăâîşţ'].flatMap(
    (letters) => ['windows-1250', 'iso-8859-2'].map((encoding) => ({ encoding, letters })),
  ),
  { encoding: 'windows-1254', letters: 'çğıöşüâîûi\u0307' },
  { encoding: 'windows-1257', letters: 'ąčęėįšųūž' },
  { encoding: 'windows-1257', letters: 'āčēģīķļņōŗšūž' },
]
/** Signs of all languages, which stand at the same place in all these encodings. */
const SHARED = /[\p{ASCII}\u00a0«»„“”‚‘’‹›–—…•†©®™°€£§]/gu
/** Marked letters on which a guess may rest. */
const LETTERS_LEAST = 6
/** Share of them that are of the language; names of other countries are the rest. */
const SHARE_LEAST = 0.95

/** The encoding of the bytes if they are of an alphabet that western Europe's encoding lacks. */
export function guessLatinEncoding(sample: Uint8Array): string | null {
  const western = markedIn(sample, 'windows-1252')
  let best = Math.max(...WESTERN.map((letters) => shareOf(western, letters)))
  let encoding: string | null = null
  // Several alphabets have one encoding, in which the text is read once.
  const read = new Map<string, string[]>()
  for (const other of OTHERS) {
    const marked = read.get(other.encoding) ?? markedIn(sample, other.encoding)
    read.set(other.encoding, marked)
    const share = shareOf(marked, other.letters)
    if (share < SHARE_LEAST || share <= best) continue
    best = share
    encoding = other.encoding
  }
  return encoding
}

/** The characters of the text that are not in all alphabets. */
function markedIn(sample: Uint8Array, encoding: string): string[] {
  const text = new TextDecoder(encoding as Bun.Encoding).decode(sample)
  return [...text.toLowerCase().replaceAll(SHARED, '')]
}

/** The share of an alphabet's letters among them; 0 for too few to tell. */
function shareOf(marked: readonly string[], letters: string): number {
  if (marked.length < LETTERS_LEAST) return 0
  const known = new Set(letters)
  return marked.filter((letter) => known.has(letter)).length / marked.length
}
