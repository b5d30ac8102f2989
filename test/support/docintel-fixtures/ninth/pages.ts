/**
 * Orders in templates of HTML that people fill and translate by hand: the four pages of bootstrap-invoice
 * and the one that @solcode/invoice-creator-api-package tests itself with.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cut, escapeHtml, fill, putRows } from '../fifth/templates.ts'
import { addressOf, dayIn, placeOf, plain, round } from '../fourth/sales.ts'
import { digitsOf, headingOf, type Paper } from './sales.ts'

const BOOTSTRAP = 'node_modules/bootstrap-invoice'

const bodyOf = (folder: string, page: string): string =>
  cut(join(folder, BOOTSTRAP, `${page}.html`), '<body>', '<!-- MDB -->')

/** The page with the style of its maker, which is left out of what is frozen. */
export function bootstrapStyled(folder: string, body: string): string {
  const style = readFileSync(join(folder, BOOTSTRAP, 'css/bootstrap-invoice.min.css'), 'utf8')
  return `<!doctype html><meta charset="utf-8"><style>${style}</style>${body}</body>`
}

const buyerLines = ({ truth, sale }: Paper): [string, string, string] =>
  [truth.buyer, plain(sale, 'address1'), placeOf(sale)].map(escapeHtml) as [string, string, string]

/** A receipt of what was bought, without its seller. */
export function basicPage(folder: string, paper: Paper): string {
  const { truth, goods, words, money, manner } = paper
  const from = '<hr>\n            <div class="col-xl-10">\n              <p>Pro Package</p>'
  const through = '<hr style="border: 2px solid black;">'
  const rows = goods.map(
    ({ description, amount }) => `<hr>
            <div class="col-xl-10">
              <p>${escapeHtml(description)}</p>
            </div>
            <div class="col-xl-2">
              <p class="float-end">${money(amount)}
              </p>
            </div>`,
  )
  const page = putRows(bodyOf(folder, 'basic'), from, through, [
    ...rows,
    '<hr style="border: 2px solid black;">',
  ])
  return fill(page, [
    ['Thank for your purchase', words.thanks],
    ['John Doe', escapeHtml(truth.buyer)],
    ['Invoice</span> #12345', `${words.invoice}</span> #${truth.id}`],
    ['April 17 2021', dayIn(truth.date, manner.numbers)],
    ['Total: $10.00', `${words.total}: ${money(truth.total)}`],
  ])
}

/** The page of a company; its rates stand below each other. */
export function companyPage(folder: string, paper: Paper, isPaid: boolean): string {
  const { truth, goods, taxes, words, money, sale } = paper
  const heading = headingOf(paper)
  const [buyer, street, place] = buyerLines(paper)
  const rows = goods.map(
    ({ description, quantity, price, amount }, at) => `<tr>
                  <th scope="row">${at + 1}</th>
                  <td>${escapeHtml(description)}</td>
                  <td>${quantity}</td>
                  <td>${money(price)}</td>
                  <td>${money(amount)}</td>
                </tr>`,
  )
  const from = '<tr>\n                  <th scope="row">1</th>'
  const through = '<td>$300</td>\n                  <td>$300</td>\n                </tr>'
  const tax = (text: string): string =>
    `<li class="text-muted ms-3 mt-2"><span class="text-black me-4">${text}</li>`
  const [own, ownPlace] = addressOf(sale)
  return fill(putRows(bodyOf(folder, 'company'), from, through, rows), [
    ['Invoice >>', `${heading} &gt;&gt;`],
    ['#123-123', `#${truth.id}`],
    ['MDBootstrap.com', escapeHtml(truth.seller)],
    ['To: ', `${words.to}: `],
    ['John Lorem', buyer],
    ['Street, City', street],
    ['State, Country', place],
    ['123-456-789', plain(sale, 'tel')],
    ['<p class="text-muted">Invoice</p>', `<p class="text-muted">${heading}</p>`],
    ['#123-456', `#${truth.id}`],
    ['Creation Date: ', `${words.date}: `],
    ['Jun 23,2021', digitsOf(paper, truth.date)],
    ['Status:', `${words.status}:`],
    ['Unpaid', isPaid ? words.paid : words.unpaid],
    ['>Description<', `>${words.description}<`],
    ['>Qty<', `>${words.quantity}<`],
    ['>Unit Price<', `>${words.price}<`],
    ['>Amount<', `>${words.amount}<`],
    [
      'Add additional notes and payment information',
      isPaid
        ? `${words.payment}: ${words.card}`
        : `${words.due}: ${digitsOf(paper, truth.due)}. ${words.payment}: ${words.transfer}, ${escapeHtml(own)}, ${escapeHtml(ownPlace)}`,
    ],
    ['SubTotal</span>$1110', `${words.subtotal}</span>${money(truth.net)}`],
    [
      tax('Tax(15%)</span>$111'),
      taxes
        .map((of) => tax(`${words.tax}(${of.rate}%)</span>${money(of.tax)}`))
        .join('\n                '),
    ],
    [' Total Amount<', ` ${words.total}<`],
    ['$1221', money(truth.total)],
    ['Thank you for your purchase', words.thanks],
  ])
}

/** One article with its price before and after the discount of a quarter. */
export function imagePage(folder: string, paper: Paper, shipping: number): string {
  const { truth, goods, words, money, sale, manner } = paper
  const [buyer, street, place] = buyerLines(paper)
  const [good] = goods
  const page = bodyOf(folder, 'image').replace(/<img [\s\S]*?\/>/, '')
  return fill(page, [
    ['Invoice &gt;&gt;', `${words.invoice} &gt;&gt;`],
    ['#123-123', `#${truth.id}`],
    ['Company Name', escapeHtml(truth.seller)],
    ['To: ', `${words.to}: `],
    ['John Bootstrap', buyer],
    ['Street, City', street],
    ['State, Country', place],
    ['123-456-789', plain(sale, 'tel')],
    ['<p class="text-muted">Invoice</p>', `<p class="text-muted">${words.invoice}</p>`],
    ['#123-456', `#${truth.id}`],
    ['Creation Date: ', `${words.date}: `],
    ['Jun 23,2021', dayIn(truth.date, manner.numbers, 'medium')],
    ['Status:', `${words.status}:`],
    ['Unpaid', words.paid],
    ['Custom suit', escapeHtml(good!.description)],
    ['Size:', `${words.reference}:`],
    ['<span>8.5', `<span>${plain(sale, 'ordnumber')}`],
    ['Color:', `${words.quantity}:`],
    ['<span>Gray', `<span>${good!.quantity}`],
    ['$1500', money(round((truth.net * 4) / 3))],
    ['$1050', money(truth.net)],
    ['You save 25%', `${words.discount} 25%`],
    ['Add additional notes and payment information', `${words.payment}: ${words.card}`],
    ['SubTotal</span>$1050', `${words.subtotal}</span>${money(truth.net)}`],
    ['Shipping</span>$15', `${words.shipping}</span>${money(shipping)}`],
    [' Total Amount<', ` ${words.total}<`],
    ['$1065', money(truth.total)],
  ])
}

/** The page with the name in red: all goods, what is taken off, what the way costs. */
export function logoPage(folder: string, paper: Paper, off: number, shipping: number): string {
  const { truth, goods, words, money, sale, manner } = paper
  const [street, place] = addressOf(sale).map(escapeHtml)
  const rows = goods.map(
    ({ description, amount }) => `<tr>
                <td>${escapeHtml(description)}</td>
                <td>${money(amount)}</td>
              </tr>`,
  )
  // The sign of the dollar is an icon from the web; whose currency is another writes its own.
  const page = bodyOf(folder, 'logo').replaceAll('<i class="fas fa-dollar-sign"></i>', '$')
  const from = '<tr>\n                <td>Samsung TV</td>'
  return fill(putRows(page, from, '$ 5000,00</td>\n              </tr>', rows), [
    ['Company', escapeHtml(truth.seller)],
    ['123, Elm Street', `${street}, ${place}`],
    ['123-456-789', plain(sale, 'tel')],
    ['mail@mail.com', 'shop@example.com'],
    ['Invoice', headingOf(paper)],
    ['123456789', truth.id],
    ['>Description<', `>${words.description}<`],
    ['>Amount<', `>${words.amount}<`],
    ['Total Amount:', `${words.subtotal}:`],
    ['$ 6850,00', money(truth.net)],
    ['Discount:', `${words.discount}:`],
    ['$ 500,00', money(off)],
    ['Shippment: ', `${words.shipping}: `],
    ['$ 500,00', money(shipping)],
    ['Total:', `${words.total}:`],
    ['$ 6350,00', money(truth.total)],
    ['Date: ', `${words.date}: `],
    ['23 June 20221', dayIn(truth.date, manner.numbers, 'long')],
  ])
}

/** The template of Sparksuite that @solcode's package fills: two columns, one sum. */
export function solcodePage(folder: string, paper: Paper): string {
  const { truth, goods, taxes, words, money, sale, manner } = paper
  const path = 'node_modules/@solcode/invoice-creator-api-package/testTemplate.html'
  const [street, place] = addressOf(sale).map(escapeHtml)
  const [buyer, buyerStreet, buyerPlace] = buyerLines(paper)
  const row = (kind: string, name: string, sum: string): string => `<tr class="${kind}">
            <td>${name}</td>

            <td>${sum}</td>
        </tr>`
  const rows = [
    ...goods.map(({ description, quantity, amount }, at) =>
      row(
        at === goods.length - 1 ? 'item last' : 'item',
        `${quantity > 1 ? `${quantity} x ` : ''}${escapeHtml(description)}`,
        money(amount),
      ),
    ),
    row('total', '', `${words.subtotal}: ${money(truth.net)}`),
    ...taxes.map((of) => row('total', '', `${words.tax} ${of.rate}%: ${money(of.tax)}`)),
  ]
  const day = (iso: string): string => dayIn(iso, manner.numbers)
  const page = putRows(
    cut(join(folder, path), '<!DOCTYPE html>', '</html>'),
    '<tr class="item">',
    '<td>$10.00</td>\n        </tr>',
    rows,
  ).replace(/<img [^>]*>/, '')
  return fill(page, [
    ['Invoice #:', `${headingOf(paper)} #:`],
    [' 123<', ` ${truth.id}<`],
    ['Created: January 1, 2015', `${words.date}: ${day(truth.date)}`],
    ['Due: February 1, 2015', `${words.due}: ${day(truth.due)}`],
    ['Sparksuite, Inc.', escapeHtml(truth.seller)],
    ['12345 Sunny Road', street!],
    ['Sunnyville, CA 12345', place!],
    ['Acme Corp.', buyer],
    ['John Doe', buyerStreet],
    ['john@example.com', buyerPlace],
    ['Payment Method', words.payment],
    ['Check #', words.reference],
    ['Check<', `${words.transfer}<`],
    ['<td>1000', `<td>${plain(sale, 'ordnumber')}`],
    ['<td>Item', `<td>${words.item}`],
    ['<td>Price', `<td>${words.amount}`],
    ['Total: {{total}}', `${words.total}: ${money(truth.total)}`],
  ])
}
