/** Rules that texts in other people's tests of receipt and invoice readers showed to be missing. */
import { describe, expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'
import { NOW, readInvoice } from '../../../support/read-invoice.ts'

const readReceipt = (text: string) =>
  understand(documentFromText(text), { preferred: 'receipt', now: NOW })

describe('thousands parted by spaces, without hundredths or a currency', () => {
  it('are one number on an invoice of Dakar', () => {
    const result = readInvoice(`SARL Teranga Services
Facture N° FA-2025-014
Dakar, le 05/03/2025

Désignation                     Qté      P.U.        Montant
Entretien des bureaux             3   200 000       600 000
Fourniture de matériel           10    40 000       400 000

Total HT                                          1 000 000
TVA 18 %                                            180 000
Total TTC                                         1 180 000`)
    expect(result).toMatchObject({ total: 1_180_000, subtotal: 1_000_000 })
    expect(result.tax.vat_amount).toBe(180_000)
    expect(result.line_items.map((line) => line.amount)).toEqual([600_000, 400_000])
  })

  it('are one number on a receipt with an F', () => {
    const result = readReceipt(`PHARMACIE MAME DIARRA
Date : 28/03/2025 10:42
Augmentin 1g boite 16      9 800
2 x Paracetamol 500mg      2.400
Spray nasal                4 200
TOTAL TTC                 16 400 F
Especes                   20 000
Rendu                      3 600`)
    expect(result).toMatchObject({ total: 16_400, tendered: 20_000, change: 3_600 })
  })

  it('are one number behind their label, where the first groups add up as well', () => {
    const result = readInvoice(`ETS NGUEMA & FILS
Douala, le 14 février 2025
FACTURE N° 2025/0089
1. Location camion : 300 000
2. Chauffeur et carburant : 200 000
TOTAL HT : 500 000
TVA 19,25 % : 96 250
TOTAL TTC : 596 250`)
    expect(result).toMatchObject({ total: 596_250, subtotal: 500_000, currency: 'XAF' })
    expect(result.tax.vat_amount).toBe(96_250)
  })

  it.each([
    ['in rows of one space', 'Thieboudienne 7 500\nBissap 5 000\nTOTAL 12 500', 12_500, null],
    ['in roubles', 'Чай        500 ₽\nПирог    1 000 ₽\nИТОГ     1 500 ₽', 1_500, 'RUB'],
    ['in tenge', 'Кофе      5 000 ₸\nТорт     10 000 ₸\nИТОГО    15 000 ₸', 15_000, 'KZT'],
    ['behind a code', 'Rice UGX 250 000\nBeans UGX 100 000\nTOTAL UGX 350 000', 350_000, 'UGX'],
    ['before a code', 'Cahiers 150 000 GNF\nStylos 200 000 GNF\nTotal 350 000 GNF', 350_000, 'GNF'],
    ['in the francs of Gabon', 'Libreville\nMontant TTC: 1 180 000 FCFA', 1_180_000, 'XAF'],
  ])('are one number %s', (_, rows, total, currency) => {
    const result = readReceipt(`Magasin Central SARL\nRecu N 221  04/05/2025\n${rows}`)
    expect(result.total).toBe(total)
    if (currency) expect(result.currency).toBe(currency)
  })

  it('stay counts and prices behind names, where no group of zeros tells', () => {
    const result = readReceipt(`Corner Shop
2 May 2025
Apples 2 250
Pears 3 100
Total 5 350`)
    expect(result.total).not.toBe(5_350)
  })

  it('stay a count and a price where they make no sum', () => {
    const result = readReceipt(`Corner Store
Apples              2 150   3.00
Pears               3 100   3.00
Total                       6.00`)
    expect(result.total).toBe(6)
  })
})

describe('sums beside other sums', () => {
  it('are not what the total is in other money', () => {
    const { total } = readReceipt(`PHARMACIE DE THIAROYE
RECU 26/0202332
DATE : 28 MAR 2025 - 12:56
1 FUCLO 500MG GEL B/24         3.843
TOTAL (5,81 EU)                 3.843
ESPECES                         3.843`)
    expect(total).not.toBe(5.81)
  })

  it('are not the net of one of several rates', () => {
    const result = readReceipt(`Kanne Cafe GmbH
RECHNUNG
Beleg-Nr. 0252
Datum 26.05.25 09:52 Uhr
Zu zahlen EUR 2,40
MwSt-Summe 19.00% 0,34
Nettosumme MwSt 19.00% 1,76
MwSt-Summe 7.00% 0,02
Nettosumme MwSt 7.00% 0,28`)
    expect(result).toMatchObject({ total: 2.4, subtotal: null })
    expect(result.tax.vat_amount).toBe(0.36)
  })

  it('are not what is left after a deposit that is printed below zero', () => {
    const result = readInvoice(`Harbour Marquees Ltd
INVOICE 1077          1 May 2025
Marquee hire 6x12m           1    950.00     950.00
Flooring                     1    250.00     250.00
Total                                      1,200.00
Less: Deposit received 3 April 2025         -300.00
Balance due by 31 May 2025                   900.00`)
    expect(result).toMatchObject({ total: 1_200, balance_due: 900 })
  })

  it('are not what was saved', () => {
    const { total } = readReceipt(`SAFEWAY
DANONE STRAWBERRY                         5.87
CORN ON COB                               3.00
   **** TAX         .00     BAL            8.87
VF       MasterCard                        8.87
DATE: 5/12/24 TIME: 12:55
               Your Savings
  Savings                                  3.72
  Total                                    3.72`)
    expect(total).toBe(8.87)
  })
})

describe('goods', () => {
  it('of a table in Markdown stand in the columns of its heads', () => {
    const { line_items } = readInvoice(`invoice ref: #DL-291
| item | quantity | unit cost | total |
|------|----------|-----------|-------|
| Audio Design (Podcast S2 EP1-3) | 3 | 300 | 900 |
| Sound Licensing Rights | 1 | 250 | 250 |
| TOTAL | | | 1,150 |`)
    expect(line_items.map((line) => line.amount)).toEqual([900, 250])
  })

  it('may have their day in brackets', () => {
    const { line_items } = readInvoice(`INV 0083A7
DR. LINA KAUR
Consultation (12.01.2024) ......... $250.00
Prescription Fulfillment .......... $42.00
Total Amount Due: $292.00`)
    expect(line_items.map((line) => line.amount)).toEqual([250, 42])
  })

  it('without marks add up to a subtotal with one, or to a sum that others are added to', () => {
    const marked = readReceipt(`サンプルコンビニ
2025年05月01日 (木) 20:31
領収書
ポテトチップス うすしお味
*168
長芋わさび醤油仕立て
*278
小計 (税抜 8%) ¥446
消費税等 (8%) ¥35
合計 ¥481`)
    expect(marked.line_items.map((line) => line.amount)).toEqual([168, 278])
    const plain = readReceipt(`東京カフェ
2025-05-13
ラテ 450
パン 320
小計 770
割引 -50
消費税 72
サービス料 80
合計 872`)
    expect(plain.line_items.map((line) => line.amount)).toEqual([450, 320])
  })
})

describe('heads', () => {
  it('have the number of the invoice, not that of the slip of the card', () => {
    const { document_id } = readInvoice(`MCLINIC Muenchen
KUNDENBELEG
Beleg-Nr. 0252
Rechnungs-Nr.: 26063 Pat Nr: 998
Rechnungsdatum: 03.04.25
Rechnungsbetrag: EUR 155,26`)
    expect(document_id).toBe('26063')
  })

  it('have the day of the paper, not that of its print', () => {
    const { issued_at } = readReceipt(`BDC20250328-015         28/03/2025
Demandeur :           Papa Djibril Ndiaye
Matricule:                    26301
Articles/Objet                                        Montant XOF
02 PNEUS                    2000
Total XOF:              2000
Imprimé le 01/04/2025 09:07:27`)
    expect(issued_at).toBe('2025-03-28')
  })

  it('have no seller that ends in a price', () => {
    const { merchant } = readReceipt(`Dubai Cafe
Coffee AED 5
Cake 7 AED
TOTAL AED 12`)
    expect(merchant.name).toBe('Dubai Cafe')
  })

  it('have no seller that is a sentence of Spanish', () => {
    const { merchant } = readReceipt(`La Mafia
SE SIENTA A LA MESA
LA MAFIA 2010 SEVILLA, S.L.
41001 - Sevilla
12/01/2025 21:25    Mesa 19
2 AGUA                   2,80 €  5,60 €
1 RAVIOLI CARNE          1,20 €  1,20 €
Total: 6,80 €`)
    expect(merchant.name).toBe('LA MAFIA 2010 SEVILLA, S.L.')
  })

  it('name a town of Canada by its province', () => {
    const { currency } = readReceipt(`Edo Japan
Edmonton, AB
GST # 803689020
1 Kids Chicken & Noodle             $5.39
GST                                 $0.27
TOTAL:                              $5.66`)
    expect(currency).toBe('CAD')
  })
})
