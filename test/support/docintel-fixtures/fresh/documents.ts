/**
 * The third set of invoices in layouts that others wrote, none of which the first two have. It was
 * frozen before the rules met it. The layouts are those of npm packages and of templates of SQL-Ledger
 * and LedgerSMB that the set `others` leaves out. Nothing of theirs is kept here; `folder` has them.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fillLedgerSmb, fillSqlLedger, translations, type Values } from '../others/fill.ts'
import { makeSale, MANNERS, type Faker, type Manner, type SaleTruth } from '../others/sale.ts'
import { danfeXml } from './danfe.ts'
import { facturXData } from './factur-x.ts'
import { gstBill, GST_LAYOUTS } from './gst-bill.ts'

export interface FreshDocument {
  name: string
  /** Language of the labels. */
  language: string
  truth: SaleTruth
  /** Fields of the truth that this layout does not print. */
  absent: readonly string[]
  /** How it is drawn: HTML printed by Chromium, rows of text, or data for a package that draws. */
  drawn: { by: 'html'; html: string } | { by: 'text'; text: string } | { by: Drawer; data: unknown }
}

export type Drawer =
  | 'gst'
  | 'leancode'
  | 'invoice-it'
  | 'pdf-invoice-simple'
  | 'jspdf'
  | 'factur-x'
  | 'danfe'

export type Sale = ReturnType<typeof makeSale>

const ESTONIAN: Manner = {
  ...MANNERS['fi']!,
  numbers: 'et-EE',
  tax: 'Käibemaks',
  rates: [22, 9],
  unit: 'tk',
  vatId: 'EE100931558',
}

const AR_TRANSACTION = [
  ['Default', 'windows-1252', 'en'],
  ['Brazilian_Portugese', 'windows-1252', 'br'],
  ['Slovak', 'utf-8', 'sk'],
  ['Swedish', 'windows-1252', 'sv'],
  ['Danish', 'windows-1252', 'da'],
  ['Russian', 'koi8-r', 'ru'],
] as const

const TILL_ROLLS = [
  ['Default', 'windows-1252', 'en'],
  ['Danish', 'windows-1252', 'da'],
  ['Brazilian_Portugese', 'windows-1252', 'br'],
  ['Hungarian', 'iso-8859-2', 'hu'],
  ['Dutch', 'windows-1252', 'nl'],
  ['Swedish', 'windows-1252', 'sv'],
  ['Slovak', 'utf-8', 'sk'],
] as const

const LEDGER_SMB = ['de', 'fr', 'nl', 'da', 'en', 'cs', 'it', 'es', 'sv', 'nb', 'pt', 'pl', 'fi']

/** Every document in a fixed order, and the SHA-256 of all of them with their truth. */
export async function freshDocuments(
  folder: string,
): Promise<{ documents: FreshDocument[]; sha256: string }> {
  const require = createRequire(join(folder, 'package.json'))
  const { allFakers } = require('@faker-js/faker') as { allFakers: Record<string, Faker> }
  const saleOf = (manner: Manner, seed: number): Sale =>
    makeSale(allFakers[manner.faker]!, manner, seed)
  const sale = (manner: string, seed: number): Sale => saleOf(MANNERS[manner]!, seed)
  const read = (path: string, encoding = 'utf-8'): string =>
    new TextDecoder(encoding).decode(readFileSync(join(folder, path)))
  const templates = 'x_sql-ledger/usr/share/sql-ledger/doc/templates'
  const smb = 'x_ledgersmb/usr/share/ledgersmb'
  const documents: FreshDocument[] = []
  const html = (name: string, language: string, made: Sale, page: string): void => {
    const absent = absentIn(page, made.values)
    documents.push({ name, language, truth: made.truth, absent, drawn: { by: 'html', html: page } })
  }

  for (const [at, [language, encoding, manner]] of AR_TRANSACTION.entries())
    for (const k of [1, 2]) {
      const made = asAccounts(sale(manner, 2100 + at * 10 + k))
      const template = read(`${templates}/${language}/ar_transaction.html`, encoding)
      html(`account-invoice ${manner} ${k}`, manner, made, fillSqlLedger(template, made.values))
    }
  for (const k of [1, 2]) {
    const made = saleOf(ESTONIAN, 2300 + k)
    const template = read(`${templates}/Estonian/invoice.html`)
    html(`estonian-invoice et ${k}`, 'et', made, fillSqlLedger(template, made.values))
    const credit = sale('en', 2320 + k)
    const creditTemplate = read(`${templates}/Default/credit_invoice.html`, 'windows-1252')
    html(`credit-invoice en ${k}`, 'en', credit, fillSqlLedger(creditTemplate, credit.values))
  }
  for (const [at, language] of LEDGER_SMB.entries())
    for (const k of [1, 2]) {
      const made = asAccounts(sale(language, 2400 + at * 10 + k))
      const page = fillLedgerSmb(
        read(`${smb}/templates/demo/ar_transaction.html`),
        made.values,
        translations(read(`${smb}/locale/po/${language}.po`)),
        { letterhead: read(`${smb}/templates/demo/letterhead.html`) },
      )
      html(`ledgersmb-accounts ${language} ${k}`, language, made, page)
    }
  for (const [at, [language, encoding, manner]] of TILL_ROLLS.entries())
    for (const k of [1, 2]) {
      const made = sale(manner, 2700 + at * 10 + k)
      const template = read(`${templates}/${language}/pos_invoice.txt`, encoding)
      documents.push({
        name: `till-roll ${manner} ${k}`,
        language: manner,
        truth: made.truth,
        absent: template.includes('<%invdate') ? ['due', 'buyer'] : ['due', 'buyer', 'date'],
        drawn: { by: 'text', text: tillRoll(template, paidAtTill(made)) },
      })
    }

  const draw = (
    by: Drawer,
    name: string,
    language: string,
    truth: SaleTruth,
    absent: readonly string[],
    data: unknown,
  ): void => void documents.push({ name, language, truth, absent, drawn: { by, data } })

  for (const [at, layout] of GST_LAYOUTS.entries())
    for (const k of [1, 2, 3]) {
      const { truth, bill } = gstBill(sale('en', 3000 + at * 10 + k), layout)
      const absent = layout === 'temp6' ? [] : ['vat']
      draw('gst', `gst ${layout} ${k}`, 'en', truth, absent, { layout, bill })
    }
  for (const k of [1, 2, 3, 4]) {
    const polish = sale('pl', 3300 + k)
    draw('leancode', `leancode pl ${k}`, 'pl', polish.truth, [], leancodeData(polish))
    for (const language of ['fr', 'en'] as const) {
      const made = sale(language, 3320 + k)
      const { truth } = made
      const id = `${language === 'fr' ? 'FA' : 'IN'}2408-${String(140 + k).padStart(5, '0')}`
      draw('invoice-it', `invoice-it ${language} ${k}`, language, { ...truth, id }, ['due'], {
        language,
        id,
        ...invoiceItData(made),
      })
    }
    const german = sale('de', 3340 + k)
    draw('pdf-invoice-simple', `pdf-invoice-simple de ${k}`, 'de', german.truth, [], simple(german))
    const english = sale('en', 3360 + k)
    draw('jspdf', `jspdf en ${k}`, 'en', english.truth, ['due'], jspdfData(english))
    for (const [at, language] of ['de', 'en', 'fr'].entries()) {
      const made = sale(language, 3400 + at * 20 + k)
      const locale = { de: 'de-DE', en: 'en-US', fr: 'fr-FR' }[language]!
      const data = { locale, invoice: facturXData(made, MANNERS[language]!) }
      draw('factur-x', `factur-x-kit ${language} ${k}`, language, made.truth, [], data)
    }
    const brazilian = sale('br', 3500 + k)
    const { xml, truth } = danfeXml(brazilian)
    draw('danfe', `danfe br ${k}`, 'br', truth, ['due'], xml)
  }
  const sha256 = createHash('sha256').update(JSON.stringify(documents)).digest('hex')
  return { documents, sha256 }
}

/** Amounts that are not broken at their spaces in the narrow table of an account invoice. */
const unbroken = (amounts: readonly string[]): string[] =>
  amounts.map((amount) => amount.replaceAll(' ', '\u00A0'))

/** Goods as the accounts that they are booked on, which is what an account invoice lists. */
function asAccounts({ truth, values }: Sale): Sale {
  return {
    truth,
    values: {
      ...values,
      account: truth.goods.map((good) => good.description),
      accno: truth.goods.map((_, at) => String(4000 + at * 10)),
      amount: unbroken(values['linetotal'] as string[]),
      subtotal: unbroken([values['subtotal'] as string])[0]!,
      tax: unbroken(values['tax'] as string[]),
      invtotal: unbroken([values['invtotal'] as string])[0]!,
      projectnumber: truth.goods.map(() => ''),
    },
  }
}

const PRINTED_AS = { date: 'invdate', due: 'duedate', id: 'invnumber', net: 'subtotal' } as const

const absentIn = (page: string, values: Values): string[] =>
  Object.entries(PRINTED_AS).flatMap(([field, name]) =>
    page.includes(values[name] as string) ? [] : [field],
  )

/** What a till prints besides: the goods were paid by card at once. */
function paidAtTill({ values }: Sale): Values {
  return {
    ...values,
    address: (values['address'] as string).replace('<br>', ', '),
    till: '2',
    rowcount: String((values['description'] as string[]).length),
    dateprinted: values['invdate']!,
    payment: [values['invtotal'] as string],
    paymentaccount: ['Card'],
    total: '',
  }
}

/** The text of a till roll; `align` and `width` of a field are kept as the till would. */
function tillRoll(template: string, values: Values): string {
  const aligned = template.replaceAll(
    /<%(\w+) align=(\w+) width=(\d+)[^%]*%>/g,
    (_, name: string, align: string, width: string) => `<%${name}%>‹${align},${width}›`,
  )
  return fillSqlLedger(aligned, values)
    .split('\n')
    .map((row) =>
      row.replaceAll(
        /(\S?[^‹]*?)‹(\w+),(\d+)›/g,
        (_, text: string, align: string, width: string) => {
          const lead = /^\s*/.exec(text)![0]
          const value = text.trim()
          return (
            lead + (align === 'right' ? value.padStart(Number(width)) : value.padEnd(Number(width)))
          )
        },
      ),
    )
    .join('\n')
}

const listOf = ({ values }: Sale, name: string): string[] => values[name] as string[]
const plain = ({ values }: Sale, name: string): string => values[name] as string
const addressOf = (sale: Sale): string[] => plain(sale, 'address').split('<br>')

const round = (value: number): number => Math.round(value * 100) / 100
const priceOf = (sale: Sale, at: number): number =>
  round(sale.truth.goods[at]!.amount / Number(listOf(sale, 'qty')[at]))

/** Taxes per rate as the sale sums them up. */
function taxesOf(sale: Sale): { rate: number; base: number; tax: number }[] {
  const rates = listOf(sale, 'linetaxrate').map(Number)
  return [...new Set(rates)].map((rate) => {
    const base = round(
      sale.truth.goods.reduce((sum, good, at) => sum + (rates[at] === rate ? good.amount : 0), 0),
    )
    return { rate, base, tax: round((base * rate) / 100) }
  })
}

function leancodeData(sale: Sale): unknown {
  const { truth } = sale
  const rates = listOf(sale, 'linetaxrate').map(Number)
  const taxes = taxesOf(sale)
  return {
    header: {
      dateFormat: 'yyyy-MM-dd',
      documentDate: truth.date,
      sellDate: truth.date,
      dueDate: truth.due,
      title: `Faktura nr ${truth.id}`,
    },
    seller: {
      name: truth.seller,
      addressLine1: addressOf(sale)[0],
      addressLine2: addressOf(sale)[1],
      taxId: '8567346215',
    },
    buyer: {
      name: truth.buyer,
      addressLine1: plain(sale, 'address1'),
      addressLine2: `${plain(sale, 'zipcode')} ${plain(sale, 'city')}`,
      taxId: '1234656388',
    },
    itemsTable: truth.goods.map((good, at) => {
      const vat = round((good.amount * rates[at]!) / 100)
      return {
        name: good.description,
        count: Number(listOf(sale, 'qty')[at]),
        unit: 'szt',
        netPrice: priceOf(sale, at),
        netValue: good.amount,
        vatRate: `${rates[at]}%`,
        vatValue: vat,
        grossValue: round(good.amount + vat),
      }
    }),
    taxesTable: [
      ...taxes.map(({ rate, base, tax }) => ({
        vatRate: `${rate}%`,
        netto: base,
        vat: tax,
        brutto: round(base + tax),
      })),
      { vatRate: 'Razem', netto: truth.net, vat: truth.vat, brutto: truth.total },
    ],
    total: { totalValue: truth.total, currency: 'PLN', inWords: 'jak wyżej' },
  }
}

/** Gross amounts of that package are sums of rounded lines, so its goods have no cents of tax. */
function invoiceItData(sale: Sale): Record<string, unknown> {
  const { truth } = sale
  const [street, place] = addressOf(sale) as [string, string]
  return {
    date: truth.date,
    emitter: {
      name: truth.seller,
      street_number: '',
      street_name: street,
      zip_code: place.slice(0, place.indexOf(' ')),
      city: place.slice(place.indexOf(' ') + 1),
      phone: plain(sale, 'tel'),
      mail: 'contact@example.com',
    },
    recipient: {
      company_name: truth.buyer,
      street_number: '',
      street_name: plain(sale, 'address1'),
      zip_code: plain(sale, 'zipcode'),
      city: plain(sale, 'city'),
      phone: '',
      mail: '',
    },
    sums: { net: truth.net, vat: truth.vat, total: truth.total },
    article: truth.goods.map((good, at) => ({
      description: good.description,
      tax: Number(listOf(sale, 'linetaxrate')[at]),
      price: priceOf(sale, at),
      qt: Number(listOf(sale, 'qty')[at]),
      amount: good.amount,
    })),
  }
}

function simple(sale: Sale): unknown {
  const { truth } = sale
  const [street, place] = addressOf(sale) as [string, string]
  return {
    organizationAddress: {
      name: truth.seller,
      street,
      postCode: place.slice(0, place.indexOf(' ')),
      city: place.slice(place.indexOf(' ') + 1),
    },
    billingAddress: {
      name: truth.buyer,
      street: plain(sale, 'address1'),
      postCode: plain(sale, 'zipcode'),
      city: plain(sale, 'city'),
    },
    date: truth.date,
    dueDate: truth.due,
    invoiceNumber: truth.id,
    customerName: `K-${truth.id.slice(-3)}`,
    items: truth.goods.map((good, at) => ({
      name: good.description,
      quantity: Number(listOf(sale, 'qty')[at]),
      rate: priceOf(sale, at),
      total: good.amount,
    })),
    subTotal: truth.net,
    taxGroups: taxesOf(sale).map(({ rate, tax }) => ({
      name: `Mehrwertsteuer ${rate}%`,
      amount: tax,
    })),
    total: truth.total,
    currency: 'EUR',
    note: 'Bitte überweisen Sie den Betrag innert der Frist.',
  }
}

/** In the labels of jspdf-invoice-template's own example. */
function jspdfData(sale: Sale): unknown {
  const { truth } = sale
  const money = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 })
  return {
    business: {
      name: truth.seller,
      address: addressOf(sale).join(', '),
      phone: plain(sale, 'tel'),
      email: 'email@example.com',
      website: 'www.example.com',
    },
    contact: {
      label: 'Invoice issued for:',
      name: truth.buyer,
      address: `${plain(sale, 'address1')}, ${plain(sale, 'city')} ${plain(sale, 'zipcode')}`,
      phone: '(+44) 069 22 22 222',
      email: 'client@example.com',
    },
    invoice: {
      label: 'Invoice #: ',
      num: truth.id,
      invDate: `Payment Date: ${plain(sale, 'duedate')} 18:12`,
      invGenDate: `Invoice Date: ${plain(sale, 'invdate')} 10:17`,
      headerBorder: false,
      tableBodyBorder: false,
      header: [
        { title: '#', style: { width: 10 } },
        { title: 'Title', style: { width: 60 } },
        { title: 'Price' },
        { title: 'Quantity' },
        { title: 'Unit' },
        { title: 'Total' },
      ],
      table: truth.goods.map((good, at) => [
        at + 1,
        good.description,
        money.format(priceOf(sale, at)),
        Number(listOf(sale, 'qty')[at]),
        'pcs',
        money.format(good.amount),
      ]),
      additionalRows: [
        { col1: 'Total:', col2: money.format(truth.total), col3: 'ALL', style: { fontSize: 14 } },
        { col1: 'VAT:', col2: money.format(truth.vat), col3: '', style: { fontSize: 10 } },
        { col1: 'SubTotal:', col2: money.format(truth.net), col3: 'ALL', style: { fontSize: 10 } },
      ],
      invDescLabel: 'Invoice Note',
      invDesc: 'There are many variations of passages available.',
    },
    footer: {
      text: 'The invoice is created on a computer and is valid without the signature and stamp.',
    },
    pageEnable: true,
    pageLabel: 'Page ',
  }
}
