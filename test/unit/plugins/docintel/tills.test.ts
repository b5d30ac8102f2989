/** What real tills print and the written-by-hand sets did not: one invented receipt per cause. */
import { describe, expect, test } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'

const now = new Date(Date.UTC(2025, 0, 1))
const parse = (...lines: string[]) =>
  understand(documentFromText(lines.join('\n')), { preferred: 'receipt', now })

describe('a province is no company form', () => {
  const sums = ['RECEIPT', 'DATE: 2019/03/24', 'MITTENS   8.00', 'GST 5%   0.40', 'TOTAL   8.40']
  test.each([
    [['PRAIRIE KITCHEN', '118 - 7th Avenue', 'Lethbridge, AB'], 'PRAIRIE KITCHEN'],
    [['NORTHLIGHT GOODS', '4410 52nd Street NW, Lethbridge. AB', 'T1K-4Z8'], 'NORTHLIGHT GOODS'],
    [['LODESTAR', 'Welcome to Lodestar', '1417 - 80 ST NW Lethbridge AB'], 'LODESTAR'],
    [['SILVER CREEK', '90 Juniper Way', 'Reno, NV 89509'], 'SILVER CREEK'],
  ])('%j', (head, name) => {
    const { merchant } = parse(...head, ...sums)
    expect(merchant.name).toBe(name)
    expect(merchant.address).toBe(head.filter((l) => /\d|, /.test(l)).join(' '))
  })

  test('the Swedish company form still is one', () => {
    expect(parse('Sandbacka', 'Ekholms Bygg AB', 'Storgatan 4', ...sums).merchant.name).toBe(
      'Ekholms Bygg AB',
    )
  })
})

describe('names and addresses', () => {
  const sums = ['TAX INVOICE', '12/03/2018', 'PAINT   20.00', 'TOTAL   20.00']

  test('a name over three lines whose bracket is closed in the last', () => {
    const { merchant } = parse(
      'KIM TECK HARDWARE',
      'ENTERPRISE (TAMAN',
      'JAYA) SDN BHD',
      '712345-T',
      'NO. 8, JALAN MERANTI 3,',
      '47120 PUCHONG, SELANGOR',
      ...sums,
    )
    expect(merchant.name).toBe('KIM TECK HARDWARE ENTERPRISE (TAMAN JAYA) SDN BHD')
    expect(merchant.address).toBe('NO. 8, JALAN MERANTI 3, 47120 PUCHONG, SELANGOR')
  })

  test('a state with its honorific in letters ends the address', () => {
    const { merchant } = parse(
      'RIVERSIDE CAR PARK SDN BHD',
      'B-03-11 MERANTI AVENUE',
      '47120 PUCHONG',
      'SELANGOR DE',
      ...sums,
    )
    expect(merchant.address).toBe('B-03-11 MERANTI AVENUE 47120 PUCHONG SELANGOR DE')
  })

  test('four digits before a trail are its house', () => {
    const { merchant } = parse(
      'GREEN LARDER',
      '6120 Bow Trail South',
      'Calgary, AB T3C 2E9',
      ...sums,
    )
    expect(merchant.address).toBe('6120 Bow Trail South Calgary, AB T3C 2E9')
  })

  test('the manager and her telephone are no address', () => {
    const { merchant } = parse(
      'THE TIMBER YARD',
      '3030 88th Street, Calgary, Alberta',
      'JANE ROWAN STORE MANAGER 403 555-0142',
      '4410 00021 11873   TIME: 12:57 PM',
      ...sums,
    )
    expect(merchant.address).toBe('3030 88th Street, Calgary, Alberta')
  })

  test('"your guest number" names neither seller nor buyer', () => {
    const result = parse(
      'Your   Guest   #   is   412',
      'Noodle Corner',
      'Unit 9 310 - 22nd Avenue',
      'Calgary, AB',
      ...sums,
    )
    expect(result.merchant.name).toBe('Noodle Corner')
    expect(result.merchant.address).toBe('Unit 9 310 - 22nd Avenue Calgary, AB')
    expect(result.buyer).toBeNull()
  })
})

test('the name with its branch is no part of the address', () => {
  const { merchant } = parse(
    'TAX INVOICE',
    'RUBY PIZZA',
    'GST NO : 001234567890',
    'RUBY PIZZA TAMAN MERANTI',
    '30, JLN MERANTI 7, TMN MERANTI',
    '81300 SKUDAI, JOHOR',
    '08/05/18',
    'TOTAL   6.70',
  )
  expect(merchant.address).toBe('30, JLN MERANTI 7, TMN MERANTI 81300 SKUDAI, JOHOR')
})

test('a town whose name the line breaks ends the address', () => {
  const { merchant } = parse(
    'KAWAN SHOP MARKETING SDN BHD',
    'LOT F2-03, 6, JALAN 8/27A,',
    '53300 KUALA LUMPUR,',
    'WILAYAH PERSEKUTUAN KUALA',
    'LUMPUR, MALAYSIA.',
    '08/05/18',
    'TOTAL   6.70',
  )
  expect(merchant.address).toMatch(/PERSEKUTUAN KUALA LUMPUR, MALAYSIA\.$/)
})

describe('sums', () => {
  const head = ['SERI MART SDN BHD', 'INVOICE NO : 1182', '04-05-18']

  test('hundredths without a zero, and a rounded total named "rounding"', () => {
    const result = parse(
      ...head,
      'COFFEE   RM30.48 S',
      'TOTAL SALES (INCLUSIVE GST) RM   30.48',
      'ROUNDING ADJUSTMENT RM   .02',
      'ROUNDING RM   30.50',
      'CREDIT RM   30.50',
      'CHANGE RM   .00',
    )
    expect(result.total).toBe(30.5)
  })

  test('a table of taxes whose columns the text lost', () => {
    const result = parse(
      ...head,
      'GLUE   3.00',
      'TOTAL SALES INCLUSIVE GST @6%  3.00',
      'CASH  20.00',
      'CHANGE  17.00',
      'GST SUMMARY  AMOUNT(RM)  TAX(RM)',
      'SR @ 6%  2.83  0.17',
    )
    expect(result.subtotal).toBeNull()
    expect(result.tax).toMatchObject({ vat_rate: 6, vat_amount: 0.17, inclusive: true })
  })

  test('goods taken back: the total is negative, though the card got more', () => {
    const result = parse(
      'HUSET',
      'RETURN 4021',
      'SHELF   -30.00',
      'Net TOTAL   -30.00',
      'GST  5.00 %   -1.50',
      'Total   -31.50',
      'Refund Cards   31.50 CAD',
      'New Balance:   31.50 CAD',
      '07/20/14',
    )
    expect(result.total).toBe(-31.5)
  })

  test('what cash settled leaves nothing due', () => {
    const result = parse(
      ...head,
      'SATAY   31.00',
      'TOTAL DUE (GST INC):   31.00',
      'PAID: CASH   51.00',
      'CHANGE:   20.00',
    )
    expect(result.total).toBe(31)
    expect(result.balance_due).toBeNull()
  })

  test('what a parking machine accepted is not the total', () => {
    const result = parse(
      ...head,
      'PARKING TICKET   1.50 RM',
      'TOTAL AMOUNT   1.50 RM',
      'ACCEPTED TOTAL   2.00 RM',
      'CHANGE   0.50 RM',
    )
    expect(result.total).toBe(1.5)
    expect(result).toMatchObject({ amount_paid: 1.5, tendered: 2, change: 0.5 })
  })

  test('the base and rate between the tax and its sum; a gift card spent; the end of its number', () => {
    const result = parse(
      'MEADOW SUPERSTORE',
      'Great things, small prices',
      'OAT MILK   31.40',
      'TRAY   12.00',
      'SUBTOTAL   43.40',
      'G=GST 5%   12.00 @ 5.000%   0.60',
      'TOTAL   44.00',
      'CARD #:   ***** 9013',
      'EGC OPENING BAL.   29.65',
      'EGC PURCHASE:   29.65',
      'EGC BALANCE   0.00',
      'TOTAL EGC SALE:   29.65',
      'DATE: 2014/10/11',
    )
    expect(result.merchant.name).toBe('MEADOW SUPERSTORE')
    expect(result.total).toBe(44)
    expect(result.tax.vat_amount).toBe(0.6)
    expect(result.amount_paid).not.toBe(9013)
  })

  test('hundredths set apart by spaces', () => {
    const result = parse(...head, 'FRAME   11 . 90   T', 'CORD   1 . 10   T', 'TOTAL   13 . 00')
    expect(result.total).toBe(13)
  })

  test('name cards are sold, not paid with', () => {
    const result = parse(...head, 'NAME CARD', '1 X   148.00   148.00', 'TOTAL   148.00')
    expect(result.payment).toBeNull()
  })

  test('goods named in the row under their code, and a sum right of its lost column', () => {
    const rows = parse(
      ...head,
      'ITEM  QTY  U/P  AMOUNT',
      '1762  3  8.00  24.00',
      'SR: BRASS PADLOCK 40MM',
      'TOTAL  24.00',
    )
    expect(rows.line_items).toEqual([
      { description: 'BRASS PADLOCK 40MM', quantity: 3, unit_price: 8, amount: 24 },
    ])
    const moved = parse(
      ...head,
      'NO DESCRIPTION  AMT (RM) CODE',
      '1  COCOA  13.00  SR',
      '1  CARAMEL ALMOND PANCAKE  13.90  SR',
      'TOTAL  26.90',
    )
    expect(moved.line_items.map((i) => i.amount)).toEqual([13, 13.9])
  })

  test('a count of goods heads no table', () => {
    const result = parse(
      ...head,
      'TEA   3.00',
      'TOTAL   3.00',
      'Total items:  1',
      'Cards   3.00 RM',
    )
    expect(result.line_items.map((i) => i.description)).toEqual(['TEA'])
  })

  test('a word in the name of a dish is no currency', () => {
    const result = parse(
      ...head,
      'QTY ITEM   RM',
      '4  BAK SAR BUN 16PCS   36.00 SR',
      '2  SAR MINI BAK SAR PUFF   15.20 SR',
      'NET TOTAL   51.20',
    )
    expect(result.currency).toBe('MYR')
  })
})
