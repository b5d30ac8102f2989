/** Papers of several pages, sums that a discount or a halved tax stands between, and sums in thousandths. */
import { describe, expect, it } from 'vitest'
import { readInvoice } from '../../../support/read-invoice.ts'

const HEAD = `Hofmann Sanitär GmbH
Bergstraße 14
80331 München

Rechnung
Rechnungs-Nr.  2026-4471
Datum          14.08.2026`
const HEADS = 'Pos  Bezeichnung          Menge  Einzelpreis    Gesamt'
const line = (at: number): string =>
  `${at}    Kupferrohr Bogen ${at}       2        10,00     20,00`
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, k) => line(from + k)).join('\n')

describe('a table that goes on over the page', () => {
  const read = readInvoice(
    [
      `${HEAD}\n${HEADS}\n${lines(1, 8)}\n     Zu übertragen                            160,00
Hofmann Sanitär GmbH · Bergstraße 14                         Seite 1 von 2`,
      `Hofmann Sanitär GmbH\n${HEADS}\n     Übertrag von Seite 1                     160,00\n${lines(9, 14)}
Nettobetrag                                     280,00
zzgl. 19 % MwSt.                                 53,20
Rechnungsbetrag                                 333,20
Hofmann Sanitär GmbH · Bergstraße 14                         Seite 2 von 2`,
    ].join('\f'),
  )

  it('has all of its goods, and no page number or sum carried over among them', () => {
    expect(read.line_items.map(({ description }) => description)).toEqual(
      Array.from({ length: 14 }, (_, k) => `Kupferrohr Bogen ${k + 1}`),
    )
    expect(read).toMatchObject({ subtotal: 280, total: 333.2, warnings: [] })
  })
})

describe('the number of a document', () => {
  it('stands behind its own label, beside a title in another cell', () => {
    const read = readInvoice(`Pekárna Novotný s.r.o.
FAKTURA - daňový doklad   Číslo faktury     260145
                          Datum vystavení   02.06.2026
Č.   Popis             Množství   Cena/ks    Celkem
1    Chléb žitný A1        1        42,00     42,00
2    Chléb žitný B2        3        45,00    135,00
Celkem k úhradě                              177,00`)
    expect(read.document_id).toBe('260145')
  })
})

describe('sums with a reduction', () => {
  const goods = `Fenwick Interiors Ltd
INVOICE
Invoice No   FI-20331
Date         12 May 2026
Description              Qty     Price     Amount
Oak shelf                  2     40.00      80.00
Brass lamp                 1    120.00     120.00
Desk pad                   4     25.00     100.00
`

  it('pay what is left after the discount, not what the goods cost', () => {
    const read = readInvoice(`${goods}Total                                     300.00
Discount 10%                               30.00
Amount after discount                     270.00`)
    expect(read).toMatchObject({ total: 270, discount: 30 })
  })

  it('have a discount, and goods that agree with the net and it', () => {
    const read = readInvoice(`${goods}Subtotal                                  300.00
Less 10% trade discount                   -30.00
Net after discount                        270.00
VAT 20%                                    54.00
Total                                     324.00`)
    expect(read).toMatchObject({ subtotal: 270, discount: 30, total: 324 })
    expect(read.warnings).not.toContain('line_items_sum_mismatch')
  })

  it('are not what a discount takes off, where nothing is left to be paid', () => {
    const read = readInvoice(`Acme Ltd
INVOICE
Invoice No   118
Date         14/05/2026
Warranty repair       80.00
Warranty discount    -80.00
Total                  0.00`)
    expect(read.total).not.toBe(80)
  })

  it('are not paid by an offer for whoever pays early', () => {
    const read = readInvoice(`${goods}Subtotal                                  300.00
VAT 20%                                    60.00
Total                                     360.00
If paid by 19 May 2026 deduct 2%            7.20
Amount if paid early                      352.80`)
    expect(read).toMatchObject({ total: 360, amount_paid: null })
  })

  it('are not paid by the deposit for crates', () => {
    const read = readInvoice(`${goods}Subtotal                                  300.00
Crate deposit                               9.00
VAT 20%                                    61.80
Grand total                               370.80`)
    expect(read).toMatchObject({ total: 370.8, amount_paid: null })
  })

  it('count both halves of the Indian tax, with a tax withheld below', () => {
    const read = readInvoice(`${goods}Taxable value                             300.00
CGST 9%                                    27.00
SGST 9%                                    27.00
Invoice total                             354.00
TDS @ 2%                                    6.00
Net receivable                            348.00`)
    expect(read).toMatchObject({ subtotal: 300, total: 354, tax: { vat_amount: 54 } })
  })

  it('have a total whose label says that its prices include the tax', () => {
    const read = readInvoice(`${goods}Total (prices include 5% GST)             300.00
GST included                               14.29`)
    expect(read).toMatchObject({ total: 300, tax: { vat_amount: 14.29 } })
  })
})

it('reads the taxes of a till with two articles, not one article as the tax of the other', () => {
  const read = readInvoice(`MONOPRIX
Le 14/05/2026
Pain         1,20
Vin          8,90
TOTAL       10,10
TVA 5,5%     0,06
TVA 20%      1,48
CB          10,10`)
  expect(read).toMatchObject({ total: 10.1, subtotal: null })
  expect(read.tax.vat_amount).not.toBe(1.2)
})

describe('sums of a currency of a thousand parts', () => {
  it('have three decimals, whatever parts them', () => {
    expect(
      readInvoice(`INVOICE
Gulf Trading Co, Kuwait
Invoice No   1182
Date         05/03/2026
Pump      2    12.750    25.500
Total KWD                25.500`),
    ).toMatchObject({ total: 25.5, currency: 'KWD' })
    expect(
      readInvoice(`FACTURE N° 1182
Sté Jasmin SARL, Tunis
Date : 05/03/2026
Huile   10    12,500    125,000
Total HT                125,000
TVA 19%                  23,750
Timbre fiscal             1,000
Total TTC               149,750 DT`),
    ).toMatchObject({ subtotal: 125, tax: { vat_amount: 23.75 }, total: 149.75 })
  })

  it('are none of a Malaysian company, whose form is that of Bahrain’s dinar', () => {
    const read = readInvoice(`INVOICE
Kilang Besi SDN BHD, Ipoh
Invoice No   1182
Date         05/03/2026
Pump      2    12,750    25,500
Total                    25,500`)
    expect(read.total).toBe(25_500)
  })
})

it('reads the months of Indonesia', () => {
  const read = readInvoice(`FAKTUR
PT Maju Jaya
No. Faktur: 1182
Tanggal: 5 Maret 2026
Beras       10    Rp 12.500    Rp 125.000
Subtotal                       Rp 125.000
PPN 11%                        Rp 13.750
Total                          Rp 138.750`)
  expect(read).toMatchObject({ issued_at: '2026-03-05', total: 138_750 })
})
