/**
 * A last look at a total whose label stood in another row: one that is smaller than a line of goods,
 * or larger than the sum of them by what is printed as change, is not the total.
 */
import { looksLikeMoney } from '../marks/amounts.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import type { RowMoney } from '../marks/row-money.ts'
import { isNear } from '../marks/near.ts'
import { runSums } from './run-sums.ts'

/** Rows around a total in which a tilted scan leaves the right one. */
const REACH = 5
/** A total may be this much below the sum of goods: it is rounded. */
const ROUNDING = 0.06

export type Verdict =
  | { kind: 'stands' }
  | { kind: 'none' }
  | { kind: 'other'; value: number; row: number }

const STANDS: Verdict = { kind: 'stands' }

/** What the amounts around the total say of it; `line` is its label's, which nothing confirmed. */
export function verdictOf(
  line: MoneyLine,
  entries: readonly RowMoney[],
  discounted: boolean,
  subtotal: number | null,
): Verdict {
  const { value } = line.amount
  const at = entries.findIndex((e) => e.row.index === line.row)
  if (line.pairing === 'row' || at === -1 || value <= 0) return STANDS
  const valueOf = (e: RowMoney): number => e.amounts.findLast(looksLikeMoney)?.value ?? 0
  const { sums } = runSums(entries)
  const own = entries[at]!
  if (sums.has(own)) return STANDS
  const around = entries.slice(Math.max(0, at - REACH), at + REACH + 1)
  const near = around
    .filter((e) => sums.has(e) && e.onlyAmounts)
    .toSorted((a, b) => valueOf(b) - valueOf(a))[0]
  const goods = entries
    .slice(0, at)
    .filter((e) => e.onlyAmounts && !e.inSummary && !e.amounts.some((a) => a.factor))
    .map(valueOf)
  if (!discounted && [...goods, subtotal ?? 0].some((g) => g - value > ROUNDING)) {
    if (near && valueOf(near) > value)
      return { kind: 'other', value: valueOf(near), row: near.row.index }
    return { kind: 'none' }
  }
  if (near && valueOf(near) < value) {
    const change = value - valueOf(near)
    if (around.some((e) => e !== near && isNear(valueOf(e), change)))
      return { kind: 'other', value: valueOf(near), row: near.row.index }
  }
  return STANDS
}
