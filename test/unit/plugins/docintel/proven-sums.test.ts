/** Sums by arithmetic: how they are mended, proven and told, and how sure a total is by them. */
import { describe, expect, it } from 'vitest'
import type { Cell, DocumentText, Row } from '../../../../plugins/docintel/model/document.ts'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import type { ParseResult } from '../../../../plugins/docintel/schema.ts'
import { explain } from '../../../../plugins/docintel/understand/explain.ts'
import { withMendedSums } from '../../../../plugins/docintel/understand/prepared/mended-sums.ts'
import { prepared } from '../../../../plugins/docintel/understand/prepared/prepared.ts'
import { readingOf } from '../../../../plugins/docintel/understand/result/reading.ts'
import {
  looksCut,
  settledTotal,
} from '../../../../plugins/docintel/understand/result/settled-total.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'
import { stationeryDocuments } from '../../../support/docintel-fixtures/stationery/documents.ts'

const read = (text: string): ParseResult =>
  understand(documentFromText(text), { preferred: 'invoice', now: new Date('2025-01-01') })
const provenIn = (text: string) => readingOf(prepared(documentFromText(text)), 'invoice').proven

/** Rows of cells at columns, as a page gives them. */
function page(...lines: [number, string][][]): DocumentText {
  const rows = lines.map((line, index): Row => {
    const cells = line.map(([x0, text]): Cell => ({ text, x0, x1: x0 + text.length }))
    const text = cells.map((cell) => cell.text).join('  ')
    return { index, page: 0, text, cells, gapAbove: 0, scale: 1 }
  })
  return { rows, source: 'pdf', hasGeometry: true, legibility: 1, pages: 1 }
}
const mended = (...lines: [number, string][][]): string[] =>
  withMendedSums(page(...lines)).rows.map((row) => row.text)

describe('what typesetting set apart', () => {
  it('has its hundredths behind their mark where all of them stand apart', () => {
    const rows: [number, string][][] = [
      [
        [0, 'Netto'],
        [20, '7 256, 96 e'],
      ],
      [
        [0, 'USt'],
        [20, '1 378, 82 e'],
      ],
      [
        [0, 'Brutto'],
        [20, '8 635, 78 e'],
      ],
    ]
    expect(mended(...rows)).toEqual(['Netto  7256,96 e', 'USt  1378,82 e', 'Brutto  8635,78 e'])
    expect(mended(rows[0]!)).toEqual(['Netto  7 256, 96 e'])
  })

  it('is one number behind its label, in one cell with it', () => {
    const rows: [number, string][][] = [
      [[0, 'Net Total 8 547.75 CHF']],
      [
        [0, 'VAT'],
        [20, '692.37 CHF'],
      ],
      [[0, 'Gross Total 9 240.12 CHF']],
    ]
    expect(mended(...rows)[2]).toBe('Gross Total 9240.12 CHF')
  })

  it('is one number where a price and a quantity make it', () => {
    expect(
      mended(
        [
          [0, 'Oak plank'],
          [20, '12'],
          [26, '9.92'],
          [36, '1 19.04'],
        ],
        [
          [0, 'Sum'],
          [36, '1 19.04'],
        ],
      ),
    ).toEqual(['Oak plank  12  9.92  119.04', 'Sum  119.04'])
  })

  it('is one number over two cells where two sums make it', () => {
    expect(
      mended(
        [
          [0, 'Net'],
          [30, '1'],
          [32, '200.00'],
        ],
        [
          [0, 'VAT'],
          [31, '240.00'],
        ],
        [
          [0, 'Total'],
          [30, '1'],
          [32, '440.00'],
        ],
      ),
    ).toEqual(['Net  1200.00', 'VAT  240.00', 'Total  1440.00'])
  })

  it('stays a quantity and a price where they make a third number', () => {
    const rows: [number, string][][] = [
      [
        [0, 'Oak plank'],
        [20, '2 150.00'],
        [36, '300.00'],
      ],
      [
        [0, 'Pine plank'],
        [20, '4 100.00'],
        [36, '400.00'],
      ],
    ]
    expect(mended(...rows)).toEqual(['Oak plank  2 150.00  300.00', 'Pine plank  4 100.00  400.00'])
  })

  it('is a label and its sum where dots lead from one to the other', () => {
    expect(mended([[0, 'Total before VAT . . . . . . . . . . 1,926.71']])).toEqual([
      'Total before VAT  1,926.71',
    ])
    expect(mended([[0, 'and so on ... until 5 o’clock']])).toEqual([
      'and so on ... until 5 o’clock',
    ])
  })
})

const INVOICE = (sums: string): string =>
  `Harwood Joinery Ltd\n12 Mill Lane\nYork YO1 7HH\n\nInvoice 4711\nDate: 03/05/2024\n\nItem              Qty   Price    Amount\nOak plank           2   50.00    100.00\nSite survey         1   40.00     40.00\n${sums}`

describe('net, tax and total', () => {
  it('are proven by rate, goods, order and words, each a named rule', () => {
    const [best] = provenIn(
      INVOICE(
        'Charges                          140.00\nVAT 20%                           28.00\nTotal                            168.00',
      ),
    )
    expect([best?.net, best?.tax, best?.total]).toEqual([140, 28, 168])
    expect(best?.score.because.map(({ rule }) => rule)).toEqual([
      'a printed rate makes the tax of the net',
      'the goods make the net',
      'its row speaks of tax',
      'in order below one another',
      'label of a total',
      'label of a net',
      'the largest sum',
    ])
  })

  it('are not those of one row in a table of several rates', () => {
    const result = read(
      'Drukarnia Wisła S.A.\nul. Długa 7\n00-950 Warszawa\nFaktura nr 905741\nData: 2024-11-22\n\nNazwa            Ilość   Cena netto   Wartość netto\nWkręty 4x40          6       442,82        2 656,92\nUsługa cięcia        1       326,12          326,12\nStawka        Netto       VAT    Razem brutto\n23 %       2 656,92    611,09        3 268,01\n8 %          326,12     26,09          352,21\nRazem netto                          2 983,04\nVAT                                    637,18\nRazem brutto PLN                     3 620,22',
    )
    expect([result.subtotal, result.tax.vat_amount, result.total]).toEqual([
      2983.04, 637.18, 3620.22,
    ])
    expect(result.confidence.fields['total']).toBeLessThan(0.95)
  })

  it('tell the total that a label gives to the net', () => {
    const proven = provenIn(
      INVOICE(
        'Total                            140.00\nVAT 20%                           28.00\nSum                              168.00',
      ),
    )
    const named = { value: 140, confidence: 0.92, row: 0, line: null }
    expect(settledTotal(named, { proven, entries: [], chain: null, lines: [] }).value).toBe(168)
  })

  it('make a labelled total surer, and replace one that they contradict', () => {
    const proven = provenIn(
      INVOICE(
        'Net                              140.00\nVAT 20%                           28.00\nTotal                            168.00',
      ),
    )
    const sure = settledTotal(
      { value: 168, confidence: 0.88, row: 0, line: null },
      { proven, entries: [], chain: null, lines: [] },
    )
    const wrong = settledTotal(
      { value: 99, confidence: 0.97, row: 0, line: null },
      { proven, entries: [], chain: null, lines: [] },
    )
    expect([sure.value, sure.confidence]).toEqual([168, 0.96])
    expect([wrong.value, wrong.confidence]).toEqual([168, 0.85])
  })

  it('are the total of a document that names none', () => {
    const result = read(
      INVOICE(
        '                                 140.00\nVAT 20%                           28.00\n                                 168.00',
      ),
    )
    expect([result.subtotal, result.tax.vat_amount, result.total]).toEqual([140, 28, 168])
  })
})

it('a number behind digits may be the end of a longer one', () => {
  const { entries } = readingOf(documentFromText('Total 8 635.78\nTotal  635.78'), 'invoice')
  expect(looksCut(entries, { value: 635.78, row: 0 })).toBe(true)
  expect(looksCut(entries, { value: 635.78, row: 1 })).toBe(false)
})

it('sums without zeros at the end are sums where they are products', () => {
  const result = read(
    'Harwood Joinery Ltd\n12 Mill Lane\nYork YO1 7HH\n\nInvoice 4711   03/05/2024\n\nItem              Qty   Price    Amount\nOak plank           3    50.5     151.5\nSite survey         4      40       160\nSum                               311.5\nVAT (20%)                          62.3\nTotal                             373.8',
  )
  expect([result.subtotal, result.tax.vat_amount, result.total]).toEqual([311.5, 62.3, 373.8])
})

describe('without a tax', () => {
  it('the goods with discount and carriage are the total, and carriage is no tax', () => {
    const result = read(
      INVOICE(
        'Sum of goods                     140.00\nLess 5 % discount                 -7.00\nCarriage                          12.50\nGrenzel                          145.50',
      ),
    )
    expect([result.total, result.tax.vat_amount]).toEqual([145.5, null])
  })

  it('the sum of the last group is not the total', () => {
    const result = read(
      'Harwood Joinery Ltd\n12 Mill Lane\nYork YO1 7HH\n\nInvoice 4711   03/05/2024\n\nItem              Qty   Price    Amount\nOak plank           2   50.00    100.00\nPine plank          2   30.00     60.00\nSum one                          160.00\nSite survey         2   40.00     80.00\nProof reading       3   20.00     60.00\nSum two                          140.00\nGrenzel                          300.00',
    )
    expect(result.total).toBe(300)
  })
})

describe('goods', () => {
  it('of two tables with a sum each are all of them', () => {
    const { line_items: items } = read(
      'Penrose Print Works\n12 Mill Lane\nYork YO1 7HH\n\nInvoice 4711   03/05/2024\n\nActivity          Rate   Count   Amount\nLogo design      50.00       2   100.00\nSubtotal Fees                    100.00\nVAT (20%)                         20.00\nSubtotal First                   120.00\n\nActivity          Rate   Count   Amount\nProof reading    30.00       3    90.00\nSubtotal Fees                     90.00\nVAT (20%)                         18.00\nSubtotal Second                  108.00\nSum Fees                         190.00\nSum VAT                           38.00\nTotal                            228.00',
    )
    expect(items.map((item) => item.amount)).toEqual([100, 90])
  })

  it('have the rates that their codes of tax stand for', () => {
    const { line_items: items } = read(
      INVOICE(
        'Goods total                      250.00\nVAT: S 20%                        20.00\n     Z 0% on 150.00                0.00\nPayable                          270.00',
      )
        .replace('Amount\n', 'Amount   VAT\n')
        .replace('   100.00\n', '   100.00    S\n')
        .replace('1   40.00     40.00', '3   50.00    150.00    Z'),
    )
    expect(items.map((item) => item.tax_rate)).toEqual([20, 0])
  })

  it('are read with their names behind their numbers', () => {
    const { line_items: items } = read(
      'Harwood Joinery Ltd\n12 Mill Lane\nYork YO1 7HH\n\nInvoice 4711   03/05/2024\n\n  Amount   Qty   Price   Description\n  100.00     2   50.00   Oak plank\n  120.00     3   40.00   Site survey\n  220.00                 Net\n   44.00                 VAT 20%\n  264.00                 Total to pay',
    )
    expect(items.map((item) => [item.description, item.amount])).toEqual([
      ['Oak plank', 100],
      ['Site survey', 120],
    ])
  })
})

it('takes no year of a due day for what is owed', () => {
  const { balance_due, due_date, total } = read(
    INVOICE(
      'Amount Due Jun 13, 2024\n\nNet                              140.00\nVAT 20%                           28.00\nTotal                            168.00',
    ),
  )
  expect({ balance_due, due_date, total }).toEqual({
    balance_due: null,
    due_date: '2024-06-13',
    total: 168,
  })
})

it('takes a third sum at a usual rate for the tax, whatever it is called', () => {
  const { subtotal, tax, total } = read(
    INVOICE(
      'Zwischen                         140.00\nMerulo                            28.00\nTotal                            168.00',
    ),
  )
  expect({ subtotal, vat: tax?.vat_amount, total }).toEqual({ subtotal: 140, vat: 28, total: 168 })
})

it('says why net, tax and goods were read as they were', () => {
  const told = explain(
    documentFromText(
      INVOICE(
        'Net                              140.00\nVAT 20%                           28.00\nTotal                            168.00',
      ),
    ),
    'invoice',
    new Date(),
  )
  expect(told.find(({ field }) => field === 'subtotal and tax')?.value).toBe('140 + 28 = 168')
  const goods = told.find(({ field }) => field === 'line_items')
  expect(goods?.value).toBe('2 lines, together 140')
  expect(goods?.because.map(({ rule }) => rule)).toContain('table under heads')
  for (const { points, because } of told)
    expect(because.reduce((sum, finding) => sum + finding.points, 0)).toBeCloseTo(points)
})

describe('invoices as plain text in layouts of the stationery set', () => {
  const plain = stationeryDocuments().documents.filter(({ layout }) => layout.maker === 'text')
  it.each(plain.map((document) => [document.name, document] as const))(
    '%s has its sums',
    (_, { source, truth, absent }) => {
      const { total, subtotal, tax } = read(source)
      const wanted = [truth.total, truth.net, ...(absent.includes('vat') ? [] : [truth.vat])]
      expect([total, subtotal, ...(absent.includes('vat') ? [] : [tax.vat_amount])]).toEqual(wanted)
    },
  )
})
