/** Invoices in French of countries with a currency of their own, and Indonesia's "Faktur". */
import { describe, expect, it } from 'vitest'
import { readInvoice } from '../../../support/read-invoice.ts'

const invoice = (seller: string, rows: string): string => `FACTURE
${seller}
Facture N° 1182
Date : 05/03/2026
${rows}`

describe('the currency of an invoice in French', () => {
  it.each([
    ['DT beside the total', 'Sté Jasmin SARL, Sfax, Tunisie', 'DT', 'TND'],
    ['DT, and no place', 'Sté Jasmin SARL', 'DT', 'TND'],
    ['DA', 'SARL Oran Meubles, Oran, Algérie', 'DA', 'DZD'],
    ['DA, and no place', 'SARL Meubles du Port', 'DA', 'DZD'],
    ['DH', 'SARL Atlas, Casablanca, Maroc', 'DH', 'MAD'],
    ['DHS, and no place', 'SARL Atlas', 'DHS', 'MAD'],
    ['MAD, and no place', 'SARL Atlas', 'MAD', 'MAD'],
    ['no mark beside the name of the country', 'Sté Jasmin SARL, Tunis', '', 'TND'],
    ['no mark beside a town of Senegal', 'SARL Teranga, Dakar', '', 'XOF'],
    ['no mark beside a town of Cameroon', 'SARL Littoral, Douala', '', 'XAF'],
  ])('%s', (_, seller, mark, currency) => {
    const read = readInvoice(
      invoice(
        seller,
        `Huile   10    12,50    125,00
Total HT                125,00 ${mark}
TVA 19%                  23,75 ${mark}
Total TTC               148,75 ${mark}`,
      ),
    )
    expect(read).toMatchObject({ currency, total: 148.75 })
  })

  it('is that of France where the seller is there and the customer in Tunis', () => {
    const read = readInvoice(
      invoice(
        `Dupont SARL
10 rue de Lyon, 75001 Paris, France
SIRET 732 829 320 00074
Client : Sté Jasmin, Tunis, Tunisie`,
        `Huile   10    12,50    125,00
Total HT                125,00
TVA 20%                  25,00
Total TTC               150,00`,
      ),
    )
    expect(read).toMatchObject({ currency: 'EUR', total: 150 })
  })

  it('is in thousandths where the word is printed and a Tunisian tax number', () => {
    const read = readInvoice(
      invoice(
        `Sté Jasmin SARL
MF : 1234567 A/A/M/000`,
        `Huile   10    12,500    125,000
Total HT                125,000
TVA 19%                  23,750
Timbre fiscal             1,000
Net à payer             149,750 Dinars`,
      ),
    )
    expect(read).toMatchObject({ currency: 'TND', subtotal: 125, total: 149.75 })
  })
})

describe('letters that are such marks elsewhere', () => {
  it('are dirhams of the Emirates there', () => {
    const read = readInvoice(`TAX INVOICE
Al Noor Trading LLC, Dubai UAE
Invoice No 12
Date 05/03/2026
Item  1  100.00 100.00
Total (DHS) 100.00
VAT 5% 5.00
Grand Total DHS 105.00`)
    expect(read).toMatchObject({ currency: 'AED', total: 105 })
  })

  it('are words in Denmark and Italy', () => {
    const danish = readInvoice(`Restaurant Nyhavn ApS
CVR 12345678
Kvittering
14-08-2026
Mad   120,00
I alt  120,00
Heraf moms 24,00`)
    expect(danish).toMatchObject({ currency: 'DKK', total: 120 })
    const italian = readInvoice(`FATTURA n. 12
Rossi Srl, Roma, P.IVA 01234567890
Data 05/03/2026
Tavolo da 12,00   1   12,00   12,00
Totale da 12,00
IVA 22% 2,64
Totale 14,64`)
    expect(italian).toMatchObject({ currency: 'EUR', total: 14.64 })
  })
})

it('"Faktur" alone heads an invoice, without a tax', () => {
  const read = readInvoice(`FAKTUR
PT Maju Jaya
Jl. Sudirman 12, Surakarta
No. Faktur: 1182
Tanggal: 5 Maret 2026
Beras       10    12.500    125.000
Gula         2    15.000     30.000
Total                       155.000`)
  expect(read).toMatchObject({ doc_type: 'invoice', document_id: '1182', total: 155_000 })
})
