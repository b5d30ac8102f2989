/** Orders among parties named as in life, for the tenth set and those after it. */
import { plain } from '../fourth/sales.ts'
import type { Manner } from '../others/sale.ts'
import { orderMaker, type Order } from '../sixth/orders.ts'
import { tradingName } from './words.ts'

type OrderWish = Parameters<ReturnType<typeof orderMaker>>[3]

/** Every third seller has a trading name, every third buyer is a person. */
function named(made: Order, language: string, at: number, person: string): Order {
  const { truth } = made
  const seller = at % 3 === 1 ? tradingName(language, at) : truth.seller
  const buyer = at % 3 === 2 ? person : truth.buyer
  return { ...made, truth: { ...truth, seller, buyer } }
}

/** Draws named orders with the package @faker-js/faker in a folder. */
export function namedOrderMaker(
  folder: string,
): (language: string, manner: Manner, seed: number, at: number, wish?: OrderWish) => Order {
  const draw = orderMaker(folder)
  return (language, manner, seed, at, wish = {}) => {
    const person = plain(draw(manner, seed + 50_000, 1).sale, 'employee')
    return named(draw(manner, seed, at, wish), language, at, person)
  }
}
