import { describe, expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'
import { INVOICES } from '../../../support/docintel-fixtures/invoices.ts'
import { NEGATIVES } from '../../../support/docintel-fixtures/negatives.ts'
import { layOut } from '../../../support/docintel-fixtures/noise.ts'
import { inventedNumbers, judge } from '../../../support/docintel-fixtures/score.ts'
import { HARD_TILLS } from '../../../support/docintel-fixtures/tills.ts'
import { WORLD_RECEIPTS } from '../../../support/docintel-fixtures/world.ts'
import type { Fixture } from '../../../support/docintel-fixtures/types.ts'

const read = (text: string, skill: Fixture['skill'] = 'receipt') =>
  understand(documentFromText(text), { preferred: skill, now: new Date('2025-01-01') })

describe.each([...HARD_TILLS, ...WORLD_RECEIPTS, ...INVOICES])('$name', (fixture) => {
  const text = layOut(fixture.lines, 'columns')
  const result = read(text, fixture.skill)
  it('gives total and date', () => {
    const { total, date } = judge(result, fixture.truth)
    expect({ total, date }).toEqual({
      total: 'right',
      date: fixture.truth.date ? 'right' : undefined,
    })
  })
  it('invents no number', () => expect(inventedNumbers(result, text)).toEqual([]))
})

describe.each(NEGATIVES)('$name', (fixture) => {
  it('gives no amount', () => {
    const result = read(layOut(fixture.lines, 'columns'), fixture.skill)
    expect([
      result.total,
      result.subtotal,
      result.tax.vat_amount,
      result.amount_paid,
      result.balance_due,
    ]).toEqual([null, null, null, null, null])
  })
})

it('a net amount above the tax is the subtotal, and sums that disagree are said', () => {
  const invoice = (vat: string) =>
    read(
      `ACME GmbH\nInvoice No 77\nDate 2025-01-31\nNet amount 100.00\nVAT 19% ${vat}\nTotal 119.00 EUR`,
      'invoice',
    )
  expect(invoice('19.00')).toMatchObject({ subtotal: 100, total: 119, warnings: [] })
  expect(invoice('25.00')).toMatchObject({
    subtotal: 100,
    total: 119,
    warnings: ['vat_total_mismatch'],
  })
})

describe('the total', () => {
  const sale = (...sums: string[]) =>
    read(['ACME STORE SDN BHD', 'RECEIPT', 'MILK 5.00', 'BREAD 5.02', ...sums].join('\n')).total
  it.each([
    ['rounded before unrounded', ['TOTAL 10.02', 'ROUNDING -0.02', 'ROUNDED TOTAL 10.00'], 10],
    [
      'unlabelled adjustment',
      ['TOTAL 10.02', 'NETT TOTAL 10.00', 'CASH 20.00', 'CHANGE 10.00'],
      10,
    ],
    ['not the cash', ['TOTAL 10.02', 'CASH 50.00', 'CHANGE 39.98'], 10.02],
    ['not the count', ['TOTAL ITEMS 2', 'TOTAL 10.02'], 10.02],
    [
      'not the tax table',
      ['TOTAL 10.02', 'GST SUMMARY', 'SR 6% 9.45 0.57', 'TOTAL 9.45 0.57'],
      10.02,
    ],
    ['damaged label', ['T0TAI 10.02'], 10.02],
    ['amount due after payment', ['TOTAL 10.02', 'DEPOSIT 4.00', 'BALANCE DUE 6.02'], 10.02],
    ['none', ['SUBTOTAL 10.02', 'CHANGE 0.00'], null],
  ] as const)('%s', (_name, sums, wanted) => expect(sale(...sums)).toBe(wanted))
})

it('says when subtotal, tax and total disagree', () => {
  const text = 'ACME Ltd\nINVOICE\nInvoice No: 1001\nSubtotal 100.00\nVAT 20% 20.00\nTotal 125.00'
  expect(read(text, 'invoice').warnings).toContain('vat_total_mismatch')
})

it('has every key of the contract, whatever the input', () => {
  for (const text of ['', 'x', 'TOTAL 5.00'])
    expect(Object.keys(read(text)).toSorted()).toEqual([
      'amount_paid',
      'balance_due',
      'bic',
      'buyer',
      'change',
      'confidence',
      'currency',
      'delivery_date',
      'discount',
      'doc_type',
      'document_id',
      'document_kind',
      'due_date',
      'iban',
      'issued_at',
      'issued_time',
      'line_items',
      'locale_hints',
      'merchant',
      'original_document_id',
      'payment',
      'payment_terms',
      'purchase_order',
      'raw_text_excerpt',
      'rounding',
      'subtotal',
      'tax',
      'tax_lines',
      'tendered',
      'tip',
      'total',
      'warnings',
    ])
})

it('reads a mobile payment with its code', () => {
  const naivas = WORLD_RECEIPTS.find((f) => f.name === 'naivas')!
  expect(read(layOut(naivas.lines, 'columns')).payment).toEqual({
    method: 'mobile_money',
    mobile_money: { provider: 'M-PESA', code: 'RFE4K9X2LM', phone: null },
    bank_ref: null,
  })
})
