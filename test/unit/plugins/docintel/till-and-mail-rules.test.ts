/** Rules that rolls of tills, mails of shops and letters of billing programs asked for. */
import { describe, expect, it } from 'vitest'
import type { DocumentText } from '../../../../plugins/docintel/model/document.ts'
import { readInvoice, understoodInvoice } from '../../../support/read-invoice.ts'

it('goods of a till have the name above a row of quantity, unit and price', () => {
  const result = readInvoice(`Schuppe Stores
88 Elm Grove
Invoice number F97662
Invoice date  26/06/2024

Bespoke Chicken
3 ea x 49.05             147.15
Plastic Fish
2 ea x 300.00            600.00

Total                    747.15`)
  expect(result.line_items).toMatchObject([
    { description: 'Bespoke Chicken', quantity: 3, unit_price: 49.05, amount: 147.15 },
    { description: 'Plastic Fish', quantity: 2, unit_price: 300, amount: 600 },
  ])
})

it('goods of a till may have their count below them', () => {
  const result = readInvoice(`Pohland Haushalt
Bezeichnung                    EUR
Luxurious Plastic
Computer                    901,34
2 x 450,67
Electronic Gold Tuna
                          2.093,12
8 x 261,64
SUMME                     2.994,46
Girocard 2.994,46 EUR
Bon-Nr. 66867 19.05.2024 16:42
Vielen Dank für Ihren Einkauf`)
  expect(result.line_items).toMatchObject([
    { description: 'Luxurious Plastic Computer', quantity: 2, amount: 901.34 },
    { description: 'Electronic Gold Tuna', quantity: 8, unit_price: 261.64, amount: 2093.12 },
  ])
})

it('goods of two rates stand in groups with a sum each', () => {
  const result = readInvoice(`Metz Hotel Ltd
Invoice for  Welch and Robel
8 Ubaldo Court
GO4 7WG Olson Gardens
Invoice n. F83962 released on 27/01/2024
Stay of five nights             £ 1,492.05
Car park                        £ 272.27
Sub total at 20%                £ 1,764.32
Taxes at 20%                    £ 352.86
Breakfast                       £ 218.10
Minibar                         £ 117.28
Sub total at 5%                 £ 335.38
Taxes at 5%                     £ 16.77
Sub total                       £ 2,099.70
Taxes total                     £ 369.63
Invoice total                   £ 2,469.33`)
  expect(result.line_items.map(({ amount }) => amount)).toEqual([1492.05, 272.27, 218.1, 117.28])
  expect(result).toMatchObject({ total: 2469.33, buyer: { name: 'Welch and Robel' } })
})

describe('numbers of documents', () => {
  it('may be the reference of a payment where there is no other', () => {
    const result = readInvoice(`Hudak Werbung
Rechnung
Bezeichnung                 Betrag (EUR)
Plakat                            380,00
Insgesamt                         380,00
Zahlungsdaten:
Referenz-Nr.:  2024-99799`)
    expect(result.document_id).toBe('2024-99799')
  })

  it("follow Brazil's NFC-e", () => {
    const result = readInvoice(`Xavier Mercado
CNPJ: 33014556000196
Valor Total R$          4.185,69
Valor a Pagar R$        4.185,69
NFC-e n. 22621 Serie 1 09/06/2024 18:24:00`)
    expect(result.document_id).toBe('22621')
  })
})

describe('days', () => {
  it('are read with the year first and a month cut short', () => {
    const result = readInvoice(`Számla 2024-6645
Eladó: Szalai Nyomda Kft.
Számla kelte: 2024 aug. 27.
Fizetési határidő: 2024 szept. 10.
Összesen                 3 810 Ft`)
    expect(result).toMatchObject({ issued_at: '2024-08-27', due_date: '2024-09-10' })
  })

  it('stand under heads of their own, with a stop behind', () => {
    const result = readInvoice(`Invoice 2024-93271
Varga Print Ltd
Created:          Completion date:    Payment deadline:   Payment method:
2024 Mar 25.      2024 Mar 25.        2024 Apr 08.        Transfer

Posters                                                   120.00
Total                                                     120.00`)
    expect(result).toMatchObject({ issued_at: '2024-03-25', due_date: '2024-04-08' })
  })

  it('are called due by "à payer avant", and of issue by their own cell', () => {
    const result = readInvoice(`Perez Atelier SARL
Facture
Livraison et Facturation        Date : 9 mars 2024
Giraud GIE                      Facture n° 2024-17647
477 Rue de la Ferronnerie       Code client : 19022
81246 Saint-Étienne             À payer avant : 19 mars 2024
Produit                                      Total HT
Saucisses                                    465,74 €
Total TTC                                    465,74 €`)
    expect(result).toMatchObject({
      issued_at: '2024-03-09',
      due_date: '2024-03-19',
      buyer: { name: 'Giraud GIE' },
    })
  })

  it('go on in the next row', () => {
    const result = readInvoice(`O'Reilly Prints Ltd
INVOICE #          2024-56708
INVOICE DATE       November 18th,
                   2024
DUE DATE           December 18th,
                   2024
ITEM
Bronze frame       $594.06
TOTAL              $594.06`)
    expect(result).toMatchObject({ issued_at: '2024-11-18', due_date: '2024-12-18' })
  })
})

describe('the buyer', () => {
  it('stands before a row of dots that leads to its tax number', () => {
    const result = readInvoice(`Xana Imprenta S.A.
R.I.F.: J-29202462532-7
99397 Fresnillo
FACTURA Nº 202462532
Datos del cliente
Razón social: Kortajarena y Urías . . . . . . . . . . . . . . R.I.F.: J-30202462532-4
Dirección fiscal: Colegio Carrillo 12, 36723 Chetumal
Rústico Pizza                                   1.037,50
TOTAL                                           1.037,50`)
    expect(result.buyer?.name).toBe('Kortajarena y Urías')
  })

  it('stands under "À:"', () => {
    const result = readInvoice(`Facture
Noel SARL                       N° de facture    2024-62661
7 Voie du Chat                  Date de facturation   02/09/2024
30246 Limoges
N° d'identification SIREN  000 000 007
À:
Morel SCOP
4 Quai Saint-Séverin
64984 Brest
Description                                      Total HT
Vélo                                             1 888,05 €
Total à payer                                    1 888,05 €`)
    expect(result).toMatchObject({ merchant: { name: 'Noel SARL' }, buyer: { name: 'Morel SCOP' } })
  })
})

describe('a mail of a shop', () => {
  it('is a receipt by its own words, and its subtotal what was paid', () => {
    const result =
      readInvoice(`Thanks for shopping with us! This is your receipt from Shanahan Stores of
June 24, 2024.
Payment Method      Shipping Method
Credit card         Parcel (2-4 days)
Order Details
Item                    #     Price
Marble Towels           1     $486.19
Concrete Chair          4     $1,032.44
Subtotal:                     $1,518.63`)
    expect(result).toMatchObject({
      doc_type: 'receipt',
      total: 1518.63,
      merchant: { name: 'Shanahan Stores' },
    })
  })

  it('is signed with the name of the shop over its address', () => {
    const result = readInvoice(`Receipt for your order, Jamie. Your payment is approved!
#INV80891 Products will ship within 2 working days
Item                        Price
Plastic Mouse           $5,602.56
Subtotal                 $5,602.56
Tax                      $1,120.51
Total                    $6,723.07
If you have any questions, please contact us.
Becker and Bernhard
51305 Trinity Cove, 74580 Lake Rahsaanburgh
Unsubscribe`)
    expect(result.merchant.name).toBe('Becker and Bernhard')
  })

  it('has its number under the label, not in the address beside it', () => {
    const result = readInvoice(`This is your receipt from Shanahan Stores of June 24, 2024.
Order ID          24637-6334 Raleighstead
99431
Marble Towels           1     $486.19
Subtotal:                     $486.19`)
    expect(result.document_id).toBe('99431')
  })

  it('is none where it only confirms an order', () => {
    const result = readInvoice(`ORDER CONFIRMATION
Order 7741
Marble Towels           1     $486.19
Subtotal:                     $486.19
We will send an invoice when the goods leave.`)
    expect(result.doc_type).toBe('unknown')
  })
})

it("a currency's letters before an amount of OCR are no digits", () => {
  const row = (index: number, ...texts: string[]): DocumentText['rows'][number] => ({
    index,
    page: 0,
    cells: texts.map((text, at) => ({ text, x0: at * 40, x1: at * 40 + text.length })),
    text: texts.join('  '),
    gapAbove: 0,
    scale: 1,
  })
  const result = understoodInvoice({
    rows: [
      row(0, 'Xana Imprenta S.A.'),
      row(1, 'FACTURA Nº 202462532'),
      row(2, 'Rústico Pizza', '10.624,18'),
      row(3, 'TOTAL', 'Bs.10.624,18'),
    ],
    source: 'ocr',
    hasGeometry: true,
    legibility: 0.95,
    pages: 1,
  })
  expect(result.total).toBe(10624.18)
})

describe('a paper of a few lines', () => {
  const goods = 'Design 1 500.00 500.00\nTotal 500.00 EUR'
  it.each([
    [`Invoice 42\nJane Doe\n${goods}`, '42'],
    [`Factura 001\nEmpresa SL\n${goods}`, '001'],
    [`INVOICE\nInvoice No: 7\nJane Doe\n${goods}`, '7'],
    [`INVOICE\nJane Doe\nInvoice 7 of 9\n${goods}`, null],
  ])('has a short number where its title or label says so: %j', (text, id) => {
    expect(readInvoice(text).document_id).toBe(id)
  })

  it.each([
    ['03/04/2024', '04/03/2024', '2024-03-04', '2024-04-03'],
    ['03/04/2024', '05/04/2024', '2024-04-03', '2024-04-05'],
    // Nobody writes the month first with points.
    ['03.04.2024', '04.03.2024', '2024-04-03', '2024-03-04'],
    ['April 3, 2024', '04/03/2024', '2024-04-03', '2024-04-03'],
  ])('issued on %s and due on %s', (issued, due, issued_at, due_date) => {
    const text = `INVOICE\nAcme Inc.\nInvoice Number: 1001\nInvoice Date: ${issued}\nDue Date: ${due}\n${goods}`
    expect(readInvoice(text)).toMatchObject({ issued_at, due_date })
  })

  it('whose goods and tip are the total has no sums that disagree', () => {
    const ride = readInvoice(
      'Uber\nTrip receipt\nMarch 1, 2024\nTrip fare $12.50\nBooking fee $2.00\nTip $3.00\nTotal $17.50',
    )
    expect(ride).toMatchObject({ tip: 3, total: 17.5, warnings: [] })
  })
})
