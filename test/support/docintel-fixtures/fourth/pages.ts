/** Sales as pages of HTML, from the makers' own templates, and as receipts of ReceiptLine. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manner } from '../others/sale.ts'
import { addressOf, dayIn, goodsOf, moneyOf, placeOf, plain, taxesOf, type Sale } from './sales.ts'

/** Translations of a compiled gettext file, by their English without the context. */
export function compiledWords(bytes: Buffer): Map<string, string> {
  const [count, from, to] = [8, 12, 16].map((at) => bytes.readUInt32LE(at)) as [
    number,
    number,
    number,
  ]
  const text = (table: number, at: number): string => {
    const start = bytes.readUInt32LE(table + at * 8 + 4)
    return bytes.toString('utf8', start, start + bytes.readUInt32LE(table + at * 8))
  }
  const words = new Map<string, string>()
  for (let at = 0; at < count; at++) words.set(text(from, at).split('\u0004').at(-1)!, text(to, at))
  return words
}

/** The part of Django's template language that Kraft's template uses. */
function fillDjango(template: string, keys: Record<string, unknown>): string {
  const value = (path: string, at: Record<string, unknown>): unknown =>
    path
      .split('|')[0]!
      .split('.')
      .reduce<unknown>((held, key) => (held as Record<string, unknown> | undefined)?.[key], at)
  const block =
    /\{%\s*(for|if)\s+([^%]*?)\s*%\}((?:(?!\{%\s*(?:for|if)\b)[\s\S])*?)\{%\s*end(?:for|if)\s*%\}/
  const print = (text: string, at: Record<string, unknown>): string =>
    text.replaceAll(/\{\{\s*([^}]*?)\s*\}\}/g, (_, path: string) => String(value(path, at) ?? ''))
  const decide = (text: string, at: Record<string, unknown>): string => {
    for (;;) {
      const match = block.exec(text)
      if (!match || match[1] === 'for') return text
      const [yes, no = ''] = match[3]!.split(/\{%\s*else\s*%\}/) as [string, string?]
      const holds = /^[\w.]+$/.test(match[2]!) && Boolean(value(match[2]!, at))
      text =
        text.slice(0, match.index) + (holds ? yes : no) + text.slice(match.index + match[0].length)
    }
  }
  let text = template
    .replaceAll(/\{#.*?#\}/g, '')
    .replaceAll(/\{%\s*(?:end)?(?:with|autoescape)\b[^%]*%\}/g, '')
  text = text.replaceAll(
    /\{%\s*for (\w+) in ([\w.]+)\s*%\}([\s\S]*?)\{%\s*endfor\s*%\}/g,
    (_, name: string, path: string, body: string) =>
      (value(path, keys) as object[])
        .map((item) => print(decide(body, { ...keys, [name]: item }), { ...keys, [name]: item }))
        .join(''),
  )
  return print(decide(text, keys), keys)
}

export function kraftPage(folder: string, sale: Sale, language: string, manner: Manner): string {
  const root = join(folder, 'x_kraft/usr/share')
  const template = readFileSync(join(root, 'kraft/reports/invoice.gtmpl'), 'utf8').replace(
    /<link href="kraft.css"[^>]*>/,
    `<style>${readFileSync(join(root, 'kraft/reports/kraft.css'), 'utf8')}</style>`,
  )
  const words =
    language === 'en'
      ? new Map<string, string>()
      : compiledWords(readFileSync(join(root, `locale/${language}/LC_MESSAGES/kraft.mo`)))
  const word = (english: string): string => words.get(english) ?? english
  const money = moneyOf(manner.numbers)
  const printed = (amount: number): string =>
    new Intl.NumberFormat(manner.numbers, { style: 'currency', currency: manner.currency }).format(
      amount,
    )
  const taxes = taxesOf(sale)
  const percent = (rate: number | undefined): string => (rate === undefined ? '' : money(rate))
  const [street, place] = addressOf(sale)
  const low = taxes.find(({ rate }) => rate === manner.rates[1])
  const full = taxes.find(({ rate }) => rate === manner.rates[0])
  return fillDjango(template, {
    me: {
      NAME: plain(sale, 'employee'),
      ORGANISATION: sale.truth.seller,
      STREET: street,
      POSTCODE: place.slice(0, place.indexOf(' ')),
      LOCALITY: place.slice(place.indexOf(' ') + 1),
      PHONE: plain(sale, 'tel'),
      EMAIL: 'info@example.com',
    },
    label: {
      TYPE: word('Type'),
      DOC_NO: word('Document No.'),
      DATE: word('Date'),
      NO_SHORT: word('No.'),
      ITEM: word('Item'),
      QUANTITY_SHORT: word('Qty.'),
      UNIT: word('Unit'),
      PRICE: word('Price'),
      SUM: word('Sum'),
      NET: word('Net'),
      VAT: word('VAT'),
      PHONE: word('Phone'),
      EMAIL: word('Email'),
      PAGE: word('Page'),
      PAGE_OF: word('of'),
    },
    doc: {
      // The kinds of documents stand in Kraft's database, not among its translations.
      docType: { de: 'Rechnung', nl: 'Factuur' }[language] ?? 'Invoice',
      ident: sale.truth.id,
      dateStr: dayIn(sale.truth.date, manner.numbers, language === 'en' ? 'long' : 'medium'),
      address: [sale.truth.buyer, plain(sale, 'address1'), placeOf(sale)].join('\n'),
      items: goodsOf(sale).map((good, at) => ({
        itemNumber: at + 1,
        htmlText: `<p>${good.description}</p>`,
        amount: good.quantity,
        unit: manner.unit,
        unitPrice: printed(good.price),
        nettoPrice: printed(good.amount),
        taxMarker: taxes.length > 1 ? (good.rate === manner.rates[0] ? '' : '1') : '',
      })),
      hasIndividualTaxation: taxes.length > 1,
      taxPercentStr: percent(taxes[0]?.rate),
      taxSumStr: printed(taxes[0]!.tax),
      taxMarkerReduced: '1',
      reducedTaxPercentStr: percent(low?.rate),
      reducedTaxSumStr: low ? printed(low.tax) : '',
      fullTaxPercentStr: percent(full?.rate),
      fullTaxSumStr: full ? printed(full.tax) : '',
      nettoSumStr: printed(sale.truth.net),
      bruttoSumStr: printed(sale.truth.total),
    },
  })
}

type Handlebars = {
  create(): {
    registerHelper(name: string, run: (value: unknown) => unknown): void
    compile(text: string): (data: unknown) => string
  }
}

interface JsReportSamples {
  templates: { name: string; content: string }[]
  assets: { name: string; content: string }[]
}

const english = (iso: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: 'UTC' }).format(new Date(`${iso}T12:00:00Z`))

export function jsreportPage(folder: string, sale: Sale, handlebars: Handlebars): string {
  const { templates, assets } = JSON.parse(
    readFileSync(
      join(folder, 'node_modules/@jsreport/jsreport-sample-template/samples.json'),
      'utf8',
    ),
  ) as JsReportSamples
  const own = handlebars.create()
  const styles = assets.find(({ name }) => name === 'invoice-styles.css')!.content
  own.registerHelper('asset', (name) =>
    name === 'invoice-styles.css' ? Buffer.from(styles, 'base64').toString() : '',
  )
  own.registerHelper('nowLocalStr', () => english(sale.truth.date))
  own.registerHelper('nowPlus20Days', () => english(sale.truth.due))
  own.registerHelper('total', () => sale.truth.total)
  const [street, place] = addressOf(sale)
  return own.compile(templates.find(({ name }) => name === 'invoice-main')!.content)({
    number: sale.truth.id,
    seller: { name: sale.truth.seller, road: street, country: place },
    buyer: { name: sale.truth.buyer, road: plain(sale, 'address1'), country: placeOf(sale) },
    items: sale.truth.goods.map(({ description, amount }) => ({
      name: description,
      price: amount,
    })),
  })
}

/** The parties stand in the sample itself, so that they are put in place of its own. */
export function puppeteerHtmlPdfPage(folder: string, sale: Sale, handlebars: Handlebars): string {
  const [street, place] = addressOf(sale)
  const sample = readFileSync(
    join(folder, 'node_modules/puppeteer-html-pdf/examples/sample.html'),
    'utf8',
  )
    .replace('Godaddy, LLC.', sale.truth.seller)
    .replace('12345 Sunny Road', street)
    .replace('Sunnyville, CA 12345', place)
    .replace('Godaddy LLC.', sale.truth.buyer)
    .replace('John Wick', plain(sale, 'employee'))
    .replace(/<img[^>]*>/, '')
  return handlebars.create().compile(sample)({
    invoiceItems: sale.truth.goods.map(({ description, amount }) => ({
      item: description,
      amount,
    })),
    invoiceData: {
      invoice_id: sale.truth.id,
      transaction_id: plain(sale, 'ordnumber').padStart(9, '12'),
      payment_method: 'Paypal',
      creation_date: sale.truth.date.split('-').toReversed().join('-'),
      total_amount: sale.truth.total,
    },
    baseUrl: '',
  })
}

/** Letters of a good's name on a receipt. */
export const RECEIPT_WIDTH = 20

/** In the manner of three of ReceiptLine's examples: a till, a table's bill and a receipt of a sum. */
export function receiptLine(sale: Sale, kind: 'till' | 'table' | 'sum'): string {
  const money = moneyOf('en-US')
  const { truth } = sale
  const goods = goodsOf(sale)
  const [street, place] = addressOf(sale)
  const [year, month, day] = truth.date.split('-') as [string, string, string]
  const tender = Math.ceil(truth.total / 100) * 100
  const short = (text: string): string => text.slice(0, RECEIPT_WIDTH).trim()
  if (kind === 'till')
    return `${truth.seller}
${street}, ${place}
-------------------------------------
${month}-${day}-${year} 19:00
{border:line}
^RECEIPT
{border:space}
{width:*,3,10}
${goods.map((good) => `${short(good.description)} | ${good.quantity}| ${money(good.amount)}`).join('\n')}
-------------------------------------
{width:*,20}
^TOTAL             |          ^${money(truth.total)}
CASH               |           ${money(tender)}
CHANGE             |            ${money(tender - truth.total)}`
  if (kind === 'table')
    return `${truth.seller}
${dayIn(truth.date, 'en-US', 'medium')} 19:00
|Table |    A05|Order #    |  ${truth.id}|
{width:3,*,4,9; border:line}
--------------------------------------
|     |    ITEM     | QTY |  AMOUNT  |
--------------------------------------
${goods.map((good) => `|[ ]|${short(good.description)} | ${good.quantity}| ${money(good.amount)}|`).join('\n')}
--------------------------------------
{width:14,18; align:right}
       |    SUBTOTAL    |      ${money(truth.net)}|
       | SERVICE CHARGE |        0.00|
       -------------------------------
       | ^^^TOTAL |         ^^^${money(truth.total)}|
       -------------------------------`
  const [tax] = taxesOf(sale)
  return `${dayIn(truth.date, 'en-US', 'medium')} | No. ${truth.id}
^^^RECEIPT

|_TO: ${truth.buyer}                          _
{border:line}
^^^${money(truth.total)}
{border:space}
|NOTE: Goods
Received the amount above.
|TAX:
{width:4,4,8,9,4,9;align:left}
-
|Rate| ${tax!.rate}%|Taxable|  ${money(tax!.base)}|Tax|  ${money(tax!.tax)}
-
{width:auto;align:center}
| ${truth.seller}
| ${street}, ${place}
| Registration Number T0123456789012`
}
