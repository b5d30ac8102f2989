/**
 * Malaysian till receipts as OCR reads them: the print forms of common till programs, with random
 * shops, goods, taxes, rounding and payments.
 */
import { money, type Random } from './random.ts'
import type { Fixture } from './types.ts'

export interface Sale {
  merchant: string
  registration: string
  address: string[]
  phone: string
  gst: string
  date: { d: number; m: number; y: number; h: number; min: number }
  items: { name: string; code: string; qty: number; unit: number }[]
  gross: number
  tax: number
  net: number
  rounding: number
  total: number
  cash: number
}

const NAMES = [
  'BOOK TA .K (TAMAN DAYA) SDN BHD',
  'MR D.I.Y. (JOHOR) SDN BHD',
  'YONGFATT ENTERPRISE',
  'INDAH GIFT & HOME DECO',
  'SANYU STATIONERY SHOP',
  'PERNIAGAAN ZHENG HUI',
  'KEDAI PAPAN YEW CHUAN',
  'RESTORAN WAN SHENG',
  'SYARIKAT PERNIAGAAN GIN KEE',
  'LIGHTROOM GALLERY SDN BHD',
  'GARDENIA BAKERIES (KL) SDN BHD',
  'UNIHAKKA INTERNATIONAL SDN BHD',
  '99 SPEED MART S/B',
  'AEON CO. (M) BHD',
  'TEO HENG STATIONERY & BOOKS',
  'ABC HO TRADING',
  'LIAN HING STATIONERY SDN BHD',
  'GOLDEN KEY MAKER',
  'SEGI CASH & CARRY SDN.BHD',
  'ADVANCO COMPANY',
  'CHUAN SENG TYRES',
  'HON HWA HARDWARE TRADING',
  'TAN HUP SENG MACHINERY',
  'PASARAYA BORONG PINTAR SDN BHD',
  'ECONSAVE CASH & CARRY (FH) SDN BHD',
  'MYDIN MOHAMED HOLDINGS BHD',
  'KAISON FURNISHING SDN BHD',
  'THE TOAST F&B SDN BHD',
  'POH HENG FRUITS',
  'DE LUXE CIRCLE FRESH MART SDN BHD',
]
const STREETS = [
  'NO.53 55,57 & 59, JALAN SAGU 18,',
  'LOT 1851-A & 1851-B, JALAN KPB 6,',
  'NO 122.124. JALAN DEDAP 13',
  '12, JALAN TAMPOI 7/4,',
  'NO. 31G&33G, JALAN SETIA INDAH X ,U13/X',
  'LOT P.T. 2811, JALAN ANGSA,',
  'NO.2, JALAN TEMENGGUNG 19/9,',
  'NO 290, JALAN AIR PANAS,',
  '10-G,JALAN SS 2/61',
  'PT 17188, JLN S2 B10,',
  'G-12, GROUND FLOOR, PLAZA METRO',
  'LOT 276 JALAN BANTING',
  '23A, LORONG BUKIT 4',
]
const AREAS = [
  'TAMAN DAYA,',
  'KAWASAN PERINDUSTRIAN BALAKONG,',
  'TAMAN JOHOR JAYA,',
  'TAMAN BERKELEY',
  'SEKSYEN 9, BANDAR MAHKOTA CHERAS,',
  'BANDAR BARU PERMAS JAYA',
  'SETAPAK,',
  '',
]
const CITIES = [
  '81100 JOHOR BAHRU, JOHOR.',
  '43300 SERI KEMBANGAN, SELANGOR',
  '81200 JOHOR BAHRU',
  '40170 SETIA ALAM',
  '41150 KLANG, SELANGOR',
  '53200, KUALA LUMPUR.',
  '47300 PETALING JAYA, SELANGOR',
  '81750 MASAI, JOHOR',
  '43200 CHERAS, SELANGOR',
]
const GOODS = [
  'KF MODELLING CLAY KIDDY FISH',
  'CHOPPING BOARD 35.5X25.5CM 803M#',
  'A4 PAPER 70GSM',
  'TEH O AIS LIMAU',
  'NASI LEMAK AYAM',
  'DURACELL AA 4S',
  'KOPI O PENG',
  'MILO 1KG',
  'PVC PIPE 20MM',
  'WHITE CEMENT 1KG',
  'RED BULL 250ML',
  'GARDENIA O.C. WHITE',
  'M MCCHICKEN',
  '1 MEAT + 3 VEGE',
  'TISSUE 3PLY',
  'PILOT G2 0.5 BLUE',
  'HEX BOLT M8',
  'ROTI CANAI',
  'FRIED RICE',
  'CABLE TIE 8"',
  'CURTAIN ROD',
]

export function makeSale(r: Random): Sale {
  const items = Array.from({ length: r.int(1, 5) }, () => ({
    name: r.pick(GOODS),
    code: r.digits(r.chance(0.5) ? 13 : 7),
    qty: r.chance(0.7) ? 1 : r.int(2, 6),
    unit: r.int(100, 4999),
  }))
  const gross = items.reduce((s, i) => s + i.qty * i.unit, 0)
  const taxed = r.chance(0.6)
  const net = taxed ? Math.round(gross / 1.06) : gross
  const total = Math.round(gross / 5) * 5
  const area = r.pick(AREAS)
  return {
    merchant: r.pick(NAMES),
    registration: `${r.digits(6)}-${r.pick(['W', 'X', 'H', 'K', 'T', 'D'])}`,
    address: [r.pick(STREETS), ...(area === '' ? [] : [area]), r.pick(CITIES)],
    phone: `0${r.int(3, 7)}-${r.digits(7)}`,
    gst: `00${r.digits(10)}`,
    date: {
      d: r.int(1, 28),
      m: r.int(1, 12),
      y: r.int(2016, 2019),
      h: r.int(9, 22),
      min: r.int(0, 59),
    },
    items,
    gross,
    tax: taxed ? gross - net : 0,
    net,
    rounding: total - gross,
    total,
    cash: r.chance(0.3) ? total : Math.ceil(total / 1000) * 1000 + (r.chance(0.3) ? 5000 : 0),
  }
}

const p2 = (n: number): string => String(n).padStart(2, '0')
const MON = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const dateForms = ({ d, m, y }: Sale['date']): string[] => [
  `${p2(d)}/${p2(m)}/${y}`,
  `${p2(d)}-${p2(m)}-${y % 100}`,
  `${p2(d)} ${MON[m - 1]} ${y}`,
  `${y}-${p2(m)}-${p2(d)}`,
  `${p2(d)}-${MON[m - 1]}-${y}`,
  `${d}/${m}/${y}`,
  `${p2(d)}/${p2(m)}/${y % 100}`,
  `${p2(d)}.${p2(m)}.${y}`,
]
const iso = ({ d, m, y }: Sale['date']): string => `${y}-${p2(m)}-${p2(d)}`
const time = ({ h, min }: Sale['date']): string => `${p2(h)}:${p2(min)}:${p2((h * 7) % 60)}`

interface Form {
  lines: string[]
  id: string
  total?: number
}
export type Template = (s: Sale, r: Random) => Form

export const bookshop: Template = (s, r) => {
  const id = `TD${r.digits(8)}`
  return {
    id,
    lines: [
      ...(r.chance(0.4) ? ['TAN WOON YANN'] : []),
      s.merchant,
      s.registration,
      ...s.address,
      `DOCUMENT NO : ${id}`,
      `DATE: | ${dateForms(s.date)[0]} ${time(s.date)}`,
      'CASHIER: | MANIS',
      'MEMBER:',
      'CASH BILL',
      'CODE/DESC | PRICE | DISC | AMOUNT',
      'QTY | RM | | RM',
      ...s.items.flatMap((i) => [
        `${i.code} | ${i.name}`,
        `${i.qty} PC * ${money(i.unit)}0 | 0.00 | ${money(i.qty * i.unit)}`,
      ]),
      `TOTAL: | ${money(s.gross)}`,
      `ROUNDING ADJUSTMENT: | ${money(s.rounding)}`,
      `ROUNDED TOTAL (RM): | ${money(s.total)}`,
      `CASH | ${money(s.cash)}`,
      `CHANGE | ${money(s.cash - s.total)}`,
      'GOODS SOLD ARE NOT RETURNABLE OR',
      'EXCHANGEABLE',
      '*** THANK YOU',
      'PLEASE COME AGAIN !',
    ],
  }
}
export const diy: Template = (s, r) => {
  const id = `R${r.digits(8)}`
  return {
    id: '',
    lines: [
      s.merchant,
      `(CO. REG : ${s.registration})`,
      ...s.address,
      '(TESCO PUTRA NILAI)',
      '-INVOICE-',
      ...s.items.flatMap((i) => [
        i.name,
        `EZ10HD05 - 24`,
        `${i.code} | ${i.qty} X ${money(i.unit)} | ${money(i.qty * i.unit)}`,
      ]),
      `ITEM(S) : ${s.items.length} | QTY(S) : ${s.items.reduce((a, i) => a + i.qty, 0)}`,
      `TOTAL | RM ${money(s.gross)}`,
      `ROUNDING ADJUSTMENT | RM ${money(s.rounding)}`,
      `TOTAL ROUNDED | RM ${money(s.total)}`,
      `CASH | RM ${money(s.cash)}`,
      `CHANGE | RM ${money(s.cash - s.total)}`,
      `${dateForms(s.date)[1]} ${p2(s.date.h)}:${p2(s.date.min)} | SH01 ZK09`,
      `T4 ${id}`,
      'OPERATOR TRAINEE CASHIER',
      'EXCHANGE ARE ALLOWED WITHIN',
      '7 DAY WITH RECEIPT.',
      'STRICTLY NO CASH REFUND.',
    ],
  }
}
export const simplified: Template = (s, r) => {
  const id = `CS${r.digits(8)}`
  const qty = s.items.reduce((a, i) => a + i.qty, 0)
  return {
    id,
    lines: [
      s.merchant,
      `(JM${r.digits(7)})`,
      ...s.address,
      `TEL: ${s.phone} FAX: 07-3559999`,
      `GST ID: ${s.gst}`,
      'SIMPLIFIED TAX INVOICE',
      'CASH',
      `DOC NO. | : ${id} | DATE: | ${dateForms(s.date)[0]}`,
      `CASHIER | : USER | TIME: | ${time(s.date)}`,
      'SALESPERSON : | REF.:',
      'ITEM | QTY | S/PRICE | AMOUNT | TAX',
      ...s.items.flatMap((i) => [
        `${i.code} | ${i.qty} | ${money(i.unit)} | ${money(i.qty * i.unit)} | SR`,
        i.name,
      ]),
      `TOTAL QTY: | ${qty} | ${money(s.gross)}`,
      `TOTAL SALES (EXCLUDING GST) : | ${money(s.net)}`,
      'DISCOUNT : | 0.00',
      `TOTAL GST : | ${money(s.tax)}`,
      `ROUNDING : | ${money(s.rounding)}`,
      `TOTAL SALES (INCLUSIVE OF GST) : | ${money(s.total)}`,
      `CASH : | ${money(s.cash)}`,
      `CHANGE : | ${money(s.cash - s.total)}`,
      'GST SUMMARY',
      'TAX CODE | % | AMT (RM) | TAX (RM)',
      `SR | ${s.tax ? 6 : 0} | ${money(s.net)} | ${money(s.tax)}`,
      `TOTAL : | ${money(s.net)} | ${money(s.tax)}`,
      'GOODS SOLD ARE NOT RETURNABLE, THANK YOU.',
    ],
  }
}
export const burger: Template = (s, r) => ({
  id: '',
  lines: [
    s.merchant,
    `(${s.registration})`,
    "LICENSEE OF MCDONALD'S",
    ...s.address,
    `(GST ID NO: ${s.gst})`,
    `TEL NO. ${s.phone}`,
    'TAX INVOICE',
    'MFY SIDE 1',
    `ORD #${r.int(1, 99)} -REG #19- ${dateForms(s.date)[0]} ${time(s.date)}`,
    'QTY ITEM | TOTAL',
    ...s.items.map((i) => `${i.qty} ${i.name} | ${money(i.qty * i.unit)}`),
    `${r.pick(['TAKEOUT', 'EAT-IN'])} TOTAL (INCL GST) | ${money(s.gross)}`,
    `TOTAL ROUNDED | ${money(s.total)}`,
    `CASH TENDERED | ${money(s.cash)}`,
    `CHANGE | ${money(s.cash - s.total)}`,
    ...(s.tax ? [`TOTAL INCLUDES 6% GST | ${money(s.tax)}`] : []),
    'THANK YOU AND PLEASE COME AGAIN.',
    'GUEST RELATIONS CENTER : 03-7843 3388',
  ],
})
export const rice: Template = (s, r) => {
  const id = `OR${r.digits(14)}`
  return {
    id,
    lines: [
      s.merchant,
      s.address.join(''),
      'TAX INVOICE',
      `INVOICE # : ${id}`,
      'ITEM | QTY | TOTAL',
      ...s.items.flatMap((i) => [
        `SR I00100000060- ${i.name}`,
        `$${money(i.unit)} | ${i.qty} | $${money(i.qty * i.unit)}`,
      ]),
      `TOTAL AMOUNT: | $${money(s.net)}`,
      `GST @6%: | $${money(s.tax)}`,
      `ROUNDING: | $${money(s.rounding)}`,
      `NETT TOTAL: | $${money(s.total)}`,
      'PAYMENT MODE | AMOUNT',
      `CASH | $${money(s.cash)}`,
      `CHANGE | $${money(s.cash - s.total)}`,
      'GST SUMMARY | AMOUNT($) | TAX($)',
      `SR = GST @6% | ${money(s.net)} | ${money(s.tax)}`,
      `GST REG #${s.gst}`,
      'BAR WANG RICE@PERMAS JAYA',
      '(PRICE INCLUSIVE OF GST)',
      'THANK YOU & COME AGAIN!',
      'LIKE AND FOLLOW US ON FACEBOOK!',
      'FACEBOOK.COM/BARWANGRICE',
      `DATE : ${dateForms(s.date)[r.int(0, 7)]}`,
    ],
  }
}
export const stationery: Template = (s, r) => {
  const id = `CS-SA-${r.digits(7)}`
  return {
    id,
    lines: [
      s.merchant,
      ...s.address,
      'MOBILE /WHATSAPPS : +6012-918 7937',
      `TEL: +603-3362 4137`,
      `GST ID NO: ${s.gst}`,
      'TAX INVOICE',
      'OWNED BY :',
      `SANYU SUPPLY SDN BHD (${s.registration})`,
      'CASH SALES COUNTER',
      ...s.items.flatMap((i, n) => [
        `${n + 1}. ${i.code} | ${i.name}`,
        `${i.qty} X ${money(i.unit)}00 | ${money(i.qty * i.unit)} SR`,
      ]),
      `TOTAL SALES INCLUSIVE GST @6% | ${money(s.gross)}`,
      'DISCOUNT | 0.00',
      `TOTAL | ${money(s.gross)}`,
      `ROUND ADJ | ${money(s.rounding)}`,
      `FINAL TOTAL | ${money(s.total)}`,
      `CASH | ${money(s.cash)}`,
      `CHANGE | ${money(s.cash - s.total)}`,
      'GST SUMMARY | AMOUNT(RM) | TAX(RM)',
      `SR @ 6% | ${money(s.net)} | ${money(s.tax)}`,
      `INV NO: ${id} | DATE : ${dateForms(s.date)[r.int(0, 1)]}`,
      'GOODS SOLD ARE NOT RETURNABLE & REFUNDABLE',
      'THANK YOU FOR YOUR PATRONAGE',
      'PLEASE COME AGAIN.',
    ],
  }
}
export const department: Template = (s, r) => ({
  id: '',
  lines: [
    s.merchant + ` (${s.registration})`,
    ...s.address,
    `GST ID : ${s.gst}`,
    'SHOPPING HOURS',
    'SUN-THU:1000 HRS - 2200 HRS',
    'FRI-SAT:1000 HRS - 2300 HRS',
    ...s.items.flatMap((i) => [`${i.qty}X | ${i.code} | ${money(i.qty * i.unit)}SR`, i.name]),
    `SUB-TOTAL | ${money(s.gross)}`,
    `TOTAL SALES INCL GST | ${money(s.gross)}`,
    `ROUNDING ADJ | ${money(s.rounding)}`,
    `TOTAL AFTER ADJ INCL GST | ${money(s.total)}`,
    `CASH | ${money(s.cash)}`,
    `ITEM COUNT ${s.items.length}`,
    `CHANGE AMT | ${money(s.cash - s.total)}`,
    `INVOICE NO: 2018${r.digits(15)}`,
    'GST SUMMARY | AMOUNT | TAX',
    `SR @ 6% | ${money(s.net)} | ${money(s.tax)}`,
    `TOTAL | ${money(s.net)} | ${money(s.tax)}`,
    `${dateForms(s.date)[0]} ${p2(s.date.h)}:${p2(s.date.min)} | 3105 008 0080436`,
    'MOHD NIZAM',
    'AEON PERMAS JAYA',
    'TEL 1-300-80-AEON (2366)',
    'THANK YOU FOR YOUR PATRONAGE',
    'PLEASE COME AGAIN',
  ],
})
export const furniture: Template = (s, r) => {
  const id = `PEGIV-${r.digits(7)}`
  return {
    id,
    lines: [
      s.merchant,
      `ROC NO: ${s.registration}`,
      ...s.address,
      `TEL:${s.phone} FAX:07-388 8218`,
      'TAX INVOICE',
      `INVOICE NO | :${id}`,
      `DATE | :${dateForms(s.date)[0]} 11:05:16 AM`,
      'CASHIER | :NG CHUAN MIN',
      'SALES PERSON | :FATIN',
      'BILL TO | :THE PEAK QUARRY WORKS',
      'ADDRESS | :.',
      'DESCRIPTION | QTY | PRICE | AMOUNT',
      ...s.items.flatMap((i) => [
        `${i.code} | ${i.qty} | ${money(i.unit)} | ${money(i.qty * i.unit)} SR`,
        i.name,
      ]),
      `QTY: ${s.items.length} | TOTAL EXCLUDE GST: | ${money(s.net)}`,
      `TOTAL GST @6%: | ${money(s.tax)}`,
      `TOTAL INCLUSIVE GST: | ${money(s.gross)}`,
      `ROUNDING: | ${money(s.rounding)}`,
      `TOTAL AMT: | ${money(s.total)}`,
      `${r.pick(['VISA CARD', 'MASTER'])} | ${money(s.total)}`,
      'XXXXXXXXXXXX4318',
      'APPROVAL CODE:000',
      'GOODS SOLD ARE NOT REFUNDABLE,',
      'THANK YOU FOR CHOOSING US.',
      'GST SUMMARY',
      'TAX CODE | % | AMOUNT | GST',
      `SR | 6 | ${money(s.net)} | ${money(s.tax)}`,
    ],
    total: s.total,
  }
}
export const popular: Template = (s, r) => ({
  id: r.digits(10),
  lines: [
    s.merchant,
    `(CO. NO. ${s.registration})`,
    `(GST REG NO. ${s.gst})`,
    ...s.address,
    'AEON SHAH ALAM',
    `TEL : ${s.phone}`,
    `${dateForms(s.date)[6]} ${p2(s.date.h)}:${p2(s.date.min)} | SLIP NO. : @ID`,
    'TRANS : 204002097',
    'MEMBER CARD NO : 1001016668849',
    'CARD EXPIRY : 31/05/19',
    'DESCRIPTION | AMOUNT',
    ...s.items.flatMap((i) => [
      i.name,
      `${i.qty} PC @ ${money(i.unit)} | ${money(i.qty * i.unit)} T`,
    ]),
    `TOTAL RM INCL. OF GST | ${money(s.gross)}`,
    `ROUNDING ADJ | ${money(s.rounding)}`,
    `TOTAL RM | ${money(s.total)}`,
    `CASH | -${money(s.cash)}`,
    `CHANGE | ${money(s.cash - s.total)}`,
    `ITEM COUNT | ${s.items.length}`,
    'GST SUMMARY | AMOUNT(RM) | TAX(RM)',
    `T @ 6% | ${money(s.net)} | ${money(s.tax)}`,
    'THANK YOU. PLEASE COME AGAIN.',
    'WWW.POPULAR.COM.MY',
    'BUY CHINESE BOOKS ONLINE',
  ],
})
export const plainTotal: Template = (s, r) => ({
  id: '',
  total: s.gross,
  lines: [
    s.merchant,
    ...s.address,
    `TEL: ${s.phone}`,
    `${dateForms(s.date)[r.int(0, 7)]} ${time(s.date)}`,
    ...s.items.map((i) => `${i.name} | ${money(i.qty * i.unit)}`),
    `TOTAL | ${money(s.gross)}`,
    `CASH | ${money(s.gross + 500)}`,
    `CHANGE | 5.00`,
    'THANK YOU',
  ],
})
export const kopitiam: Template = (s, r) => ({
  id: '',
  lines: [
    s.merchant,
    `${r.digits(9)}-W`,
    ...s.address,
    `GST REG NO : ${s.gst}`,
    'TAX INVOICE',
    `TABLE 12 | INV NO.: 10${r.digits(5)}`,
    `CASHIER: NICOLE | DATE : ${dateForms(s.date)[0]} ${time(s.date)}`,
    'DESCRIPTION | QTY U.PRICE | TOTAL TAX',
    ...s.items.flatMap((i) => [
      i.name,
      `${i.qty} x ${money(i.unit)} | ${money(i.qty * i.unit)} SR`,
    ]),
    `TOTAL (EXCLUDING GST): | ${money(s.net)}`,
    `GST PAYABLE: | ${money(s.tax)}`,
    `TOTAL (INCLUSIVE OF GST): | ${money(s.gross)}`,
    `ROUNDING ADJ: | ${money(s.rounding)}`,
    `TOTAL: | ${money(s.total)}`,
    `CLOSED: 1 | SERVER: OK`,
    `CASH: | ${money(s.total)}`,
    'GST SUMMARY | AMOUNT(RM) | TAX(RM)',
    `SR (@ 6%) | ${money(s.net)} | ${money(s.tax)}`,
  ],
})
export const giftShop: Template = (s, r) => ({
  id: '',
  lines: [
    s.merchant,
    ...s.address,
    `TEL:${s.phone} FAX:07-3558160`,
    'RECEIPT',
    `${dateForms(s.date)[0]} ${time(s.date)} | #01`,
    'CASHIER: CN | TRN: ' + r.digits(8),
    'ST-PRIVILEGE CARD/GD INDAH',
    ...s.items.flatMap((i) => [
      `${i.code} ${i.name}`,
      `${i.qty} X ${money(i.unit)} | ${money(i.qty * i.unit)}`,
    ]),
    `TOTAL AMT PAYABLE : | RM ${money(s.total)}`,
    `PAID AMOUNT : | RM ${money(s.cash)}`,
    `CHANGE DUE : | RM ${money(s.cash - s.total)}`,
    `TOTAL QTY : ${s.items.length}`,
  ],
})

export const DEV: readonly Template[] = [
  bookshop,
  diy,
  simplified,
  burger,
  rice,
  stationery,
  department,
  furniture,
  popular,
  plainTotal,
  kopitiam,
  giftShop,
]

/** One random receipt of a template. */
export function malaysian(r: Random, template: Template): Fixture {
  const s = makeSale(r)
  const form = template(s, r)
  const [d0] = dateForms(s.date)
  return {
    name: template.name,
    skill: 'receipt',
    lines: form.lines.map((l) => l.replace('@ID', form.id).replace('@DATE', d0!)),
    truth: {
      merchant: s.merchant,
      address: s.address.join(' '),
      date: iso(s.date),
      total: (form.total ?? s.total) / 100,
      ...(form.id && { id: form.id }),
      currency: 'MYR',
    },
  }
}
export { dateForms, iso, p2, time }
