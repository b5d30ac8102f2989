/** Papers of trade in India, China, Taiwan and Spain: what they are, who is named and what is open. */
import { describe, expect, it } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'

const read = (text: string, preferred: 'receipt' | 'invoice' = 'invoice') =>
  understand(documentFromText(text), { preferred, now: new Date(Date.UTC(2025, 0, 1)) })

describe('an Indian bill', () => {
  const head = `Vasanth Electricals
7 Gandhi Road, Madurai, Tamil Nadu 625001
GST Number : 33AAKFN7718Q1ZL`
  const goods = `Item             Qty   Rate   Total
Copper Wire        4  250.00  1000.00
Switch Board       2  300.00   600.00
Total : 1600.00`

  it('has its total, not the sum beside the code that is scanned to pay the rest', () => {
    const bill = read(
      `${head}\nBill No: VE-118\nBill Date: 03/11/23\n${goods}\nReceived Amount : 400.00\nBalance : 1200.00\nSCAN TO PAY ₹1200.00`,
      'receipt',
    )
    expect(bill).toMatchObject({ total: 1600, balance_due: 1200 })
  })

  it('that is headed as a return of a sale is a credit note of its seller', () => {
    const note = read(`Sale Return\n${head}\nReturn No: R-0093\nDate: 03/11/23\n${goods}`)
    expect(note).toMatchObject({
      document_kind: 'credit_note',
      document_id: 'R-0093',
      merchant: { name: 'Vasanth Electricals' },
    })
  })

  it('names no buyer where its till prints a cash sale', () => {
    const bill = read(
      `${head}\nInvoice\nBill To                Invoice No :  VE-118\nCash Sale              Bill Date :   03/11/2023\n${goods}`,
    )
    expect(bill).toMatchObject({ document_id: 'VE-118', buyer: null })
  })

  it('has no terms of payment for its terms and conditions', () => {
    const bill = read(
      `${head}\nInvoice No: VE-118\n${goods}\nTerms and Conditions\nThank you, visit again`,
    )
    expect(bill.payment_terms).toBeNull()
  })
})

describe('Chinese papers', () => {
  const goods = `品名     数量   单价    金额
轴承     100   12.00   1200.00
合计                   1200.00`

  it.each(['采购单', '採購單', '銷貨單', '送货单', '報價單 QUOTATION', '見積書'])(
    'headed %s are no sale',
    (title) => {
      const paper = read(
        `${title}\n苏州精密机械有限公司\n电话：0512-6500-1234\n单号：P-2023-0456\n日期：2023-05-06\n${goods}\n税额  156.00\n总计  1356.00`,
      )
      expect(paper.warnings).toContain('not_a_receipt_or_invoice')
    },
  )

  it('are invoices where they say so, also with the number of an order', () => {
    const paper = read(`發票\n發票編號：HK-2301\n採購單：P-77\n日期：2023-05-06\n${goods}`)
    expect(paper).toMatchObject({ doc_type: 'invoice', document_id: 'HK-2301', total: 1200 })
  })

  it('name both parties with their tax numbers', () => {
    const paper = read(`增值税专用发票
发票号码: 23442000000087651234
开票日期: 2023年06月18日
购买方 名称: 杭州青石科技有限公司
纳税人识别号: 91330106MA27XH8N3K
${goods}
销售方 名称: 上海文汇办公用品有限公司
纳税人识别号: 91310115MA1K3QPR7X`)
    expect(paper).toMatchObject({
      merchant: { name: '上海文汇办公用品有限公司', tax_id: '91310115MA1K3QPR7X' },
      buyer: { name: '杭州青石科技有限公司', tax_id: '91330106MA27XH8N3K' },
    })
  })

  it('of Taiwan name the seller as the one who trades', () => {
    const paper = read(`統一發票
買受人：大同貿易股份有限公司
統一編號：12345675
中華民國 112 年 4 月 12 日
${goods}
營業人：永昌文具有限公司
統一編號：04595257`)
    expect(paper).toMatchObject({
      merchant: { name: '永昌文具有限公司', tax_id: '04595257' },
      buyer: { name: '大同貿易股份有限公司', tax_id: '12345675' },
    })
  })
})

describe('a Spanish paper', () => {
  const head = `Suministros Costa Brava S.L.
CIF B17654321
Carrer Major 14, 17001 Girona`
  const goods = `Código  Descripción       Cantidad  Precio  Importe
1001    Toallas baño        40       6,50    260,00
Base imponible  260,00
IVA 21%          54,60
Total           314,60`

  it('headed as a delivery note is none of a sale, also with a column for the invoice', () => {
    const note = read(`${head}
ALBARÁN
Albarán Nº   Fecha        Cliente   Factura
A-23/0456    12/05/2023   00318     F-23/0789
${goods}`)
    expect(note.warnings).toContain('not_a_receipt_or_invoice')
  })

  it('headed as an invoice is one, also with a column for the delivery note', () => {
    const invoice = read(`${head}
FACTURA
Factura      Fecha        Cliente   Albarán
F-23/0789    31/05/2023   00318     A-23/0456
${goods}`)
    expect(invoice).toMatchObject({ doc_type: 'invoice', document_id: 'F-23/0789', total: 314.6 })
  })
})

it('names the parties of a Taiwanese invoice without the label of their tax numbers', () => {
  const invoice = read(`電子計算機統一發票
賣方：大同文具有限公司 統一編號：12345675
買方：新光企業股份有限公司　統一編號 04595257
發票號碼：AB12345678
日期：2026年5月4日
品名      數量   單價    金額
原子筆     10     20     200
筆記本      5     60     300
銷售額合計                500
營業稅5%                   25
總計                      525`)
  expect(invoice).toMatchObject({
    merchant: { name: '大同文具有限公司', tax_id: '12345675' },
    buyer: { name: '新光企業股份有限公司', tax_id: '04595257' },
    total: 525,
  })
})
