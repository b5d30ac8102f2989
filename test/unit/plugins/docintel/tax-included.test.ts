/** Sums that say in brackets that the tax is in them: the sum is none of the tax. */
import { describe, expect, it } from 'vitest'
import { readInvoice } from '../../../support/read-invoice.ts'

const stay = (foot: string): ReturnType<typeof readInvoice> =>
  readInvoice(`INVOICE
Acme Ltd
12 High Street, London
Invoice No 4471
Date 14/08/2026
Room         2   110.00   220.00
Breakfast    2    11.00    22.00
${foot}`)

describe('a total with the tax in it', () => {
  it.each([
    ['Total (VAT 10% included)', 10],
    ['Total (VAT included)', null],
    ['Total (10% VAT included)', 10],
    ['Total, 10% VAT incl.', 10],
    ['Total (all taxes included)', null],
    ['Total (TVA 10% incluse)', 10],
    ['Total (IVA 10% incluido)', 10],
    ['Totale (IVA 10% inclusa)', 10],
    ['Totaal (BTW 10% inbegrepen)', 10],
    ['Summe (MwSt. 10% enthalten)', 10],
  ])('%s', (label, rate) => {
    expect(stay(`${label}     242.00`)).toMatchObject({
      total: 242,
      tax: { vat_amount: null, vat_rate: rate, inclusive: true },
    })
  })

  it.each(['VAT 10% included', '(VAT 10% included)', 'Prices include 10% VAT'])(
    'beside a line without an amount: %s',
    (line) => {
      expect(stay(`Total    242.00\n${line}`)).toMatchObject({
        total: 242,
        tax: { vat_amount: null, vat_rate: 10, inclusive: true },
      })
    },
  )

  it('beside the amount of the tax', () => {
    expect(stay('Total    242.00\n(VAT 10% included)    22.00')).toMatchObject({
      total: 242,
      tax: { vat_amount: 22, vat_rate: 10 },
    })
    expect(stay('Total    242.00\nVAT 10% included    22.00')).toMatchObject({
      total: 242,
      tax: { vat_amount: 22, vat_rate: 10 },
    })
  })

  it.each(['Total VAT included', 'Total taxes included', 'Grand total tax included'])(
    '%s, which may also name the tax: the largest amount is none',
    (label) => {
      expect(stay(`${label}    242.00`)).toMatchObject({
        total: 242,
        tax: { vat_amount: null, inclusive: true },
      })
      expect(stay(`Total    242.00\n${label}    22.00`)).toMatchObject({
        total: 242,
        tax: { vat_amount: 22 },
      })
    },
  )

  it('is not one whose tax is said not to be', () => {
    expect(stay('Total    242.00\nVAT not included').tax.inclusive).toBeNull()
  })
})
