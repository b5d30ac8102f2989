/** Sums without hundredths, other scripts, split columns and what a tilted scan leaves, one by one. */
import { describe, expect, test } from 'vitest'
import { documentFromText } from '../../../../plugins/docintel/read/text.ts'
import { detectDecimalMark } from '../../../../plugins/docintel/understand/marks/numbers.ts'
import { understand } from '../../../../plugins/docintel/understand/understand.ts'

const now = new Date(Date.UTC(2025, 0, 1))
const parse = (text: string, preferred: 'receipt' | 'invoice' = 'receipt') =>
  understand(documentFromText(text), { preferred, now })

describe('papers that print no hundredths', () => {
  test('rupiah: goods with their quantities, tax and total', () => {
    const result = parse(
      'KEDAI IBU\n2 Sate Ayam  56.000\n1 Kerupuk  10.000\nSub Total  66.000\nPB1 10%  6.600\nTotal  72.600\nTunai  100.000\nKembali  27.400',
    )
    expect(result).toMatchObject({ total: 72600, subtotal: 66000, currency: 'IDR' })
    expect(result.tax.vat_amount).toBe(6600)
    expect(result.line_items.map((i) => [i.quantity, i.amount])).toEqual([
      [2, 56000],
      [1, 10000],
    ])
  })

  test('a number before the sum is a quantity where every line has one', () => {
    const till = (lines: string) => parse(`ROTI LEGIT\n${lines}\nTOTAL 46,500\nCASH 50,000`)
    expect(till('CHOCO BUN 1 9,500\nCHEESE TART 2 37,000').line_items).toMatchObject([
      { description: 'CHOCO BUN', quantity: 1 },
      { description: 'CHEESE TART', quantity: 2 },
    ])
    expect(till('A4 PAPER 80 9,500\nCHEESE TART 37,000').line_items[0]).toMatchObject({
      description: 'A4 PAPER 80',
      quantity: null,
    })
  })

  test.each([
    ['55,000 40,000 95,000 PB1 10,00% 9,500', '.'],
    ['TAX 6,25% 12.50', '.'],
    ['27,322 L x 5,490 = 150,00', ','],
  ])('decimal mark of %s', (text, mark) => {
    expect(detectDecimalMark(text)).toBe(text.startsWith('55') ? 'unknown' : mark)
  })
})

describe('other scripts', () => {
  test.each([
    [
      '居酒屋 まる福\n2023年12月22日\n生ビール 2 1,200\n小計 1,200\n消費税 120\n合計 ¥1,320',
      1320,
      'JPY',
      '2023-12-22',
    ],
    [
      '老北京面馆\n日期:2021-05-03\n炸酱面 78.00\n合 计: 78.00\n优惠: -8.00\n应收金额: 70.00\n微信支付: 70.00',
      70,
      'CNY',
      '2021-05-03',
    ],
    [
      '달빛커피 홍대점\n2023-04-15 14:22\n아메리카노 2 9,000\n합계 9,000\n신용카드 9,000',
      9000,
      'KRW',
      '2023-04-15',
    ],
    [
      'ร้านส้มตำแม่จันทร์\nใบเสร็จรับเงิน\n11/06/66 09:41\nไก่ย่าง 150.00\nยอดสุทธิ 150.00\nเงินสด 200.00\nเงินทอน 50.00',
      150,
      'THB',
      '2023-06-11',
    ],
    [
      'مطعم البيت\nدبي\nفاتورة ضريبية\n09/03/2022\nشاورما 30.00\nضريبة القيمة المضافة 5% 1.50\nالإجمالي 31.50',
      31.5,
      'AED',
      '2022-03-09',
    ],
    [
      'ООО "Вкусный дом"\nКАССОВЫЙ ЧЕК\n10.09.2021\nБорщ 500.00\nИТОГ 500.00\nНАЛИЧНЫМИ 1000.00\nСДАЧА 500.00',
      500,
      'RUB',
      '2021-09-10',
    ],
  ])('%s', (text, total, currency, issued) => {
    const result = parse(text)
    expect(result).toMatchObject({ total, currency, issued_at: issued })
    expect(result.merchant.name).toBe(text.split('\n')[0])
  })
})

describe('columns and neighbours', () => {
  test.each([
    ['QTY PARTICULARS RM SEN\n3 CEMENT 54 00\n1 SAND BAG 30 -\nTOTAL 84 00', 84],
    ['QTY\nPARTICULARS\nRM\nSEN\n1\nOIL FILTER\n18\n50\nTOTAL\n18\n50', 18.5],
    ['PIPE 54.00\nSUBTOTAL 50.94\nTOTAL\n54.00 3.06\nCASH 60.00\n6.00 CHANGE', 54],
    ['SOUP 20.00\nTotal 20.00\nSuggested tip\n18% (Tip 3.60 Total 23.60)', 20],
    // The total stands above its label, the last price below it.
    ['FISH BALL\n24.00\nNUGGET\nTOTAL\n22.20\n46.20', 46.2],
    [
      'SOFA\n1,850.00\nTABLE\n500.00\n2,350.00\nTOTAL AMOUNT\nDEPOSIT PAID\n800.00\nBALANCE DUE\n1,550.00',
      2350,
    ],
  ])('%s', (body, total) => {
    expect(parse(`HONG LEE HARDWARE SDN BHD\nCASH BILL\n2/11/2017\n${body}`).total).toBe(total)
  })

  test('the number of an invoice stands behind its day', () => {
    const result = parse(
      'Atelier Fontaine\nFacture du 12/06/2023 n° 2023-118\nChaise 800,00\nTVA 20 % 160,00\nTotal TTC 960,00 €',
      'invoice',
    )
    expect(result.document_id).toBe('2023-118')
  })

  test('a phone between two lines of an address is left out of it', () => {
    const { merchant } = parse(
      'MEGAH JAYA SDN BHD\nLOT 3-7, PLAZA PRIMA, JALAN KELANG LAMA,\nTEL: 03-79820012\n58200 KUALA LUMPUR\nTAX INVOICE\nFAN 120.00\nTOTAL 120.00',
    )
    expect(merchant.address).toBe('LOT 3-7, PLAZA PRIMA, JALAN KELANG LAMA, 58200 KUALA LUMPUR')
  })
})

test.each([
  'BANK MANDALA\nATM ID: S1AW12\n12/05/22\nPENARIKAN TUNAI\nJUMLAH RP 500.000\nSALDO RP 2.314.772',
  'Z-REPORT NO 0412\n30/06/2023\nGROSS SALES 4,812.20\nTAX 802.03\nTOTAL 4,812.20',
  'AUTO SERVICE\nPrice list from 01/03/2023\nOil change 45.00\nBrake check 30.00\nVAT 20% included',
])('no sale: %s', (text) => {
  expect(parse(text)).toMatchObject({ doc_type: 'unknown', total: null, line_items: [] })
})
