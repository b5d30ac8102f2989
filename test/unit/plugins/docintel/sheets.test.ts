/** Sums and goods by arithmetic, where columns stand in any order and labels are in no language. */
import { describe, expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'
import {
  makeSheet,
  TAXES,
  type Taxes,
} from '../../../support/docintel-fixtures/stationery/sheets.ts'

const SHEETS = 60
const isNear = (a: number | null, b: number): boolean => a !== null && Math.abs(a - b) < 0.006

interface Judged {
  total: boolean
  isTotalWrong: boolean
  netAndTax: boolean
  goods: boolean
  /** A value of 0.95 or more is wrong. */
  isFalselySure: boolean
}

function judge(seed: number, taxes: Taxes): Judged {
  const { text, sale } = makeSheet(seed, taxes)
  const result = understand(documentFromText(text), {
    preferred: 'invoice',
    now: new Date('2025-01-01'),
  })
  const { fields } = result.confidence
  const total = isNear(result.total, sale.total)
  const net = isNear(result.subtotal, sale.net)
  const tax = isNear(result.tax.vat_amount, sale.vat)
  const isSure = (field: string): boolean => (fields[field] ?? 0) >= 0.95
  const hasTax = taxes !== 'none'
  return {
    total,
    isTotalWrong: result.total !== null && !total,
    netAndTax: !hasTax || (net && tax),
    goods: sale.lines.every((line) =>
      result.line_items.some(
        (item) => isNear(item.amount, line.amount) && item.description.includes(line.name),
      ),
    ),
    isFalselySure:
      (isSure('total') && !total) ||
      (hasTax && ((isSure('subtotal') && !net) || (isSure('tax.vat_amount') && !tax))),
  }
}

describe.each(TAXES)('sheets with taxes: %s', (taxes) => {
  const judged = Array.from({ length: SHEETS }, (_, seed) => judge(seed, taxes))
  const count = (field: keyof Judged): number => judged.filter((sheet) => sheet[field]).length

  it('have their totals, and at most three of sixty wrong', () => {
    expect(count('total')).toBeGreaterThanOrEqual(SHEETS - 3)
    expect(count('isTotalWrong')).toBeLessThanOrEqual(3)
  })
  it('have their nets and taxes', () =>
    expect(count('netAndTax')).toBeGreaterThanOrEqual(SHEETS - 1))
  it('have their goods', () => expect(count('goods')).toBeGreaterThanOrEqual(SHEETS - 4))
  it('are never sure of a wrong sum', () => expect(count('isFalselySure')).toBe(0))
})
