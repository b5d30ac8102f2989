/** Labels of the buyer that OCR lost letters of: "Daos del clene" over a name is "Datos del cliente". */
import { basicLetters, capitals } from '../lexicon/fold.ts'
import { BUYER_LABEL, FIELD_LABEL, SELLER_LABEL, TITLE } from '../lexicon/parties.ts'

/** Labels that stand alone over the buyer, in the languages of invoices. */
const LABELS = [
  'Billed to',
  'Invoice to',
  'Customer',
  'Rechnung an',
  'Rechnungsempfänger',
  'Rechnungsadresse',
  'Auftraggeber',
  'Adresse de facturation',
  'Destinataire',
  'Cliente',
  'Datos del cliente',
  'Dados do cliente',
  'Destinatario',
  'Factuur aan',
  'Factuuradres',
  'Nabywca',
  'Odběratel',
  'Asiakas',
  'Faktureras till',
  'Fakturaadress',
] as const

const KNOWN = LABELS.map((label) => ({ label, letters: basicLetters(capitals(label)) }))
/** A shorter word may be another one with a letter changed. */
const LETTERS_MIN = 6
/** "Fattura n." ends in no word, and is nearly "Factuur aan". */
const ENDS_IN_WORD = /[A-Z]{3}\W*$/
/** Letters that may be lost or changed, as a share of the label's. */
const DAMAGE_MAX = 0.3

const OTHER = [BUYER_LABEL, FIELD_LABEL, SELLER_LABEL, TITLE]
const wordsOf = (text: string): number => text.trim().split(/\s+/).length

/** Letters to add, leave out or change to make one text the other. */
function editsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++)
      row.push(
        Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)),
      )
    above = row
  }
  return above[b.length]!
}

/** The buyer's label that a cell of OCR was; null where it is whole, or nothing like one. */
export function wholeBuyerLabel(text: string): string | null {
  const upper = capitals(text)
  // Labels of other things, whole as they are, begin with the same words: "Factuurnr.".
  if (/\d/.test(text) || OTHER.some((other) => other.test(upper))) return null
  const letters = basicLetters(upper)
  if (letters.length < LETTERS_MIN || !ENDS_IN_WORD.test(upper)) return null
  for (const { label, letters: own } of KNOWN) {
    if (wordsOf(label) !== wordsOf(text)) continue
    if (Math.abs(own.length - letters.length) > DAMAGE_MAX * own.length) continue
    if (editsBetween(letters, own) <= DAMAGE_MAX * own.length) return label
  }
  return null
}
