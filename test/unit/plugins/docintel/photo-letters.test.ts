/** Addresses of letters on photos: what OCR does to their postcodes and the lines around them. */
import { describe, expect, it } from 'vitest'
import { addressScore, hasPostcode } from '../../../../plugins/docintel/lexicon/addresses.ts'
import type { DocumentText } from '../../../../plugins/docintel/model/document.ts'
import { rowsOfPage } from '../../../../plugins/docintel/read/boxes.ts'
import { withLabelsRead } from '../../../../plugins/docintel/understand/prepared/glued-labels.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'

/** A photo of a letter; a number before a line is the column where it begins. */
function letter(...lines: string[]): DocumentText {
  const rows = lines.map((line, index) => {
    const column = /^(\d+)> /.exec(line)
    const from = Number(column?.[1] ?? 0)
    let at = from
    const cells = line
      .slice(column?.[0].length ?? 0)
      .split(' | ')
      .map((text) => {
        const cell = { text, x0: at, x1: at + text.length }
        at = Math.max(at + text.length + 4, 60)
        return cell
      })
    const text = cells.map((cell) => cell.text).join('  ')
    return { index, page: 0, cells, text, gapAbove: 0, scale: 1 }
  })
  return { rows, source: 'ocr', hasGeometry: true, legibility: 0.95, pages: 1 }
}

const read = (...lines: string[]) =>
  understand(letter(...lines), { preferred: 'invoice', now: new Date('2025-01-01') })

const GOODS = [
  'Dear customer,',
  'Invoice no. 4711',
  'Item | Quantity | Unit price | Amount',
  'Oak plank | 2 ea | 30.00 | 60.00',
  'Total GBP | 60.00',
  'Yours faithfully',
  'Mary Carver',
]

describe('postcodes', () => {
  it.each([
    'SOO 1HN HOWE COURT',
    'Z3189 SUD MELISSADORF',
    '0685I LAKE PORT',
    '23I89 NEUSTADT',
    '1339 0P ANKE',
  ])('%s has one whose digits and letters were confused', (line) => {
    expect(hasPostcode(line)).toBe(true)
    expect(addressScore(line)).toBeGreaterThanOrEqual(2)
  })

  it.each(['TOO SOON HERE', 'SOLO BILLS LTD', 'OIL WORKS'])('%s has none', (line) => {
    expect(hasPostcode(line)).toBe(false)
  })
})

describe('a letter', () => {
  it('has its buyer under a number that stands alone', () => {
    const { merchant, buyer } = read(
      '80> Mary Carver',
      '80> Harbour, Lights and Sons',
      '80> 12 Quay Street',
      '80> AB1 2CD Porthaven',
      '4711',
      'Miller - Baker',
      '9 Mill Lane',
      'SOO 1HN Millford',
      ...GOODS,
    )
    expect([merchant.name, buyer?.name]).toEqual(['Harbour, Lights and Sons', 'Miller - Baker'])
  })

  it('is from the firm below who signs, also at a house of five figures', () => {
    const { merchant, buyer } = read(
      '80> Mary Carver',
      '80> Harbour Group',
      '80> 96845 Main Drive',
      '80> 40444 Porthaven',
      'Miller - Baker',
      '9 Mill Lane',
      '30123 Millford',
      ...GOODS,
    )
    expect([merchant.name, buyer?.name]).toEqual(['Harbour Group', 'Miller - Baker'])
  })

  it('is not for the labels of its reference line', () => {
    expect(
      read(
        'Koder UG',
        'Hafenstr. 4',
        '23189 Neustadt',
        'Koder UG, Hafenstr. 4, 23189 Neustadt',
        'Kraus-Banse',
        'Mühlweg 9',
        '63854 Altstadt',
        'Telefon | +49-Neustadt',
        'Ihre Zeichen, Ihre Nachricht vom',
        '73025 Januar 2024',
        'Rechnung Nr. 4711',
        'Artikel | Menge | Einzelpreis | Betrag',
        'Brett | 2 | 30,00 | 60,00',
        'Gesamtbetrag | 60,00',
      ).buyer?.name,
    ).toBe('Kraus-Banse')
  })
})

it.each(['Invoice for', 'Spert.le', 'Cliente'])(
  'has a buyer behind a label in its cell: %s',
  (label) => {
    const { buyer } = read(
      'Harbour Group',
      '12 Quay Street',
      'AB1 2CD Porthaven',
      'Phone 0123 456789',
      `80> ${label} Miller, Baker and Sons`,
      '80> 9 Mill Lane',
      '80> AB3 4CD Millford',
      ...GOODS,
    )
    expect(buyer?.name).toBe('Miller, Baker and Sons')
  },
)

it('has a buyer whose company form stands in the next line', () => {
  const { buyer } = read(
    'Harbour Group',
    '12 Quay Street',
    'AB1 2CD Porthaven',
    'Phone 0123 456789',
    '80> Cliente Espinosa de los Monteros',
    '80> S.L.',
    '80> 9 Mill Lane',
    '80> AB3 4CD Millford',
    ...GOODS,
  )
  expect(buyer?.name).toBe('Espinosa de los Monteros S.L.')
})

it.each(['Customer Number AB', 'Client Services', 'Customer since Monday'])(
  'takes no other words behind such a label for a name: %s',
  (line) => {
    expect(withLabelsRead(letter(line, '12 Quay Street').rows).map(({ text }) => text)[0]).toBe(
      line,
    )
  },
)

it('has names whole whose dash was not read', () => {
  const document = letter(
    'Jacob Miller | Baker',
    '9 Mill Lane',
    '30123 Millford',
    'Phone 0123 456789',
    ...GOODS,
  )
  const row = document.rows[0]!
  row.cells = [
    { text: 'Johnson', x0: 0, x1: 7 },
    { text: 'Kshlerin', x0: 10, x1: 18 },
  ]
  // Lines that begin there by chance, further down.
  document.rows[5]!.cells.push({ text: 'no. 12', x0: 10.2, x1: 16 })
  const { merchant } = understand(document, { preferred: 'invoice', now: new Date('2025-01-01') })
  expect(merchant.name).toBe('Johnson Kshlerin')
})

it('measures the gaps between rows of a photo by its type, not by the higher boxes of OCR', () => {
  const words = [0, 39].map((y0) => ({ text: 'Miller', x0: 0, x1: 60, y0, y1: y0 + 13 }))
  const gapOf = (confidence?: number): number =>
    rowsOfPage(
      words.map((word) => (confidence === undefined ? word : { ...word, confidence })),
      0,
      0,
      { width: 600, height: 800 },
    )[1]!.gapAbove
  expect([gapOf(), gapOf(0.9)]).toEqual([1.4, 2.3])
})

it('adds the taxes of rates whose lines are named by letters, one of them read as a figure', () => {
  const { tax } = read(
    'Koder Ltd',
    'Invoice no. 4711',
    'Item | Amount',
    'A Oak plank | 1,000.00',
    'B Pine plank | 200.00',
    'C Elm plank | 1,000.00',
    'Subtotal (A+B+C) | 2,200.00',
    'VAT (20.00% on A+C+E+G+H+1) | 400.00',
    'VAT (5.00% on B) | 10.00',
    'Total | 2,610.00',
  )
  expect(tax.vat_amount).toBe(410)
})
