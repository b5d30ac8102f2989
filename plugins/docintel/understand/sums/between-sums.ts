/**
 * Whether net and tax make the total together with what the rows between net and total add to them or take
 * off: carriage, a discount, a deposit, each printed in a row of its own.
 */
import type { MoneyLine } from '../marks/money-line.ts'
import { isNear } from '../marks/near.ts'
import { fitTogether } from './net-and-tax.ts'
import { moneyOf, type RowMoney } from '../marks/row-money.ts'

interface Sums {
  net: number
  tax: number
  total: number
}

/** Rows from the net to the total at most. */
const REACH_ROWS = 14
/** Rows that add or take off at most: of more, some signs fit by chance. */
const ROWS_MAX = 4
/** What is added or taken off is at most this share of the net. */
const SHARE_MAX = 0.35

/** Whether the sums agree so; rows of taxes, by their index, are in `tax` already. */
export function agreeWithRowsBetween(
  entries: readonly RowMoney[],
  { net, tax, total }: Sums,
  taxRows: ReadonlySet<number>,
): boolean {
  const ends = entries.flatMap((entry, at) =>
    moneyOf(entry).some((value) => isNear(value, total)) ? [at] : [],
  )
  return ends.some((end) => {
    const start = entries
      .slice(0, end)
      .findLastIndex((entry) => moneyOf(entry).some((value) => isNear(value, net)))
    if (start < 0 || end - start > REACH_ROWS) return false
    const added = entries
      .slice(start + 1, end)
      .filter(({ row }) => !taxRows.has(row.index))
      .flatMap((entry) => moneyOf(entry).at(-1) ?? [])
      .filter((value) => value !== 0 && Math.abs(value) <= net * SHARE_MAX)
    if (added.length === 0 || added.length > ROWS_MAX) return false
    const sums = added.reduce<number[]>(
      (before, value) =>
        before.flatMap((sum) => (value < 0 ? [sum + value] : [sum + value, sum - value])),
      [net + tax],
    )
    return sums.some((sum) => isNear(sum, total))
  })
}

/** Whether nothing contradicts net and tax: they make the total, alone or with other rows, or it is the net. */
export function netAndTaxFit(
  sums: Sums,
  entries: readonly RowMoney[],
  lines: readonly MoneyLine[],
): boolean {
  if (fitTogether(sums.total, sums.net, sums.tax)) return true
  const taxRows = new Set(lines.filter(({ label }) => label === 'tax').map(({ row }) => row))
  return agreeWithRowsBetween(entries, sums, taxRows)
}
