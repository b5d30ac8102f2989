/**
 * Orders in templates of Jade: invoice-bill's table with a discount in each row, and Storify's invoice of
 * a plan that a card has paid (invoice-pdf). Both packages take a template of one's own in the place of
 * theirs, so its words are translated.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fill } from '../fifth/templates.ts'
import { addressOf, dayIn, moneyOf, plain, round } from '../fourth/sales.ts'
import { withSums, type Order } from '../sixth/orders.ts'
import type { Paper } from './sales.ts'

interface Jade {
  render(template: string, values: object): string
}
const jadeOf = (folder: string): Jade => createRequire(join(folder, 'package.json'))('jade') as Jade

/** A picture of one clear dot. */
const NO_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** Every third row is cheaper by a round sum, as the package takes a sum off and no share. */
export function withRowDiscounts(made: Order): Order {
  const goods = made.goods.map((good, at) => {
    const off = at % 3 === 1 ? Math.floor(good.amount / 20) : 0
    return { ...good, amount: round(good.amount - off) }
  })
  return withSums(made.sale, goods)
}

/** The package pads numbers with "x" to eight characters. */
export const billId = (id: string): string => id.padStart(8, 'x')

/** Its sums as JavaScript writes them: null where binary fractions would show. */
export function billPage(folder: string, paper: Paper, before: Order): string | null {
  const { truth, words, sale, manner, goods } = paper
  const symbols = createRequire(join(folder, 'package.json'))('currency-symbol-map') as (
    code: string,
  ) => string
  const recode = goods.map(({ description, quantity, price, amount }, at) => ({
    itemName: description,
    itemDescription: `${words.reference} ${100 + at * 7}`,
    itemBasePrice: price,
    itemCount: quantity,
    discount: round(before.goods[at]!.amount - amount),
  }))
  const records = recode.map((item) => ({
    ...item,
    total: item.itemCount * item.itemBasePrice - item.discount,
  }))
  const total = records.reduce((sum, item) => sum + item.total, 0)
  if ([total, ...records.map((item) => item.total)].some((sum) => sum !== round(sum))) return null
  const path = join(folder, 'node_modules/invoice-bill/lib/templates/default.jade')
  const isEnglish = paper.language === 'en'
  const template = isEnglish
    ? readFileSync(path, 'utf8')
    : fill(readFileSync(path, 'utf8'), [
        ['| Invoice #:', `| ${words.invoice} #:`],
        ['Created:', `${words.date}:`],
        ['| Item', `| ${words.item}`],
        ['| Description', `| ${words.description}`],
        ['| Price per item', `| ${words.price}`],
        ['| Price Count', `| ${words.quantity}`],
        ['| Discount', `| ${words.discount}`],
        ['| Total price', `| ${words.amount}`],
        ['| Total:', `| ${words.total}:`],
      ])
  return jadeOf(folder).render(template, {
    title: truth.id,
    logo: NO_PICTURE,
    billID: billId(truth.id),
    // The package writes "13 January 2018" in every language.
    createDate: dayIn(truth.date, 'en-GB'),
    from: {
      address: addressOf(sale).join(', '),
      companyName: truth.seller,
      issuer: plain(sale, 'employee'),
      phoneNumber: plain(sale, 'tel'),
    },
    payment: [],
    currency: symbols(manner.currency) || manner.currency,
    recode: records,
    total,
  })
}

/** What Storify prints where ours differs: its own name, its address, what its card statement says. */
export function storifyPage(folder: string, paper: Paper): string {
  const { truth, goods, sale, words, manner, language } = paper
  const path = join(folder, 'node_modules/invoice-pdf/views/invoice.jade')
  const [street, place] = addressOf(sale)
  const isEnglish = language === 'en'
  const isDollar = manner.currency === 'USD'
  const sign = isDollar ? '$ ' : `${manner.currency} `
  const texts: (readonly [string, string])[] = [
    // Two marks of an older Jade.
    ['!!! 5', 'doctype html'],
    ['style(type="text/css")', 'style(type="text/css").'],
    ['Storify Invoice', isEnglish ? `${truth.seller.split(' ')[0]} Invoice` : words.invoice],
    ['Livefyre, Inc', truth.seller],
    ['360 3rd St. Suite 700', street],
    ['San Francisco CA 94107', place],
    ...(isDollar ? [] : [['(in U.S. dollars)', `(${manner.currency})`] as const]),
    ['| $ #{price}', `| ${sign}#{price}`],
  ]
  const page = readFileSync(path, 'utf8')
    .replace('td.right $ #{price}', 'td.right\n            | $ #{price}')
    .replace('$ -#{price}', `${sign}-#{price}`)
    .replace('strong $ 0', `strong ${sign}0`)
    .replace('Storify.com', 'example.com')
  const template = fill(page, texts)
  const translated = isEnglish
    ? template
    : fill(template, [
        ['PAID', words.paid.toUpperCase()],
        ['Invoice Date:', `${words.date}:`],
        ['Credit Card Transaction ID:', `${words.number}:`],
        ['Create Card ending in:', `${words.card}:`],
        ['Bill to:', `${words.to}:`],
        ['th Item', `th ${words.item}`],
        ['Amount (', `${words.amount} (`],
        ['Payments/credits', words.paid],
        ['Invoice balance', words.unpaid],
        ['Credit card statement', words.payment],
        ['Your credit card will show a transaction from', words.card],
      ])
  return jadeOf(folder).render(translated, {
    webappUrl: 'about:blank',
    data: {
      date: dayIn(truth.date, isEnglish ? 'en-US' : manner.numbers),
      transactionId: truth.id,
      creditCardEnd: '4242',
      user: { name: truth.buyer },
      plan: goods[0]!.description,
      price: moneyOf(manner.numbers)(truth.total),
    },
  })
}
