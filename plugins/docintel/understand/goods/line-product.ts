/**
 * The quantity, price and amount of a line of goods by arithmetic, wherever they stand in the row: taxes
 * and the sum with tax may follow, a discount may lie between.
 */
import { looksLikeMoney, type Amount } from '../marks/amounts.ts'
import { isNear } from '../marks/near.ts'
import type { RowMoney } from '../marks/row-money.ts'

export interface LineProduct {
  quantity: Amount
  price: Amount
  /** What quantity and price make, less the discount of the line. */
  amount: Amount
  /** Neither factor is one, so that chance is unlikely. */
  isTelling: boolean
}

const QUANTITY_MAX = 100_000
/** What rounding leaves between a product and its printed amount. */
export const HUNDREDTH = 0.0101
/** A line has few numbers; longer rows are no lines of goods. */
const NUMBERS_MAX = 16

/** The share that is left after a discount of the row, printed with or without its sign. */
function sharesLeft(amounts: readonly Amount[]): number[] {
  const discounts = amounts.filter((a) => a.value !== 0 && Math.abs(a.value) < 100)
  return [1, ...discounts.map((a) => 1 - Math.abs(a.value) / 100)]
}

/** What is left of a product where the row takes a printed sum off it; the product itself without one. */
function lessDiscount(product: Amount, after: readonly Amount[]): Amount {
  const last = after.at(-1)
  if (!last || last.value <= 0 || last.value >= product.value) return product
  const isTakenOff = after.some(
    (a) => a !== last && isNear(product.value - Math.abs(a.value), last.value),
  )
  return isTakenOff ? last : product
}

/** The quantity stands left of its price, unless how they are printed says otherwise. */
function asFactors(left: Amount, right: Amount): [quantity: Amount, price: Amount] {
  const isSwapped =
    right.mark === null &&
    right.decimals === 0 &&
    (left.mark !== null || left.decimals > 0) &&
    left.decimals !== 3
  return isSwapped ? [right, left] : [left, right]
}

/** Any two numbers in the order of the row; those that end later come first. */
function pairsOf(numbers: readonly Amount[]): [left: Amount, right: Amount][] {
  return numbers
    .flatMap((left, at) => numbers.slice(at + 1).map((right): [Amount, Amount] => [left, right]))
    .toReversed()
}

/** "Bend 5 | 2 | 10.00 | 20.00": a number of the name and the quantity make the price by chance. */
const isChance = ({ quantity, price, amount }: LineProduct, next: Amount): boolean =>
  amount === next && quantity.decimals === 0 && price.decimals === 0 && amount.decimals > 0

/** The product that a row prints; null where no two of its numbers make a third. */
export function productOf(entry: RowMoney): LineProduct | null {
  const numbers = entry.amounts.filter((a) => !a.percent && !a.repaired)
  if (numbers.length < 3 || numbers.length > NUMBERS_MAX) return null
  const percents = entry.amounts.filter((a) => a.percent)
  let found: LineProduct | null = null
  for (const [at, amount] of numbers.entries()) {
    if (!looksLikeMoney(amount) || amount.value === 0) continue
    // A number of the name may be the same as the quantity, which stands nearer to the price.
    for (const [left, right] of pairsOf(numbers.slice(0, at))) {
      const [quantity, price] = asFactors(left, right)
      if (quantity.value <= 0 || quantity.value > QUANTITY_MAX) continue
      const bare = numbers.filter(
        (a) => a !== price && a !== quantity && a !== amount && a.start < amount.start,
      )
      const product = quantity.value * price.value
      const share = sharesLeft([...percents, ...bare]).find((s) =>
        isNear(product * s, amount.value, HUNDREDTH),
      )
      if (share === undefined) continue
      const isTelling = quantity.value !== 1 && price.value !== 1
      // An undiscounted product, and one whose factors tell more, go first.
      if (found && (found.isTelling || !isTelling) && !isChance(found, price)) continue
      const after = numbers.slice(at + 1).filter(looksLikeMoney)
      found = { quantity, price, amount: lessDiscount(amount, after), isTelling }
    }
  }
  return found
}
