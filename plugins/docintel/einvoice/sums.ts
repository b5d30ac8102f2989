/** Whether the sums of an e-invoice agree (EN 16931, rules BR-CO-10 to BR-CO-16). */
import type { ParseResult } from '../schema.ts'
import { isNear } from '../understand/marks/near.ts'

/** What the XML states beside the result. */
export interface StatedSums {
  /** Sum of the lines before allowances and charges of the document. */
  linesTotal: number | null
  /** Charges less allowances of the whole document. */
  charges: number
  /** Added to the payable sum. */
  rounding: number
  prepaid: number
}

/** Sums that differ by less agree. */
export const CENT = 0.011

/** Warnings for sums that disagree; the values stay as stated. */
export function sumWarnings(result: ParseResult, stated: StatedSums): string[] {
  const { subtotal, total, tax, tax_lines: lines, line_items: items, balance_due: due } = result
  const vat = tax.vat_amount
  const warnings: string[] = []
  const warn = (warning: string, sum: number, whole: number | null, tolerance = CENT): void => {
    if (whole !== null && !isNear(sum, whole, tolerance) && !warnings.includes(warning))
      warnings.push(warning)
  }
  const sumOf = (values: (number | null)[]): number =>
    values.reduce<number>((s, v) => s + (v ?? 0), 0)
  if (items.length > 0)
    warn('line_items_sum_mismatch', sumOf(items.map((i) => i.amount)), stated.linesTotal)
  if (stated.linesTotal !== null)
    warn('line_items_sum_mismatch', stated.linesTotal + stated.charges, subtotal)
  if (lines.length > 0 && lines.every((l) => l.amount !== null))
    warn('vat_total_mismatch', sumOf(lines.map((l) => l.amount)), vat)
  if (subtotal !== null) warn('vat_total_mismatch', subtotal + (vat ?? 0), total)
  // Factur-X MINIMUM and BASIC WL leave out what was paid before.
  if (total !== null && lines.length > 0)
    warn('payable_mismatch', total - stated.prepaid + stated.rounding, due)
  return warnings
}
