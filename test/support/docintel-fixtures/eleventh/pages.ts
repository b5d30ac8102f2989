/**
 * Sales on the invoices that come with three themes for web pages, two of them versions much older than
 * those of the fifth set: the example's own text is replaced, its markup and style stay as they are.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cut, escapeHtml, fill, putRows } from '../fifth/templates.ts'
import { addressOf, moneyOf, placeOf, plain } from '../fourth/sales.ts'
import type { SaleTruth } from '../others/sale.ts'
import type { Order } from '../sixth/orders.ts'

export const THEMES = ['gentelella-1', 'tabler-ui', 'vali-admin'] as const
export type Theme = (typeof THEMES)[number]

const STYLES: Readonly<Record<Theme, readonly string[]>> = {
  'gentelella-1': [
    'node_modules/bootstrap/dist/css/bootstrap.min.css',
    'x_gentelella1/build/css/custom.min.css',
  ],
  'tabler-ui': ['x_tabler-ui/dist/assets/css/dashboard.css'],
  'vali-admin': ['x_vali-admin/docs/css/main.css'],
}

/** A page with its style; the style is as long as a book, so it is no part of the frozen text. */
export function themedPage(folder: string, theme: Theme, body: string): string {
  const styles = STYLES[theme].map((path) => readFileSync(join(folder, path), 'utf8'))
  return `<!doctype html><meta charset="utf-8"><style>${styles.join('\n')}</style><body style="background:#fff">${body}`
}

const dayOf = (iso: string, order: 'D/M/Y' | 'M/D/Y'): string => {
  const [year, month, day] = iso.split('-') as [string, string, string]
  return order.replace('D', day).replace('M', month).replace('Y', year)
}

interface Texts {
  from: [string, string]
  to: [string, string]
  money: (value: number) => string
}

const textsOf = ({ sale }: Order, sign: string, numbers: string): Texts => {
  const format = moneyOf(numbers)
  return {
    from: addressOf(sale).map(escapeHtml) as [string, string],
    to: [escapeHtml(plain(sale, 'address1')), escapeHtml(placeOf(sale))],
    money: (value) => `${sign}${format(value)}`,
  }
}

/** Both of this kin print the goods of an order with serial numbers. */
const serialRows = (made: Order, money: (value: number) => string): string[] =>
  made.goods.map(
    ({ description, quantity, amount }, at) =>
      `<tr><td>${quantity}</td><td>${escapeHtml(description)}</td><td>${455 + at}-981-22${at}</td><td></td><td>${money(amount)}</td></tr>`,
  )

const valiPage = (folder: string, made: Order, truth: SaleTruth, sign: string): string => {
  const { from, to, money } = textsOf(made, sign, 'en-US')
  const path = join(folder, 'x_vali-admin/docs/page-invoice.html')
  const page = cut(path, '<section class="invoice">', '</section>')
  const rows = serialRows(made, money)
  const { sale } = made
  return fill(
    putRows(
      page,
      '<tr>\n                        <td>1</td>',
      '$03.44</td>\n                      </tr>',
      rows,
    ),
    [
      ['Vali Inc', escapeHtml(truth.seller)],
      ['01/01/2016', dayOf(truth.date, sign === '$' ? 'M/D/Y' : 'D/M/Y')],
      ['Vali Inc.', escapeHtml(truth.seller)],
      ['518 Akshar Avenue<br>Gandhi Marg<br>New Delhi', from.join('<br>')],
      ['hello@vali.com', 'hello@example.com'],
      ['John Doe', escapeHtml(truth.buyer)],
      ['795 Folsom Ave, Suite 600<br>San Francisco, CA 94107', to.join('<br>')],
      ['(555) 539-1037', escapeHtml(plain(sale, 'fax'))],
      ['#007612', `#${truth.id}`],
      ['4F3S8J', plain(sale, 'ordnumber')],
      ['2/22/2014', dayOf(truth.due, sign === '$' ? 'M/D/Y' : 'D/M/Y')],
    ],
  )
}

const gentelellaPage = (
  folder: string,
  made: Order,
  truth: SaleTruth,
  sign: string,
  shipping: number,
): string => {
  const { from, to, money } = textsOf(made, sign, 'en-US')
  const { sale } = made
  const order = sign === '$' ? 'M/D/Y' : 'D/M/Y'
  const page = cut(
    join(folder, 'x_gentelella1/production/invoice.html'),
    '<section class="content invoice">',
    '<!-- this row will not appear when printing -->',
  ).replaceAll(/<img [^>]*>/g, '')
  const lines = (address: [string, string]): string =>
    `<br>${address[0]}\n                                          <br>${address[1]}`
  const example =
    '<br>795 Freedom Ave, Suite 600\n                                          <br>New York, CA 94107'
  return fill(
    putRows(
      page,
      '<tr>\n                                <td>1</td>',
      '$25.99</td>\n                              </tr>',
      serialRows(made, money),
    ),
    [
      ['16/08/2016', dayOf(truth.date, order)],
      ['Iron Admin, Inc.', escapeHtml(truth.seller)],
      [example, lines(from)],
      ['1 (804) 123-9876', escapeHtml(plain(sale, 'tel'))],
      ['ironadmin.com', 'shop@example.com'],
      ['John Doe', escapeHtml(truth.buyer)],
      [example, lines(to)],
      ['1 (804) 123-9876', escapeHtml(plain(sale, 'fax'))],
      ['jon@ironadmin.com', 'buyer@example.com'],
      ['#007612', `#${truth.id}`],
      ['4F3S8J', plain(sale, 'ordnumber')],
      ['2/22/2014', dayOf(truth.due, order)],
      ['2/22/2014', dayOf(truth.due, order)],
      ['$250.30', money(truth.net)],
      ['9.3%', `${made.taxes[0]!.rate}%`],
      ['$10.34', money(truth.vat)],
      ['$5.80', money(shipping)],
      ['$265.24', money(truth.total)],
    ],
  )
}

const tablerPage = (folder: string, made: Order, truth: SaleTruth, sign: string): string => {
  const { from, to, money } = textsOf(made, sign, 'de-DE')
  const page = cut(
    join(folder, 'x_tabler-ui/dist/invoice.html'),
    '<div class="card-header">',
    '<div class="footer">',
  ).replace(/<button type="button".*?<\/button>/s, '')
  const rows = made.goods.map(
    ({ description, quantity, price, amount }, at) => `<tr>
                      <td class="text-center">${at + 1}</td>
                      <td>
                        <p class="font-w600 mb-1">${escapeHtml(description)}</p>
                      </td>
                      <td class="text-center">
                        ${quantity}
                      </td>
                      <td class="text-right">${money(price)}</td>
                      <td class="text-right">${money(amount)}</td>
                    </tr>`,
  )
  const lines = 'State, City<br>\n                      Region, Postal Code'
  const body = fill(
    putRows(
      page,
      '<tr>\n                      <td class="text-center">1</td>',
      '$3.200,00</td>\n                    </tr>',
      rows,
    ),
    [
      ['#INV0015', `#${truth.id}`],
      ['Company', escapeHtml(truth.seller)],
      ['Street Address', from[0]],
      [lines, from[1]],
      ['Client', escapeHtml(truth.buyer)],
      ['Street Address', to[0]],
      [lines, to[1]],
      ['$25.000,00', money(truth.net)],
      ['20%', `${made.taxes[0]!.rate}%`],
      ['$5.000,00', money(truth.vat)],
      ['$30.000,00', money(truth.total)],
    ],
  )
  return `<div class="card">${body}`
}

/** `sign` stands before each amount; `shipping` is added to the total of the theme that prints it. */
export function themePage(
  folder: string,
  theme: Theme,
  made: Order,
  truth: SaleTruth,
  sign: string,
  shipping: number,
): string {
  switch (theme) {
    case 'gentelella-1':
      return gentelellaPage(folder, made, truth, sign, shipping)
    case 'tabler-ui':
      return tablerPage(folder, made, truth, sign)
    case 'vali-admin':
      return valiPage(folder, made, truth, sign)
  }
}
