/** Sums as the tills and offices of Brazil, Sweden, India and others print them. */
import { describe, expect, it } from 'vitest'
import { readInvoice } from '../../../support/read-invoice.ts'

describe('the tax beside a total', () => {
  it.each(['Total GST incl.', 'Total GST Incl. Rs', 'Total VAT inc'])(
    'under it, named as a sum: %s',
    (label) => {
      const till = `CITY PHARMACY
Bill 882   03/03/2026
Paracetamol 500mg   2   45.00   90.00
Vitamin C           1  500.00  500.00
Total                          590.00`
      expect(readInvoice(`${till}\n${label}   90.00`)).toMatchObject({
        total: 590,
        tax: { vat_amount: 90 },
      })
    },
  )

  it('of two rates in a table without a sum', () => {
    expect(
      readInvoice(`ICA Nära Hörnet
Storgatan 5, 111 22 Stockholm
2026-03-05 17:40
Kaffe 450g            59,00
Ost Präst 1kg        129,00
Tvättmedel            71,00
Totalt  3 varor      259,00
Moms%   Moms   Netto   Brutto
12,00  20,14  167,86  188,00
25,00  14,20   56,80   71,00
Betalat Kort         259,00`),
    ).toMatchObject({ total: 259, tax: { vat_amount: 34.34 } })
  })

  it('of a credit note whose sums are below zero', () => {
    expect(
      readInvoice(`Gutschrift Nr. G-2026-7
Datum: 15.03.2026
Muster Elektro GmbH
Retoure Lampe      -100,00
Nettobetrag        -100,00
19 % MwSt.          -19,00
Gesamtbetrag       -119,00 EUR`),
    ).toMatchObject({ subtotal: -100, total: -119, tax: { vat_amount: -19, vat_rate: 19 } })
  })

  it('of Brazil is none where it is told roughly', () => {
    expect(
      readInvoice(`PADARIA CENTRAL LTDA
CNPJ: 11.222.333/0001-81
05/03/2026 10:22
Pao frances          12,00
Cafe                  8,00
TOTAL R$             20,00
Valor aproximado dos tributos deste cupom R$   4,54`).tax.vat_amount,
    ).toBeNull()
  })
})

describe('what is to pay', () => {
  it('is what a discount under the sum with tax leaves', () => {
    expect(
      readInvoice(`INVOICE INV-9
Date: 2026-03-05
Sigma Traders
Goods            1,000.00
VAT 18%            180.00
Total incl. VAT  1,180.00
Discount            50.00
Net payable      1,130.00`),
    ).toMatchObject({ subtotal: 1000, total: 1130, tax: { vat_amount: 180 } })
  })

  it('is the net value of a Brazilian note', () => {
    expect(
      readInvoice(`NOTA FISCAL DE SERVIÇOS ELETRÔNICA - NFS-e
Número da Nota: 1234
Data de Emissão: 05/03/2026
ALFA CONSULTORIA LTDA
CNPJ: 11.222.333/0001-81
Consultoria em informática
VALOR DOS SERVIÇOS          R$ 1.000,00
(-) ISS Retido              R$ 50,00
VALOR LÍQUIDO DA NOTA       R$ 950,00`).total,
    ).toBe(950)
  })

  it('stands in a run of sums behind a run of labels and a line of text', () => {
    const read = readInvoice(`CNPJ: 11.222.333/0001-81 DOCES DO SUL LTDA
AVENIDA SANTANA, 931 - HORTOLANDIA - SP
CUPOM FISCAL ELETRÔNICO - SAT
CAIXA SORTIDA 6,0000 UN X 24,99 (0,00) 149,94
Total de descontos/ acréscimos sobre o item
TOTAL R$
Cartão de Crédito
Troco R$:
Comete crime quem sonega
0,00
149,94
149,94
0,00
Valor aproximado dos tributos deste cupom R$
54,29
19/03/2025 - 08:41:12`)
    expect(read).toMatchObject({ total: 149.94, merchant: { name: 'DOCES DO SUL LTDA' } })
  })

  it('is not the sum of one line, which the web page of a till names as it names totals', () => {
    expect(
      readInvoice(`E.J. SILVA E CIA LTDA
CNPJ: 11.222.333/0001-81
LEITE SOJA 1LT (Código: 21468)
Qtde.:1 UN: UN Vl. Unit.: 4,99
LEITE SOJA 1LT (Código: 21468)
Qtde.:1 UN: UN Vl. Unit.: 4,99
Valor a pagar R$:
Forma de pagamento:
Cartão de Crédito
Emissão: 28/02/2025 09:47:00 - Via Consumidor
Vl. Total
4,99
Vl. Total
4,99
2
9,98
Valor pago R$:
9,98`).total,
    ).not.toBe(4.99)
  })
})

describe('a short receipt by hand', () => {
  it.each(['cash', 'CASH', 'Payment: Credit Card', 'Paid by Visa'])(
    'is one where a way of paying stands below its total: %s',
    (paying) => {
      expect(
        readInvoice(`Bob's Diner
3/15/24
2 burgers    $18
fries         $5
2 cokes       $4
Total       $27
${paying}`),
      ).toMatchObject({ total: 27, merchant: { name: "Bob's Diner" } })
    },
  )

  it('is none where the word heads a part of a report', () => {
    expect(
      readInvoice(`Assets in the third quarter
CASH
Accounts in euros      410.00
Accounts in dollars    220.00
Total                  630.00`).total,
    ).toBeNull()
  })
})
