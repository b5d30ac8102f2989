/** Rates of tax in lines of goods: under a printed head of tax, and none where they may be else. */
import { describe, expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { withProvenRates } from '../../../../plugins/docintel/understand/goods/line-tax-rate.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'

const HEAD = 'Muster GmbH\nHauptstr. 5, 10115 Berlin\nRechnung Nr. RE-12\nDatum: 05.04.2024\n\n'
const SUMS =
  '\n\nNetto                                  150,00\nMwSt 19%                                19,00\nMwSt 7%                                  3,50\nGesamtbetrag                           172,50 EUR'

function ratesOf(table: string): (number | undefined)[] {
  const now = new Date(Date.UTC(2025, 0, 1))
  const document = documentFromText(`${HEAD}${table}${SUMS}`)
  const { line_items: items } = understand(document, { preferred: 'invoice', now })
  return items.map((item) => item.tax_rate)
}

describe('the rate of a line', () => {
  it.each([
    [
      'percent under a head of tax',
      'Bezeichnung      Menge    Preis   MwSt   Betrag\nBeratung            1   100,00    19%   100,00\nFachbuch            2    25,00     7%    50,00',
    ],
    [
      'numbers under a head that names rates',
      'Bezeichnung      Menge    Preis   MwSt%   Betrag\nBeratung            1   100,00      19   100,00\nFachbuch            2    25,00       7    50,00',
    ],
  ])('%s', (_, table) => {
    expect(ratesOf(table)).toEqual([19, 7])
  })

  it.each([
    [
      'numbers under a head that may be of sums',
      'Bezeichnung      Menge    Preis    MwSt   Betrag\nBeratung            1   100,00   19,00   100,00\nFachbuch            2    25,00    3,50    50,00',
    ],
    [
      'percent under a head of discount',
      'Bezeichnung      Menge    Preis  Rabatt   Betrag\nBeratung            1   100,00      7%   100,00\nFachbuch            2    25,00     19%    50,00',
    ],
    [
      'no head of tax',
      'Bezeichnung      Menge    Preis   Betrag\nBeratung            1   100,00   100,00\nFachbuch            2    25,00    50,00',
    ],
  ])('is left out: %s', (_, table) => {
    expect(ratesOf(table)).toEqual([undefined, undefined])
  })

  it('is left out where the sums of tax name none of the rates', () => {
    const item = { description: 'Beratung', quantity: 1, unit_price: 100, amount: 100 }
    const tax = { vat_rate: 19, vat_amount: 19, label: 'MwSt', inclusive: false }
    const of = (rate: number) =>
      withProvenRates([{ ...item, tax_rate: rate }], { tax, tax_lines: [] })
    expect(of(12)).toEqual([item])
    expect(of(19)).toEqual([{ ...item, tax_rate: 19 }])
  })
})
