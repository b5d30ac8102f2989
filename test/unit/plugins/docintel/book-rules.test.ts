/** Rules that bills of bookkeeping programs and shops asked for, each on a page of its own. */
import { describe, expect, it } from 'vitest'
import { readInvoice } from '../../../support/read-invoice.ts'

const goodsOf = (text: string) =>
  readInvoice(text).line_items.map((item) => [
    item.description,
    item.quantity,
    item.unit_price,
    item.amount,
  ])

describe('lines of goods', () => {
  it('have their unit between name and quantity, and names that go on below', () => {
    const result = readInvoice(`Verkoopfactuur #64184
Datum:  01-11-24
Datum      Omschrijving            Actie  Hoeveelheid   Prijs per     Korting  Belastbaar    Totaal
                                                        eenheid
01-11-24   ergonomische            st     9,00          € 162,27      0,00 %   Bel           € 1.460,43
           stalen bal
01-11-24   Keramische              st     7,00          € 365,42      0,00 %   Bel           € 2.557,94
           Table
Bedrag excl. BTW                                                                             € 4.018,37
BTW                                                                                          € 536,90
Totaalbedrag                                                                                 € 4.555,27`)
    expect(result.line_items).toMatchObject([
      { description: 'ergonomische stalen bal', quantity: 9, unit: 'st', amount: 1460.43 },
      { description: 'Keramische Table', quantity: 7, unit: 'st', amount: 2557.94 },
    ])
    expect(result.document_id).toBe('64184')
  })

  it('keep a count that is part of the name', () => {
    expect(
      goodsOf(`Invoice F-100
Date: 2024-03-01
Description       Qty     Price      Amount
Skruv 100 st        3     130.60     391.80
Virke 45x95         2      50.00     100.00
Total                                491.80`),
    ).toEqual([
      ['Skruv 100 st', 3, 130.6, 391.8],
      ['Virke 45x95', 2, 50, 100],
    ])
  })

  it('have their names below a row that prints a unit alone', () => {
    expect(
      goodsOf(`Invoice F15674
Date : 10 November 2024
NO.   ITEM   QTY.   UNIT   PRICE       SUM
1.           10     ea     £194.35     £1,943.50
Gorgeous Aluminum Hat
2.           2      ea     £24.83      £49.66
Intelligent Bronze Towels
Net                                    £1,993.16
+20.00% VAT                            £398.63
Sum                                    £2,391.79`),
    ).toEqual([
      ['Gorgeous Aluminum Hat', 10, 194.35, 1943.5],
      ['Intelligent Bronze Towels', 2, 24.83, 49.66],
    ])
  })

  it('have their names below codes, whatever stands above the first one', () => {
    expect(
      goodsOf(`Factura R16725
Fecha factura 27/04/2024
Ref.          Concepio       Cantidad     Precio      Inporte
Descripclon
17-8558                      10           333,69      3.336,90
Vavula de paso
73-5668                      6            404,12      2.424,72
Desplazamiento
Base imponible                                        5.761,62
IVA 21 %                                              1.209,94
Total factura                                         6.971,56`),
    ).toEqual([
      ['Vavula de paso', 10, 333.69, 3336.9],
      ['Desplazamiento', 6, 404.12, 2424.72],
    ])
  })

  it('are counted under a head that says amount in front of the names', () => {
    expect(
      goodsOf(`Rechnung 2024-91151
Datum 01.10.2024
Amount   Item                    VAT      Unit Price    Price
3        Gorgeous Silk Chips     8.1 %    117.17 CHF    379.98 CHF
2        Luxurious Silk Mouse    8.1 %    268.86 CHF    581.28 CHF
Net Total                                               889.23 CHF
VAT                                                     72.03 CHF
Gross Total                                             961.26 CHF`).map(([name, , , amount]) => [
        name,
        amount,
      ]),
    ).toEqual([
      ['Gorgeous Silk Chips', 379.98],
      ['Luxurious Silk Mouse', 581.28],
    ])
  })

  it('may cost a whole number', () => {
    expect(
      goodsOf(`Invoice #: 2024-33313
Created: 17-01-2024
Item                       Amount
Awesome Steel Gloves       409.14
Tasty Cotton Keyboard      4911
Total:                     5320.14`).map(([name, , , amount]) => [name, amount]),
    ).toEqual([
      ['Awesome Steel Gloves', 409.14],
      ['Tasty Cotton Keyboard', 4911],
    ])
  })

  it('go on in each of two columns of words', () => {
    expect(
      goodsOf(`Rechnung
Rechnungsnummer: INV80856
Rechnungsdatum:  23.1.2024
Artikel              Beschreibung    Stückpreis     Menge    Gesamtbetrag
Luxurious Gold       S / Black       85.50 EUR      7        598.50 EUR
Soap
Soft Wooden Pizza    XL              486.09 EUR     12       5833.08 EUR
Steuer                                                       1221.90 EUR
Gesamt                                                       7653.48 EUR`).map(([name]) => name),
    ).toEqual(['Luxurious Gold Soap S / Black', 'Soft Wooden Pizza XL'])
  })
})

describe('sums and heads', () => {
  it('stand side by side under a table with taxes: net, tax, gross', () => {
    const result = readInvoice(`Buchrucker und Kurnicki
Alsenstr. 199
52571 Lilliburg
Rechnung
Rechnungsnummer: 45978
Rechnungsdatum : 27.03.2024
An: Alexander-Morhelfer
Eifelstr. 85c
38538 Neu Ahmedburg
Datum        Beschreibung   Einheiten   Anzahl   Stückpreis   Nettobetrag   Steuersatz   Steuern    Gesamtbetrag
27.03.2024   Hut            Stk         7        266,78 €     1.867,46 €    19,00%       354,82 €   2.222,28 €
27.03.2024   Hemd           Stk         5        36,10 €      180,50 €      19,00%       34,30 €    214,80 €
Zwischensumme                                                 2.047,96 €                 389,12 €   2.437,08 €
Noch zu zahlen, EUR                                                                                 2.437,08 €`)
    expect(result).toMatchObject({ subtotal: 2047.96, total: 2437.08 })
    expect(result.tax.vat_amount).toBe(389.12)
    expect(result.buyer?.name).toBe('Alexander-Morhelfer')
  })

  it.each([
    ['Factura NºF9343\nFecha: 09/11/24\nFecha Vencida: 09/12/24', 'F9343', '2024-12-09'],
    [
      'Documento di vendita #INV33908\nData: 20/02/2024\nScadenza: 01/03/2024',
      'INV33908',
      '2024-03-01',
    ],
    [
      'Invoice\nInvoice number: F6490\nInvoice date: 7th July 2024\nDeadline: 17th July 2024',
      'F6490',
      '2024-07-17',
    ],
  ])('name the document and its due day: %s', (head, id, due) => {
    const result = readInvoice(`${head}
Description    Quantity   Price    Amount
Site survey    2          50.00    100.00
Report         1          20.00    20.00
Total                              120.00`)
    expect(result).toMatchObject({ document_id: id, due_date: due, total: 120 })
  })

  it('are a sale under a title with a number of letters behind its sign', () => {
    const result = readInvoice(`Faktura #INV20518
Dato:  25-03-2024
Dato         Beskrivelse      Handling   Antal    Enhedspris   Rabat    Beskattes   Total
25-03-2024   Granit Cykel     stk        2,00     kr 100,78    0,00 %   S           kr 201,56
25-03-2024   Blød Bold        stk        9,00     kr 200,01    0,00 %   S           kr 1.800,09
25-03-2024   Fersk Tun        stk        4,00     kr 496,32    0,00 %   S           kr 1.985,28
Nettopris                                                                           kr 3.986,93
Skat                                                                                kr 996,73
Samlet pris                                                                         kr 4.983,66`)
    expect(result).toMatchObject({ total: 4983.66, subtotal: 3986.93, document_id: 'INV20518' })
    expect(result.tax.vat_amount).toBe(996.73)
  })
})
