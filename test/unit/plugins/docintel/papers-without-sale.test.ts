/** Papers with sums in which nothing is sold: no kind, and no amount that somebody might book. */
import { describe, expect, it } from 'vitest'
import { readInvoice } from '../../../support/read-invoice.ts'

const GOODS = `Artículo           Cantidad   Precio    Importe
Sábanas                 2      4,50        9,00
Toallas                 2      2,10        4,20
Subtotal                                  13,20
IVA 21%                                    2,77
Total                                     15,97`

const PAPERS: readonly (readonly [name: string, text: string])[] = [
  [
    'offer of Latin America',
    `COTIZACIÓN No. 3312\nFerretería El Martillo      Fecha: 12/05/2026\n${GOODS}`,
  ],
  ['offer of Poland', `OFERTA HANDLOWA nr 14/05/2026\nMeble Kowalczyk, 61-001 Poznań\n${GOODS}`],
  [
    'offer of Russia',
    `КОММЕРЧЕСКОЕ ПРЕДЛОЖЕНИЕ № 88 от 12.05.2026\nООО «Вектор», г. Тверь\n${GOODS}`,
  ],
  [
    'delivery note with its name in brackets and its day',
    `DOCUMENTO DI TRASPORTO (D.D.T.) N. 441 del 12/05/2026\nFerramenta Galli srl\n${GOODS}`,
  ],
  [
    'delivery note that names its invoice in a field',
    `ALBARÁN DE ENTREGA
Suministros Pérez S.L.     B12345674
Albarán: A-2231       Fecha: 04/05/2026
Factura: F-118
${GOODS}`,
  ],
  [
    'remittance advice',
    `REMITTANCE ADVICE
Kestrel Retail plc, 1 Market Square, Derby
To: Hartwell Supplies Ltd       Payment date: 30/06/2026
Invoice No     Invoice date    Amount     Discount    Paid
HB-20817       05/06/2026      7,069.49      0.00    7,069.49
HB-20830       11/06/2026        412.00      8.24      403.76
Total payment                                        7,473.25`,
  ],
  [
    'reminder',
    `Zahlungserinnerung
Hofmann Sanitär GmbH, 80331 München              Datum 02.10.2026
Rechnung     Datum        Fällig        Betrag      Offen
2026-4471    14.08.2026   28.08.2026    4.212,53    4.212,53
2026-4502    20.08.2026   03.09.2026      118,00      118,00
Summe offene Posten                                 4.330,53`,
  ],
  [
    'sheet of hours',
    `WEEKLY TIMESHEET
Contractor: B. Lindqvist     Client: Nordhaven AB     Week ending 12 July 2026
Day         Hours    Rate      Total
Monday       8.00   65.00     520.00
Tuesday      7.50   65.00     487.50
Total       15.50            1,007.50`,
  ],
  [
    'list of stock',
    `STOCK VALUATION REPORT                        31/12/2026
Item         Description        On hand    Cost     Value
10021        Hex bolt M8          1,200    0.12     144.00
10022        Washer M8            3,500    0.03     105.00
Total stock value                                   249.00`,
  ],
  [
    'trial balance',
    `TRIAL BALANCE as at 30 June 2026
Account               Debit        Credit
1000 Cash             4,210.00
2000 Payables                       4,210.00
Total                 4,210.00      4,210.00`,
  ],
  [
    'lease',
    `RESIDENTIAL LEASE AGREEMENT
Landlord: Pinecrest Properties LLC      Tenant: Maria Delgado
Monthly rent          1,450.00
Security deposit      1,450.00
Total due at signing  2,900.00`,
  ],
]

describe('a paper in which nothing is sold', () => {
  it.each(PAPERS)('%s', (_, text) => {
    expect(readInvoice(text)).toMatchObject({ doc_type: 'unknown', total: null })
  })
})

describe('a bill that names such a paper', () => {
  it('is an invoice by its own number', () => {
    const read = readInvoice(`Fleet Leasing plc
Invoice number: FL-2231      Invoice date: 01/06/2026
Vehicle Lease Agreement  A-1182
Monthly rental June              310.00
VAT 20%                           62.00
Total                            372.00`)
    expect(read).toMatchObject({ doc_type: 'invoice', document_id: 'FL-2231', total: 372 })
  })
})
