/**
 * Orders in the example of html-invoicer, whose text is replaced by an order's, and as the data of
 * pdf-invoice-hu, which draws with PDFKit in its own words.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { escapeHtml } from '../fifth/templates.ts'
import { addressOf, moneyOf, placeOf, plain, round, type Good } from '../fourth/sales.ts'
import type { SaleTruth } from '../others/sale.ts'
import type { Order } from '../sixth/orders.ts'

const EXAMPLE = 'node_modules/html-invoicer/example'

export function invoicerPage(folder: string, { sale, truth, goods, taxes }: Order): string {
  const template = readFileSync(join(folder, EXAMPLE, 'template.html'), 'utf8')
  const money = moneyOf('fr-FR')
  const [street, place] = addressOf(sale)
  const rate = taxes[0]!.rate
  const row = /<tr>\s*<th class="border left-align semi-bold">[\s\S]*?<\/tr>/
  const rows = goods.map(({ description, quantity, price, amount }) => {
    const tax = round((amount * rate) / 100)
    const cells = [
      String(quantity),
      ...[price, amount, tax, amount + tax].map((sum) => `${money(round(sum))} €`),
    ]
    return `<tr><th class="border left-align semi-bold">${escapeHtml(description)}</th>${cells.map((cell) => `<td class="border right-align">${cell}</td>`).join('')}</tr>`
  })
  const texts: (readonly [from: string | RegExp, to: string])[] = [
    [row, rows.join('\n')],
    ['guillaume debailly', escapeHtml(truth.seller)],
    [/35 rue de la malverse <br>\s*75000 PARIS/, `${escapeHtml(street)}<br>${escapeHtml(place)}`],
    ['${id}', escapeHtml(truth.id)],
    ['${date}', truth.date.split('-').toReversed().join('/')],
    ['bureau des légendes', escapeHtml(truth.buyer)],
    [
      /36 boulevard des orfèvres<br>\s*75000 PARIS/,
      `${escapeHtml(plain(sale, 'address1'))}<br>${escapeHtml(placeOf(sale))}`,
    ],
    ["prestation d'espionnage", `commande ${plain(sale, 'ordnumber')}`],
    ['TVA (20%)', `TVA (${String(rate).replace('.', ',')}%)`],
    [/<p>par virement[\s\S]*?<img[^>]*>/, ''],
    // The example prints the total in front of the table and in its last row.
    ['${sum}', money(truth.total)],
    ['${taxeFreeSum}', money(truth.net)],
    ['${vat}', money(truth.vat)],
    ['${sum}', money(truth.total)],
    [/<link[^>]*>/, ''],
    [/<link[^>]*>/, ''],
  ]
  let page = template
  for (const [from, to] of texts) {
    const isThere = typeof from === 'string' ? page.includes(from) : from.test(page)
    if (!isThere) throw new Error(`the template has no ${String(from)}`)
    page = page.replace(from, () => to)
  }
  return page
}

/** The styles of the example, with its fonts inside them. */
export function invoicerStyles(folder: string): string {
  const css = ['basscss.css', 'template.css'].map((name) =>
    readFileSync(join(folder, EXAMPLE, name), 'utf8'),
  )
  return css.join('\n').replaceAll(/url\('(fonts\/[^']+)'\)/g, (_, path: string) => {
    const font = readFileSync(join(folder, EXAMPLE, path)).toString('base64')
    return `url(data:font/woff;base64,${font})`
  })
}

/** The sums of that layout: it rounds the tax of each row. */
export function invoicerTruth({ truth, goods, taxes }: Order): SaleTruth {
  const rate = taxes[0]!.rate
  const vat = round(goods.reduce((sum, { amount }) => sum + round((amount * rate) / 100), 0))
  return { ...truth, vat, total: round(truth.net + vat) }
}

export interface HungarianInvoice {
  language: 'hu_HU' | 'en_US'
  data: { seller: object; buyer: object; headline: object; items: object[] }
}

/** Its prices are whole forints; with hundreds of them the tax and its printed rate come out whole. */
export function inForints(goods: readonly Good[]): Good[] {
  return goods.map((good) => {
    const price = Math.max(1, Math.round(good.price)) * 100
    return { ...good, price, amount: price * good.quantity }
  })
}

export function hungarianTruth(truth: SaleTruth, goods: readonly Good[]): SaleTruth {
  const net = goods.reduce((sum, { amount }) => sum + amount, 0)
  const vat = goods.reduce((sum, { amount, rate }) => sum + (amount * rate) / 100, 0)
  return {
    ...truth,
    net,
    vat,
    total: net + vat,
    goods: goods.map(({ description, amount }) => ({ description, amount })),
  }
}

export function hungarianInvoice(
  { sale, truth }: Order,
  goods: readonly Good[],
  language: HungarianInvoice['language'],
): HungarianInvoice {
  const [street, place] = addressOf(sale)
  const isHungarian = language === 'hu_HU'
  return {
    language,
    data: {
      seller: {
        name: truth.seller,
        address: `${place}, ${street}`,
        phone: plain(sale, 'tel'),
        email: 'info@example.com',
        bank_acc: '11704007-20238290-00000000',
        vat: '13741408-2-42',
      },
      buyer: {
        name: truth.buyer,
        address: `${placeOf(sale)}, ${plain(sale, 'address1')}`,
        phone: plain(sale, 'fax'),
        email: 'vevo@example.com',
        vat: '15324762-2-41',
      },
      headline: {
        createdAt: truth.date,
        completionDate: truth.date,
        paymentDeadline: truth.due,
        paymentMethod: isHungarian ? 'Átutalás' : 'Transfer',
        invoiceId: truth.id,
        commentText: isHungarian ? 'Köszönjük vásárlását!' : 'Thank you!',
      },
      items: goods.map(({ description, quantity, price, amount, rate }) => ({
        quantity,
        name: description,
        description: isHungarian ? 'Raktárról' : 'From stock',
        unit_price: price,
        net_price: amount,
        vat_amount: (amount * rate) / 100,
        amount: amount + (amount * rate) / 100,
      })),
    },
  }
}

/** Draws such an invoice. The package adds its sums up for as long as it is loaded, so it is loaded anew. */
export async function drawHungarian(
  folder: string,
  { language, data }: HungarianInvoice,
): Promise<Uint8Array> {
  const require = createRequire(join(folder, 'package.json'))
  const path = require.resolve('pdf-invoice-hu')
  delete require.cache[path]
  interface Made {
    generate(): void
    pdfkitDoc: NodeJS.ReadableStream
  }
  const make = require('pdf-invoice-hu') as ((data: object) => Made) & { lang: string }
  make.lang = language
  const made = make(data)
  const chunks: Uint8Array[] = []
  const done = new Promise<void>((resolve, reject) => {
    made.pdfkitDoc.on('data', (chunk: Uint8Array) => void chunks.push(chunk))
    made.pdfkitDoc.on('end', () => resolve())
    made.pdfkitDoc.on('error', reject)
  })
  made.generate()
  await done
  return new Uint8Array(Buffer.concat(chunks))
}
