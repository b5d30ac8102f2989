/** Days, numbers and sums whose spaces and signs OCR lost. */
import { describe, expect, it } from 'vitest'
import { readInvoice } from '../../../support/read-invoice.ts'

const bill = (head: string, foot = '') =>
  readInvoice(`${head}
Item        Qty    Price    Amount
Timber       10    12.00    120.00
Total                       120.00
${foot}`)

describe('labels of days without their spaces', () => {
  it.each([
    ['Harbour Lights Ltd\nInvoice 4711\nDateofdelivery:10 March 2024\nInvoicedate:12 March 2024'],
    ['Bois du Nord SARL\nFacture 4711\nDatedelivraison10/03/2024\nDatedefacture12/03/2024'],
    ['Holzhof Nord GmbH\nRechnung 4711\nLiefertag 10.03.2024\nRechnungsdatum 12.03.2024'],
  ])('tell the day of issue from that of delivery: %s', (head) => {
    expect(bill(head).issued_at).toBe('2024-03-12')
  })

  it.each(['Liefertag 10.03.2024', 'Deliverydate 10 March 2024'])(
    'leave the day of issue open, or unsure: %s',
    (day) => {
      const { issued_at: issuedAt, confidence } = bill(`Holzhof Nord GmbH\nRechnung 4711\n${day}`)
      expect(issuedAt === null || confidence.fields['issued_at']! < 0.7).toBe(true)
    },
  )
})

it('reads a day whose words run together, and not the one until which it is to be paid', () => {
  expect(
    bill('Maderas Sol S.L.\nFactura numero 4711\nFactura fecha 12 de marzo de2024').issued_at,
  ).toBe('2024-03-12')
  expect(
    bill('Maderas Sol S.L.\nFactura 4711', 'Transfieran el importe antes del 7 de abril de 2024')
      .issued_at,
  ).toBeNull()
  // The label of the day is lost, and that of the due day goes on below it.
  expect(
    bill(
      'Maderas Sol S.L.\nFactura 4711\nEmit. 12 de marzo de 2024\nFecha de 7 de abril de 2024\nvencimiento',
      'Transfieran el importe antes del 7 de abril de 2024',
    ).issued_at,
  ).toBe('2024-03-12')
})

it('takes no day with its year for a sum', () => {
  const head = 'Harbour Lights Ltd\nInvoice 4711\nInvoice date: 12 March 2024'
  expect(bill(head, 'Payment due by August 18,2024.').total).toBe(120)
})

it.each(['n.9 INV7582', '. F13673'])('reads a damaged sign of a number: %s', (printed) => {
  expect(
    readInvoice(`Librería Sol S.A.
Calle Mayor 2
28013 Madrid
Tel. 912 345 678
${printed}                   16/07/2024 17:08
Lápiz                                    2,00
Total EUR                                2,00
Tarjeta                                  2,00
IVA 21% / 1,65                           0,35`).document_id,
  ).toBe(printed.split(' ')[1])
})
