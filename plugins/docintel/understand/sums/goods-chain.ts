/**
 * The total of a document without a proven tax, from its goods: their sum, what the rows below add to it
 * or take off, and the row that is all of it together.
 */
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import { looksLikeMoney } from '../marks/amounts.ts'
import { productOf } from '../goods/line-product.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import { isNear } from '../marks/near.ts'
import type { RowMoney } from '../marks/row-money.ts'

export interface GoodsChain {
  /** All together, and its row. */
  value: number
  row: number
  /** Sums on the way to it: of groups, of all goods, and with what is added to them. */
  before: readonly number[]
  /** So many sums agree that chance is unlikely. */
  isTelling: boolean
}

/** The sums of the last lines of goods, each of which may be that of a group. */
function groupSums(amounts: readonly number[]): number[] {
  let sum = 0
  return amounts.toReversed().map((amount) => (sum += amount))
}

/** What is added or taken off is at most this share of the goods. */
const SHARE_MAX = 0.35
const ADJUSTMENTS_MAX = 5
const ROUNDINGS = 0.006
/** Lines of goods, or sums below them, that chance is unlikely to bring together. */
const GOODS_LEAST = 2
/** Labels of rows under which nothing is added to the total. */
const PAYMENTS = new Set<MoneyLabel>([
  'paid',
  'previous',
  'card',
  'cash',
  'change',
  'tendered',
  'mobile',
])

/** The chain of sums below goods of these amounts; null where their sum is not printed. */
export function goodsChain(
  entries: readonly RowMoney[],
  lines: readonly MoneyLine[],
  goods: readonly number[],
): GoodsChain | null {
  const groups = groupSums(goods)
  const sum = groups.pop()
  if (sum === undefined || sum <= 0) return null
  const last = entries.findLastIndex((entry) => productOf(entry) !== null)
  if (last < 0) return null
  const payments = new Set(lines.filter((l) => PAYMENTS.has(l.label)).map(({ row }) => row))
  const taxes = new Set(lines.filter(({ label }) => label === 'tax').map(({ row }) => row))
  let sums = [sum]
  let adjustments = 0
  const found: { value: number; row: number }[] = []
  for (const { row, amounts } of entries.slice(last + 1)) {
    const value = amounts.findLast((a) => looksLikeMoney(a) && !a.percent)?.value
    if (value === undefined || value === 0) continue
    if (payments.has(row.index)) break
    // What is taxed is for the sums of the tax to prove.
    if (taxes.has(row.index)) return null
    if (sums.some((one) => isNear(one, value, ROUNDINGS))) {
      found.push({ value, row: row.index })
      sums = [value]
      adjustments = 0
    } else if (adjustments > 0 || !groups.some((one) => isNear(one, value, ROUNDINGS))) {
      adjustments++
      if (adjustments > ADJUSTMENTS_MAX || Math.abs(value) > sum * SHARE_MAX) break
      sums = sums.flatMap((one) => (value < 0 ? [one + value] : [one + value, one - value]))
    }
  }
  const end = found.at(-1)
  if (!end) return null
  const before = [...groups, sum, ...found.slice(0, -1).map(({ value }) => value)]
  return { ...end, before, isTelling: goods.length >= GOODS_LEAST || found.length >= GOODS_LEAST }
}
