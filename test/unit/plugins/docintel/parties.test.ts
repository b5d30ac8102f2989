/** Seller and buyer where no letterhead or label says which is which. */
import { describe, expect, it } from 'vitest'
import type { Cell, Row } from '../../../../plugins/docintel/model/document.ts'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'

const options = { preferred: 'invoice', now: new Date('2025-01-01') } as const
const read = (...lines: string[]) => understand(documentFromText(lines.join('\n')), options)

const GOODS = [
  'Description            Qty   Price    Amount',
  'Oak board                2   50.00    100.00',
  'Total                                 100.00',
]

describe('the seller of an invoice on printed paper', () => {
  const head = [
    'I N V O I C E',
    'Bill to:',
    'Predovic Ltd',
    '96 The Rise',
    'London DI5 2NJ',
    'Invoice #   Date         Due          Salesperson   Ship via',
    'INV28549    15/11/2024   25/11/2024   Desiree       Post',
    ...GOODS,
  ]
  it.each([
    ['A return authorization must be obtained from Ratke Group before goods', 'Ratke Group'],
    ['Please make all checks payable to Mante and Sons.', 'Mante and Sons'],
    ['Kontoinhaber: Sommer Elektro, IBAN DE89 3704 0044 0532 0130 00', 'Sommer Elektro'],
    ["Chèque à l'ordre de Imprimerie Rhodia.", 'Imprimerie Rhodia'],
  ])('is named in its terms: %s', (terms, name) => {
    expect(read(...head, terms).merchant.name).toBe(name)
  })

  it('has its whole name where it is printed twice', () => {
    const result = read(
      ...head,
      'Authorization must be obtained from Dooley, Champlin and Russel before goods are',
      'returned. Dooley, Champlin and Russel will not be responsible for damages.',
    )
    expect(result.merchant.name).toBe('Dooley, Champlin and Russel')
    expect(result.confidence.fields['merchant.name']).toBeGreaterThan(0.75)
  })

  it('is nobody where neither terms nor head name one, not the salesperson', () => {
    expect(read(...head).merchant.name).toBeNull()
  })
})

describe('names', () => {
  it('may hold a year', () => {
    const result = read(
      'SZÁMLA',
      'Eladó:                 Vevő:',
      'Lengyel 2000 Nyrt.     Hegedüs 2000 Kv.',
      '76746 Dudás Crossing   229 Orbán Coves',
      'Adószám:',
      ...GOODS,
    )
    expect(result.merchant.name).toBe('Lengyel 2000 Nyrt.')
    expect(result.buyer?.name).toBe('Hegedüs 2000 Kv.')
  })

  it('of a lone block below the title and away from the edge are the buyer', () => {
    const row = (index: number, ...cells: [number, string][]): Row => ({
      index,
      page: 0,
      text: cells.map(([, text]) => text).join('  '),
      cells: cells.map(([x0, text]): Cell => ({ text, x0, x1: x0 + text.length })),
      gapAbove: 0,
      scale: 1,
    })
    const rowsAt = (x: number, heads: number): Row[] => [
      row(0, [20, 'F A C T U R A']),
      row(1, [x, 'Cruz S.L.']),
      row(2, [heads, 'Número'], [heads + 14, 'Fecha'], [x, 'Solar Menéndez 52']),
      row(3, [heads, '2024-44927'], [heads + 14, '22/04/2024']),
      row(4, [x, '28400 Collado Villalba']),
      row(5, [0, 'Cant.'], [8, 'Descripción'], [40, 'Precio'], [52, 'Importe']),
      row(6, [0, '2'], [8, 'Guantes'], [40, '10,00'], [52, '20,00']),
      row(7, [40, 'Total'], [52, '20,00']),
    ]
    const partiesAt = (x: number, heads: number) => {
      const page = { source: 'pdf', hasGeometry: true, legibility: 1, pages: 1 } as const
      const { merchant, buyer } = understand({ ...page, rows: rowsAt(x, heads) }, options)
      return { seller: merchant.name, buyer: buyer?.name ?? null }
    }
    expect(partiesAt(45, 0)).toEqual({ seller: null, buyer: 'Cruz S.L.' })
    // Above the heads at the left edge it is the letterhead.
    expect(partiesAt(0, 45)).toEqual({ seller: 'Cruz S.L.', buyer: null })
  })
})
