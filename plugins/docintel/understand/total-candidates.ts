/** The amounts that may be the sum to pay, ranked by their labels and by what agrees with them. */
import type { MoneyLabel } from '../lexicon/money-labels.ts'
import { looksLikeMoney } from './amounts.ts'
import { VALUES_MAX, type LabelledAmounts } from './labelled-amounts.ts'
import type { MoneyLine } from './money-lines.ts'
import { isNear } from './near.ts'
import { paidMinusChange } from './paid-totals.ts'
import type { RowMoney } from './row-money.ts'

const RANK: Partial<Record<MoneyLabel, number>> = {
  total_rounded: 5,
  total_payable: 4.4,
  total_inclusive: 4,
  total: 3.4,
  balance_due: 2.4,
}
const CANDIDATES_MAX = 120

export interface Candidate {
  line: MoneyLine
  score: number
  /** How many other printed sums lead to the same amount. */
  confirmed: number
}

/** Every labelled sum that may be the total, the likeliest first. */
export function totalCandidates(
  labelled: LabelledAmounts,
  entries: RowMoney[],
  itemsSum: number | null,
): Candidate[] {
  const candidates = scoreCandidates(labelled, entries, itemsSum)
  demoteRemainders(candidates, labelled)
  demoteBeforeDiscount(candidates, labelled, entries)
  demoteNets(candidates, labelled)
  demoteChange(candidates, labelled, entries)
  return candidates.toSorted((a, b) => b.score - a.score || b.line.row - a.line.row)
}

/** Sums that subtotal, tax, service, discount and rounding can make. */
function composedSums(labelled: LabelledAmounts): number[] {
  const sums: number[] = []
  const extras = [
    ...labelled.of('service'),
    ...labelled.of('shipping'),
    ...labelled.of('tip'),
  ].slice(0, 3)
  const discounts = labelled
    .of('discount')
    .map((v) => -Math.abs(v))
    .slice(0, 2)
  const taxes = labelled.of('tax').slice(0, 4)
  const taxSums = new Set([
    0,
    ...taxes,
    taxes.reduce((a, b) => a + b, 0),
    (taxes[0] ?? 0) + (taxes[1] ?? 0),
  ])
  const extraSums = new Set([0, ...extras, extras.reduce((a, b) => a + b, 0)])
  const discountSums = new Set([0, ...discounts])
  const roundings = new Set([0, ...labelled.of('rounding')])
  for (const subtotal of new Set(labelled.of('subtotal', 'taxable')))
    for (const tax of taxSums)
      for (const extra of extraSums)
        for (const discount of discountSums)
          for (const rounding of roundings) {
            if (tax === 0 && extra === 0 && discount === 0 && rounding === 0) continue
            sums.push(subtotal + tax + extra + discount + rounding)
          }
  return sums
}

function scoreCandidates(
  labelled: LabelledAmounts,
  entries: RowMoney[],
  itemsSum: number | null,
): Candidate[] {
  const lines = labelled.lines.filter((l) => RANK[l.label] !== undefined).slice(-CANDIDATES_MAX)
  const fromCash = paidMinusChange(labelled)
  const composed = composedSums(labelled)
  const cards = labelled.of('card', 'mobile', 'paid', 'cash', 'tendered')
  const roundings = labelled.of('rounding').filter((r) => r !== 0 && Math.abs(r) < 1)
  // Where every sum is negative the document gives money back.
  const goodsBack = itemsSum !== null && itemsSum < 0
  const refund = lines.every((l) => l.amount.value <= 0 || (goodsBack && l.label === 'balance_due'))
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
    const others = line.companions.filter((a) => a !== amount && !isNear(a.value, v))
    const sumRow =
      others.length >= 2 &&
      isNear(
        others.reduce((s, a) => s + a.value, 0),
        v,
      )
    if (others.length > 0 && !sumRow) score -= 1.6
    if (amount.decimals === 0 && amount.mark === null && withDecimals) score -= 4.5
    if (line.label === 'total_rounded' && Math.abs(v) < 0.1) score -= 4
    // "AMOUNT" heads a column or a card slip's line more often than the sum.
    if (/^(?:AMOUNT|AMT|BETRAG|IMPORTE|MONTANT|IMPORTO|VALOR)(?: \w{2,3})?$/.test(line.folded))
      score -= 0.8
    if (fromCash.some((x) => isNear(x, v))) {
      score += v > 0 ? 3.2 : 0
      confirmed += 2
    }
    if (cards.some((x) => isNear(x, v))) {
      score += 0.9
      confirmed += 1
    }
    if (composed.some((x) => isNear(x, v))) {
      score += 1.4
      confirmed += 1
    }
    if (itemsSum !== null && isNear(itemsSum, v)) {
      score += 0.5
      confirmed += 1
    }
    if ((largestCount.get(v) ?? 0) > 1) score += 0.6
    if (roundings.length > 0) score += Math.round(v * 100) % 5 === 0 ? 0.8 : -0.8
    for (const r of roundings) {
      const partner = (x: number): boolean =>
        lines.some((o) => o !== line && isNear(o.amount.value, x))
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
function demoteRemainders(candidates: Candidate[], labelled: LabelledAmounts): void {
  const paid = labelled
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
        paid.some((p) => isNear(o.line.amount.value - p, v)),
    )
    if (isRemainder && ['total_payable', 'balance_due'].includes(candidate.line.label))
      candidate.score -= 3
  }
}

/** A balance that cash exceeds is change where what is left of the cash is printed: no total. */
function demoteChange(
  candidates: Candidate[],
  labelled: LabelledAmounts,
  entries: RowMoney[],
): void {
  const given = labelled.of('cash', 'tendered')
  const printed = entries.flatMap((e) => e.amounts.filter(looksLikeMoney))
  for (const candidate of candidates) {
    const { label, amount } = candidate.line
    if (label !== 'balance_due') continue
    const left = given.map((cash) => cash - amount.value).filter((x) => x > 0)
    if (left.some((x) => printed.some((a) => isNear(a.value, x)))) candidate.score -= 3
  }
}

const NET = /^NETT? (?:TOTAL|AMOUNT|AMT|VALUE)$/

/** "Net amount" above the tax, and a larger sum below that: a subtotal even if they do not agree. */
export function isNetBeforeTax({ folded, row, amount }: MoneyLine, lines: MoneyLine[]): boolean {
  if (!NET.test(folded)) return false
  const isLarger = (sum: MoneyLine) =>
    RANK[sum.label] !== undefined &&
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

/** "Net amount" beside the tax and a sum of both is a subtotal, whatever "net" means elsewhere. */
function demoteNets(candidates: Candidate[], labelled: LabelledAmounts): void {
  const taxes = labelled.of('tax').filter((t) => t > 0)
  for (const candidate of candidates) {
    const v = candidate.line.amount.value
    if (
      isNetBeforeTax(candidate.line, labelled.lines) ||
      taxes.some((t) => candidates.some((o) => isNear(o.line.amount.value, v + t) && v > t))
    )
      candidate.score -= 3.5
  }
}

/** A total before the discount is not the total: total − discount = the later one. */
function demoteBeforeDiscount(
  candidates: Candidate[],
  labelled: LabelledAmounts,
  entries: RowMoney[],
): void {
  // What is printed with a minus sign takes off as well, where OCR lost the word for it.
  const negative = entries
    .flatMap((e) => e.amounts.filter((a) => looksLikeMoney(a) && a.value < 0))
    .slice(-VALUES_MAX)
    .map((a) => a.value)
  const roundings = [0, ...labelled.of('rounding')]
  const discounts = [...new Set([...labelled.of('discount'), ...negative])]
    .flatMap((v) => roundings.map((r) => Math.abs(v) - r))
    .filter((v) => v > 0.1)
  for (const candidate of candidates)
    if (
      candidates.some(
        (o) =>
          o.line.row > candidate.line.row &&
          discounts.some((d) => isNear(candidate.line.amount.value - d, o.line.amount.value)),
      )
    )
      candidate.score -= 2.5
}
