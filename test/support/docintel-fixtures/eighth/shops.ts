/**
 * Orders as pages of HTML of npm: the mails of the shops E-Com Plus and Reaction Commerce about orders that
 * are paid, and the invoice of the theme Equation. The words are theirs; ours are the sentence of the shop
 * in E-Com Plus's place for it and, of Reaction, the way of payment.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { cut, escapeHtml, fill, putRows } from '../fifth/templates.ts'
import { addressOf, moneyOf, placeOf, plain } from '../fourth/sales.ts'
import type { Order } from '../sixth/orders.ts'

/** A picture of one clear dot. */
const NO_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

const RECEIPT = {
  pt_br: 'Recibo do seu pedido, {name}. Pagamento aprovado!',
  en_us: 'Receipt for your order, {name}. Your payment is approved!',
} as const
export type ShopLanguage = keyof typeof RECEIPT

/** A mail of E-Com Plus. Its amounts hold no tax in Brazil; `freight` is added to them. */
export async function ecomplusPage(
  folder: string,
  { sale, truth, goods }: Order,
  language: ShopLanguage,
  freight: number,
): Promise<string> {
  const require = createRequire(join(folder, 'package.json'))
  const { NumberFormat, DateTimeFormat } = Intl
  const mails = require('@ecomplus/transactional-mails') as {
    paid(...data: (object | string)[]): Promise<string>
  }
  // The package puts an older Intl in the place of the runtime's when it is loaded.
  Object.assign(Intl, { NumberFormat, DateTimeFormat })
  const inside = createRequire(require.resolve('@ecomplus/transactional-mails'))
  const utils = inside('@ecomplus/utils') as { _config: { set(key: string, value: string): void } }
  utils._config.set('currency', 'USD')
  const [street, place] = addressOf(sale)
  const [given, ...family] = plain(sale, 'employee').split(' ')
  const to = plain(sale, 'address1')
  const town = placeOf(sale)
  return await mails.paid(
    {
      domain: 'loja.example.com',
      homepage: 'https://loja.example.com',
      corporate_name: truth.seller,
      address: `${street}, ${place}`,
      logo: { url: NO_PICTURE },
      brand_colors: { primary: '#20639b' },
      unsubscribe: 'https://loja.example.com/off',
    },
    { name: { given_name: given, family_name: family.join(' ') } },
    {
      number: truth.id,
      status_link: 'https://loja.example.com/order',
      items: goods.map(({ description, quantity, price }) => ({
        name: description,
        quantity,
        price,
        final_price: price,
        picture: { normal: { url: NO_PICTURE } },
      })),
      amount: {
        subtotal: truth.net,
        ...(freight > 0 && { freight }),
        ...(truth.vat > 0 && { tax: truth.vat }),
        total: truth.total,
      },
      shipping_lines: [
        {
          to: {
            street: to,
            number: 27,
            city: town.slice(town.indexOf(' ') + 1),
            zip: town.split(' ')[0],
          },
          app: { carrier: language === 'pt_br' ? 'Correios' : 'UPS' },
          posting_deadline: { days: 2, working_days: true },
          delivery_time: { days: 5, working_days: true },
        },
      ],
    },
    language,
    RECEIPT[language],
  )
}

/** A confirmation of Reaction Commerce. It prints the price of one piece. */
export async function reactionPage(
  folder: string,
  { sale, truth, goods }: Order,
  shipping: number,
): Promise<string> {
  const { compile } = createRequire(join(folder, 'package.json'))('handlebars') as {
    compile(template: string): (data: object) => string
  }
  const path =
    'node_modules/@reactioncommerce/api-plugin-email-templates/src/templates/orders/new.js'
  const { default: template } = (await import(join(folder, path))) as { default: string }
  const format = moneyOf('en-US')
  const money = (value: number): string => `$${format(value)}`
  const [street, place] = addressOf(sale)
  const [year, month, day] = truth.date.split('-')
  const town = placeOf(sale)
  const address = {
    fullName: truth.buyer,
    address: plain(sale, 'address1'),
    city: town.slice(town.indexOf(' ') + 1),
    region: 'CA',
    postal: town.split(' ')[0],
  }
  return `<!doctype html>${compile(template)({
    emailLogo: NO_PICTURE,
    shopName: truth.seller,
    legalName: truth.seller,
    contactEmail: 'shop@example.com',
    copyrightDate: year,
    orderUrl: 'https://shop.example.com/order',
    order: { referenceId: truth.id },
    orderDate: `${month}/${day}/${year}`,
    shipping: { address },
    billing: {
      address,
      payments: [{ displayName: 'Receipt: paid by Visa 4242', displayAmount: money(truth.total) }],
      subtotal: money(truth.net),
      shipping: money(shipping),
      taxes: money(truth.vat),
      discounts: money(0),
      total: money(truth.total),
    },
    combinedItems: goods.map(({ description, quantity, price }) => ({
      quantity,
      variantTitle: description,
      price: { displayAmount: money(price) },
      imageURLs: { thumbnail: NO_PICTURE },
    })),
    physicalAddress: {
      address: street,
      city: place.slice(place.indexOf(' ') + 1),
      region: 'CA',
      postal: place.split(' ')[0],
    },
    socialLinks: { display: false },
  })}`
}

const EQUATION = 'node_modules/equation-admin-template/ltr'

export function equationPage(
  folder: string,
  { sale, truth, goods }: Order,
  sign: '$' | '£',
): string {
  const format = moneyOf('en-US')
  const money = (value: number): string => `${sign}${format(value)}`
  const [street, place] = addressOf(sale).map(escapeHtml) as [string, string]
  const [to, toPlace] = [plain(sale, 'address1'), placeOf(sale)].map(escapeHtml) as [string, string]
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  const page = cut(join(folder, EQUATION, 'invoice-print.html'), '<body>', '<!-- BEGIN GLOBAL')
  const rows = goods.map(
    ({ description, quantity, price, amount }, at) => `<tr>
      <td scope="row">${at + 1}</td>
      <td>${escapeHtml(description)}</td>
      <td class="text-right">${format(price)}</td>
      <td class="text-right">${quantity}</td>
      <td class="text-right">${money(amount)}</td>
    </tr>`,
  )
  const body = fill(
    putRows(
      page,
      '<tr>\n                                    <td scope="row">1</td>',
      '$3500</td>\n                                </tr>',
      rows,
    ),
    [
      ['#1942784', `#${truth.id}`],
      ['Pending', 'Completed'],
      ['March 17 2018', day.format(new Date(`${truth.date}T12:00:00Z`)).replace(',', '')],
      ['REDQ Inc.', escapeHtml(truth.seller)],
      ['redq@company.com', 'sales@example.com'],
      ['405 Mulberry Rd. Mc Grady,', `${street},`],
      ['NC, 28649', place],
      ['Fax: +0(863) 228-7064', `Fax: ${plain(sale, 'tel')}`],
      ['Phone: +(740) 927-9284', `Phone: ${plain(sale, 'tel')}`],
      ['Pineapple Inc.', escapeHtml(truth.buyer)],
      ['pineapple@company.com', 'buying@example.com'],
      ['86781 547th Ave. Osmond,', `${to},`],
      ['NE, 68765', toPlace],
      ['Fax: +0(863) 228-7064', `Fax: ${plain(sale, 'fax')}`],
      ['Phone: +(740) 927-9284', `Phone: ${plain(sale, 'fax')}`],
      ['$13300', money(truth.net)],
      ['$700', money(truth.vat)],
      ['$14000', money(truth.total)],
    ],
  )
  return body
}

/** Equation's page with its styles, which are left out of what is frozen. */
export function equationStyled(folder: string, body: string): string {
  const styles = ['bootstrap/css/bootstrap.min.css', 'assets/css/ecommerce/invoice.css'].map(
    (path) => readFileSync(join(folder, EQUATION, path), 'utf8'),
  )
  return `<!doctype html><meta charset="utf-8"><style>${styles.join('\n')}</style>${body}`
}
