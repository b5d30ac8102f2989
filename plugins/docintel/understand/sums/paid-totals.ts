/** Totals that no label names: what cash and change, a card or the form of a receipt tell. */
import { foldLabel } from '../../lexicon/fold.ts'
import { classifyMoneyLabel } from '../../lexicon/money-labels.ts'
import { looksLikeMoney, type Amount } from '../marks/amounts.ts'
import type { RowMoney } from '../marks/row-money.ts'
import { isNear } from '../marks/near.ts'
import type { Chosen, LabelledAmounts } from '../marks/labelled-amounts.ts'

/** Values that cash minus change gives, of neighbouring rows. */
export function paidMinusChange(labelled: LabelledAmounts): number[] {
  const named = labelled.of('change')
  // "CASH 20.00 BAL 1.10": some tills call the change a balance.
  const changes = (named.length > 0 ? named : labelled.of('balance_due')).map(Math.abs)
  // Tills print what was handed over as a negative sum, too.
  const given = (
    named.length > 0
      ? labelled.of('cash', 'tendered', 'paid', 'card')
      : labelled.of('cash', 'tendered')
  ).map(Math.abs)
  const results: number[] = []
  for (const change of new Set(changes))
    for (const cash of new Set(given))
      if (cash >= change) results.push(Math.round((cash - change) * 100) / 100)
  return results
}

/** Where OCR lost the label: what cash and change or a card payment confirm, if it is printed. */
export function totalFromPayment(labelled: LabelledAmounts, entries: RowMoney[]): Chosen | null {
  const printed: { amount: Amount; row: number }[] = entries.flatMap((e) =>
    e.amounts.filter(looksLikeMoney).map((amount) => ({ amount, row: e.row.index })),
  )
  const find = (value: number): { amount: Amount; row: number } | undefined =>
    printed.findLast((p) => isNear(p.amount.value, value))
  const cash = labelled.of('cash', 'tendered')
  for (const value of paidMinusChange(labelled)) {
    const found = value > 0 ? find(value) : undefined
    if (found)
      return { value, confidence: cash.length === 1 ? 0.85 : 0.7, row: found.row, line: null }
  }
  // With change, what was handed over is more than the total.
  if (labelled.of('change').some((v) => v !== 0)) return null
  const alone = receivedSum(entries)
  if (alone) return alone
  const subtotals = labelled.of('subtotal', 'taxable')
  const taxed = (labelled.of('subtotal')[0] ?? 0) + labelled.of('tax').reduce((a, b) => a + b, 0)
  for (const value of labelled.of('card', 'mobile', 'cash', 'paid')) {
    // What was paid is the subtotal with its taxes: nobody calls it the total, but it is.
    const whole = labelled.of('tax').length > 0 && isNear(taxed, value) ? find(value) : undefined
    if (whole) return { value, confidence: 0.85, row: whole.row, line: null }
    const times = printed.filter((p) => isNear(p.amount.value, value)).length
    if (value > 0 && (times >= 2 || subtotals.length === 0)) {
      const found = find(value)
      if (found) return { value, confidence: times >= 2 ? 0.75 : 0.6, row: found.row, line: null }
    }
  }
  return null
}

/** "¥55,000-" alone in its row under the title of a Japanese receipt filled in by hand. */
function receivedSum(entries: RowMoney[]): Chosen | null {
  if (!entries.some((e) => /領収|领收|請求書/.test(e.row.text))) return null
  const found = entries.find(
    (e) =>
      e.onlyAmounts &&
      e.amounts.length === 1 &&
      /^[¥￥金 ]*[\d,]+ ?(?:円|-|也|※|★)+\W*$/.test(e.row.text),
  )
  const amount = found?.amounts[0]
  if (!found || !amount || !looksLikeMoney(amount)) return null
  return { value: amount.value, confidence: 0.8, row: found.row.index, line: null }
}

/** Confidence in what was paid in full. */
const PAID_IN_FULL = 0.85

/**
 * What was paid in full, where no label names a total: a printed sum, below it the same taken off, and
 * nothing left right below that ("Payments -70.38", "Balance 0").
 */
export function totalPaidInFull(entries: readonly RowMoney[]): Chosen | null {
  const sums = entries.flatMap(({ row, amounts }) => {
    const amount = amounts.findLast(looksLikeMoney)
    if (!amount) return []
    const label = classifyMoneyLabel(foldLabel(row.text.slice(0, amount.start)))
    return [{ value: amount.value, row: row.index, isDiscount: label === 'discount' }]
  })
  const at = sums.findLastIndex(({ value }, place) => value < 0 && sums[place + 1]?.value === 0)
  // What a discount takes off was not paid: nothing is to be paid then.
  if (at < 0 || sums[at]!.isDiscount) return null
  const whole = sums.slice(0, at).findLast(({ value }) => isNear(value, -sums[at]!.value))
  return whole
    ? { value: -sums[at]!.value, row: whole.row, confidence: PAID_IN_FULL, line: null }
    : null
}
