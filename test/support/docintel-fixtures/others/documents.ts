/**
 * Invoices in layouts that others wrote: templates of the Debian packages sql-ledger and ledgersmb and
 * the npm packages microinvoice and @h1dd3nsn1p3r/pdf-invoice, filled with names and goods of
 * @faker-js/faker. Nothing of theirs is kept here; `folder` holds the unpacked packages.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fillLedgerSmb, fillSqlLedger, translations, type Values } from './fill.ts'
import { makeSale, MANNERS, type Faker, type SaleTruth } from './sale.ts'

export interface OthersDocument {
  name: string
  /** Documents of this half were looked at when rules were mended; the others never. */
  half: 'looked at' | 'unseen'
  truth: SaleTruth
  /** Fields of the truth that this layout does not print. */
  absent: readonly string[]
  html?: string
  /** What a package of npm draws. */
  payload?: { maker: 'microinvoice' | 'pdf-invoice'; data: unknown }
}

/** SQL-Ledger's folder, its encoding, the manner of its country. */
const SQL_LEDGER = [
  ['German', 'windows-1252', 'de', 'looked at'],
  ['French', 'windows-1252', 'fr', 'looked at'],
  ['Dutch', 'windows-1252', 'nl', 'looked at'],
  ['Danish', 'windows-1252', 'da', 'looked at'],
  ['Default', 'windows-1252', 'en', 'looked at'],
  ['Hungarian', 'iso-8859-2', 'hu', 'looked at'],
  ['Spanish', 'windows-1252', 'es', 'looked at'],
  ['Italian', 'windows-1252', 'it', 'unseen'],
  ['Swedish', 'windows-1252', 'sv', 'unseen'],
  ['Norwegian', 'windows-1252', 'nb', 'unseen'],
  ['Brazilian_Portugese', 'windows-1252', 'br', 'unseen'],
  ['Slovak', 'utf-8', 'sk', 'unseen'],
  ['Russian', 'koi8-r', 'ru', 'unseen'],
  ['Service_Industry', 'windows-1252', 'en', 'unseen'],
] as const

/** LedgerSMB's translations. */
const LEDGER_SMB = [
  ['de', 'de', 'looked at'],
  ['fr', 'fr', 'looked at'],
  ['nl', 'nl', 'looked at'],
  ['da', 'da', 'looked at'],
  ['en', 'en', 'looked at'],
  ['cs', 'cs', 'looked at'],
  ['it', 'it', 'unseen'],
  ['es', 'es', 'unseen'],
  ['sv', 'sv', 'unseen'],
  ['nb', 'nb', 'unseen'],
  ['pt', 'pt', 'unseen'],
  ['pl', 'pl', 'unseen'],
  ['fi', 'fi', 'unseen'],
] as const

const SEEDS = [1, 2, 3]

/** Every document in a fixed order, and the SHA-256 of all of them with their truth. */
export async function othersDocuments(
  folder: string,
): Promise<{ documents: OthersDocument[]; sha256: string }> {
  const require = createRequire(join(folder, 'package.json'))
  const { allFakers } = require('@faker-js/faker') as { allFakers: Record<string, Faker> }
  const documents: OthersDocument[] = []
  const sale = (manner: string, seed: number) =>
    makeSale(allFakers[MANNERS[manner]!.faker]!, MANNERS[manner]!, seed)
  const smb = join(folder, 'x_ledgersmb/usr/share/ledgersmb')
  const read = (path: string, encoding = 'utf-8'): string =>
    new TextDecoder(encoding).decode(readFileSync(path))
  for (const [at, [language, encoding, manner, half]] of SQL_LEDGER.entries())
    for (const k of SEEDS) {
      const path = `x_sql-ledger/usr/share/sql-ledger/doc/templates/${language}/invoice.html`
      const { values, truth } = sale(manner, 100 + at * 10 + k)
      const html = fillSqlLedger(read(join(folder, path), encoding), values)
      documents.push({
        name: `sql-ledger ${language} ${k}`,
        half,
        truth,
        absent: absentIn(html, values),
        html,
      })
    }
  for (const [at, [language, manner, half]] of LEDGER_SMB.entries())
    for (const k of SEEDS) {
      const words = translations(read(join(smb, `locale/po/${language}.po`)))
      const { values, truth } = sale(manner, 400 + at * 10 + k)
      const parts = { letterhead: read(join(smb, 'templates/demo/letterhead.html')) }
      const template = read(join(smb, 'templates/demo/invoice.html'))
      const html = fillLedgerSmb(template, values, words, parts)
      documents.push({
        name: `ledgersmb ${language} ${k}`,
        half,
        truth,
        absent: absentIn(html, values),
        html,
      })
    }
  for (const k of [1, 2, 3, 4]) {
    const half = k % 2 === 0 ? 'unseen' : 'looked at'
    const micro = sale('en', 700 + k)
    documents.push({
      name: `microinvoice ${k}`,
      half,
      truth: micro.truth,
      absent: ['due'],
      payload: { maker: 'microinvoice', data: microData(micro) },
    })
    const drawn = sale('en', 800 + k)
    const truth = { ...drawn.truth, net: drawn.truth.net, vat: 0, total: drawn.truth.net }
    documents.push({
      name: `pdf-invoice ${k}`,
      half,
      truth,
      absent: ['vat'],
      payload: { maker: 'pdf-invoice', data: pdfInvoiceData(drawn) },
    })
  }
  const sha256 = createHash('sha256').update(JSON.stringify(documents)).digest('hex')
  return { documents, sha256 }
}

const PRINTED_AS = { date: 'invdate', due: 'duedate', id: 'invnumber', net: 'subtotal' } as const

function absentIn(html: string, values: Values): string[] {
  return Object.entries(PRINTED_AS).flatMap(([field, name]) =>
    html.includes(values[name] as string) ? [] : [field],
  )
}

type Sale = ReturnType<typeof makeSale>
const listOf = ({ values }: Sale, name: string): string[] => values[name] as string[]
const plain = ({ values }: Sale, name: string): string => values[name] as string

/** In the labels of microinvoice's own example. */
function microData(sale: Sale): unknown {
  const { truth } = sale
  return {
    style: {},
    data: {
      invoice: {
        name: 'Invoice',
        header: [
          { label: 'Invoice Number', value: truth.id },
          { label: 'Status', value: 'Unpaid' },
          { label: 'Date', value: plain(sale, 'invdate') },
        ],
        currency: 'GBP',
        customer: [
          {
            label: 'Bill To',
            value: [truth.buyer, plain(sale, 'address1'), plain(sale, 'city'), 'UK'],
          },
        ],
        seller: [
          {
            label: 'Bill From',
            value: [truth.seller, ...plain(sale, 'address').split('<br>'), plain(sale, 'tel')],
          },
          { label: 'Tax Identifier', value: 'GB980780684' },
        ],
        legal: [{ value: 'Thank you for your business.', weight: 'bold', color: 'primary' }],
        details: {
          header: [{ value: 'Description' }, { value: 'Quantity' }, { value: 'Subtotal' }],
          parts: truth.goods.map((good, at) => [
            { value: good.description },
            { value: Number(listOf(sale, 'qty')[at]) },
            { value: good.amount, price: true },
          ]),
          total: [
            { label: 'Total without VAT', value: truth.net, price: true },
            { label: 'VAT Paid', value: truth.vat, price: true },
            { label: 'Total paid with VAT', value: truth.total, price: true },
          ],
        },
      },
    },
  }
}

function pdfInvoiceData(sale: Sale): unknown {
  const { truth } = sale
  return {
    company: {
      name: truth.seller,
      address: plain(sale, 'address').replace('<br>', ', '),
      phone: `Tel: ${plain(sale, 'tel')}`,
      email: 'Mail: hello@example.com',
      website: 'Web: https://www.example.com',
      taxId: 'Tax ID: GB980780684',
    },
    customer: {
      name: truth.buyer,
      address: `${plain(sale, 'address1')}, ${plain(sale, 'city')} ${plain(sale, 'zipcode')}`,
      phone: 'Tel: (555) 555-5555',
      email: 'Mail: joe@example.com',
    },
    invoice: {
      number: truth.id,
      date: plain(sale, 'invdate'),
      dueDate: plain(sale, 'duedate'),
      status: 'Unpaid',
      locale: 'en-GB',
      currency: 'GBP',
    },
    items: truth.goods.map((good) => ({
      name: good.description,
      quantity: 1,
      price: good.amount,
      tax: 0,
    })),
    note: { text: 'Thank you for your business.', italic: false },
  }
}
