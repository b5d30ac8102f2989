/**
 * Which printed amounts are the sum of those right above them: goods add up to the total, subtotal
 * and tax to the sum to pay. This holds whatever a tilted scan did to the labels.
 */
import { looksLikeMoney } from '../marks/amounts.ts'
import type { RowMoney } from '../marks/row-money.ts'
import { isNear, MONEY_EPSILON } from '../marks/near.ts'

export interface RunSums {
  /** Rows whose amount is a sum of the amounts above. */
  sums: ReadonlySet<RowMoney>
  /** Rows whose amount is only a part of one. */
  parts: ReadonlySet<RowMoney>
}

interface Step {
  entry: RowMoney
  value: number
}

/** Amounts that one sum may be made of. */
const RUN_MAX = 40
const ROWS_MAX = 2000

/** One amount a line: a unit price goes where its product, or the same amount, follows. */
function stepsOf(entries: readonly RowMoney[]): Step[] {
  const steps: Step[] = []
  let quantity = 1
  let parted = true
  for (const entry of entries) {
    const plain = entry.amounts.filter((a) => !a.percent)
    if (!entry.onlyAmounts) parted = true
    for (const amount of plain) {
      if (!looksLikeMoney(amount)) {
        if (amount.decimals === 0 && amount.value > 0 && amount.value < 1000)
          quantity = amount.value
        continue
      }
      if (amount.factor) continue
      const last = steps.at(-1)
      // A label that a tilted scan set between price and product does not part them.
      const isProduct =
        last &&
        (parted ? quantity > 1 : true) &&
        isNear(last.value * quantity, amount.value, MONEY_EPSILON)
      if (entry.onlyAmounts && (isProduct || (!parted && last?.value === amount.value))) steps.pop()
      steps.push({ entry, value: amount.value })
      parted = false
    }
    if (!entry.onlyAmounts && plain.length === 0 && entry.label === null) quantity = 1
  }
  return steps
}

/** The sums and parts of a document; a sum has at least two parts that are not nil. */
export function runSums(entries: readonly RowMoney[]): RunSums {
  const sums = new Set<RowMoney>()
  const parts = new Set<RowMoney>()
  const steps = stepsOf(entries.slice(-ROWS_MAX))
  for (const [at, { entry, value }] of steps.entries()) {
    let sum = 0
    // The same without a price that its line repeats, label between them or not.
    let once = 0
    let terms = 0
    for (let from = at - 1; from >= 0 && at - from <= RUN_MAX; from--) {
      const term = steps[from]!
      if (term.value >= value) break
      sum += term.value
      const repeated = from + 1 < at && steps[from + 1]!.value === term.value
      if (!repeated) once += term.value
      if (term.value !== 0 && !repeated) terms++
      if (once > value + 1) break
      if (terms < 2) continue
      if (!isNear(sum, value, MONEY_EPSILON) && !isNear(once, value, MONEY_EPSILON)) continue
      sums.add(entry)
      for (let i = from; i < at; i++) parts.add(steps[i]!.entry)
      break
    }
  }
  return { sums, parts }
}
