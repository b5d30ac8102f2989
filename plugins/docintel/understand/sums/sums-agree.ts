/** How badly labelled figures of one document contradict each other. */
import { isNear } from '../marks/near.ts'

/** Values by label. */
export type Figures = Map<string, number[]>

const TOTALS = ['total_rounded', 'total_payable', 'total_inclusive', 'total']
const SOME_MAX = 6

/**
 * Negative where the figures confirm each other (cash minus change is the total, subtotal and tax
 * make it), positive where they cannot all be true. About 1 per fact.
 */
export function disagreement(figures: Figures): number {
  const of = (...labels: string[]): number[] =>
    labels.flatMap((l) => figures.get(l) ?? []).slice(0, SOME_MAX)
  const totals = of(...TOTALS)
  // Tills print what was handed over as a negative sum, too.
  const cash = of('cash', 'tendered', 'paid').map(Math.abs)
  const change = of('change').map(Math.abs)
  const cards = of('card', 'mobile').map(Math.abs)
  const taxes = of('tax')
  const subtotals = of('subtotal', 'taxable')
  const rounding = of('rounding')
  const discounts = of('discount')
  const extras = of('service', 'shipping', 'tip')
  const among = (value: number): boolean => totals.some((t) => isNear(t, value))
  const largest = Math.max(0, ...totals)
  let cost = totals.length === 0 ? 0.6 : 0
  if (cash.length > 0 && change.length > 0) {
    if (cash.some((c) => change.some((g) => c - g > 0 && among(c - g)))) cost -= 2.5
    else if (totals.length > 0) cost += 1.2
    if (change.some((g) => cash.every((c) => g > c))) cost += 2
  } else if (cash.length > 0) {
    if (cash.some(among)) cost -= 1
    else if (cash.every((c) => c < largest)) cost += 0.8
  }
  if (cards.length > 0) cost += cards.some(among) ? -1.2 : 0.5
  for (const r of rounding) {
    if (Math.abs(r) >= 1) cost += 4
    else if (Math.abs(r) > 0.05) cost += 0.6
    if (r !== 0 && totals.some((t) => among(t + r))) cost -= 1.5
  }
  const taxSums = [...taxes, taxes.reduce((a, b) => a + b, 0)]
  const adjustments = [...rounding, ...extras, ...discounts.map((d) => -Math.abs(d))]
  const others = [0, ...adjustments, adjustments.reduce((a, b) => a + b, 0)]
  if (subtotals.some((s) => taxSums.some((x) => x > 0 && others.some((o) => among(s + x + o)))))
    cost -= 1.5
  if (subtotals.some((s) => others.some((o) => o !== 0 && among(s + o)))) cost -= 0.6
  // A tip or a discount makes one total of another; a deposit and the balance make the total.
  if (
    totals.length > 1 &&
    others.some((o) => Math.abs(o) >= 0.1 && totals.some((t) => among(t + o)))
  )
    cost -= 1
  // "Balance due" is called a sum to pay as well.
  const balances = [...of('balance_due'), ...of('total_payable')]
  if (balances.some((b) => b > 0 && cash.some((c) => among(b + c)))) cost -= 2
  if (taxes.some((x) => totals.length > 0 && x > 0.35 * largest)) cost += 2
  if (discounts.length === 0 && subtotals.some((s) => totals.length > 0 && s > largest + 0.06))
    cost += 1
  if (totals.includes(0)) cost += 1.5
  const least = Math.min(...totals)
  if (totals.length > 1 && discounts.length === 0 && least < 0.7 * largest) cost += 0.8
  for (const rounded of of('total_rounded'))
    if (of('total_inclusive', 'total_payable').some((t) => Math.abs(t - rounded) > 0.06)) cost += 1
  return cost
}
