/** The tax of bills that print one for each rate and no sum: what they add up to, as sure as other sums say. */
import { describe, expect, it } from 'vitest'
import { readInvoice } from '../../../support/read-invoice.ts'

const GOODS = `Rechnung Nr. 4711
Datum: 01.03.2024
Artikel              Menge   Einzelpreis    Betrag
Holzleiste              10         12,00    120,00
Obstkorb                 5          8,00     40,00`
const taxOf = (rows: string) => {
  const result = readInvoice(`${GOODS}\n${rows}`)
  const sure = result.confidence.fields['tax.vat_amount'] ?? 0
  return { amount: result.tax.vat_amount, sure, warnings: result.warnings }
}
const UNSUMMED = 'several_tax_lines_without_printed_sum'

describe('taxes of several rates', () => {
  it('are summed where net and total differ by them', () => {
    expect(
      taxOf(`Nettobetrag                                 160,00
MwSt. 19 %                                   22,80
MwSt. 7 %                                     2,80
Rechnungsbetrag                             185,60`),
    ).toEqual({ amount: 25.6, sure: 0.95, warnings: [] })
  })

  it.each([
    ['Versandkosten                                 6,90', '192,50'],
    ['Rabatt                                       -5,00', '180,60'],
    ['Treuenachlass                                 5,00', '180,60'],
  ])('are summed beside another row: %s', (row, total) => {
    expect(
      taxOf(`Nettobetrag                                 160,00
MwSt. 19 %                                   22,80
MwSt. 7 %                                     2,80
${row}
Rechnungsbetrag                             ${total}`),
    ).toEqual({ amount: 25.6, sure: 0.95, warnings: [] })
  })

  it('are summed where the prices include them, less surely', () => {
    const tax = taxOf(`Summe                                       160,00
enthaltene MwSt. 19 %                        19,16
enthaltene MwSt. 7 %                          2,62`)
    expect(tax.amount).toBe(21.78)
    expect(tax.sure).toBeLessThan(0.95)
    expect(tax.warnings).toEqual([])
  })

  it('are not one of them where the row of another one was not read', () => {
    const page = `Nettobetrag                                 160,00
MwSt. 19 %                                   22,80
MwSt. 7 %                                    ~,B-
Rechnungsbetrag                             185,60`
    expect(taxOf(page)).toEqual({ amount: null, sure: 0, warnings: [] })
    expect(taxOf(page.replace('7 %', '   ')).amount).toBe(22.8)
  })

  it('are the printed sum of them, not twice as much', () => {
    expect(
      taxOf(`Nettobetrag                                 160,00
MwSt. 19 %                                   22,80
MwSt. 7 %                                     2,80
Summe MwSt.                                  25,60
Versandkosten                                 6,90
Rechnungsbetrag                             192,50`).amount,
    ).toBe(25.6)
  })

  it('are summed where each is of the whole net', () => {
    expect(
      readInvoice(`Invoice 88
Date: 2024-03-01
Item        Qty    Price    Amount
Timber       10    12.00    120.00
Fruit         5     8.00     40.00
Subtotal                    160.00
GST 5 %                       8.00
PST 7 %                      11.20
Delivery                      9.50
Total CAD                   188.70`).tax.vat_amount,
    ).toBe(19.2)
  })

  it('are no sums of both together, which stand in their rows', () => {
    const { tax } = readInvoice(`Kaufhaus Linde GmbH
Kassenbon 12
Datum: 01.03.2024
Apfelsaft                                    14,28
Brot                                          5,35
Summe EUR                                    19,63
Steuer %      Netto      Steuer     Brutto
A= 19,0%      12,00        2,28      14,28
B= 7,0%        5,00        0,35       5,35
Gesamt        17,00        2,63      19,63`)
    expect(tax.vat_amount).toBe(2.63)
  })

  it('have no sum where nothing fits it', () => {
    expect(
      taxOf(`Nettobetrag                                 160,00
MwSt. 19 %                                   22,80
MwSt. 7 %                                    12,80
Rechnungsbetrag                             185,60`),
    ).toEqual({ amount: null, sure: 0, warnings: [UNSUMMED] })
  })
})

describe('a total that net and tax alone do not make', () => {
  const SINGLE = `Nettobetrag                                 160,00
MwSt. 19 %                                   30,40`

  it('is no mismatch with a row that is added', () => {
    expect(taxOf(`${SINGLE}\nVersandkosten    6,90\nRechnungsbetrag    197,30`).warnings).toEqual(
      [],
    )
  })

  it('is a mismatch where the row does not explain it', () => {
    expect(taxOf(`${SINGLE}\nVersandkosten    6,90\nRechnungsbetrag    199,30`).warnings).toContain(
      'vat_total_mismatch',
    )
  })
})
