/** Sales as the accounting programs GnuCash and Tryton take them. */
import type { Manner } from '../others/sale.ts'
import { addressOf, goodsOf, moneyOf, placeOf, plain, taxesOf, type Sale } from './sales.ts'

export interface GnucashJob {
  report: string
  reportName: string
  locale: string
  sale: unknown
}

/** The invoices that GnuCash prints, with its own identifiers of them. */
export const GNUCASH_REPORTS = [
  r('printable', '5123a759ceb9483abf2182d01c140e8d', 'Printable Invoice', []),
  r('easy', '67112f318bef4fc496bdc27d106bbda4', 'Easy Invoice', []),
  r('fancy', '3ce293441e894423a2425d7a22dd1ac6', 'Fancy Invoice', []),
  r('tax', '0769e242be474010b4acf264a5512e6e', 'Tax Invoice', []),
]
function r(layout: string, report: string, reportName: string, absent: readonly string[]) {
  return { layout, report, reportName, absent }
}

const LOCALES: Readonly<Record<string, string>> = {
  de: 'de_DE',
  fr: 'fr_FR',
  nl: 'nl_NL',
  es: 'es_ES',
  it: 'it_IT',
  pl: 'pl_PL',
  pt: 'pt_PT',
  sv: 'sv_SE',
  da: 'da_DK',
  nb: 'nb_NO',
  cs: 'cs_CZ',
  en: 'en_GB',
}

export function gnucashJob(
  sale: Sale,
  language: string,
  manner: Manner,
  { report, reportName }: (typeof GNUCASH_REPORTS)[number],
): GnucashJob {
  const [street, place] = addressOf(sale)
  return {
    report,
    reportName,
    locale: `${LOCALES[language]!}.UTF-8`,
    sale: {
      currency: manner.currency,
      company: {
        Name: sale.truth.seller,
        Address: `${street}\n${place}`,
        'Phone Number': plain(sale, 'tel'),
        'Email Address': 'info@example.com',
        ID: manner.vatId,
      },
      buyer: sale.truth.buyer,
      street: plain(sale, 'address1'),
      place: placeOf(sale),
      id: sale.truth.id,
      date: sale.truth.date,
      due: sale.truth.due,
      tax: manner.tax,
      unit: manner.unit,
      goods: goodsOf(sale),
    },
  }
}

export interface TrytonJob {
  name: string
  language: string
  words: Record<string, string>
  sale: unknown
}

export function trytonJob(
  sale: Sale,
  language: string,
  manner: Manner,
  words: ReadonlyMap<string, string>,
  name: string,
): TrytonJob {
  const money = moneyOf(manner.numbers)
  const symbol = manner.currency === 'EUR' ? '€' : manner.currency
  const printed = (amount: number): string =>
    language === 'en' ? `£${money(amount)}` : `${money(amount)} ${symbol}`
  const goods = goodsOf(sale)
  const taxes = taxesOf(sale)
  const { truth } = sale
  const amounts = [
    ...goods.flatMap((good) => [good.price, good.amount]),
    ...taxes.flatMap(({ base, tax }) => [base, tax]),
    truth.net,
    truth.vat,
    truth.total,
  ]
  return {
    name,
    language,
    words: Object.fromEntries(words),
    sale: {
      seller: truth.seller,
      header: [truth.seller, ...addressOf(sale)],
      to: [truth.buyer, plain(sale, 'address1'), placeOf(sale)],
      taxIdName: 'VAT',
      taxId: manner.vatId,
      unit: manner.unit,
      reference: plain(sale, 'ordnumber'),
      id: truth.id,
      date: plain(sale, 'invdate'),
      due: plain(sale, 'duedate'),
      net: truth.net,
      vat: truth.vat,
      total: truth.total,
      money: Object.fromEntries(amounts.map((amount) => [amount.toFixed(2), printed(amount)])),
      goods: goods.map((good) => ({
        ...good,
        tax: taxes.findIndex(({ rate }) => rate === good.rate),
      })),
      taxes: taxes.map(({ rate, base, tax }) => ({
        description: `${manner.tax} ${rate}%`,
        base,
        amount: tax,
      })),
    },
  }
}
