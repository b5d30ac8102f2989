/** Rules for the total by other printed sums that lead to the same amount. */
import type { MoneyLine } from '../marks/money-line.ts'
import { isNear } from '../marks/near.ts'
import { when, type Finding, type Rule } from '../marks/rules.ts'
import type { Sums, TotalSubject } from './total-sums.ts'

const confirmed = (
  sums: readonly number[],
  value: number,
  { points, confirms }: Finding,
): Finding | null => (sums.some((x) => isNear(x, value)) ? { points, confirms } : null)

/** What payment, net and tax, goods and rounding say of a sum. */
export const AGREEMENT_RULES: readonly Rule<TotalSubject>[] = [
  {
    name: 'cash minus change',
    look: ({ value, sums }) =>
      confirmed(sums.fromCash, value, { points: value > 0 ? 3.2 : 0, confirms: 2 }),
  },
  {
    name: 'paid',
    look: ({ value, sums }) => confirmed(sums.paidBy, value, { points: 0.9, confirms: 1 }),
  },
  {
    name: 'subtotal with tax and extras',
    look: ({ value, sums }) => confirmed(sums.composed, value, { points: 1.4, confirms: 1 }),
  },
  {
    name: 'sum of the items',
    look: ({ value, sums: { itemsSum } }) =>
      itemsSum === null ? null : confirmed([itemsSum], value, { points: 0.5, confirms: 1 }),
  },
  {
    name: 'payable in coins after a rounding',
    look: ({ value, sums }) =>
      when(sums.roundings.length > 0, Math.round(value * 100) % 5 === 0 ? 0.8 : -0.8),
  },
  {
    name: 'another sum and the rounding make it',
    look: ({ line, value, sums }) => {
      const before = sums.roundings.filter((r) => isOther(sums, line, value - r)).length
      return before === 0 ? null : { points: before * 1.8, confirms: before }
    },
  },
  {
    name: 'it and the rounding make another sum',
    look: ({ line, value, sums }) => {
      const after = sums.roundings.filter((r) => isOther(sums, line, value + r)).length
      return when(after > 0, after * -1.6)
    },
  },
]

/** Whether another candidate has about that amount. */
function isOther({ lines }: Sums, line: MoneyLine, value: number): boolean {
  return lines.some((o) => o !== line && isNear(o.amount.value, value))
}
