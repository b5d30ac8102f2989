/**
 * The fourth set of invoices in layouts that others wrote, none of which the first three have. It was
 * frozen before the rules met it. The layouts are those of Debian's GnuCash, Tryton, Kraft and TeX
 * Live and of npm packages; `folder` has them. Of the makers in the order of the alphabet every third,
 * from the second on, is open to those who write rules; the documents of the others were only counted.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { translations } from '../others/fill.ts'
import { MANNERS, type Faker, type Manner, type SaleTruth } from '../others/sale.ts'
import { gnucashJob, GNUCASH_REPORTS, trytonJob, type GnucashJob, type TrytonJob } from './books.ts'
import {
  jsreportPage,
  kraftPage,
  puppeteerHtmlPdfPage,
  RECEIPT_WIDTH,
  receiptLine,
} from './pages.ts'
import {
  AMERICAN,
  cutTaxes,
  goodsOf,
  jointTaxes,
  round,
  saleFor,
  SWISS,
  untaxed,
  type Sale,
} from './sales.ts'
import { qrBillData } from './qr-bill.ts'
import { commercialTex, invoice2Tex, invoiceTex, simpleInvoiceTex } from './tex.ts'

export interface FourthDocument {
  name: string
  maker: Maker
  language: string
  truth: SaleTruth
  /** Fields of the truth that this layout does not print. */
  absent: readonly string[]
  drawn:
    | { by: 'html' | 'tex' | 'receiptline'; text: string }
    | { by: 'gnucash'; job: GnucashJob }
    | { by: 'tryton'; job: TrytonJob }
    | { by: 'swissqrbill'; data: unknown }
}

const MAKERS = [
  'gnucash',
  'invoice',
  'invoice-class',
  'invoice2',
  'jsreport',
  'kraft',
  'puppeteer-html-pdf',
  'receiptline',
  'simpleinvoice',
  'swissqrbill',
  'tryton',
] as const
export type Maker = (typeof MAKERS)[number]

export const partOf = (maker: Maker): 'open' | 'sealed' =>
  MAKERS.indexOf(maker) % 3 === 1 ? 'open' : 'sealed'

const GNUCASH_LANGUAGES = ['de', 'fr', 'nl', 'es', 'it', 'pl', 'pt', 'sv', 'da', 'nb', 'cs', 'en']
const TRYTON_LANGUAGES = ['de', 'fr', 'nl', 'es', 'it', 'pl', 'pt', 'cs', 'fi', 'hu', 'en']

/** Every document in a fixed order, and the SHA-256 of all of them with their truth. */
export async function fourthDocuments(
  folder: string,
): Promise<{ documents: FourthDocument[]; sha256: string }> {
  const require = createRequire(join(folder, 'package.json'))
  const { allFakers } = require('@faker-js/faker') as { allFakers: Record<string, Faker> }
  const handlebars = require('handlebars') as Parameters<typeof jsreportPage>[2]
  const sale = (manner: Manner, seed: number, wish: Parameters<typeof saleFor>[3] = {}): Sale =>
    saleFor(allFakers[manner.faker]!, manner, seed, wish)
  const documents: FourthDocument[] = []
  const add = (
    maker: Maker,
    language: string,
    name: string,
    truth: SaleTruth,
    absent: readonly string[],
    drawn: FourthDocument['drawn'],
  ): void =>
    void documents.push({ name: `${maker} ${name}`, maker, language, truth, absent, drawn })

  for (const [at, report] of GNUCASH_REPORTS.entries())
    for (const [k, language] of GNUCASH_LANGUAGES.entries()) {
      const manner = MANNERS[language]!
      const made = sale(manner, 400_100 + at * 20 + k)
      add('gnucash', language, `${report.layout} ${language}`, jointTaxes(made), report.absent, {
        by: 'gnucash',
        job: gnucashJob(made, language, manner, report),
      })
    }
  for (const [at, language] of ['de', 'fr', 'nl', 'it', 'es', 'sv', 'fi', 'en'].entries())
    for (const k of [1, 2]) {
      const manner = MANNERS[language]!
      const made = sale(manner, 400_300 + at * 10 + k, { isOneRate: true })
      const text = invoiceTex(made, language, manner)
      add('invoice', language, `${language} ${k}`, cutTaxes(made), [], { by: 'tex', text })
    }
  for (const k of [1, 2, 3, 4]) {
    const made = sale(AMERICAN, 400_400 + k, { below: 900 })
    const shipping = 12.5 * k
    const truth = { ...untaxed(made.truth), total: round(made.truth.net + shipping) }
    const text = commercialTex(made, shipping)
    add('invoice-class', 'en', `en ${k}`, truth, ['id', 'due', 'net', 'vat'], { by: 'tex', text })
  }
  for (const [at, [language, babel, manner, symbol]] of (
    [
      ['de', 'ngerman', MANNERS['de']!, '€'],
      ['de-CH', 'nswissgerman', SWISS['de']!, 'CHF'],
      ['en', 'british', MANNERS['en']!, String.raw`\pounds`],
    ] as const
  ).entries())
    for (const k of [1, 2, 3]) {
      const made = sale(manner, 400_450 + at * 10 + k)
      const text = invoice2Tex(made, babel, symbol === '€' ? String.raw`\texteuro` : symbol)
      // Its rows have the tax in them, its sum before the tax has not.
      const goods = goodsOf(made).map(({ description, amount, rate }) => ({
        description,
        amount: Math.round(Math.round(amount * 100) * (1 + rate / 100)) / 100,
      }))
      add('invoice2', language, `${language} ${k}`, { ...made.truth, goods }, [], {
        by: 'tex',
        text,
      })
    }
  for (const k of [1, 2, 3, 4]) {
    const made = sale(AMERICAN, 400_500 + k, { isLate: true })
    const due = new Date(Date.parse(made.truth.date) + 20 * 86_400_000).toISOString().slice(0, 10)
    const ours: Sale = { ...made, truth: { ...untaxed(made.truth), due } }
    const text = jsreportPage(folder, ours, handlebars)
    add('jsreport', 'en', `en ${k}`, ours.truth, ['net', 'vat'], { by: 'html', text })
  }
  for (const [at, language] of ['de', 'nl', 'en'].entries())
    for (const k of [1, 2, 3]) {
      const manner = MANNERS[language]!
      const made = sale(manner, 400_550 + at * 10 + k)
      const text = kraftPage(folder, made, language, manner)
      add('kraft', language, `${language} ${k}`, made.truth, ['due'], { by: 'html', text })
    }
  for (const k of [1, 2, 3, 4]) {
    const made = sale(AMERICAN, 400_600 + k, { isLate: true })
    const ours: Sale = { ...made, truth: untaxed(made.truth) }
    const text = puppeteerHtmlPdfPage(folder, ours, handlebars)
    add('puppeteer-html-pdf', 'en', `en ${k}`, ours.truth, ['due', 'net', 'vat'], {
      by: 'html',
      text,
    })
  }
  for (const [at, kind] of (['till', 'table', 'sum'] as const).entries())
    for (const k of [1, 2, 3]) {
      const isSum = kind === 'sum'
      const made = sale(AMERICAN, 400_650 + at * 10 + k, { isLate: true, isOneRate: isSum })
      const goods = made.truth.goods.map(({ description, amount }) => ({
        description: description.slice(0, RECEIPT_WIDTH).trim(),
        amount,
      }))
      const truth = { ...(isSum ? made.truth : untaxed(made.truth)), goods }
      const absent = {
        till: ['due', 'buyer', 'id', 'net', 'vat'],
        table: ['due', 'buyer', 'id', 'vat'],
        sum: ['due', 'goods', 'goods without marks'],
      }[kind]
      add('receiptline', 'en', `${kind} ${k}`, truth, absent, {
        by: 'receiptline',
        text: receiptLine({ ...made, truth }, kind),
      })
    }
  for (const [at, language] of (['en', 'nb'] as const).entries())
    for (const k of [1, 2, 3, 4]) {
      const manner = MANNERS[language]!
      const made = sale(manner, 400_700 + at * 10 + k)
      const text = simpleInvoiceTex(made, language, manner)
      add('simpleinvoice', language, `${language} ${k}`, made.truth, [], { by: 'tex', text })
    }
  for (const [at, language] of (['de', 'fr', 'it', 'en'] as const).entries())
    for (const k of [1, 2, 3]) {
      const made = sale(SWISS[language]!, 400_750 + at * 10 + k, { isOneRate: true })
      add('swissqrbill', language, `${language} ${k}`, made.truth, ['due'], {
        by: 'swissqrbill',
        data: qrBillData(made, language),
      })
    }
  for (const [at, language] of TRYTON_LANGUAGES.entries())
    for (const k of [1, 2]) {
      const manner = MANNERS[language]!
      const made = sale(manner, 400_800 + at * 10 + k)
      const po = `${TRYTON}/locale/${language}.po`
      const words = language === 'en' ? new Map<string, string>() : reportWords(join(folder, po))
      const job = trytonJob(made, language, manner, words, `tryton-${language}-${k}`)
      add('tryton', language, `${language} ${k}`, made.truth, [], { by: 'tryton', job })
    }
  const sha256 = createHash('sha256').update(JSON.stringify(documents)).digest('hex')
  return { documents, sha256 }
}

export const TRYTON =
  'x_tryton-modules-account-invoice/usr/lib/python3/dist-packages/trytond/modules/account_invoice'

/** The translations of the invoice's own texts; other parts of the module use the same words otherwise. */
function reportWords(path: string): Map<string, string> {
  const parts = readFileSync(path, 'utf8').split('\n\n')
  return translations(parts.filter((part) => part.includes('"report:account.invoice:"')).join('\n'))
}
