/** Text folded for matching: capitals without accents or punctuation, OCR slips put right. */

/** Label words that OCR damages often. */
const VOCABULARY = [
  'TOTAL',
  'SUBTOTAL',
  'ROUNDING',
  'ROUNDED',
  'AMOUNT',
  'PAYABLE',
  'CHANGE',
  'INCLUSIVE',
  'INCLUDING',
  'EXCLUDING',
  'EXCLUSIVE',
  'BALANCE',
  'TENDERED',
  'DISCOUNT',
  'SUMMARY',
  'INVOICE',
  'RECEIPT',
  'NUMBER',
  'SERVICE',
  'PAYMENT',
  'QUANTITY',
  'CASHIER',
  'TOTALE',
  'TOTAAL',
  'SUBTOTAAL',
  'GESAMT',
  'BETRAG',
  'MONTANT',
  'JUMLAH',
  'ADJUSTMENT',
  'TAXABLE',
  'SIMPLIFIED',
] as const
/** Real words one letter away from one of those: CHARGE is never taken for CHANGE. */
const KNOWN = new Set<string>([
  ...VOCABULARY,
  'CHARGE',
  'CHARGES',
  'TOTALS',
  'MOUNT',
  'CHANCE',
  'BALANCED',
  'CHANGED',
  'POUNDING',
  'FOUNDING',
  'SOUNDING',
  'BOUNDING',
  'FOUNDED',
  'BOUNDED',
  'POUNDED',
  'INVOICED',
  'LUMBER',
  'SERVICED',
  'SERVICES',
  'ACCOUNT',
  'PAYMENTS',
  'RANGE',
  'CHANGER',
  'LOTAL',
  'JUMLA',
  'CASHIERS',
])
const BY_LENGTH = new Map<number, string[]>()
for (const word of VOCABULARY) {
  const list = BY_LENGTH.get(word.length) ?? []
  list.push(word)
  BY_LENGTH.set(word.length, list)
}

/** Whether one substitution, insertion or deletion turns `a` into `b`. */
function withinOneEdit(a: string, b: string): boolean {
  let i = 0
  const shorter = Math.min(a.length, b.length)
  while (i < shorter && a[i] === b[i]) i++
  if (a.length === b.length) return a.slice(i + 1) === b.slice(i + 1)
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.slice(i) === long.slice(i + 1)
}

const DIGIT_LETTERS: Readonly<Record<string, string>> = {
  '0': 'O',
  '1': 'I',
  '5': 'S',
  '8': 'B',
  '4': 'A',
  '6': 'G',
  '|': 'I',
  '!': 'I',
  $: 'S',
  '€': 'C',
}

const repaired = new Map<string, string>()

/** A label word as it was meant: "T0TAL", "TOTAI", "ROUNDlNG" become their dictionary form. */
function repairWord(word: string): string {
  if (word.length < 5 || word.length > 12 || KNOWN.has(word)) return word
  const known = repaired.get(word)
  if (known !== undefined) return known
  let result = word
  for (const length of [word.length, word.length - 1, word.length + 1])
    for (const candidate of BY_LENGTH.get(length) ?? [])
      if (result === word && withinOneEdit(word, candidate)) result = candidate
  if (repaired.size > 5000) repaired.clear()
  repaired.set(word, result)
  return result
}

/** Letters whose stroke or join is no accent to Unicode. */
const UNDECOMPOSED: Readonly<Record<string, string>> = { Ł: 'L', Ø: 'O', Đ: 'D', Æ: 'AE', Œ: 'OE' }

/** Capitals, accents removed, other marks kept. */
export function capitals(text: string): string {
  return text
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[ŁØĐÆŒ]/g, (c) => UNDECOMPOSED[c]!)
}

/** Capitals letter by letter, so that offsets stay those of the text. */
export function capitalsInPlace(text: string): string {
  return [...text]
    .map((c) => {
      const upper = capitals(c)
      return upper.length === c.length ? upper : c
    })
    .join('')
}

/** The letters A to Z of a text in capitals, and nothing else. */
export const basicLetters = (upper: string): string => upper.replaceAll(/[^A-Z]/g, '')

const GLUED =
  /(?<= )(SUBTOTAL|TOTAL|AMOUNT|AMT|GRAND|NETT?|GROSS|ROUNDED|ROUNDING|CASH|CHANGE|PAYABLE|BALANCE|BILL|INCL|EXCL|INCLUSIVE|EXCLUDING|GST|SST|VAT|TAX)(?=(?:SUBTOTAL|TOTAL|AMOUNT|AMT|SALES?|PAYABLE|DUE|INCL|INCLUSIVE|EXCL|EXCLUDING|OF|RM|MYR|KSHS?|KES|USD|EUR|GBP|SGD|GST|SST|VAT|TAX|TENDERED|ADJ|ADJUSTMENT|QTY|ROUNDED|PAID|ROUNDING|TOPAY)+ )/g

/** Label words whose space was lost: "TOTALRM", "NETTOTAL", "INCLOF", "AMOUNTDUE". */
function parted(text: string): string {
  let result = text
  for (let i = 0; i < 3; i++) {
    const next = result.replaceAll(GLUED, '$1 ')
    if (next === result) break
    result = next
  }
  return result
}

const DOTTED = new Set(['IVA', 'TVA', 'BTW', 'GST', 'VAT', 'SST', 'KDV', 'PTU'])
/** "I.V.A." as one word. */
const dottedTax = (whole: string, a: string, b: string, c: string): string =>
  DOTTED.has(a + b + c) ? ` ${a}${b}${c} ` : whole

const TAXES = 'GST|VAT|SST|TVA|IVA|MWST|UST|BTW|MOMS|MVA|TAX(?:ES)?'
const INCLUDED =
  'INCL(?:UDED|UIDOS?|UIDAS?|US|USE|USES|USO|USA)?|INKL|COMPRIS(?:E|ES|O|A)?|INBEGREPEN|INBEGRIFFEN|ENTHALTEN|INKLUSIVE'
/** "(VAT 10% included)" on capitals: the sum before it contains the tax, and is none. */
const TAX_INCLUDED = new RegExp(
  String.raw`\(([^()\n]{0,24}\b(?:${TAXES})\b[^()\n\p{L}]{0,12}) (?:${INCLUDED})\.?\)`,
  'gu',
)

/**
 * Folded label: capitals, digits inside words read as letters, punctuation as single spaces, known
 * label words repaired. Percent signs and digits of their own stay.
 */
export function foldLabel(text: string): string {
  const words = capitals(text)
    .replaceAll(TAX_INCLUDED, ' INCL $1 ')
    .replaceAll(
      /(?<=[A-Z])[0158446|!$€](?=[A-Z]|\b)|(?<=\b)[01458|!€](?=[A-Z]{2})/g,
      (c) => DIGIT_LETTERS[c] ?? c,
    )
    .replaceAll(/[^A-Z0-9%À-￿]+/g, ' ')
    .trim()
    .split(' ')
  const joined: string[] = []
  for (const word of words) joined.push(repairWord(word))
  return parted(` ${joined.join(' ')} `)
    .replaceAll(/ (I|T|B|G|V|S|K|P) (V|S|T|A|D) (A|T|W|V|U) (?=\S|$)/g, dottedTax)
    .replaceAll(/ (VAT|GST|TVA|IVA|MWST|UST|BTW|MOMS|MVA|ALV|DPH|AFA)(?=\d)/g, ' $1 ')
    .replaceAll(/ SUB TOTAL(?=S? )/g, ' SUBTOTAL')
    .replaceAll(/ (S U B )?T O T A L /g, ' TOTAL ')
    .replaceAll(/ TOT AL /g, ' TOTAL ')
    .replaceAll(/ TO TAL /g, ' TOTAL ')
    .trim()
}

/** Words of a folded label. */
export const wordCount = (folded: string): number => (folded === '' ? 0 : folded.split(' ').length)
