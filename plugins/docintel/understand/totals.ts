/**
 * The sum to pay, chosen among labelled amounts by rank of label and by arithmetic that agrees
 * with it; never a subtotal, cash, change, a count, or a cell of a tax table.
 */
import type { MoneyLabel } from '../lexicon/money-labels.ts'
import { looksLikeMoney } from './amounts.ts'
import { verdictOf } from './contradicted.ts'
import type { MoneyLine } from './money-lines.ts'
import type { RowMoney } from './row-money.ts'
import { paidMinusChange, totalFromPayment } from './paid-totals.ts'

/** A chosen amount; `line` where a label names it. */
export interface Chosen {
  value: number
  confidence: number
  row: number
  line: MoneyLine | null
}

const RANK: Partial<Record<MoneyLabel, number>> = {
  total_rounded: 5,
  total_payable: 4.4,
  total_inclusive: 4,
  total: 3.4,
  balance_due: 2.4,
}
const CENT = 0.0051
const near = (a: number, b: number): boolean => Math.abs(a - b) < CENT

/** All amounts by kind of label, summary tables aside. */
export interface Ledger {
  lines: MoneyLine[]
  of(...labels: MoneyLabel[]): number[]
}
export function ledgerOf(lines: MoneyLine[]): Ledger {
  return {
    lines,
    of: (...labels) =>
      lines
        .filter((l) => labels.includes(l.label) && !l.inSummary)
        .slice(-VALUES_MAX)
        .map((l) => l.amount.value),
  }
}

/** Sums of one kind that are compared; the last ones, for the sums stand at the end. */
const VALUES_MAX = 12
const CANDIDATES_MAX = 120

/** Sums that subtotal, tax, service, discount and rounding can make. */
function composedSums(ledger: Ledger): number[] {
  const sums: number[] = []
  const extras = [...ledger.of('service'), ...ledger.of('shipping'), ...ledger.of('tip')].slice(
    0,
    3,
  )
  const discounts = ledger
    .of('discount')
    .map((v) => -Math.abs(v))
    .slice(0, 2)
  const taxes = ledger.of('tax').slice(0, 4)
  const taxSums = new Set([
    0,
    ...taxes,
    taxes.reduce((a, b) => a + b, 0),
    (taxes[0] ?? 0) + (taxes[1] ?? 0),
  ])
  const extraSums = new Set([0, ...extras, extras.reduce((a, b) => a + b, 0)])
  const discountSums = new Set([0, ...discounts])
  const roundings = new Set([0, ...ledger.of('rounding')])
  for (const subtotal of new Set(ledger.of('subtotal', 'taxable')))
    for (const tax of taxSums)
      for (const extra of extraSums)
        for (const discount of discountSums)
          for (const rounding of roundings) {
            if (tax === 0 && extra === 0 && discount === 0 && rounding === 0) continue
            sums.push(subtotal + tax + extra + discount + rounding)
          }
  return sums
}

interface Candidate {
  line: MoneyLine
  score: number
  confirmed: number
}

function scoreCandidates(
  ledger: Ledger,
  entries: RowMoney[],
  itemsSum: number | null,
): Candidate[] {
  const lines = ledger.lines.filter((l) => RANK[l.label] !== undefined).slice(-CANDIDATES_MAX)
  const fromCash = paidMinusChange(ledger)
  const composed = composedSums(ledger)
  const cards = ledger.of('card', 'mobile', 'paid', 'cash', 'tendered')
  const roundings = ledger.of('rounding').filter((r) => r !== 0 && Math.abs(r) < 1)
  // Where every sum is negative the document gives money back.
  const refund = lines.every((l) => l.amount.value <= 0)
  const withDecimals = entries.some((e) => e.amounts.some((a) => a.decimals === 2 && !a.percent))
  const largestCount = new Map<number, number>()
  for (const l of lines)
    largestCount.set(l.amount.value, (largestCount.get(l.amount.value) ?? 0) + 1)
  return lines.map((line) => {
    const { amount } = line
    const v = amount.value
    let score = RANK[line.label]!
    let confirmed = 0
    if (line.inSummary) score -= 3
    if (v === 0) score -= 6
    if (v < 0 && !refund) score -= 5
    if (line.pairing === 'sequence') score -= 0.8
    if (line.pairing === 'column') score -= 0.2
    if (amount.repaired) score -= 0.4
    const others = line.companions.filter((a) => a !== amount && !near(a.value, v))
    const sumRow =
      others.length >= 2 &&
      near(
        others.reduce((s, a) => s + a.value, 0),
        v,
      )
    if (others.length > 0 && !sumRow) score -= 1.6
    if (amount.decimals === 0 && amount.mark === null && withDecimals) score -= 4.5
    if (line.label === 'total_rounded' && Math.abs(v) < 0.1) score -= 4
    // "AMOUNT" heads a column or a card slip's line more often than the sum.
    if (/^(?:AMOUNT|AMT|BETRAG|IMPORTE|MONTANT|IMPORTO|VALOR)(?: \w{2,3})?$/.test(line.folded))
      score -= 0.8
    if (fromCash.some((x) => near(x, v))) {
      score += v > 0 ? 3.2 : 0
      confirmed += 2
    }
    if (cards.some((x) => near(x, v))) {
      score += 0.9
      confirmed += 1
    }
    if (composed.some((x) => near(x, v))) {
      score += 1.4
      confirmed += 1
    }
    if (itemsSum !== null && near(itemsSum, v)) {
      score += 0.5
      confirmed += 1
    }
    if ((largestCount.get(v) ?? 0) > 1) score += 0.6
    if (roundings.length > 0) score += Math.round(v * 100) % 5 === 0 ? 0.8 : -0.8
    for (const r of roundings) {
      const partner = (x: number): boolean =>
        lines.some((o) => o !== line && near(o.amount.value, x))
      if (partner(v - r)) {
        score += 1.8
        confirmed += 1
      }
      if (partner(v + r)) score -= 1.6
    }
    return { line, score, confirmed }
  })
}

/** Amount due after a payment is not the total: total − paid = due. */
function demoteRemainders(candidates: Candidate[], ledger: Ledger): void {
  const paid = ledger
    .of('paid', 'previous', 'card', 'cash', 'mobile')
    .map(Math.abs)
    .filter((v) => v > 0)
  for (const candidate of candidates) {
    const v = candidate.line.amount.value
    const isRemainder = candidates.some(
      (o) =>
        o !== candidate &&
        o.line.amount.value > v &&
        ['total', 'total_inclusive', 'total_payable'].includes(o.line.label) &&
        paid.some((p) => near(o.line.amount.value - p, v)),
    )
    if (isRemainder && ['total_payable', 'balance_due'].includes(candidate.line.label))
      candidate.score -= 3
  }
}

/** A balance that cash exceeds is change where what is left of the cash is printed: no total. */
function demoteChange(candidates: Candidate[], ledger: Ledger, entries: RowMoney[]): void {
  const given = ledger.of('cash', 'tendered')
  const printed = entries.flatMap((e) => e.amounts.filter(looksLikeMoney))
  for (const candidate of candidates) {
    const { label, amount } = candidate.line
    if (label !== 'balance_due') continue
    const left = given.map((cash) => cash - amount.value).filter((x) => x > 0)
    if (left.some((x) => printed.some((a) => near(a.value, x)))) candidate.score -= 3
  }
}

/** "Net amount" beside the tax and a sum of both is a subtotal, whatever "net" means elsewhere. */
function demoteNets(candidates: Candidate[], ledger: Ledger): void {
  const taxes = ledger.of('tax').filter((t) => t > 0)
  for (const candidate of candidates) {
    const v = candidate.line.amount.value
    if (taxes.some((t) => candidates.some((o) => near(o.line.amount.value, v + t) && v > t)))
      candidate.score -= 3.5
  }
}

/** A total before the discount is not the total: total − discount = the later one. */
function demoteBeforeDiscount(candidates: Candidate[], ledger: Ledger, entries: RowMoney[]): void {
  // What is printed with a minus sign takes off as well, where OCR lost the word for it.
  const negative = entries
    .flatMap((e) => e.amounts.filter((a) => looksLikeMoney(a) && a.value < 0))
    .slice(-VALUES_MAX)
    .map((a) => a.value)
  const roundings = [0, ...ledger.of('rounding')]
  const discounts = [...new Set([...ledger.of('discount'), ...negative])]
    .flatMap((v) => roundings.map((r) => Math.abs(v) - r))
    .filter((v) => v > 0.1)
  for (const candidate of candidates)
    if (
      candidates.some(
        (o) =>
          o.line.row > candidate.line.row &&
          discounts.some((d) => near(candidate.line.amount.value - d, o.line.amount.value)),
      )
    )
      candidate.score -= 2.5
}

/** Whether a sum can be paid in coins where the smallest is five hundredths. */
const payable = (value: number): boolean => Math.round(value * 100) % 5 === 0

/**
 * Sums a few hundredths apart are one total before and after rounding; the label of the adjustment
 * may be illegible, but only the rounded one ends in 0 or 5, or is what was paid.
 */
function roundedRival(ranked: Candidate[], ledger: Ledger): Candidate | null {
  const best = ranked[0]
  if (!best) return null
  const value = best.line.amount.value
  const paid = [...paidMinusChange(ledger), ...ledger.of('cash', 'card', 'tendered')]
  if (paid.some((p) => near(p, value))) return null
  const close = ranked.filter((c) => {
    const gap = Math.abs(c.line.amount.value - value)
    return gap > 0.004 && gap < 0.05 && c.score > 0.5
  })
  return (
    close.find((c) => paid.some((p) => near(p, c.line.amount.value))) ??
    (payable(value) ? null : (close.find((c) => payable(c.line.amount.value)) ?? null))
  )
}

/**
 * The total with its confidence, or null when no label, and no cash and change, name one.
 * `itemsSum` is what the line items add up to, if known.
 */
export function chooseTotal(
  ledger: Ledger,
  entries: RowMoney[],
  itemsSum: number | null,
): Chosen | null {
  const candidates = scoreCandidates(ledger, entries, itemsSum)
  demoteRemainders(candidates, ledger)
  demoteBeforeDiscount(candidates, ledger, entries)
  demoteNets(candidates, ledger)
  demoteChange(candidates, ledger, entries)
  const ranked = candidates.toSorted((a, b) => b.score - a.score || b.line.row - a.line.row)
  const best = roundedRival(ranked, ledger) ?? ranked[0]
  if (!best || best.score < 1.2) return totalFromPayment(ledger, entries)
  const settled = settledRounding(best, ledger, entries)
  if (settled) return settled
  const value = best.line.amount.value
  if (best.confirmed === 0) {
    const discounted = ledger.of('discount', 'paid').some((d) => d !== 0)
    const subtotal = ledger.of('subtotal').findLast((s) => s > 0) ?? null
    const verdict = verdictOf(best.line, entries, discounted, subtotal)
    if (verdict.kind === 'other')
      return { value: verdict.value, confidence: 0.8, row: verdict.row, line: null }
    if (verdict.kind === 'none') return totalFromPayment(ledger, entries)
  }
  const rival = ranked.find((c) => !near(c.line.amount.value, value))
  const margin = rival ? best.score - rival.score : 3
  let confidence =
    best.confirmed >= 2
      ? 0.975
      : best.confirmed === 1
        ? 0.955
        : best.score >= 4
          ? 0.92
          : best.score >= 3.2
            ? 0.88
            : 0.7
  if (margin < 0.4) confidence -= 0.2
  else if (margin < 1) confidence -= 0.06
  if (best.line.pairing === 'sequence') confidence -= 0.08
  if (best.line.amount.repaired) confidence -= 0.08
  if (best.line.inSummary) confidence -= 0.2
  if (value === 0) confidence = 0.4
  return { value, confidence: Math.max(0.2, confidence), row: best.line.row, line: best.line }
}

/** The rounded sum that was paid, printed without a legible label, when `best` is not rounded. */
function settledRounding(best: Candidate, ledger: Ledger, entries: RowMoney[]): Chosen | null {
  const value = best.line.amount.value
  if (payable(value)) return null
  const paid = paidMinusChange(ledger)
  if (paid.some((p) => near(p, value))) return null
  const adjusted = ledger.of('rounding').map((r) => Math.round((value + r) * 100) / 100)
  const wanted =
    paid.find((p) => payable(p) && Math.abs(p - value) < 0.05) ??
    adjusted.find((a) => payable(a) && a !== value && Math.abs(a - value) < 0.05)
  if (wanted === undefined) return null
  for (const entry of entries)
    if (entry.amounts.some((a) => looksLikeMoney(a) && near(a.value, wanted)))
      return { value: wanted, confidence: 0.9, row: entry.row.index, line: null }
  return null
}
