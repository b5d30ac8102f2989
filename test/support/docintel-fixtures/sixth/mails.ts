/**
 * Orders as receipts by mail in the templates of `transactional-email-templates`, MJML's
 * invoice, Vendure and Foundation for Emails. Where a template has no words of its own, those of the
 * sender are the words of the fifth set; where it has a place for a company's text, it says "receipt".
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { MAIL_WORDS } from '../fifth/mails.ts'
import { escapeHtml } from '../fifth/templates.ts'
import { addressOf, dayIn, moneyOf, placeOf, plain, round } from '../fourth/sales.ts'
import type { Manner } from '../others/sale.ts'
import type { Order } from './orders.ts'

/** What the column of prices is called. */
const PRICE: Readonly<Record<string, string>> = {
  de: 'Preis',
  fr: 'Prix',
  nl: 'Prijs',
  es: 'Precio',
  it: 'Prezzo',
  pl: 'Cena',
  pt: 'Preço',
  sv: 'Pris',
  fi: 'Hinta',
  en: 'Price',
}

/** A grey square in place of a picture of the goods; the address goes on after it. */
const PICTURE =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='50' height='50'%3E%3Crect width='50' height='50' fill='silver'/%3E%3C/svg%3E#"

const requireOf = (folder: string): NodeJS.Require => createRequire(join(folder, 'package.json'))

/** The template's own billing mail: an address, rows of a title with an amount, and a total. */
export function transactionalPage(
  folder: string,
  { sale, truth, goods, taxes }: Order,
  language: string,
  manner: Manner,
): string {
  const { billing } = requireOf(folder)('transactional-email-templates') as {
    billing(mail: object): string
  }
  const word = MAIL_WORDS[language]!
  const format = moneyOf(manner.numbers)
  // Thousands keep together where a row breaks, as `Intl` prints them.
  const money = (value: number): string => format(value).replaceAll(' ', '\u00A0')
  const day = (iso: string): string => dayIn(iso, manner.numbers)
  const [street, place] = addressOf(sale)
  return billing({
    title: truth.id,
    headline: escapeHtml(truth.seller),
    bodyElements: [word.intro],
    addressElements: [
      truth.buyer,
      plain(sale, 'address1'),
      placeOf(sale),
      `${word.id} ${truth.id}`,
      `${word.date}: ${day(truth.date)}`,
      `${word.due}: ${day(truth.due)}`,
    ],
    currency: manner.currency,
    lineItems: [
      ...goods.map(({ description, quantity, amount }) => ({
        title: `${description} (${quantity} ${manner.unit})`,
        amount: money(amount),
      })),
      { title: word.net, amount: money(truth.net) },
      ...taxes.map(({ rate, tax }) => ({
        title: `${manner.tax} ${rate}%`,
        amount: money(tax),
      })),
    ],
    totalTitle: word.total,
    totalCost: money(truth.total),
    byline: escapeHtml(`${truth.seller}, ${street}, ${place}`),
    footerText: escapeHtml(plain(sale, 'tel')),
  })
}

/** MJML's table of an invoice has names, prices and quantities; it adds them up without a tax. */
export function mjmlPage(
  folder: string,
  { sale, truth, goods }: Order,
  language: string,
  manner: Manner,
): string {
  const { mjml2html } = requireOf(folder)('mjml') as { mjml2html(text: string): { html: string } }
  const word = MAIL_WORDS[language]!
  const money = moneyOf('en-US')
  const day = (iso: string): string => dayIn(iso, manner.numbers)
  const [street, place] = addressOf(sale)
  const items = goods.map(
    ({ description, price, quantity }) =>
      `<mj-invoice-item name="${escapeHtml(description)}" price="${money(price)} ${manner.currency}" quantity="${quantity}" />`,
  )
  const text = (lines: string[]): string =>
    `<mj-column><mj-text>${lines.map(escapeHtml).join('<br/>')}</mj-text></mj-column>`
  const section = (columns: string): string => `<mj-section>${columns}</mj-section>`
  const intl = `name:${word.item};price:${PRICE[language]};quantity:${word.quantity};total:${word.total}`
  return mjml2html(`<mjml><mj-body><mj-container>
${section(
  text([truth.seller, street, place]) +
    text([`${word.id}: ${truth.id}`, `${word.date}: ${day(truth.date)}`]),
)}
${section(text([`${word.buyer}:`, truth.buyer, plain(sale, 'address1'), placeOf(sale)]))}
${section(
  `<mj-column><mj-invoice format="0,0.00 ${manner.currency}" intl="${intl}">${items.join('')}</mj-invoice></mj-column>`,
)}
${section(text([`${word.due}: ${day(truth.due)}`]))}
</mj-container></mj-body></mjml>`).html
}

/** Vendure's mail of an order; its rows have the tax in them, the sum at the top has not. */
export function vendurePage(
  folder: string,
  { sale, truth, goods, taxes }: Order,
  currency: string,
  { shipping, off }: { shipping: number; off: number },
): string {
  const require = requireOf(folder)
  const handlebars = require('handlebars') as {
    create(): {
      registerHelper(name: string, help: (...args: never[]) => string): void
      registerPartial(name: string, text: string): void
      compile(text: string): (values: object) => string
    }
  }
  const toHtml = require('mjml4') as (text: string) => { html: string }
  const templates = join(folder, 'node_modules/@vendure/email-plugin/templates')
  const read = (name: string): string => readFileSync(join(templates, name), 'utf8')
  const [street, place] = addressOf(sale)
  const from = escapeHtml(truth.seller)
  const shop = handlebars.create()
  shop.registerHelper('formatMoney', (cents: number, code: string, locale: string) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency: code }).format(cents / 100),
  )
  shop.registerHelper(
    'formatDate',
    (date: string) =>
      // What `dateformat` prints by default.
      `${new Date(`${date}T12:00:00Z`).toUTCString().slice(0, 3)} ${dayIn(date, 'en-US', 'medium').replace(',', '')} 10:24:31`,
  )
  shop.registerPartial('header', read('partials/header.hbs').replace('[company header]', from))
  shop.registerPartial(
    'footer',
    read('partials/footer.hbs').replace(
      '[footer text]',
      escapeHtml(`This mail is your receipt. ${truth.seller}, ${street}, ${place}`),
    ),
  )
  const cents = (value: number): number => Math.round(value * 100)
  const [firstName, ...rest] = plain(sale, 'employee').split(' ')
  const rate = taxes[0]!.rate
  const page = shop.compile(read('order-confirmation/body.hbs'))({
    order: {
      customer: { firstName, lastName: rest.join(' ') },
      code: truth.id,
      orderPlacedAt: truth.date,
      total: cents((truth.total - shipping) / (1 + rate / 100) + shipping),
      totalWithTax: cents(truth.total),
      subTotalWithTax: cents(truth.total - shipping),
      currencyCode: currency,
      shippingAddress: {
        fullName: plain(sale, 'employee'),
        company: truth.buyer,
        streetLine1: plain(sale, 'address1'),
        city: plain(sale, 'city'),
        postalCode: plain(sale, 'zipcode'),
      },
      lines: goods.map(({ description, quantity, amount }) => ({
        quantity,
        productVariant: { name: description },
        featuredAsset: { preview: PICTURE },
        discountedLinePriceWithTax: cents(amount),
      })),
      discounts: off ? [{ description: 'Welcome coupon', amount: cents(-off) }] : [],
    },
    shippingLines: [{ shippingMethod: { name: 'Standard' }, priceWithTax: cents(shipping) }],
  })
  return toHtml(page).html
}

/** Foundation's mail of an order, its sample text replaced; it prints a subtotal as its only sum. */
export function foundationPage(folder: string, { sale, truth, goods }: Order): string {
  const { Inky } = requireOf(folder)('inky') as {
    Inky: new () => { releaseTheKraken(text: string): string }
  }
  const base = join(folder, 'node_modules/foundation-emails')
  const css = readFileSync(join(base, 'dist/foundation-emails.min.css'), 'utf8')
  const [street, place] = addressOf(sale)
  const money = moneyOf('en-US')
  const rows = goods.map(
    ({ description, quantity, amount }) =>
      `<tr><td>${escapeHtml(description)}</td><td>${quantity}</td><td>$${money(amount)}</td></tr>`,
  )
  let page = readFileSync(join(base, 'templates/order.html'), 'utf8')
  const put = (from: string | RegExp, to: string): void => {
    const filled = page.replace(from, () => to)
    if (filled === page) throw new Error(`the template has no ${String(from)}`)
    page = filled
  }
  put(
    /Lorem ipsum dolor sit amet, consectetur adipisicing elit\. Ad earum[^<]*/,
    `This is your receipt from ${escapeHtml(truth.seller)} of ${dayIn(truth.date, 'en-US')}.`,
  )
  put('Dubloons', 'Credit card')
  put('thecapn@pirates.org', 'orders@example.com')
  put('239235983749636', truth.id)
  put('Boat (1&ndash;2 weeks)', 'Parcel (2&ndash;4 days)')
  put('Captain Price', escapeHtml(truth.buyer))
  put('123 Maple Rd', escapeHtml(plain(sale, 'address1')))
  put('Campbell, CA 95112', escapeHtml(placeOf(sale)))
  put(/(<tr><td>Ship's Cannon.*<\/tr>\s*){3}/, rows.join('\n'))
  put('$600', `$${money(round(truth.net))}`)
  put(/Lorem ipsum[^<]*/, '')
  put('<img src="http://placehold.it/170x30" alt="">', `<p>${escapeHtml(truth.seller)}</p>`)
  put('800.555.1923', escapeHtml(plain(sale, 'tel')))
  put('support@discount.boat', 'support@example.com')
  put('123 Maple Rd', escapeHtml(street))
  put('Campbell, CA 95112', escapeHtml(place))
  const body = new Inky().releaseTheKraken(page)
  return `<!doctype html><style>${css}</style><body class="body">${body}</body>`
}
