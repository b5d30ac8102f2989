/** A Swiss invoice with its payment part, as the manual of swissqrbill composes one. */
import { addressOf, dayIn, goodsOf, moneyOf, plain, taxesOf, type Sale } from './sales.ts'

const WORDS = {
  de: [
    'DE',
    'Rechnung Nr.',
    'Position',
    'Anzahl',
    'Bezeichnung',
    'Total',
    'Summe',
    'MwSt.',
    'Rechnungstotal',
  ],
  fr: [
    'FR',
    'Facture n°',
    'Position',
    'Quantité',
    'Désignation',
    'Total',
    'Somme',
    'TVA',
    'Total de la facture',
  ],
  it: [
    'IT',
    'Fattura n.',
    'Posizione',
    'Quantità',
    'Descrizione',
    'Totale',
    'Somma',
    'IVA',
    'Totale fattura',
  ],
  en: [
    'EN',
    'Invoice No.',
    'Position',
    'Quantity',
    'Description',
    'Total',
    'Sum',
    'VAT',
    'Invoice total',
  ],
} as const

const place = (line: string): { zip: string; city: string } => ({
  zip: line.slice(0, line.indexOf(' ')),
  city: line.slice(line.indexOf(' ') + 1),
})

export interface QrBillData {
  bill: {
    creditor: Record<string, string>
    debtor: Record<string, string>
    amount: number
    currency: string
  }
  language: string
  title: string
  day: string
  rows: string[][]
}

export function qrBillData(sale: Sale, language: keyof typeof WORDS): QrBillData {
  const [code, title, position, quantity, description, total, sum, tax, grand] = WORDS[language]
  const money = moneyOf('de-CH')
  const chf = (amount: number): string => `CHF ${money(amount)}`
  const { truth } = sale
  const [street, line] = addressOf(sale)
  const seat = place(line)
  const [vat] = taxesOf(sale)
  return {
    bill: {
      creditor: {
        name: truth.seller,
        address: street,
        // A QR bill takes Swiss places only.
        zip: '3001',
        city: seat.city,
        country: 'CH',
        account: 'CH9300762011623852957',
      },
      debtor: {
        name: truth.buyer,
        address: plain(sale, 'address1'),
        zip: '8004',
        city: plain(sale, 'city'),
        country: 'CH',
      },
      amount: truth.total,
      currency: 'CHF',
    },
    language: code,
    title: `${title} ${truth.id}`,
    day: `${seat.city}, ${dayIn(truth.date, `${language}-CH`)}`,
    rows: [
      [position, quantity, description, total],
      ...goodsOf(sale).map((good, at) => [
        String(at + 1),
        String(good.quantity),
        good.description,
        chf(good.amount),
      ]),
      ['', '', sum, chf(truth.net)],
      ['', `${vat!.rate}%`, tax, chf(truth.vat)],
      ['', '', grand, chf(truth.total)],
    ],
  }
}
