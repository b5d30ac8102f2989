/** Receipts as OCR gives them: floors on the fixture sets, and the traps one by one. */
import { describe, expect, test } from 'vitest'
import type { DocumentText } from '../../../../plugins/docintel/model/document.ts'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { foldLabel } from '../../../../plugins/docintel/lexicon/fold.ts'
import { legible } from '../../../../plugins/docintel/lexicon/legible.ts'
import { continuesName } from '../../../../plugins/docintel/understand/parties/name-lines.ts'
import { disagreement } from '../../../../plugins/docintel/understand/sums/sums-agree.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'
import { damage, layOut, skewedBoxes } from '../../../support/docintel-fixtures/noise.ts'
import { seeded } from '../../../support/docintel-fixtures/random.ts'
import { loadReceipts } from '../../../support/docintel-fixtures/receipts/load.ts'
import { mixedReceipt } from '../../../support/docintel-fixtures/receipts/mixed.ts'
import { judge } from '../../../support/docintel-fixtures/score.ts'
import type { Fixture } from '../../../support/docintel-fixtures/types.ts'

const now = new Date(Date.UTC(2025, 0, 1))
const parse = (document: DocumentText) => understand(document, { preferred: 'receipt', now })
const parseText = (text: string) => parse(documentFromText(text))

/** Share right per field over fixtures, each put into text by `write`. */
function shares(
  fixtures: readonly Fixture[],
  write: (fixture: Fixture, i: number) => string,
): Record<string, number> {
  const right: Record<string, number[]> = {}
  for (const [i, fixture] of fixtures.entries())
    for (const [field, verdict] of Object.entries(
      judge(parseText(write(fixture, i)), fixture.truth),
    ))
      (right[field] ??= []).push(verdict === 'right' ? 1 : 0)
  return Object.fromEntries(
    Object.entries(right).map(([field, list]) => [
      field,
      list.reduce((a, b) => a + b, 0) / list.length,
    ]),
  )
}

const SEEN = [
  'unseen-a-malaysia.txt',
  'unseen-a-world.txt',
  'unseen-b-asia.txt',
  'unseen-b-west.txt',
  'unseen-d.txt',
  'unseen-e-asia-1.txt',
  'unseen-e-asia-2.txt',
  'unseen-e-asia-3.txt',
  'unseen-e-asia-4.txt',
  'unseen-e-west.txt',
  'unseen-f-1.txt',
  'unseen-f-2.txt',
  'unseen-g-asia.txt',
  'unseen-g-west.txt',
  'unseen-h-asia.txt',
  'unseen-h-west.txt',
  'unseen-i-receipts.txt',
].flatMap(loadReceipts)
const MIXED = Array.from({ length: 60 }, (_, k) => mixedReceipt(seeded(k * 131 + 3), `mixed ${k}`))

describe('floors', () => {
  test.each(['rows', 'boxes'] as const)('receipts by hand as %s', (layout) => {
    const found = shares(SEEN, (f) => layOut(f.lines, layout))
    expect(found.total).toBeGreaterThanOrEqual(0.99)
    expect(found.date).toBeGreaterThanOrEqual(0.99)
    expect(found['name =']).toBeGreaterThanOrEqual(0.97)
    expect(found['address =']).toBeGreaterThanOrEqual(0.97)
  })

  test('receipts of mixed parts, boxes of a tilted scan', () => {
    const found = shares(MIXED, (f, i) => skewedBoxes(f.lines, 0.12, seeded(i)))
    expect(found.total).toBeGreaterThanOrEqual(0.97)
    expect(found.merchant).toBeGreaterThanOrEqual(0.97)
    expect(found.address).toBeGreaterThanOrEqual(0.97)
  })

  test('receipts of mixed parts with damaged letters', () => {
    const found = shares(MIXED, (f, i) => damage(layOut(f.lines, 'rows'), 0.03, seeded(i)))
    expect(found.total).toBeGreaterThanOrEqual(0.96)
    expect(found.date).toBeGreaterThanOrEqual(0.95)
    expect(found.merchant).toBeGreaterThanOrEqual(0.93)
  })

  test('the frozen set, never tuned on', () => {
    const found = shares(loadReceipts('frozen-c-receipts.txt'), (f) => layOut(f.lines, 'rows'))
    expect(found.total).toBeGreaterThanOrEqual(0.97)
    expect(found.date).toBeGreaterThanOrEqual(0.97)
    expect(found.merchant).toBeGreaterThanOrEqual(0.92)
    expect(found.address).toBeGreaterThanOrEqual(0.92)
  })

  test.each([
    'articles-a.txt',
    'articles-b.txt',
    'articles-d.txt',
    'articles-e.txt',
    'articles-f.txt',
    'articles-g.txt',
    'articles-h.txt',
  ])('%s: no sale, no amounts, however wrapped', (file) => {
    for (const { lines } of loadReceipts(file))
      for (const text of [lines.join('\n'), lines.join('\n').replaceAll(/(.{20}\S*) /g, '$1\n')]) {
        const result = parseText(text)
        expect(result.doc_type).toBe('unknown')
        expect(result.total).toBeNull()
        expect(result.line_items).toEqual([])
      }
  })
})

describe('labels and amounts in rows of their own', () => {
  test('an amount above its label is found by the sums', () => {
    const result = parseText(
      'KEDAI BAJU SDN BHD\nTAX INVOICE\nSHIRT\n40.00\nSUBTOTAL :\n40.00\nGST 6% :\n2.40\n42.40\nTOTAL (RM):\nCASH :\n50.00\n7.60\nCHANGE :',
    )
    expect(result.total).toBe(42.4)
    expect(result).toMatchObject({ amount_paid: 42.4, tendered: 50, change: 7.6 })
  })

  test('two labels before their two amounts', () => {
    const result = parseText(
      'CAFE SDN BHD\nRECEIPT\nLATTE\n9.00\nTOTAL\nCASH\n9.00\n10.00\nCHANGE\n1.00',
    )
    expect(result.total).toBe(9)
  })

  test('cash minus change confirms, a rounding of one contradicts', () => {
    const good = new Map([
      ['total', [9]],
      ['cash', [10]],
      ['change', [1]],
    ])
    const bad = new Map([
      ['total', [10]],
      ['cash', [9]],
      ['change', [1]],
      ['rounding', [1]],
    ])
    expect(disagreement(good)).toBeLessThan(0)
    expect(disagreement(bad)).toBeGreaterThan(2)
  })

  test('quantity, price and amount of an item in three rows', () => {
    const result = parseText(
      'TOKO BUKU SDN BHD\nRECEIPT 1\nPENCIL BOX\n2\n5.20\n10.40\nRULER\n1\n1.50\n1.50\nTOTAL\n11.90\nCASH\n11.90',
    )
    expect(result.line_items).toEqual([
      { description: 'PENCIL BOX', quantity: 2, unit_price: 5.2, amount: 10.4 },
      { description: 'RULER', quantity: 1, unit_price: 1.5, amount: 1.5 },
    ])
  })
})

describe('totals', () => {
  const total = (sums: string): number | null =>
    parseText(`MAJU TRADING SDN BHD\nTAX INVOICE\n12/03/2018\nPAINT 20.00\n${sums}`).total

  test.each([
    ['TOTALRM20.00\nTUNAIRM50.00\nBAKIRM30.00', 20],
    ['NETTOTAL 20.00', 20],
    ['**** TOTAL 20.00', 20],
    ['SUBTOTAL 20.00\nTOTAL 20.00\nTIP ________\nTOTAL ________', 20],
    ['TOTAL RM 1 ,020.00', 1020],
    ['TOTAL: 22.00\nDISCOUNT: -2.00\nTOTAL: 20.00', 20],
    ['TOTAL: 20.01\nROUNDING: -0.01\nCASH 20.00', 20],
    ['SUB TOTAL 20.00\nTOTAL AFTER ROUNDING 20.00', 20],
    ['TOTAL ***.**', null],
    ['TOTAL RM 20-00', 20],
    ['INSERTED 30.00\nCHANGE 10.00', 20],
    ['AMOUNT BEFORE GST 18.87\nGST AMOUNT 1.13\nAMOUNT AFTER GST 20.00', 20],
    ['CASH: 50.00 BAL: 30.00', 20],
  ])('%s', (sums, wanted) => {
    expect(total(sums)).toBe(wanted)
  })
})

test.each([
  ["OCT28'17 08:12PM", '2017-10-28'],
  ['DATE :25/O4/2O18', '2018-04-25'],
])('day of issue: %s', (printed, wanted) => {
  const result = parseText(
    `MAJU TRADING SDN BHD\nTAX INVOICE\n${printed}\nPAINT 20.00\nTOTAL 20.00`,
  )
  expect(result.issued_at).toBe(wanted)
})

test('who pays in cash is no buyer', () => {
  const result = parseText(
    'MAJU TRADING SDN BHD\nCASH BILL\nM/S : CASH\nQTY PARTICULARS AMOUNT\n2 ROPE 20.00\nTOTAL 20.00',
  )
  expect(result.buyer).toBeNull()
})

describe('names and addresses', () => {
  test.each([
    ['BAYU COFFEE', 'COMPANY SDN BHD', true],
    ['SYARIKAT LOGAM DAN PAIP', 'HOE SENG SDN BHD', true],
    ['TIONG SENG AUTO PARTS', '& TYRE SERVICE', true],
    ['SUSHI KAWAN', 'SUPER NINE SUSHI SDN BHD', false],
    ['MAJU TRADING', 'NO 5, JALAN BESAR', false],
    ['MAJU TRADING', 'TAX INVOICE', false],
    ['LE PETIT LAVOIR', 'SARL DUBREUIL ET FILS', false],
    ['LE PETIT LAVOIR', 'SARL', true],
  ])('%s / %s', (upper, lower, wanted) => {
    expect(continuesName(upper, lower)).toBe(wanted)
  })

  test('the address ends with its town, not with a branch', () => {
    const { merchant } = parseText(
      '77 RAPID MART S/B (488120-P)\nLOT P.T. 3390, JALAN ITIK,\nTAMAN MUTIARA, 41200\nKLANG, SELANGOR\n1140-TMN DESA AMAN\nINVOICE NO : 20117\n26-04-17 06:37PM\nSUGAR 8.50\nTOTAL 8.50\nCASH 8.50',
    )
    expect(merchant.name).toBe('77 RAPID MART S/B')
    expect(merchant.address).toBe('LOT P.T. 3390, JALAN ITIK, TAMAN MUTIARA, 41200 KLANG, SELANGOR')
  })

  test('words that OCR damaged are matched, and stay as printed', () => {
    expect(legible('5YARIKAT PERNIAGA4N 5DN 8HD')).toBe('SYARIKAT PERNIAGAAN SDN BHD')
    expect(legible('KEDAI RUNCIT 12345')).toBe('KEDAI RUNCIT 12345')
  })

  test('label words whose space was lost', () => {
    expect(foldLabel('GRANDTOTAL(RM)')).toBe('GRAND TOTAL RM')
    expect(foldLabel('Totals')).toBe('TOTALS')
  })
})

describe('a short paper of a shop', () => {
  test.each([
    ['CAFE X\n12 Main St\n2026-11-01\nCoffee 3.50\nTotal 3.50', 3.5],
    ["Joe's Diner\nBurger 8.99\nFries 3.49\nTotal $12.48", 12.48],
    ['Bäckerei Müller\n01.11.2026\nBrot 3,50\nKuchen 4,00\nSumme 7,50 EUR', 7.5],
    ['Boulangerie Paul\n01/11/2026\nPain 1,20\nCroissant 1,10\nTotal 2,30 €', 2.3],
  ])('whose goods add up is a receipt: %j', (text, total) => {
    expect(parseText(text)).toMatchObject({ doc_type: 'receipt', total })
  })

  test.each([
    'Coffee House\nLatte 4.50\nTotal 5.40',
    'Bakery sales\nMonday 120.00\nTuesday 130.00\nTotal 250.00',
    'Coffee shop budget\nRent 800.00\nBeans 300.00\nTotal 1100.00',
    'Bäckerei Müller\nUmsätze November\nBrot 350,00\nKuchen 400,00\nSumme 750,00',
    'Trip 2026-11-01\nFlights 300.00\nMeals 200.00\nTotal 500.00',
  ])('with other figures, or that are not of a shop, is none: %j', (text) => {
    expect(parseText(text)).toMatchObject({ doc_type: 'unknown', total: null })
  })
})
