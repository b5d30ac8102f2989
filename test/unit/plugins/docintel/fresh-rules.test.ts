/** Rules that the third set of invoices by others asked for, each on a page of its own. */
import { describe, expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { explain } from '../../../../plugins/docintel/understand/explain.ts'
import { NOW, readInvoice } from '../../../support/read-invoice.ts'

const TAIL = `
Beschreibung                Menge     Preis      Betrag
Moderne Handtuecher          5.00     53.53      267.65
Feine Seife                  1.00    332.03      332.03
Zwischensumme                                    599.68
Mehrwertsteuer 19%                               113.94
Gesamtsumme EUR                                  713.62
`

describe('rules asked for by the fresh set', () => {
  it('takes the seller out of a small line parted by commas', () => {
    const result = readInvoice(`Spelmeyer, Schlicht und Wilky, Heribertstr. 49, 88566 Yasminstadt
Manns AG                              Datum:            25.10.2024
Liebigstr. 75                         Rechnungsnummer:  INV24661
77691 Neu Svenjaburg

Rechnung
${TAIL}`)
    expect(result.merchant.name).toBe('Spelmeyer, Schlicht und Wilky')
    expect(result.buyer?.name).toBe('Manns AG')
  })

  it('knows the issuer of a flush right letterhead by the line over the address window', () => {
    const result = readInvoice(`                                                   Abel-Saflanis
                                                 Florastr. 70c
                                              81362 Alt Gregor
Abel-Saflanis, Florastr. 70c, 81362 Alt Gregor
Linden-Kaul
Eschenweg 72c
82541 Bad Stadt

Rechnung 24553              Datum: 01.09.2024
${TAIL}Bitte zahlen Sie bis zum 15.09.2024.`)
    expect(result.merchant.name).toBe('Abel-Saflanis')
    expect(result.buyer?.name).toBe('Linden-Kaul')
    expect(result.due_date).toBe('2024-09-15')
  })

  it('takes the right one of two plain addresses side by side as the buyer', () => {
    const result = readInvoice(`Invoice #: 2024-24904
Created: 8/18/2024
Will LLC                                     Rempel - Marvin
491 Center Avenue                            874 E Front Street
26503-6948 West Nathaniel                    40172 West Cristobal

Item                                         Price
Bespoke Concrete Mouse                       $ 995.04
Electronic Granite Tuna                      $ 2432.28
Total:                                       $ 3427.32`)
    expect(result.merchant.name).toBe('Will LLC')
    expect(result.buyer?.name).toBe('Rempel - Marvin')
  })

  it('takes a later day beside the whole sum as the due day, and none of two instalments', () => {
    const bill = (rows: string): string =>
      `White and Sons\n306 Cherry Close\nInvoice No: 2024-42280\nDate: 14/11/2024\nDescription   Quantity   Unit Price   Amount\nTuna   8   185.75   1,486.00\nGloves   1   100.00   100.00\nTotal: £1,586.00\nPayment Term\nDate   Amount\n${rows}`
    expect(readInvoice(bill('14/12/2024   £1,586.00')).due_date).toBe('2024-12-14')
    expect(readInvoice(bill('14/12/2024   £786.00\n14/01/2025   £800.00')).due_date).toBeNull()
  })

  it('reads number and day from one field, but not those of another paper', () => {
    const head = 'Muster GmbH\nHauptstr. 5\n80331 Stadt\nRechnung\n'
    const own = readInvoice(`${head}Rechnungs-Nr./Datum: 2024-51321 / 11.08.2024\n${TAIL}`)
    expect(own.document_id).toBe('2024-51321')
    expect(own.issued_at).toBe('2024-08-11')
    const other = readInvoice(`${head}Auftrags-Nr./Datum: 77123 / 01.08.2024\n${TAIL}`)
    expect(other.document_id).not.toBe('77123')
  })

  it('takes a whole total after a rounding, but not a count', () => {
    const bill = (last: string): string =>
      `Sawayn Stores\nBill No : 2024-70306\nBill Date : 11/11/24\nSoap  9  329.47  3498.97\nSub Total : 2965.23\nRound off  0.03\n${last}`
    expect(readInvoice(bill('Total : 3499')).total).toBe(3499)
    expect(readInvoice(bill('Total : 9')).total).not.toBe(9)
  })

  it('reads goods whose heads stand under one another', () => {
    const result = readInvoice(`Sawayn Stores
Bill No : 2024-70306
Bill Date : 11/11/24
Item Name
Qty
Rate
Total
Tax%
Oriental Metal Towels
9
329.47
3498.97
18%
Handcrafted Ceramic
Fish
8
395.66
3735.03
18%
Sub Total : 6130.51
Round off
0.00
Total : 7234.00
`)
    expect(
      result.line_items.map(({ description, quantity, unit_price, amount }) => [
        description,
        quantity,
        unit_price,
        amount,
      ]),
    ).toEqual([
      ['Oriental Metal Towels', 9, 329.47, 3498.97],
      ['Handcrafted Ceramic Fish', 8, 395.66, 3735.03],
    ])
  })

  it('takes terms of payment for no head of goods', () => {
    const result = readInvoice(`Muster GmbH
Hauptstr. 5
80331 Stadt
Rechnung Nr. R-77
Zahlungsbedingungen: 30 Tage netto

Pos  Artikelnr   Beschreibung        Menge  Einheit  Einzelpreis  MwSt  Gesamt
1    A-100       Kabel NYM           10     m        2,50         19%   25,00
2    B-200       Handbuch            2      Stk      10,00        19%   20,00

Zwischensumme                                                           45,00
Gesamtbetrag                                                            53,55
`)
    expect(result.line_items).toEqual([
      {
        description: 'Kabel NYM',
        quantity: 10,
        unit_price: 2.5,
        amount: 25,
        unit: 'm',
        code: 'A-100',
        tax_rate: 19,
      },
      {
        description: 'Handbuch',
        quantity: 2,
        unit_price: 10,
        amount: 20,
        unit: 'Stk',
        code: 'B-200',
        tax_rate: 19,
      },
    ])
  })

  it('says by which rules a value won', () => {
    const told = explain(
      documentFromText(`Muster GmbH\nHauptstr. 5\n80331 Stadt\nRechnung 4711\n${TAIL}`),
      'invoice',
      NOW,
    )
    const total = told.find(({ field }) => field === 'total')
    expect(total?.value).toContain('713.62')
    expect(total?.because.map(({ rule }) => rule)).toContain('subtotal with tax and extras')
    const seller = told.find(({ field }) => field === 'merchant.name')
    expect(seller?.value).toBe('Muster GmbH')
    expect(seller?.because.map(({ rule }) => rule)).toContain('company form')
    for (const { points, because } of told)
      expect(because.reduce((sum, finding) => sum + finding.points, 0)).toBeCloseTo(points)
  })
})
