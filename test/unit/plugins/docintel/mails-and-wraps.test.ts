/** Rules for mails of shops and for narrow columns: details below names, what is paid in full, broken words. */
import { describe, expect, it } from 'vitest'
import { readInvoice } from '../../../support/read-invoice.ts'

describe('goods over their details', () => {
  const mail = (details: string) =>
    readInvoice(`Harbour Lights Ltd
Invoice
Invoice date: 4 March 2024
Brass lantern
${details}
$60.00 $45.00
Discount 25%
Subtotal                 $45.00
Shipping                  $5.00
Total                    $50.00`)

  it('are called what stands above these', () => {
    expect(mail('Reference: 812\nQty: 3').line_items).toEqual([
      { description: 'Brass lantern', quantity: 3, unit_price: null, amount: 45 },
    ])
  })

  it('have the price that their count makes the amount of', () => {
    expect(
      readInvoice(`Harbour Lights Ltd
Invoice
Invoice date: 4 March 2024
Brass lantern
Qty: 3
$15.00 $45.00
Total                    $45.00`).line_items,
    ).toEqual([{ description: 'Brass lantern', quantity: 3, unit_price: 15, amount: 45 }])
  })

  it('are none without a count', () => {
    expect(mail('Reference: 812\nColour: red').line_items).not.toContainEqual(
      expect.objectContaining({ description: 'Brass lantern', quantity: expect.anything() }),
    )
  })
})

describe('what is paid in full', () => {
  const paid = (rows: string) =>
    readInvoice(`Harbour Lights Ltd
Invoice                                  PAID
Invoice Date: March 4, 2024
Bill to: Nora Field
Item                       Amount (in U.S. dollars)
Brass lantern                               $ 45.00
${rows}`)

  it.each([
    ['no total', 'Payments/credits       $ -45.00\nInvoice balance             $ 0'],
    ['a total of nothing', 'Payments/credits       $ -45.00\nTotal due                   $ 0.00'],
  ])('is the total of a bill that prints %s', (_, rows) => {
    const { total, confidence } = paid(rows)
    expect(total).toBe(45)
    expect(confidence.fields['total']).toBeLessThan(0.95)
  })

  it('is none where something is left', () => {
    expect(paid('Payments/credits       $ -40.00\nInvoice balance          $ 5.00').total).not.toBe(
      40,
    )
  })
})

describe('what a narrow column broke', () => {
  it('is a number again, also behind its sign', () => {
    expect(
      readInvoice(`Harbour Lights Ltd
Bill To:             Invoice no:     Total Amount
Nora Field           #2024-          (USD)
4 Quay Road          5519            $45.00
Description          Price           Quantity     Amount
Brass lantern        $45.00          1            $45.00
Total (USD)                                       $45.00`).document_id,
    ).toBe('2024-5519')
  })

  it('is a name, before the article number that stands near its price', () => {
    const [first, second] = readInvoice(`Harbour Lights Ltd
Invoice 5519
Date: 2024-03-04
Item            Description  Price    Count     Total
Brass           Ref 100 15.00         3         45.00
lantern
Oak             Ref 107 20.00         2         40.00
ladder
Total                                           85.00`).line_items
    expect([first?.description, second?.description]).toEqual([
      'Brass lantern Ref 100',
      'Oak ladder Ref 107',
    ])
  })
})

describe('letters that are set apart', () => {
  it.each([
    ['S T U D I O 2 7 N O R T H', 'STUDIO 27 NORTH'],
    ['H A R B O U R L I G H T S', 'HARBOURLIGHTS'],
    ['H A R B O U R C R A FT', 'HARBOURCRAFT'],
  ])('are a name: %s', (printed, name) => {
    expect(
      readInvoice(`${printed}               4 Quay Road, Bristol BS1 4QA
INVOICE
Invoice no: 5519
Date: 2024-03-04
Bill To: Nora Field
Description          Price           Quantity     Amount
Brass lantern        $45.00          1            $45.00
Total (USD)                                       $45.00`).merchant.name,
    ).toBe(name)
  })
})
