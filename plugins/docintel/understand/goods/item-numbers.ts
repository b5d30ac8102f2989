/** Quantity, unit price and amount of one item among its numbers, in one row or in several. */
import { looksLikeMoney, type Amount } from '../marks/amounts.ts'
import type { RowMoney } from '../marks/row-money.ts'
import { isNear } from '../marks/near.ts'

export interface ItemNumbers {
  quantity: number | null
  unit: number | null
  amount: number
}

/** Rows below the first that one item's numbers may take. */
const MORE_ROWS = 3

/** Quantity, price and amount among the numbers right of a description. */
export function numbersOf(amounts: readonly Amount[]): ItemNumbers | null {
  const numbers = amounts.filter((a) => !a.percent)
  const last = numbers.findLast((a) => looksLikeMoney(a))
  if (!last) return null
  // A quantity or price that OCR damaged is left out rather than guessed.
  const before = numbers.filter((a) => a !== last && a.start < last.start && !a.repaired)
  for (const quantity of before)
    for (const unit of before)
      if (
        quantity !== unit &&
        quantity.value > 0 &&
        (quantity.value < 100_000 || unit.factor) &&
        isNear(quantity.value * unit.value, last.value, 0.011)
      )
        return {
          quantity:
            Math.min(quantity.value, unit.value) === unit.value &&
            unit.decimals === 0 &&
            quantity.decimals === 2
              ? unit.value
              : quantity.value,
          unit: unit.decimals === 0 && quantity.decimals === 2 ? quantity.value : unit.value,
          amount: last.value,
        }
  return { quantity: null, unit: null, amount: last.value }
}

/**
 * The numbers of the item in row `at`. Where every cell has its row ("2 X", "5.20", "10.40"), the
 * rows whose numbers multiply belong together; `more` is how many rows below were taken.
 */
export function numbersOfRun(
  entries: readonly RowMoney[],
  at: number,
): { numbers: ItemNumbers | null; more: number } {
  const entry = entries[at]!
  const plain = { numbers: numbersOf(entry.amounts), more: 0 }
  const money = entry.amounts.filter(looksLikeMoney)
  if (!entry.onlyAmounts && !money.every((a) => a.factor)) return plain
  if (plain.numbers && plain.numbers.quantity !== null) return plain
  const above = entries[at - 1]
  const first = above?.onlyAmounts && !above.amounts.some(looksLikeMoney) ? [above] : []
  let below = 0
  while (below < MORE_ROWS && entries[at + below + 1]?.onlyAmounts) below++
  for (let more = below; more >= 0; more--) {
    const rows = [...first, ...entries.slice(at, at + more + 1)]
    const amounts = rows.flatMap((e, row) =>
      e.amounts.map((a) => ({ ...a, start: row * 1000 + a.start })),
    )
    const numbers = numbersOf(amounts)
    if (numbers && numbers.quantity !== null) return { numbers, more }
  }
  // "@10.000" alone in its row is a unit price: its sum stands below.
  const [unit, other] = money
  const next = entries[at + 1]
  if (unit?.factor && !other && below > 0 && next) {
    const sum = numbersOf(next.amounts)
    if (sum && sum.amount >= unit.value)
      return { numbers: { ...sum, unit: sum.unit ?? unit.value }, more: 1 }
  }
  return plain
}
