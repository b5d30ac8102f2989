/** Texts whose parts look like others: dates in numbers, goods like labels, letters like currencies. */
import { describe, expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'

const read = (text: string, preferred: 'receipt' | 'invoice' = 'receipt') =>
  understand(documentFromText(text), { preferred, now: new Date(Date.UTC(2025, 0, 1)) })

describe('a date inside a number of the document', () => {
  it.each(['Invoice No: INV-04-17-2024', 'Ref: 04/17/2024-8', 'Invoice No: 04/17/2024'])(
    '"%s" does not turn its days around',
    (number) => {
      const text = `ACME Supplies Ltd\n12 High Street, Leeds LS1 4AB\nINVOICE\n${number}\nInvoice date: 05/06/2024\nWidgets  100.00\nTotal  100.00`
      expect(read(text, 'invoice').issued_at).toBe('2024-06-05')
    },
  )
  it('is still part of that number', () => {
    const text =
      'ACME Ltd\nINVOICE\nInvoice No: INV-04-17-2024\nInvoice date: 05/06/2024\nTotal  100.00'
    expect(read(text, 'invoice').document_id).toBe('INV-04-17-2024')
  })
  it('free of a number it does', () => {
    const text = 'ACME Ltd\nINVOICE\nInvoice date: 05/06/2024\nDue 05/28/2024\nTotal  100.00'
    expect(read(text, 'invoice')).toMatchObject({ issued_at: '2024-05-06', due_date: '2024-05-28' })
  })
})

const HEAD = 'STATIONERY WORLD\n12 High Street, Leeds LS1 4AB\n14/03/2024 09:12'

it.each([
  'Receipt roll 80MM  4.50',
  'Invoice book 50 sheets  4.50',
  'Bill No 7 duplicate book  4.50',
  'Order no 12 stickers  4.50',
  'Ticket No 4 pads  4.50',
])('"%s" is goods, not the number of the document', (line) => {
  expect(read(`${HEAD}\n${line}\nTotal  4.50\nCash  5.00\nChange  0.50`).document_id).toBeNull()
  expect(read(`${HEAD}\nReceipt No: 00417\n${line}\nTotal  4.50`).document_id).toBe('00417')
})

describe('letters in goods', () => {
  it.each(['KC 200 OIL FILTER  12.00', 'BOLT KR 12.00', 'KZ 3 CABLE  12.00', 'PIPE FT 12.00'])(
    '"%s" are no currency',
    (line) => {
      const result = read(
        `${HEAD}\n${line}\nSCREWS  3.00\nWASHERS  1.00\nTotal  16.00\nCash  20.00`,
      )
      expect(result).toMatchObject({ currency: null, total: 16 })
      const names = result.line_items.map((item) => item.description).join(' ')
      expect(names).toContain(line.split(' ').find((word) => /^[A-Z]{2}$/.test(word)))
    },
  )
  it('are one where a sum bears them', () => {
    expect(read(`${HEAD}\nKafe  60,00\nCelkem  KC 60,00`).currency).toBe('CZK')
  })
})

describe('cash', () => {
  it('handed over is not what was paid', () => {
    const text = `${HEAD}\nPENS  16.00\nTotal  16.00\nCash  20.00\nChange  4.00`
    expect(read(text)).toMatchObject({ total: 16, amount_paid: 16, tendered: 20, change: 4 })
  })
  it('without printed change is more than what was paid', () => {
    const text = `${HEAD}\nPENS  16.00\nTotal  16.00\nCash  20.00`
    expect(read(text)).toMatchObject({ amount_paid: 16, tendered: 20, change: null })
  })
  it('is not mixed up with a card', () => {
    const text = `${HEAD}\nPENS  16.00\nTotal  16.00\nVISA  16.00`
    expect(read(text)).toMatchObject({ amount_paid: 16, tendered: null, change: null })
  })
})

describe('what an accountant books', () => {
  const result = understand(
    documentFromText(
      [
        'Muster GmbH',
        'Hauptstr. 5, 10115 Berlin',
        'Rechnung Nr. RE-2024-99',
        'Rechnungsdatum: 05.04.2024   Lieferdatum: 02.04.2024',
        'Fällig am: 19.04.2024',
        'Ihre Bestellung: PO-4711',
        'Zahlungsbedingungen: 14 Tage netto',
        'Beratung  2  100,00  200,00',
        'Bücher  1  50,00  50,00',
        'Netto  250,00',
        'MwSt 19% auf 200,00  38,00',
        'MwSt 7% auf 50,00  3,50',
        'Gesamtbetrag  291,50 EUR',
        'IBAN: DE89 3704 0044 0532 0130 00  BIC: COBADEFFXXX',
      ].join('\n'),
    ),
    { preferred: 'invoice', now: new Date(Date.UTC(2025, 0, 1)), withEvidence: true },
  )
  it('is read from text too', () => {
    expect(result).toMatchObject({
      issued_at: '2024-04-05',
      delivery_date: '2024-04-02',
      due_date: '2024-04-19',
      purchase_order: 'PO-4711',
      payment_terms: '14 Tage netto',
      iban: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
      tax_lines: [
        { rate: 19, base: 200, amount: 38, category: null },
        { rate: 7, base: 50, amount: 3.5, category: null },
      ],
      total: 291.5,
    })
  })
  it('says where it stands', () => {
    expect(result.evidence).toMatchObject({
      total: { page: 1, box: null, text: 'Gesamtbetrag  291,50 EUR' },
      issued_at: { text: 'Rechnungsdatum: 05.04.2024  Lieferdatum: 02.04.2024' },
      iban: { text: expect.stringContaining('DE89') },
    })
  })
  it('has a time of day', () => {
    expect(read(`${HEAD}\nPENS  16.00\nTotal  16.00`).issued_time).toBe('09:12')
    expect(
      read(`SHOP\nTime: 6:05 PM\nDate: 14/03/2024\nPENS  16.00\nTotal  16.00\nCash 16.00`)
        .issued_time,
    ).toBe('18:05')
  })
})
