/** Goods whose names stand behind their numbers: "2,938.94  23  127.78  Server maintenance". */
import { letterWeight } from '../../lexicon/other-scripts.ts'
import { looksLikeMoney, type Amount } from '../marks/amounts.ts'
import { tidy, type LineItem } from './item-quantities.ts'
import { isNear } from '../marks/near.ts'
import type { RowMoney } from '../marks/row-money.ts'

/** Letters that a name has at least. */
const NAME_LETTERS = 3
/** A line has few numbers before its name. */
const NUMBERS_MAX = 6

/** The amount with its two factors, in any order; null where no number is a product of two others. */
function factorsOf(numbers: readonly Amount[]): [Amount, Amount, Amount] | null {
  for (const amount of numbers)
    for (const quantity of numbers)
      for (const price of numbers)
        if (
          amount !== quantity &&
          amount !== price &&
          quantity !== price &&
          looksLikeMoney(amount) &&
          quantity.decimals < 2 &&
          isNear(quantity.value * price.value, amount.value, 0.011)
        )
          return [quantity, price, amount]
  return null
}

/** The goods of rows that begin with their numbers and end with their names. */
export function goodsWithNamesBehind(entries: readonly RowMoney[]): LineItem[] {
  return entries.flatMap(({ row, amounts }) => {
    const numbers = amounts.filter((a) => !a.percent)
    const cells = row.cells.findIndex(({ text }) => letterWeight(text) >= NAME_LETTERS)
    const before = numbers.filter((a) => a.cell < cells)
    if (before.length < 3 || before.length > NUMBERS_MAX) return []
    const factors = factorsOf(before)
    if (!factors) return []
    const [quantity, price, amount] = factors
    return [
      {
        description: tidy(
          row.cells
            .slice(cells)
            .map(({ text }) => text)
            .join(' '),
        ),
        quantity: quantity.value,
        unit_price: price.value,
        amount: amount.value,
      },
    ]
  })
}
