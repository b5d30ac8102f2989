/** Lines that are the sum of others: services over or under what they are made of. */
import type { LineItem } from './item-quantities.ts'
import { isNear } from '../marks/near.ts'

/** Lines that one sum may be made of. */
const PARTS_MAX = 60

/** How many lines from `from` on, in steps of `step`, make the amount; 0 where they do not. */
function partsOf(items: readonly LineItem[], from: number, step: 1 | -1, amount: number): number {
  let sum = 0
  for (let count = 1; count <= PARTS_MAX; count++) {
    const part = items[from + (count - 1) * step]
    if (!part) return 0
    sum += part.amount
    if (isNear(sum, amount)) return count
  }
  return 0
}

/** The lines without those that have no price and are what the lines right below or above them make. */
export function withoutGroupSums(items: readonly LineItem[]): LineItem[] {
  return items.filter((item, at) => {
    if (item.amount === 0 || (item.unit_price !== null && item.quantity !== null)) return true
    const below = partsOf(items, at + 1, 1, item.amount)
    const above = partsOf(items, at - 1, -1, item.amount)
    return below === 0 && above === 0
  })
}
