/**
 * The sum to pay, chosen among labelled amounts by rank of label and by arithmetic that agrees
 * with it; never a subtotal, cash, change, a count, or a cell of a tax table.
 */
import { looksLikeMoney } from '../marks/amounts.ts'
import { verdictOf } from './contradicted.ts'
import type { Chosen, LabelledAmounts } from '../marks/labelled-amounts.ts'
import { isNear } from '../marks/near.ts'
import { paidMinusChange, totalFromPayment } from './paid-totals.ts'
import type { RowMoney } from '../marks/row-money.ts'
import { totalCandidates, type Candidate } from './total-candidates.ts'

/** Whether a sum can be paid in coins where the smallest is five hundredths. */
const payable = (value: number): boolean => Math.round(value * 100) % 5 === 0

/**
 * Sums a few hundredths apart are one total before and after rounding; the label of the adjustment
 * may be illegible, but only the rounded one ends in 0 or 5, or is what was paid.
 */
function roundedRival(ranked: Candidate[], labelled: LabelledAmounts): Candidate | null {
  const best = ranked[0]
  if (!best) return null
  const value = best.line.amount.value
  const paid = [...paidMinusChange(labelled), ...labelled.of('cash', 'card', 'tendered')]
  if (paid.some((p) => isNear(p, value))) return null
  const close = ranked.filter((c) => {
    const gap = Math.abs(c.line.amount.value - value)
    return gap > 0.004 && gap < 0.05 && c.score.points > 0.5
  })
  return (
    close.find((c) => paid.some((p) => isNear(p, c.line.amount.value))) ??
    (payable(value) ? null : (close.find((c) => payable(c.line.amount.value)) ?? null))
  )
}

/**
 * The total with its confidence, or null when no label, and no cash and change, name one.
 * `itemsSum` is what the line items add up to, if known.
 */
export function chooseTotal(
  labelled: LabelledAmounts,
  entries: RowMoney[],
  itemsSum: number | null,
): Chosen | null {
  const ranked = totalCandidates(labelled, entries, itemsSum)
  const best = roundedRival(ranked, labelled) ?? ranked[0]
  if (!best || best.score.points < 1.2) return totalFromPayment(labelled, entries)
  const settled = settledRounding(best, labelled, entries)
  if (settled) return settled
  const value = best.line.amount.value
  if (best.score.confirmed === 0) {
    const discounted = labelled.of('discount', 'paid').some((d) => d !== 0)
    const subtotal = labelled.of('subtotal').findLast((s) => s > 0) ?? null
    const verdict = verdictOf(best.line, entries, discounted, subtotal)
    if (verdict.kind === 'other')
      return { value: verdict.value, confidence: 0.8, row: verdict.row, line: null }
    if (verdict.kind === 'none') return totalFromPayment(labelled, entries)
  }
  const rival = ranked.find((c) => !isNear(c.line.amount.value, value))
  const confidence = confidenceIn(best, rival ? best.score.points - rival.score.points : 3)
  return { value, confidence, row: best.line.row, line: best.line }
}

/** From what confirms a candidate, how it was read, and its margin over the next other sum. */
function confidenceIn({ line, score }: Candidate, margin: number): number {
  if (line.amount.value === 0) return 0.4
  let confidence = 0.7
  if (score.confirmed >= 2) confidence = 0.975
  else if (score.confirmed === 1) confidence = 0.955
  else if (score.points >= 4) confidence = 0.92
  else if (score.points >= 3.2) confidence = 0.88
  if (margin < 0.4) confidence -= 0.2
  else if (margin < 1) confidence -= 0.06
  if (line.pairing === 'sequence') confidence -= 0.08
  if (line.amount.repaired) confidence -= 0.08
  if (line.inSummary) confidence -= 0.2
  return Math.max(0.2, confidence)
}

/** The rounded sum that was paid, printed without a legible label, when `best` is not rounded. */
function settledRounding(
  best: Candidate,
  labelled: LabelledAmounts,
  entries: RowMoney[],
): Chosen | null {
  const value = best.line.amount.value
  if (payable(value)) return null
  const paid = paidMinusChange(labelled)
  if (paid.some((p) => isNear(p, value))) return null
  const adjusted = labelled.of('rounding').map((r) => Math.round((value + r) * 100) / 100)
  const wanted =
    paid.find((p) => payable(p) && Math.abs(p - value) < 0.05) ??
    adjusted.find((a) => payable(a) && a !== value && Math.abs(a - value) < 0.05)
  if (wanted === undefined) return null
  for (const entry of entries)
    if (entry.amounts.some((a) => looksLikeMoney(a) && isNear(a.value, wanted)))
      return { value: wanted, confidence: 0.9, row: entry.row.index, line: null }
  return null
}
