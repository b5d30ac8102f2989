/** Heads of two words over the sums at the foot: what was received, and what is left. */
import { describe, expect, it } from 'vitest'
import { readInvoice } from '../../../support/read-invoice.ts'

const HEAD = `INVOICE
Acme Ltd
12 High Street, London
Invoice No 4471
Date 14/08/2026
Description   Qty  Price  Amount
Work          4   400.00  1600.00
`

describe('a part of the total was paid', () => {
  it.each([
    'Total 1600.00\nReceived Amount  Balance\n400.00  1200.00',
    'Total 1600.00\nReceived Amount    Balance Due\n400.00             1200.00',
    'Total  Received Amount  Balance\n1600.00  400.00  1200.00',
    'Total Amount  Received Amount  Balance\n1600.00  400.00  1200.00',
    'Total  Paid  Balance\n1600.00  400.00  1200.00',
  ])('%s', (foot) => {
    expect(readInvoice(HEAD + foot)).toMatchObject({
      total: 1600,
      amount_paid: 400,
      balance_due: 1200,
    })
  })

  it('and the cash at a till is none', () => {
    expect(readInvoice(`${HEAD}Total 1600.00\nReceived 2000.00\nBalance 400.00`)).toMatchObject({
      total: 1600,
      tendered: 2000,
    })
  })
})
