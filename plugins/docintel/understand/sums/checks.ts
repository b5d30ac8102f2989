/** What is said about a result that was read: sums that disagree, and how sure it is on the whole. */
import type { DocumentText } from '../../model/document.ts'
import type { ParseResult } from '../../schema.ts'
import { netAndTaxFit } from './between-sums.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import { isNear } from '../marks/near.ts'
import type { RowMoney } from '../marks/row-money.ts'

/** What the checks look at. */
interface Checked {
  result: ParseResult
  /** What the line items add up to, if there are any. */
  itemsSum: number | null
  document: DocumentText
  entries: readonly RowMoney[]
  lines: readonly MoneyLine[]
}

/** Sums may differ by as much as the roundings of their parts. */
const ROUNDINGS = 0.06
const ITEM_ROUNDINGS = 0.11

/** The warnings by the checks that give them, in their order. */
const CHECKS: readonly { warning: string; fails(checked: Checked): boolean }[] = [
  {
    // Sums that do not agree are said, not repaired.
    warning: 'vat_total_mismatch',
    fails: ({ result: { subtotal: net, total, tax }, entries, lines }) => {
      if (net === null || total === null || tax.vat_amount === null) return false
      return (
        tax.inclusive !== true && !netAndTaxFit({ net, tax: tax.vat_amount, total }, entries, lines)
      )
    },
  },
  {
    warning: 'vat_total_mismatch',
    fails: ({ result: { total, tax } }) =>
      tax.vat_rate !== null && tax.vat_amount !== null && total !== null && tax.vat_amount > total,
  },
  {
    warning: 'line_items_sum_mismatch',
    fails: ({ result, itemsSum }) => {
      const { subtotal, total } = result
      if (itemsSum === null || (subtotal ?? total) === null) return false
      return !sumsOfGoods(result, result.discount ?? 0).some((sum) =>
        isNear(sum, itemsSum, ITEM_ROUNDINGS),
      )
    },
  },
  {
    warning: 'currency_unknown',
    fails: ({ result: { total, currency } }) => total !== null && currency === null,
  },
  {
    warning: 'poorly_legible',
    fails: ({ document }) => document.source === 'ocr' && document.legibility < 0.6,
  },
]

/** The warnings that a finished result deserves. */
export function warningsOf(checked: Checked): string[] {
  return CHECKS.filter((check) => check.fails(checked)).map(({ warning }) => warning)
}

const netTotal = ({ total, tax }: ParseResult): number | null =>
  total !== null && tax.vat_amount !== null ? total - tax.vat_amount : null

/** How sure the items are, 0..1: surer where they make one of the sums. */
export function itemsConfidence(itemsSum: number | null, result: ParseResult): number {
  if (itemsSum === null) return 0.5
  return sumsOfGoods(result).some((sum) => isNear(sum, itemsSum, ROUNDINGS)) ? 0.95 : 0.6
}

/** What the goods may add up to: each sum, also before what was taken off and without the tip. */
function sumsOfGoods(result: ParseResult, discount = 0): number[] {
  const sums = [result.subtotal, result.total, netTotal(result)].filter((sum) => sum !== null)
  const tip = result.tip ?? 0
  return sums.flatMap((sum) => [sum, sum + discount, sum - tip])
}

const WEIGHTS: Readonly<Record<string, number>> = {
  total: 4,
  issued_at: 2,
  'merchant.name': 2,
  document_id: 1,
  currency: 1,
}
/** What a missing field counts. */
const MISSING = 0.33

/** Weighted mean of the fields that matter, 0..1 in hundredths. */
export function overallConfidence(fields: Record<string, number>, warnings: string[]): number {
  let sum = 0
  let weights = 0
  for (const [field, weight] of Object.entries(WEIGHTS)) {
    sum += weight * (fields[field] ?? MISSING)
    weights += weight
  }
  const penalty = warnings.includes('vat_total_mismatch') ? 0.05 : 0
  return Math.round(Math.max(0, sum / weights - penalty) * 100) / 100
}
