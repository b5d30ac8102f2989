/** Rules against sums that are easily taken for the total: what is left, undiscounted, untaxed or change. */
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import { isNear } from '../marks/near.ts'
import { when, type Rule } from '../marks/rules.ts'
import { LABEL_POINTS } from './total-labels.ts'
import type { Sums, TotalSubject } from './total-sums.ts'

const LEFT: readonly MoneyLabel[] = ['total_payable', 'balance_due']
/** What may stand between a total and what is left of it. */
const PAYMENTS: readonly MoneyLabel[] = ['paid', 'previous', 'card', 'cash', 'mobile', 'other']
const TOTALS: readonly MoneyLabel[] = ['total', 'total_inclusive', 'total_payable']
/** Rows in which what was saved and the sum of it stand. */
const SAVED_REACH = 2

/** What says that a sum is another one of the document. */
export const RIVAL_RULES: readonly Rule<TotalSubject>[] = [
  {
    // total − paid = due: what is left to pay is not the total.
    name: 'left after a payment',
    look: ({ line, value, sums }) => {
      if (!LEFT.includes(line.label)) return null
      const isLeft = sums.lines.some(
        (o) =>
          o !== line &&
          o.amount.value > value &&
          TOTALS.includes(o.label) &&
          (sums.paidBefore.some((p) => isNear(o.amount.value - p, value)) ||
            isTakenOff(sums, o, line)),
      )
      return when(isLeft, -3)
    },
  },
  {
    // total − discount = the later one.
    name: 'before a discount',
    look: ({ line, value, sums }) => {
      const isBefore = sums.lines.some(
        (o) => o.row > line.row && sums.discounts.some((d) => isNear(value - d, o.amount.value)),
      )
      return when(isBefore, -2.5)
    },
  },
  {
    // "Your Savings / Total 3.72" below what was paid.
    name: 'what was saved',
    look: ({ line, value, sums }) => {
      const isSaved = sums.all.some(
        (o) =>
          o.label === 'discount' &&
          line.row - o.row > 0 &&
          line.row - o.row <= SAVED_REACH &&
          isNear(Math.abs(o.amount.value), value),
      )
      return when(isSaved && sums.paidBy.some((paid) => paid > value), -3)
    },
  },
  {
    // "Net amount" beside the tax and a sum of both is a subtotal, whatever "net" means elsewhere.
    name: 'net of tax',
    look: ({ line, value, sums }) => {
      const hasGross = sums.taxes.some((t) =>
        sums.lines.some((o) => isNear(o.amount.value, value + t) && value > t),
      )
      return when(hasGross || isNetBeforeTax(line, sums.all), -3.5)
    },
  },
  {
    // A balance that cash exceeds is change where what is left of the cash is printed.
    name: 'change',
    look: ({ line, value, sums }) => {
      if (line.label !== 'balance_due') return null
      const left = sums.given.map((cash) => cash - value).filter((x) => x > 0)
      return when(
        left.some((x) => sums.printed.some((amount) => isNear(amount, x))),
        -3,
      )
    },
  },
]

/** Whether what is printed between two sums is their difference: a payment, or of unknown name. */
function isTakenOff({ rows, all }: Sums, before: MoneyLine, after: MoneyLine): boolean {
  const difference = before.amount.value - after.amount.value
  return (
    after.amount.value > 0 &&
    rows.some(
      ({ row, amounts }) =>
        row > before.row &&
        row < after.row &&
        amounts.some((a) => isNear(Math.abs(a), difference)) &&
        all.every((l) => l.row !== row || PAYMENTS.includes(l.label)),
    )
  )
}

const NET = /^NETT? (?:TOTAL|AMOUNT|AMT|VALUE)$/

/** "Net amount" above the tax, and a larger sum below that: a subtotal even if they do not agree. */
export function isNetBeforeTax({ folded, row, amount }: MoneyLine, lines: MoneyLine[]): boolean {
  if (!NET.test(folded)) return false
  const isLarger = (sum: MoneyLine) =>
    LABEL_POINTS[sum.label] !== undefined &&
    !sum.inSummary &&
    !NET.test(sum.folded) &&
    sum.amount.value > amount.value &&
    sum.amount.value < 2 * amount.value
  return lines.some(
    (tax) =>
      tax.label === 'tax' &&
      tax.amount.value > 0 &&
      tax.row > row &&
      lines.some((sum) => sum.row > tax.row && isLarger(sum)),
  )
}
