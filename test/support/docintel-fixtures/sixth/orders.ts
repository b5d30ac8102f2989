/** Orders of the sixth set: the goods of several drawn sales, so that a page has 1 to 20 rows of them. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { goodsOf, round, saleFor, type Good, type Sale } from '../fourth/sales.ts'
import type { Faker, Manner, SaleTruth } from '../others/sale.ts'

/** How many rows of goods the documents of a layout have, in turn. */
const ROWS = [3, 1, 7, 2, 12, 5, 20, 4, 9]

export interface Order {
  /** Gives the addresses and names; its own sums are not those of the order. */
  sale: Sale
  truth: SaleTruth
  goods: Good[]
  taxes: { rate: number; base: number; tax: number }[]
}

/** The sums of goods whose amounts are without tax. */
export function withSums(sale: Sale, goods: Good[]): Order {
  const sum = (values: number[]): number => round(values.reduce((all, value) => all + value, 0))
  const rates = [...new Set(goods.map((good) => good.rate))]
  const taxes = rates.map((rate) => {
    const base = sum(goods.filter((good) => good.rate === rate).map((good) => good.amount))
    return { rate, base, tax: round((base * rate) / 100) }
  })
  const net = sum(goods.map((good) => good.amount))
  const vat = sum(taxes.map(({ tax }) => tax))
  const sold = goods.map(({ description, amount }) => ({ description, amount }))
  const truth = { ...sale.truth, net, vat, total: round(net + vat), goods: sold }
  return { sale, truth, goods, taxes }
}

/** Draws the `at`th order of a layout; at most `most` rows fit on its page. */
function orderFor(
  faker: Faker,
  manner: Manner,
  seed: number,
  at: number,
  { most = 20, isOneRate = false, isLate = false } = {},
): Order {
  const sales: Sale[] = []
  const rows = Math.min(ROWS[at % ROWS.length]!, most)
  let goods: Good[] = []
  for (let k = 0; goods.length < rows; k++) {
    sales.push(saleFor(faker, manner, seed + 100_000 * k, { isOneRate, isLate }))
    goods = sales.flatMap(goodsOf)
  }
  const kept = goods.slice(0, rows)
  const first = kept[0]!.rate
  return withSums(sales[0]!, isOneRate ? kept.map((good) => ({ ...good, rate: first })) : kept)
}

/** Draws orders with the names and goods of the package @faker-js/faker in a folder. */
export function orderMaker(
  folder: string,
): (manner: Manner, seed: number, at: number, wish?: Parameters<typeof orderFor>[4]) => Order {
  const require = createRequire(join(folder, 'package.json'))
  const { allFakers } = require('@faker-js/faker') as { allFakers: Record<string, Faker> }
  return (manner, seed, at, wish = {}) => orderFor(allFakers[manner.faker]!, manner, seed, at, wish)
}

/** The truth of an order whose amounts have the tax of one rate in them, and whose sum is their sum. */
export function grossTruth(truth: SaleTruth, rate: number, off: number): SaleTruth {
  const total = round(truth.net - off)
  const net = round(total / (1 + rate / 100))
  return { ...truth, total, net, vat: round(total - net) }
}
