/** What the letters of the eleventh set say of an order: rows of goods, then the sums under them. */
import { dayIn, moneyOf, placeOf, plain, addressOf } from '../fourth/sales.ts'
import type { Manner, SaleTruth } from '../others/sale.ts'
import type { Order } from '../sixth/orders.ts'
import { sumsOf, type LetterWish } from '../tenth/sums.ts'
import { wordsOf, type Words } from '../tenth/words.ts'

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
  made: Order,
  truth: SaleTruth,
  language: string,
  manner: Manner,
  wish: LetterWish,
): Letter {
  const { sale, goods } = made
  const { isCredit } = wish
  const word = wordsOf(language)
  const money = moneyOf(manner.numbers)
  const from = addressOf(sale)
  const swiss = { de: 'de-CH', fr: 'fr-CH', it: 'it-CH', en: 'en-GB' }[language] ?? manner.numbers
  const locale = manner.currency === 'CHF' ? swiss : manner.numbers
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
    sums: sumsOf(made, truth, language, manner, wish),
    total: [`${word.total} ${manner.currency}`, money(truth.total)],
  }
}
