/** What the letters of the eleventh set say of an order: rows of goods, then the sums under them. */
import { dayIn, moneyOf, placeOf, plain, addressOf } from '../fourth/sales.ts'
import type { Manner, SaleTruth } from '../others/sale.ts'
import type { Order } from '../sixth/orders.ts'
import { wordsOf, type Words } from '../tenth/words.ts'

export interface Wish {
  isTaxed: boolean
  isCredit: boolean
  /** Added to the total, untaxed. */
  shipping: number
  /** Taken off the total, untaxed. */
  off: number
}

export interface Letter {
  word: Words
  seller: string
  /** Street, then postcode and town. */
  from: [string, string]
  to: [string, string, string]
  /** The writer's town. */
  place: string
  phone: string
  person: string
  id: string
  orderId: string
  date: string
  /** A sentence, or empty. */
  due: string
  title: string
  head: string[]
  goods: string[][]
  sums: [string, string][]
  total: [string, string]
}

export function letterOf(
  { sale, goods, taxes }: Order,
  truth: SaleTruth,
  language: string,
  manner: Manner,
  { isTaxed, isCredit, shipping, off }: Wish,
): Letter {
  const word = wordsOf(language)
  const money = moneyOf(manner.numbers)
  const from = addressOf(sale)
  const swiss = { de: 'de-CH', fr: 'fr-CH', it: 'it-CH', en: 'en-GB' }[language] ?? manner.numbers
  const locale = manner.currency === 'CHF' ? swiss : manner.numbers
  const sums: [string, string][] = []
  if (isTaxed) {
    sums.push([word.net, money(truth.net)])
    for (const { rate, tax } of taxes)
      sums.push([
        `${manner.tax} ${new Intl.NumberFormat(manner.numbers).format(rate)} %`,
        money(tax),
      ])
  }
  if (shipping > 0) sums.push([word.shipping, money(shipping)])
  if (off > 0) sums.push([word.discount, `-${money(off)}`])
  return {
    word,
    seller: truth.seller,
    from,
    to: [truth.buyer, plain(sale, 'address1'), placeOf(sale)],
    place: from[1].slice(from[1].indexOf(' ') + 1),
    phone: plain(sale, 'tel'),
    person: plain(sale, 'employee'),
    id: truth.id,
    orderId: plain(sale, 'ordnumber'),
    date: dayIn(truth.date, locale),
    due: isCredit ? '' : `${word.due} ${dayIn(truth.due, locale)}.`,
    title: `${isCredit ? word.credit : word.invoice} ${word.number} ${truth.id}`,
    head: [word.article, word.quantity, word.price, word.amount],
    goods: goods.map(({ description, quantity, price, amount }) => [
      description,
      String(quantity),
      money(price),
      money(amount),
    ]),
    sums,
    total: [`${word.total} ${manner.currency}`, money(truth.total)],
  }
}
