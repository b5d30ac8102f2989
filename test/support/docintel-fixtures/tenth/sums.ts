/** What stands under the goods of a letter, for the tenth set and those after it. */
import { moneyOf } from '../fourth/sales.ts'
import type { Manner, SaleTruth } from '../others/sale.ts'
import type { Order } from '../sixth/orders.ts'
import { wordsOf } from './words.ts'

export interface LetterWish {
  isCredit: boolean
  isTaxed: boolean
  /** Added to the total, untaxed. */
  shipping: number
  /** Taken off the total, untaxed. */
  off: number
}

/** Labels and amounts between the goods and the total. */
export function sumsOf(
  { taxes }: Pick<Order, 'taxes'>,
  truth: SaleTruth,
  language: string,
  manner: Manner,
  { isTaxed, shipping, off }: LetterWish,
): [string, string][] {
  const word = wordsOf(language)
  const money = moneyOf(manner.numbers)
  const percent = new Intl.NumberFormat(manner.numbers)
  const sums: [string, string][] = []
  if (isTaxed) {
    sums.push([word.net, money(truth.net)])
    for (const { rate, tax } of taxes)
      sums.push([`${manner.tax} ${percent.format(rate)} %`, money(tax)])
  }
  if (shipping > 0) sums.push([word.shipping, money(shipping)])
  if (off > 0) sums.push([word.discount, `-${money(off)}`])
  return sums
}
