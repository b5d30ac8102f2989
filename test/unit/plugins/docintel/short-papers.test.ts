/** Short papers as newcomers type them: floors on two halves, one never tuned on, and the faults one by one. */
import { describe, expect, it, test } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import type { ParseResult } from '../../../../plugins/docintel/schema.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'
import { loadToys, shareOfFields, type Toy } from '../../../support/docintel-fixtures/toys/load.ts'

const now = new Date(Date.UTC(2026, 10, 30))
const parse = (text: string, preferred: 'receipt' | 'invoice' = 'receipt'): ParseResult =>
  understand(documentFromText(text), { preferred, now })
const parseToy = ({ text, truth }: Toy): ParseResult =>
  parse(text, truth.size === 0 || truth.get('type')!.includes('receipt') ? 'receipt' : 'invoice')
const goodsOf = ({ line_items: items }: ParseResult): unknown[] =>
  items.map((g) => [g.description, g.quantity, g.unit_price, g.amount])

describe('floors', () => {
  test('the half that judges: no rule was mended on it', () => {
    const found = shareOfFields(loadToys('judge.txt'), parseToy)
    expect(found).toMatchObject({ none: 1, sub: 1, tax: 1, due: 1 })
    for (const [field, floor] of [
      ['type', 0.94],
      ['merchant', 0.94],
      ['date', 0.96],
      ['id', 0.99],
      ['cur', 0.96],
      ['total', 0.96],
      ['goods', 0.9],
      ['buyer', 0.74],
    ] as const)
      expect.soft(found[field], field).toBeGreaterThanOrEqual(floor)
  })

  test('the half that rules were mended on', () => {
    for (const [field, share] of Object.entries(shareOfFields(loadToys('tuning.txt'), parseToy)))
      expect.soft(share, field).toBeGreaterThanOrEqual(field === 'paid' ? 0.8 : 0.98)
  })
})

describe('a count and a price in words', () => {
  it.each([
    ['Consulting 10h @ 80 EUR\nTotal: 800.00 EUR', [['Consulting', 10, 80, 800]]],
    [
      'Design, 2 days x €600.00\nTravel €85.50\nTotal €1,285.50',
      [
        ['Design', 2, 600, 1200],
        ['Travel', null, null, 85.5],
      ],
    ],
    ['Training $95/hr x 4 hrs\nTotal $380.00', [['Training', 4, 95, 380]]],
    ['Diesel\n12.874 gal @ $3.499/gal\nTotal $45.05', [['Diesel', 12.874, 3.499, 45.05]]],
    ['Rosen 2x31,00 62,00\nSumme 62,00 €', [['Rosen', 2, 31, 62]]],
    ['API: 1,200,000 calls @ $0.0001 = $120.00\nTotal: $120.00', [['API', 1_200_000, 0.0001, 120]]],
  ])('%j', (text, goods) => {
    expect(goodsOf(parse(`Invoice 42\nJane Doe Ltd\n${text}`, 'invoice'))).toEqual(goods)
  })

  it('is left alone where no sum that is printed confirms it', () => {
    const result = parse('Invoice 42\nJane Doe Ltd\nConsulting 10h @ 80 EUR\nTotal 900.00 EUR')
    expect(result.line_items.map((g) => g.amount)).not.toContain(800)
  })

  it('is part of the name as a size', () => {
    const result = parse('Mart Ltd\nReceipt 12\nMilk 1L\n1\n2.50\n2.50\nTotal 2.50')
    expect(result.line_items[0]?.description).toBe('Milk 1L')
  })
})

describe('sums', () => {
  it('are no days of a date', () => {
    const result = parse(
      'Invoice 42\nJane Doe Ltd\nDue: 30 January 2026\nDesign $1500\nTotal: $1500',
      'invoice',
    )
    expect(result).toMatchObject({ total: 1500, due_date: '2026-01-30' })
  })

  it('behind a dash are not below nothing; what is taken off is', () => {
    const result = parse('Pizza Palace\n1 Large pizza - $18.99\n2 Soda - $3.98\nTotal - $22.97')
    expect(result.total).toBe(22.97)
    expect(result.line_items.map((g) => g.amount)).toEqual([18.99, 3.98])
    expect(
      parse('Pizza Palace\nReceipt 12\nPizza $18.99\nDiscount - $3.00\nTotal $15.99').discount,
    ).toBe(3)
  })

  it('without hundredths are read where they add up on a day', () => {
    expect(goodsOf(parse('Coffee Corner\n2026-11-01\nCoffee 3\nCake 4\nTotal 7'))).toEqual([
      ['Coffee', null, null, 3],
      ['Cake', null, null, 4],
    ])
    expect(parse('Group gift\nAlice 10\nBob 15\nTotal 25').doc_type).toBe('unknown')
  })

  it('that are fees are no tax', () => {
    const result = parse(
      'Bolt\n15 Oct 2026\nFare €8.20\nBooking fee €0.80\nTotal €9.00\nPaid with card',
    )
    expect(result.total).toBe(9)
    expect(result.tax.vat_amount).toBeNull()
  })
})

describe('days', () => {
  it('begin with no word before them', () => {
    const result = parse(
      'Hotel Sol\nFatura 88\nCheck-in 10/03/2026 Check-out 13/03/2026\nQuarto 270,00 €\nTotal 270,00 €',
    )
    expect(result.issued_at).toBeNull()
  })

  it('are month-first where the same day stands there once more', () => {
    const text = (other: string): string => `Cafe Joe\n11/01/2026\n${other}\nTea $2.00\nTotal $2.00`
    expect(parse(text('Printed 2026-11-01')).issued_at).toBe('2026-11-01')
    expect(parse(text('Printed 2026-01-11')).issued_at).toBe('2026-01-11')
  })
})

describe('markup', () => {
  it('of Markdown is no part of names', () => {
    const result = parse(
      '# Invoice 7\n\n**From:** Acme\n**To:** Globex\n\n| Item | Qty | Price | Total |\n|---|---|---|---|\n| Pen | 2 | 1.50 | 3.00 |\n\n**Total:** €3.00',
      'invoice',
    )
    expect(result.merchant.name).toBe('Acme')
    expect(result.buyer?.name).toBe('Globex')
    expect(goodsOf(result)).toEqual([['Pen', 2, 1.5, 3]])
  })

  it('of a masked total is left', () => {
    expect(parse('Cafe Joe\nReceipt 12\nTea 2.00\nTotal **.**\nVAT 0.20').warnings).toContain(
      'total_is_masked',
    )
  })

  it('of comma-separated values, with quotes', () => {
    const result = parse(
      'Acme\nInvoice,A-5\nDate,2026-09-09\nitem,qty,price,amount\n"Paper, white",5,6.20,31.00\nInk,1,30.00,30.00\nTotal,,,61.00',
      'invoice',
    )
    expect(result).toMatchObject({ document_id: 'A-5', total: 61 })
    expect(goodsOf(result)).toEqual([
      ['Paper, white', 5, 6.2, 31],
      ['Ink', 1, 30, 30],
    ])
  })

  it('of JSON', () => {
    const result = parse(
      '{"vendor":{"name":"Bike Shop"},"invoiceNumber":"B-77","items":[{"name":"Tube","qty":2,"price":6.5,"total":13},{"name":"Chain","qty":1,"price":19,"total":19}],"subtotal":32,"tax":6.4,"total":38.4,"currency":"EUR"}',
    )
    expect(result).toMatchObject({
      document_id: 'B-77',
      subtotal: 32,
      total: 38.4,
      currency: 'EUR',
    })
    expect(result.merchant.name).toBe('Bike Shop')
    expect(goodsOf(result)).toEqual([
      ['Tube', 2, 6.5, 13],
      ['Chain', 1, 19, 19],
    ])
    expect(parse('{"name":"api","version":"1.2.3","total":100,"items":5}').doc_type).toBe('unknown')
  })

  it.each([
    String.raw`Cafe Joe\n12 Main St\nTea 2.00\nCake 4.00\nTotal 6.00`,
    'Cafe Joe | Tea 2.00 | Cake 4.00 | Total 6.00',
    'Cafe Joe, Tea 2.00, Cake 4.00, Total 6.00',
  ])('of a paper in one line: %j', (text) => {
    expect(parse(text)).toMatchObject({ total: 6, merchant: { name: 'Cafe Joe' } })
    expect(parse(text).line_items).toHaveLength(2)
  })
})

describe('what is no sale', () => {
  it.each([
    'Garden project\n12 Main St\nSoil 40.00\nPlants 60.00\nTotal 100.00',
    'Listing\n12 Main Street, Springfield\nKitchen 12.50 m2\nBedroom 14.00 m2\nTotal 26.50 m2',
    'Pizza party\n2026-11-02 19:30\nAnn $5.00\nBob $7.00\nTotal $12.00',
    'Run log\n2026-11-02 07:30\nLap 1 5.02\nLap 2 5.10\nTotal 10.12',
    'Daily takings\nCafe Luna\nCash 120.00\nCard 300.00\nTotal 420.00',
    'Store: Berlin\nVisitors 1200\nSales 3400.00\nTotal 4600.00',
    'item,qty,weight\nbolt,5,0.20\nnut,8,0.10\ntotal,13,0.30',
    'date,category,amount\n2026-11-01,food,12.50\n2026-11-02,bus,3.20\n2026-11-03,rent,900.00\ntotal,,915.70',
    'Meal plan, Monday, oats 3.50, eggs 2.00, total 5.50',
    'Offer\nJane Doe Design\nConsulting 10h @ 80 EUR\nTotal: 800.00 EUR',
  ])('%j', (text) => {
    for (const preferred of ['receipt', 'invoice'] as const)
      expect(parse(text, preferred)).toMatchObject({
        doc_type: 'unknown',
        total: null,
        line_items: [],
      })
  })
})
