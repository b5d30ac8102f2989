/**
 * Orders of the ninth set: those of the sixth with names as people have them, and with what else is true of
 * a paper: its currency and its kind.
 */
import { AMERICAN, plain, SWISS } from '../fourth/sales.ts'
import { MANNERS, type Manner, type PaperKind, type SaleTruth } from '../others/sale.ts'
import type { orderMaker, Order } from '../sixth/orders.ts'
import { WORDS, type Words } from './words.ts'

export type NinthTruth = SaleTruth & Required<Pick<SaleTruth, 'currency' | 'kind'>>

/** Names on a shop's sign, of one who works alone, with an ampersand, with digits. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  en: ['The Corner Bakery', 'Studio 54 Prints', 'Baker & Hughes Joinery', 'Wren and Daughters'],
  de: ['Blumen am Markt', '3 Raben Antiquariat', 'Kern & Söhne', 'Teehaus Ostwind'],
  fr: ['Le Petit Atelier', 'Librairie des 4 Vents', 'Dupuis & Fils', 'Au Fil du Bois'],
  es: ['La Casa del Pan', 'Taller 23', 'Ruiz & Hijos', 'Floristería El Jardín'],
  it: ['Bottega del Legno', 'Officina 47', 'Ferri & Figli', 'Caffè della Piazza'],
  nl: ['De Groene Winkel', 'Atelier 12', 'Bakker & Zonen', 'Het Fietshuis'],
  pt: ['Casa das Tintas', 'Oficina 7', 'Sousa & Filhos', 'Padaria do Largo'],
  pl: ['Kwiaciarnia Pod Lipą', 'Pracownia 21', 'Nowak & Synowie', 'Piekarnia u Basi'],
  sv: ['Lilla Bageriet', 'Verkstad 8', 'Lund & Söner', 'Blomsterboden'],
  da: ['Det Gamle Bageri', 'Værksted 3', 'Holm & Søn', 'Bogcaféen'],
  cs: ['Květiny u Mostu', 'Dílna 15', 'Novák & syn', 'Čajovna Pod Hradem'],
  fi: ['Kulman Leipomo', 'Paja 9', 'Virtanen & Pojat', 'Puutarhan Kukka'],
  hu: ['Kis Pékség', 'Műhely 11', 'Kovács & Fia', 'Sarki Könyvesbolt'],
  nb: ['Bakeriet på Hjørnet', 'Verksted 5', 'Berg & Sønn', 'Blomsterbua'],
  mx: ['Papelería La Esquina', 'Taller 300', 'Hernández & Hermanos', 'Abarrotes Doña Lupe'],
}

/** Who sells and who buys: companies of @faker-js/faker, names of the list, or people, in turn. */
function named(made: Order, language: string, at: number): Order {
  const names = NAMES[language]!
  const { truth } = made
  const person = plain(made.sale, 'employee')
  const seller = [truth.seller, names[at % names.length]!, truth.seller, person][at % 4]!
  const buyer = [truth.buyer, seller === person ? truth.buyer : person, names[(at + 1) % 4]!][
    at % 3
  ]!
  return { ...made, truth: { ...truth, seller, buyer } }
}

export interface Paper extends Order {
  truth: NinthTruth
  language: string
  manner: Manner
  words: Words
  at: number
  /** An amount as the country prints it, with its currency. */
  money(value: number): string
}

/** Manners beside those of the earlier sets: another currency than the country's, and Mexico's. */
const OTHERS: Readonly<Record<string, readonly [language: string, manner: Manner]>> = {
  us: ['en', AMERICAN],
  ch: ['de', SWISS['de']!],
  romandie: ['fr', SWISS['fr']!],
  'de in dollars': ['de', { ...MANNERS['de']!, currency: 'USD' }],
  'nl in pounds': ['nl', { ...MANNERS['nl']!, currency: 'GBP' }],
  'sv in euros': ['sv', { ...MANNERS['sv']!, currency: 'EUR' }],
  mx: [
    'mx',
    {
      ...MANNERS['es']!,
      faker: 'es_MX',
      numbers: 'es-MX',
      rates: [16, 8],
      currency: 'MXN',
      vatId: 'EKU9003173C9',
    },
  ],
}

export type PaperMaker = (
  manner: string,
  at: number,
  wish?: Parameters<ReturnType<typeof orderMaker>>[3] & { kind?: PaperKind },
) => Paper

/** An order has no number of an invoice, and a credit note one of its own. */
function wordsFor(words: Words, kind: PaperKind): Words {
  if (kind === 'credit_note') return { ...words, number: `${words.creditNote} #` }
  if (kind !== 'not_a_bill') return words
  return {
    ...words,
    number: words.orderNumber,
    date: words.orderDate,
    invoiceDetails: words.yourOrder,
  }
}

/** Draws the papers of a maker, whose seeds begin at one of its own. */
export const paperMaker =
  (order: ReturnType<typeof orderMaker>, seed: number): PaperMaker =>
  (name, at, { kind = 'invoice', ...wish } = {}) => {
    const [language, manner] = OTHERS[name] ?? [name, MANNERS[name]!]
    const made = named(order(manner, seed + at, at, wish), language, at)
    const format = new Intl.NumberFormat(manner.numbers, {
      style: 'currency',
      currency: manner.currency,
      useGrouping: 'always',
    } as Intl.NumberFormatOptions)
    return {
      ...made,
      truth: { ...made.truth, currency: manner.currency, kind },
      language,
      manner,
      words: wordsFor(WORDS[language === 'mx' ? 'es' : language]!, kind),
      at,
      // A sum does not break at its spaces, and fonts have no narrow ones.
      money: (value) => format.format(value).replaceAll('\u202F', '\u00A0'),
    }
  }

/** A day in digits as the country writes them. */
export function digitsOf({ manner }: Paper, iso: string): string {
  const [year, month, day] = iso.split('-') as [string, string, string]
  return manner.day.replace('D', day).replace('M', month).replace('Y', year)
}

/** The heading of a kind of paper; of what asks for no money there are three. */
export function headingOf({ words, truth, at }: Paper): string {
  const { kind } = truth
  if (kind === 'credit_note') return words.creditNote
  if (kind !== 'not_a_bill') return words.invoice
  return [words.orderConfirmation, words.quote, words.deliveryNote][at % 3]!
}
