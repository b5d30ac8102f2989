/** Heads, sums and columns that no label names: told by where things stand and by arithmetic. */
import { describe, expect, it } from 'vitest'
import type { Cell, DocumentText, Row } from '../../../../plugins/docintel/model/document.ts'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { withMendedRows } from '../../../../plugins/docintel/understand/prepared/mended-rows.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'

const read = (text: string) =>
  understand(documentFromText(text), { preferred: 'invoice', now: new Date('2025-01-01') })

/** Rows of cells at columns, as a page gives them. */
function page(source: DocumentText['source'], ...lines: [number, string][][]): DocumentText {
  const rows = lines.map((line, index): Row => {
    const cells = line.map(([x0, text]): Cell => ({ text, x0, x1: x0 + text.length }))
    const text = cells.map((cell) => cell.text).join('  ')
    return { index, page: 0, text, cells, gapAbove: 0, scale: 1 }
  })
  return { rows, source, hasGeometry: true, legibility: 1, pages: 1 }
}
const textOf = ({ rows }: DocumentText): string[] => rows.map((row) => row.text)

describe('an invoice', () => {
  it('has its number and days under heads that share a cell', () => {
    const document = page(
      'pdf',
      [[0, 'Hansen & Lund']],
      [[30, 'R E C H N U N G']],
      [
        [0, 'Rechnung # Datum'],
        [24, 'Fällig'],
        [40, 'Verkäufer Zielort'],
      ],
      [
        [0, 'A2024-467  10.09.2024  24.09.2024  62848'],
        [42, 'Thore Kühn'],
      ],
      [
        [0, 'Beschreibung'],
        [40, 'Menge'],
        [50, 'Preis'],
        [60, 'Betrag'],
      ],
      [
        [0, 'Drehstuhl'],
        [40, '2'],
        [50, '150,00'],
        [60, '300,00'],
      ],
      [
        [40, 'Gesamtbetrag'],
        [60, '300,00'],
      ],
    )
    const result = understand(document, { preferred: 'invoice', now: new Date('2025-01-01') })
    expect(result).toMatchObject({
      document_id: 'A2024-467',
      issued_at: '2024-09-10',
      due_date: '2024-09-24',
      total: 300,
    })
  })

  it('has net, tax and total where nothing but the rate is known', () => {
    const result = read(
      [
        'Invoice No 4711',
        'Date 2024-03-01',
        'Description          Qty    Price    Amount',
        'Oak board              2    50.00    100.00',
        'Steel hinge            4    25.00    100.00',
        'Zwingo                               200.00',
        'Zwango 20 %                           40.00',
        'Zwongo                               240.00',
      ].join('\n'),
    )
    expect(result).toMatchObject({ subtotal: 200, tax: { vat_amount: 40 }, total: 240 })
  })

  it('keeps what is called a total where only a rounding stands below', () => {
    const result = read(
      [
        'RECEIPT',
        'A4 paper      1 16.32  16.32',
        'Cable         2 101.08  202.15',
        'BILL TOTAL   218.47',
        'ROUNDING      -0.02',
        'TOTAL PAYMENT 218.45',
      ].join('\n'),
    )
    expect(result.total).toBe(218.45)
  })

  it('has its total before what is prepaid, and the net that is called a total', () => {
    const result = read(
      [
        'Invoice No. 311702',
        'Net total              3,991.41',
        'VAT20                    798.28',
        'Invoice total          4,789.69',
        'Less deposit paid     -1,436.00',
        'Balance payable        3,353.69',
      ].join('\n'),
    )
    expect(result).toMatchObject({ subtotal: 3991.41, tax: { vat_amount: 798.28 }, total: 4789.69 })
  })

  it.each([
    [['Totaal excl. btw  2.195,67', 'BTW9%  197,61', 'Totaal incl.  btw  2.393,28']],
    [['Total ilíquido  2.195,67', 'IVA 9 %  197,61', 'Total  do documento  2.393,28']],
  ])('has its total where labels are set apart: %s', (sums) => {
    const paid = sums[0]!.includes('btw') ? 'Reeds betaald' : 'Adiantamento'
    const last = sums[0]!.includes('btw') ? 'Te betalen' : 'Total'
    const result = read(
      ['FACTUUR 4711', ...sums, `${paid}  -717,00`, `${last}  1.676,28`].join('\n'),
    )
    expect(result).toMatchObject({ subtotal: 2195.67, tax: { vat_amount: 197.61 }, total: 2393.28 })
  })

  it('has the base of a tax apart from the tax', () => {
    const result = read(
      [
        'Rechnung Nr. 4711 vom 03.04.2024',
        'Zwischensumme                    499,87',
        'MwSt. 19% on 327,28 @ 19 %        62,18',
        'MwSt. 7% on 172,59 @ 7 %          12,08',
        'Gesamtsumme                      574,13',
      ].join('\n'),
    )
    expect(result).toMatchObject({ subtotal: 499.87, tax: { vat_amount: 74.26 }, total: 574.13 })
    expect(result.warnings).not.toContain('several_tax_lines_without_printed_sum')
  })

  it('has its amounts where quantity and price make them, and numbers and units apart', () => {
    const result = read(
      [
        'Rechnung Nr. 4711 vom 03.04.2024',
        'Artikel  Beschreibung             Menge      Einzelpreis     Erweitert',
        'A77-1    Drehstuhl                2 Stk           150,00        300,00',
        'B80-4    Schreibtisch             3 Stk           200,00        600,00',
        'Gesamtbetrag                                                    900,00',
      ].join('\n'),
    )
    expect(result.line_items).toEqual([
      expect.objectContaining({
        description: 'Drehstuhl',
        amount: 300,
        unit_price: 150,
        unit: 'Stk',
        code: 'A77-1',
      }),
      expect.objectContaining({ description: 'Schreibtisch', amount: 600, code: 'B80-4' }),
    ])
  })

  it('has the names of its goods without positions, article numbers and quantities', () => {
    const numbered = page(
      'pdf',
      [[0, 'Invoice No 4711']],
      [
        [0, 'Item Number'],
        [18, 'Description'],
        [40, 'Qty'],
        [50, 'Unit Price'],
        [64, 'Amount'],
      ],
      [
        [0, '1. ART57146 Gold Fish'],
        [40, '6 ea'],
        [50, '10.00'],
        [64, '60.00'],
      ],
      [
        [0, '2. A98428'],
        [18, 'Gold Table'],
        [40, '2 ea'],
        [50, '20.00'],
        [64, '40.00'],
      ],
      [
        [50, 'Total'],
        [64, '100.00'],
      ],
    )
    const { line_items } = understand(numbered, {
      preferred: 'invoice',
      now: new Date('2025-01-01'),
    })
    expect(line_items).toEqual([
      expect.objectContaining({ description: 'Gold Fish', code: 'ART57146', quantity: 6 }),
      expect.objectContaining({ description: 'Gold Table', code: 'A98428', quantity: 2 }),
    ])
    const counted = read(
      [
        'FACTURA 4711',
        'Cant.  Descripción            Precio   Importe',
        '5 Sabroso Guantes             10,00     50,00',
        '2 Acero Coche                 20,00     40,00',
        'Total                                   90,00',
      ].join('\n'),
    )
    expect(counted.line_items).toEqual([
      { description: 'Sabroso Guantes', quantity: 5, unit_price: 10, amount: 50 },
      { description: 'Acero Coche', quantity: 2, unit_price: 20, amount: 40 },
    ])
  })

  it('keeps a number that only some names of goods begin with', () => {
    const result = read(
      [
        'Invoice No 4711',
        'Description            Qty   Price    Amount',
        'A4X paper                2   10.00     20.00',
        'Steel hinge              4   25.00    100.00',
        'Total                                 120.00',
      ].join('\n'),
    )
    expect(result.line_items.map((item) => item.description)).toEqual(['A4X paper', 'Steel hinge'])
  })

  it('is for whom two equal blocks name, and not from them', () => {
    const result = read(
      [
        'Kolding Kultur',
        'Havnegade 4',
        '6000 Kolding',
        'FAKTURA 4711',
        '',
        'Zu                          Ship',
        'Læder & Sko A/S             Læder & Sko A/S',
        'Strandvej 12                Strandvej 12',
        '8000 Aarhus                 8000 Aarhus',
        '',
        'Beskrivelse            Antal    Pris    Beløb',
        'Stol                       2  100,00   200,00',
        'I alt                                  200,00',
      ].join('\n'),
    )
    expect(result.buyer?.name).toBe('Læder & Sko A/S')
    expect(result.merchant.name).toBe('Kolding Kultur')
  })
})

describe('rows', () => {
  it('get titles in spaced letters and broken days and numbers whole', () => {
    const document = page(
      'pdf',
      [[20, 'F A C T U R A']],
      [
        [0, '14-11-'],
        [20, '2024-'],
      ],
      [
        [1, '2024'],
        [20, '41858'],
      ],
    )
    expect(textOf(withMendedRows(document))).toEqual(['FACTURA', '14-11-2024  2024-41858'])
  })

  it('get a title of several words in spaced letters as one cell, but no heads of columns', () => {
    const document = page(
      'pdf',
      [
        [20, 'B E S T E L'],
        [34, 'D E'],
        [40, 'V E N T E'],
      ],
      [
        [0, 'A N T A L'],
        [30, 'B E L O B'],
      ],
    )
    expect(textOf(withMendedRows(document))).toEqual(['BESTEL DE VENTE', 'ANTAL  BELOB'])
  })

  it('get a day that a table broke around the line of its other cells into that line', () => {
    const document = page(
      'pdf',
      [[20, '13-04-']],
      [
        [0, '14-03-2025'],
        [40, 'M. Roth'],
      ],
      [[20, '2025']],
    )
    expect(textOf(withMendedRows(document))).toEqual(['14-03-2025  13-04-2025  M. Roth'])
  })

  it('get days that begin with the year whole, beside a broken number', () => {
    const document = page(
      'pdf',
      [
        [0, 'Fakturanr Fakturadatum'],
        [30, 'Säljare'],
      ],
      [
        [0, '2024- 2024-'],
        [30, 'Åsa'],
      ],
      [
        [0, '46701 09-10'],
        [30, 'Berg'],
      ],
      [[0, '2025-01-']],
      [[1, '31']],
    )
    expect(textOf(withMendedRows(document))).toEqual([
      'Fakturanr Fakturadatum  Säljare',
      '2024-46701  2024-09-10  Åsa',
      'Berg',
      '2025-01-31',
    ])
  })

  it('get letters back that a program encoded twice', () => {
    const document = page('pdf', [[0, 'VerkÃ¤ufer: CafÃ© Ãrsted Ã 3 Â€']])
    expect(textOf(withMendedRows(document))[0]).toContain('Verkäufer: Café')
    const once = page('pdf', [[0, 'São Ângelo, ÅÄÖ']])
    expect(textOf(withMendedRows(once))).toEqual(textOf(once))
  })

  it('of OCR get the day behind a number apart from it', () => {
    const document = page('ocr', [[0, 'Fattura n° 2024-6526del25/10/2024']])
    expect(textOf(withMendedRows(document))).toEqual(['Fattura n° 2024-6526 del 25/10/2024'])
  })

  it('of OCR get loose words together, but for columns', () => {
    const document = page(
      'ocr',
      [
        [0, 'Boulangerie'],
        [14, 'Petit SARL'],
      ],
      [
        [0, 'Menge'],
        [8, 'Preis'],
      ],
      [
        [0, '3'],
        [8, '12,50'],
      ],
    )
    expect(textOf(withMendedRows(document))).toEqual([
      'Boulangerie Petit SARL',
      'Menge  Preis',
      '3  12,50',
    ])
    expect(textOf(withMendedRows({ ...document, source: 'pdf' }))).toEqual(textOf(document))
  })

  it('of OCR get the comma back that thousands and hundredths are written with', () => {
    const document = page(
      'ocr',
      [
        [0, 'Total TTC'],
        [30, '3 637.16'],
      ],
      [[30, '206,26']],
    )
    expect(textOf(withMendedRows(document))).toEqual(['Total TTC  3 637,16', '206,26'])
    const pointed = page('ocr', [[0, '2 450.00']], [[0, '450.00']])
    expect(textOf(withMendedRows(pointed))).toEqual(textOf(pointed))
  })
})
