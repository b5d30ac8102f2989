/**
 * Sales as pages of HTML of invoices that come with themes for web pages: the example's own text is
 * replaced by a drawn sale, its markup and its style stay as their authors wrote them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  addressOf,
  dayIn,
  goodsOf,
  moneyOf,
  placeOf,
  plain,
  taxesOf,
  type Good,
  type Sale,
} from '../fourth/sales.ts'

/** A page without its style, and the files of its style inside the folder of packages. */
export interface ThemedPage {
  body: string
  styles: readonly string[]
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Replaces each of the texts where it first stands; a text that is missing is another version. */
export function fill(
  template: string,
  texts: readonly (readonly [from: string, to: string])[],
): string {
  let page = template
  for (const [from, to] of texts) {
    if (!page.includes(from)) throw new Error(`the template has no ${JSON.stringify(from)}`)
    page = page.replace(from, () => to)
  }
  return page
}

/** The text of a file from one mark up to another. */
export function cut(path: string, from: string, to: string): string {
  const text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
  const start = text.indexOf(from)
  const end = text.indexOf(to, start)
  if (start < 0 || end < 0) throw new Error(`${path} has another shape`)
  return text.slice(start, end)
}

/** The part of a page from one mark through another, replaced by rows. */
export function putRows(
  page: string,
  from: string,
  through: string,
  rows: readonly string[],
): string {
  const start = page.indexOf(from)
  const end = page.indexOf(through, start) + through.length
  if (start < 0 || end < start) throw new Error(`the template has no rows from ${from}`)
  return page.slice(0, start) + rows.join('\n') + page.slice(end)
}

interface Texts {
  seller: string
  buyer: string
  sellerAddress: [string, string]
  buyerAddress: [string, string]
  goods: (Good & { name: string })[]
  money: (value: number) => string
  rate: number
}

function textsOf(sale: Sale): Texts {
  const money = moneyOf('en-US')
  return {
    seller: escapeHtml(sale.truth.seller),
    buyer: escapeHtml(sale.truth.buyer),
    sellerAddress: addressOf(sale).map(escapeHtml) as [string, string],
    buyerAddress: [escapeHtml(plain(sale, 'address1')), escapeHtml(placeOf(sale))],
    goods: goodsOf(sale).map((good) => ({ ...good, name: escapeHtml(good.description) })),
    money: (value) => `$${money(value)}`,
    rate: taxesOf(sale)[0]!.rate,
  }
}

const american = (iso: string): string => {
  const [year, month, day] = iso.split('-').map(Number)
  return `${month}/${day}/${year}`
}

export function adminLtePage(folder: string, sale: Sale, shipping: number): ThemedPage {
  const { truth } = sale
  const t = textsOf(sale)
  const page = cut(
    join(folder, 'node_modules/admin-lte/pages/examples/invoice-print.html'),
    '<div class="wrapper">',
    '<!-- ./wrapper -->',
  )
  const rows = t.goods.map(
    ({ name, quantity, amount }, at) => `<tr>
            <td>${quantity}</td>
            <td>${name}</td>
            <td>${455 + at}-981-22${at}</td>
            <td></td>
            <td>${t.money(amount)}</td>
          </tr>`,
  )
  const body = fill(
    putRows(page, '<tr>\n            <td>1</td>', '$25.99</td>\n          </tr>', rows),
    [
      ['AdminLTE, Inc.', t.seller],
      ['2/10/2014', american(truth.date)],
      ['Admin, Inc.', t.seller],
      ['795 Folsom Ave, Suite 600', t.sellerAddress[0]],
      ['San Francisco, CA 94107', t.sellerAddress[1]],
      ['John Doe', t.buyer],
      ['795 Folsom Ave, Suite 600', t.buyerAddress[0]],
      ['San Francisco, CA 94107', t.buyerAddress[1]],
      ['#007612', `#${truth.id}`],
      ['2/22/2014', american(truth.due)],
      ['2/22/2014', american(truth.due)],
      ['$250.30', t.money(truth.net)],
      ['9.3%', `${t.rate}%`],
      ['$10.34', t.money(truth.vat)],
      ['$5.80', t.money(shipping)],
      ['$265.24', t.money(truth.total)],
    ],
  )
  return { body, styles: ['node_modules/admin-lte/dist/css/adminlte.min.css'] }
}

export function gentelellaPage(folder: string, sale: Sale): ThemedPage {
  const { truth } = sale
  const t = textsOf(sale)
  const page = cut(
    join(folder, 'x_gentelella/dist/production/invoice.html'),
    '<div class="invoice" id="invoice-doc">',
    '<!-- Payment timeline -->',
  )
  const rows = t.goods.map(
    ({ name, quantity, price, amount }) => `<div class="line-row">
      <div class="desc-wrap"><input type="text" class="desc" value="${name}"></div>
      <input type="number" class="qty" value="${quantity}">
      <input type="number" class="rate" value="${price}">
      <div class="amount">${t.money(amount)}</div>
    </div>`,
  )
  const body = fill(page, [
    ['#INV-04812', `#${truth.id}`],
    ['Apr 24, 2026', dayIn(truth.date, 'en-US', 'medium')],
    ['May 24, 2026', dayIn(truth.due, 'en-US', 'medium')],
    ['Gentelella Inc.', t.seller],
    ['123 Admin St, Suite 4', t.sellerAddress[0]],
    ['Riga, LV-1010', t.sellerAddress[1]],
    ['Acme Corporation', t.buyer],
    ['Attn: John Doe', escapeHtml(plain(sale, 'employee'))],
    ['456 Customer Ave', t.buyerAddress[0]],
    ['San Francisco, CA 94105', t.buyerAddress[1]],
    ['Reference: INV-04812', `Reference: ${truth.id}`],
    ['<div id="line-items"></div>', `<div id="line-items">${rows.join('\n')}</div>`],
    ['id="t-subtotal">$0.00', `id="t-subtotal">${t.money(truth.net)}`],
    ['value="10"', 'value="0"'],
    ['value="21"', `value="${t.rate}"`],
    ['id="t-tax-amount">$0.00', `id="t-tax-amount">${t.money(truth.vat)}`],
    ['id="t-grand">$0.00', `id="t-grand">${t.money(truth.total)}`],
  ])
  return { body, styles: ['x_gentelella/dist/assets/main-v4-DB_ReeJG.css'] }
}

export function stislaPage(folder: string, sale: Sale, shipping: number): ThemedPage {
  const { truth } = sale
  const t = textsOf(sale)
  const page = cut(
    join(folder, 'x_stisla/utilities-invoice.html'),
    '<div class="invoice">',
    '<div class="text-md-right">',
  )
  const rows = t.goods.map(
    ({ name, quantity, price, amount }, at) => `<tr>
                          <td>${at + 1}</td>
                          <td>${name}</td>
                          <td class="text-center">${t.money(price)}</td>
                          <td class="text-center">${quantity}</td>
                          <td class="text-right">${t.money(amount)}</td>
                        </tr>`,
  )
  const from = '<tr>\n                          <td>1</td>'
  const through = '$600.00</td>\n                        </tr>'
  const address = t.buyerAddress.join('<br>\n')
  const body = fill(putRows(page, from, through, rows), [
    ['#12345', `#${truth.id}`],
    ['Ujang Maman', t.buyer],
    [
      '1234 Main<br>\n                            Apt. 4B<br>\n                            Bogor Barat, Indonesia',
      address,
    ],
    ['Muhamad Nauval Azhar', t.buyer],
    [
      '1234 Main<br>\n                          Apt. 4B<br>\n                          Bogor Barat, Indonesia',
      address,
    ],
    ['September 19, 2018', dayIn(truth.date, 'en-US')],
    ['$670.99', t.money(truth.net)],
    ['$15', t.money(shipping)],
    ['$685.99', t.money(truth.total)],
  ])
  return {
    body,
    styles: [
      'node_modules/bootstrap/dist/css/bootstrap.min.css',
      'x_stisla/assets/css/style.css',
      'x_stisla/assets/css/components.css',
    ],
  }
}

/** Tabler's example groups thousands with a dot, before the sign of the dollar. */
export function tablerPage(folder: string, sale: Sale): ThemedPage {
  const { truth } = sale
  const t = textsOf(sale)
  const format = moneyOf('de-DE')
  const money = (value: number): string => `$${format(value)}`
  const page = cut(
    join(folder, 'x_tabler-preview/dist/invoice.html'),
    '<div class="card card-lg">',
    '<!-- END PAGE BODY -->',
  )
  const rows = t.goods.map(
    ({ name, quantity, price, amount }, at) => `<tr>
                    <td class="text-center">${at + 1}</td>
                    <td>
                      <p class="strong mb-1">${name}</p>
                    </td>
                    <td class="text-center">${quantity}</td>
                    <td class="text-end">${money(price)}</td>
                    <td class="text-end">${money(amount)}</td>
                  </tr>`,
  )
  const from = '<tr>\n                    <td class="text-center">1</td>'
  const through = '$3.200,00</td>\n                  </tr>'
  const lines = 'State, City<br />\n                      Region, Postal Code'
  const body = fill(putRows(page, from, through, rows), [
    ['Company', t.seller],
    ['Street Address', t.sellerAddress[0]],
    [lines, t.sellerAddress[1]],
    ['Client', t.buyer],
    ['Street Address', t.buyerAddress[0]],
    [lines, t.buyerAddress[1]],
    ['INV/001/15', truth.id],
    ['$25.000,00', money(truth.net)],
    ['20%', `${t.rate}%`],
    ['$5.000,00', money(truth.vat)],
    ['$30.000,00', money(truth.total)],
  ])
  return { body, styles: ['x_tabler-preview/dist/dist/css/tabler.min.css'] }
}
