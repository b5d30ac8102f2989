/**
 * Till receipts put together from independent parts, each in many print forms: what stands above
 * the name, name, registration, address, contact, title, date, goods, sums and tail. Thousands of
 * combinations no single till program prints, for what fixtures by hand cannot reach.
 */
import { money, type Random } from '../random.ts'
import type { Fixture } from '../types.ts'

type Lines = string[]
const PEOPLE = ['CHONG LAI FUN', 'NG KAH HOE', 'TAN SOON HUAT', 'YAP MEI LIN']
const KINDS = [
  'HARDWARE',
  'STATIONERY',
  'BAKERY',
  'MINI MARKET',
  'PHARMACY',
  'AUTO PARTS',
  'RESTAURANT',
]
const FIRST = [
  'SENG HENG',
  'MAJU JAYA',
  'BINTANG TIMUR',
  'HUP LEE',
  'KIM SOON',
  'SRI MUDA',
  'DELTA',
  'ORIENTAL',
]

const BARE = [
  'GOLDEN DRAGON',
  'MR NOODLE',
  'C & C 88',
  'OLD LANE 1938',
  "WONG'S",
  'NASI LEMAK TANGLIN',
  'THE DAILY GRIND',
  'BURGER BROS',
  'LAKSA 23',
  'UNCLE LIM',
  'TEA GARDEN',
  'BIG APPLE',
  'ZUS',
  'PARKSON',
  'SUSHI ZAN',
]

function nameOf(r: Random): { printed: Lines; name: string } {
  const first = r.pick(FIRST)
  const kind = r.pick(KINDS)
  const one = (name: string): { printed: Lines; name: string } => ({ printed: [name], name })
  return r.pick([
    () => one(`${first} ${kind} SDN BHD`),
    () => one(`${first} ${kind} SDN. BHD.`),
    () => one(`${first} ${kind} (M) SDN BHD`),
    () => one(`${first} ${kind} ENTERPRISE`),
    () => one(`${first} ${kind} TRADING`),
    () => one(`${first} ${kind}`),
    () => one(`KEDAI ${kind === 'BAKERY' ? 'ROTI' : 'RUNCIT'} ${first}`),
    () => one(`RESTORAN ${first}`),
    () => one(`PERNIAGAAN ${first}`),
    () => one(`${first} & SONS ${kind} SDN BHD`),
    () => one(`${first} ${kind} (PUCHONG) SDN BHD`),
    () => one(`${first} ${kind} S/B`),
    () => one(`${first} HOLDINGS BERHAD`),
    () => one(`${first} ${kind} PLT`),
    () => one(`D'${first} CAFE`),
    () => one(`${first.toLowerCase().replaceAll(/\b[a-z]/g, (c) => c.toUpperCase())} ${kind}`),
    () => one(r.pick(BARE)),
    () => one(r.pick(BARE)),
    () => one(r.pick(BARE)),
    () => one(`${r.pick(BARE)} - ${r.pick(['SUNWAY', 'KLCC', 'MELAKA'])}`),
    () => {
      const name = `${first} F & B SDN BHD`
      return { printed: [r.pick(BARE), name], name }
    },
    () => {
      const name = `${first} VENTURES SDN BHD`
      return { printed: [name, r.pick(BARE)], name }
    },
    () => ({ printed: [`${first} ${kind}`, 'SDN BHD'], name: `${first} ${kind} SDN BHD` }),
    () => ({ printed: [`${first}`, `TRADING SDN BHD`], name: `${first} TRADING SDN BHD` }),
    () => ({ printed: ['SYARIKAT PERNIAGAAN', first], name: `SYARIKAT PERNIAGAAN ${first}` }),
    () => ({ printed: [`${first} ${kind}`, '& SUPPLIES'], name: `${first} ${kind} & SUPPLIES` }),
    () => ({
      printed: [`${first} INTERNATIONAL`, '(MALAYSIA) SDN BHD'],
      name: `${first} INTERNATIONAL (MALAYSIA) SDN BHD`,
    }),
  ])()
}

const above = (r: Random): Lines =>
  r.pick<Lines>([
    [],
    [],
    [],
    [],
    [r.pick(PEOPLE)],
    [`3${r.digits(6)}`],
    ['TAX INVOICE'],
    ['*** CUSTOMER COPY ***'],
    ['WELCOME TO'],
    ['--------------------'],
    ['RECEIPT'],
    [`${r.digits(2)}-${r.digits(2)}`],
    ['OFFICIAL RECEIPT', '* ORIGINAL *'],
  ])

function registrationOf(r: Random): Lines {
  const n = `${r.digits(6)}-${r.pick(['A', 'K', 'T', 'X'])}`
  return r.pick<Lines>([
    [],
    [],
    [`(${n})`],
    [n],
    [`(CO. NO : ${n})`],
    [`CO. REG. NO. : ${n}`],
    [`COMPANY NO: ${n}`],
    [`(00${r.digits(7)}-V)`],
    [`REG NO: ${n}`, `GST ID: 00${r.digits(10)}`],
    [`(CO.REG : ${n})`, `(GST REG NO : 00${r.digits(10)})`],
    [`(FORMERLY KNOWN AS ${r.pick(FIRST)} SDN BHD)`],
    [`ROC NO: ${n}`],
  ])
}

function addressOf(r: Random): Lines {
  const house = r.pick([
    'NO. 12',
    'NO.8-1',
    '33',
    '15A',
    'LOT 1821',
    'LOT 2-33, LEVEL 2',
    'NO 2 & 4',
    '112, 114',
    'UNIT G-05',
    'PT 3312',
    'B-G-08',
    '1ST FLOOR, NO 9',
  ])
  const street = r.pick([
    'JALAN MERAK 3',
    'JLN SS 15/4D',
    'LORONG PERAK 2',
    'PERSIARAN SUBANG 1',
    'JALAN TUN RAZAK',
    'LEBUH AMPANG',
    'JALAN 8/91',
    'OFF JALAN IPOH BATU 5',
  ])
  const area = r.pick([
    'TAMAN DESA',
    'BANDAR BARU SELAYANG',
    'KAWASAN PERINDUSTRIAN BALAI',
    'PUSAT PERDAGANGAN KOTA',
    'SEKSYEN 13',
    'MID CITY MALL',
    'KAMPUNG BARU',
  ])
  const [code, town, state] = r.pick([
    ['47100', 'PUCHONG', 'SELANGOR'],
    ['81100', 'JOHOR BAHRU', 'JOHOR'],
    ['50300', 'KUALA LUMPUR', ''],
    ['11900', 'BAYAN LEPAS', 'PULAU PINANG'],
    ['31350', 'IPOH', 'PERAK'],
    ['70200', 'SEREMBAN', 'N. SEMBILAN'],
    ['75450', 'AYER KEROH', 'MELAKA'],
    ['41050', 'KLANG', 'SELANGOR D.E.'],
    ['43300', 'SERI KEMBANGAN', 'SELANGOR DARUL EHSAN'],
    ['88300', 'KOTA KINABALU', 'SABAH'],
    ['25200', 'KUANTAN', 'PAHANG'],
    ['59200', 'KUALA LUMPUR', 'MALAYSIA'],
  ] as const)
  const end = state === '' ? '' : state
  const tail = r.pick(['', '', '.'])
  return r.pick<Lines>([
    [`${house}, ${street},`, `${area},`, `${code} ${town}, ${end}`.replace(/, $/, '') + tail],
    [`${house}, ${street}, ${area},`, `${code} ${town}${end === '' ? '' : `, ${end}`}${tail}`],
    [`${house} ${street}`, area, `${code} ${town}`, ...(end === '' ? [] : [end])],
    [`${house}, ${street}, ${area}, ${code} ${town}${end === '' ? '' : `, ${end}`}${tail}`],
    [
      `${house},`,
      `${street},`,
      `${area},`,
      `${code} ${town},`.replace(/,$/, end === '' ? '' : ','),
      ...(end === '' ? [] : [`${end}${tail}`]),
    ],
    [`${house}, ${street}`, `${area}, ${code}`, `${town}${end === '' ? '' : `, ${end}`}`],
    [`${house},${street},${area}`, `${code} ${town}${end === '' ? '' : ` ${end}`}`],
    [`${house} , ${street} ,`, `${code} , ${town}${end === '' ? '' : ` , ${end}`}`],
  ])
}

const contact = (r: Random): Lines =>
  r.pick<Lines>([
    [],
    [`TEL : 03-${r.digits(8)}`],
    [`TEL: 07-${r.digits(7)} FAX: 07-${r.digits(7)}`],
    [`TEL NO : 03-${r.digits(8)}`, `GST NO : 00${r.digits(10)}`],
    [`HP : 012-${r.digits(7)}`],
    [`GST ID : 00${r.digits(10)}`],
    [`EMAIL : SALES@${r.pick(['SHOP', 'MAJU', 'KEDAI'])}.COM.MY`, `TEL:05-${r.digits(7)}`],
    [`NO. TEL : 04-${r.digits(7)}`, 'WWW.KEDAI.COM.MY'],
    [`(GST REG.NO : 00${r.digits(10)})`],
    [`SST NO: W10-1808-3${r.digits(7)}`],
  ])

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const two = (n: number): string => String(n).padStart(2, '0')

function dateOf(r: Random): { printed: Lines; iso: string } {
  const [d, m, y] = [r.int(1, 28), r.int(1, 12), r.int(2015, 2019)]
  const time = `${two(r.int(8, 21))}:${two(r.int(0, 59))}`
  const yy = two(y % 100)
  const bill = `${r.pick(['INVOICE NO', 'BILL NO', 'RECEIPT#', 'DOC NO.', 'INV'])} : ${r.pick(['CS', 'A', 'INV-', ''])}${r.digits(6)}`
  const slash = `${two(d)}/${two(m)}/${y}`
  const printed = r.pick<Lines>([
    [bill, `DATE : ${slash}`],
    [bill, `DATE: ${two(d)}-${two(m)}-${y} TIME: ${time}`],
    [`${slash} ${time}:11`, bill],
    [`${slash}${time}:22`, bill],
    [bill, `DATE`, `: ${slash}`],
    [bill, 'DATE:', `${slash} 5:11:20 PM`],
    [`${d}/${m}/${yy} ${time}`, bill],
    [`DATE : ${two(d)}-${MONTHS[m - 1]}-${y}`, bill],
    [`${two(d)} ${MONTHS[m - 1]} ${y} ${time}`, bill],
    [`${two(d)} ${MONTHS[m - 1]} ${yy}`, bill],
    [bill, `${y}-${two(m)}-${two(d)} ${time}`],
    [`DATE${two(d)}/${two(m)}/${yy}`, bill],
    [`DATE : ${two(d)}.${two(m)}.${y}`, bill],
    [`${bill} | DATE : ${slash}`],
    [`CASHIER : USER | ${slash}`, bill],
    [`TARIKH : ${slash}`, bill],
    [`INV DATE: ${d} ${MONTHS[m - 1]!.toLowerCase()} ${y}`, bill],
    [`(${slash})`, bill],
    [`#${r.digits(4)} ${y}${two(m)}${two(d)} ${time}`, bill],
  ])
  return { printed, iso: `${y}-${two(m)}-${two(d)}` }
}

function goodsOf(r: Random): { printed: Lines; cents: number } {
  const names = [
    'MILO 1KG',
    'PVC PIPE 20MM',
    'A4 PAPER',
    'NASI GORENG',
    'LED BULB',
    'PAINT BRUSH 2"',
    'TEH O AIS',
    'USB CABLE',
  ]
  const form = r.int(0, 5)
  const printed: Lines = form === 3 ? ['DESCRIPTION | QTY | U.PRICE | AMOUNT'] : []
  let cents = 0
  for (let i = r.int(1, 4); i > 0; i--) {
    const [name, qty, unit] = [r.pick(names), r.int(1, 5), r.int(90, 4999)]
    cents += qty * unit
    const sum = money(qty * unit)
    if (form === 0) printed.push(`${name} | ${sum}`)
    else if (form === 1) printed.push(name, `${qty} X ${money(unit)} | ${sum} SR`)
    else if (form === 2) printed.push(`${qty} ${name} | RM${sum}`)
    else if (form === 3) printed.push(`${name} | ${qty} | ${money(unit)} | ${sum}`)
    else if (form === 4) printed.push(r.digits(12), name, `${qty} | ${money(unit)} | ${sum}`)
    else printed.push(`${name} | ${qty} | ${money(unit)} | 0.00 | ${sum} S`)
  }
  return { printed, cents }
}

function sumsOf(r: Random, gross: number): { printed: Lines; total: number } {
  const net = Math.round(gross / 1.06)
  const tax = gross - net
  const rounded = Math.round(gross / 5) * 5
  const round = rounded - gross
  const cash = Math.ceil(rounded / 1000) * 1000
  const m = money
  const pay = r.pick<Lines>([
    [`CASH | ${m(cash)}`, `CHANGE | ${m(cash - rounded)}`],
    [`CASH : | ${m(cash)}`, `CHANGE : | ${m(cash - rounded)}`],
    [`CASH TENDERED | RM${m(cash)}`, `CHANGE DUE | RM${m(cash - rounded)}`],
    [`TUNAI | ${m(cash)}`, `BAKI | ${m(cash - rounded)}`],
    [`PAID | ${m(rounded)}`],
    [`VISA | ${m(rounded)}`],
    [`PAYMENT | ${m(cash)}`, `CHANGE AMT | ${m(cash - rounded)}`],
    [],
  ])
  const printed = r.pick<Lines>([
    [
      `TOTAL SALES (EXCLUDING GST) : | ${m(net)}`,
      `TOTAL GST : | ${m(tax)}`,
      `ROUNDING : | ${m(round)}`,
      `TOTAL SALES (INCLUSIVE OF GST) : | ${m(rounded)}`,
    ],
    [
      `SUB-TOTAL | ${m(net)}`,
      `GST 6% | ${m(tax)}`,
      `ROUNDING ADJ | ${m(round)}`,
      `NETT TOTAL | ${m(rounded)}`,
    ],
    [
      `TOTAL INCL. GST@6% | RM ${m(gross)}`,
      `ROUNDING ADJUSTMENT | RM ${m(round)}`,
      `TOTAL ROUNDED | RM ${m(rounded)}`,
    ],
    [
      `TOTAL RM INCL. OF GST | ${m(gross)}`,
      `ROUNDING ADJ | ${m(round)}`,
      `TOTAL RM | ${m(rounded)}`,
    ],
    [
      `TOTAL (EXCLUDING GST): | ${m(net)}`,
      `GST PAYABLE (6%): | ${m(tax)}`,
      `TOTAL (INCLUSIVE OF GST): | ${m(gross)}`,
      `TOTAL : | ${m(rounded)}`,
    ],
    [`TOTAL QTY | 4`, `SUB TOTAL (RM) | ${m(gross)}`, `TOTAL AFTER ROUNDING | ${m(rounded)}`],
    [
      `TOTAL AMOUNT: | RM${m(gross)}`,
      `ROUNDING: | RM${m(round)}`,
      `FINAL TOTAL: | RM${m(rounded)}`,
    ],
    [
      `AMOUNT (RM) | ${m(net)}`,
      `ADD GST @ 6% | ${m(tax)}`,
      `ROUNDING | ${m(round)}`,
      `AMOUNT PAYABLE | ${m(rounded)}`,
    ],
    [`TOTAL | ${m(gross)}`, `BILL ROUNDING | ${m(round)}`, `BALANCE DUE | ${m(rounded)}`],
    [`TOTAL SALES | ${m(gross)}`, `RND | ${m(round)}`, `TOTAL (MYR) | ${m(rounded)}`],
    [
      `GROSS AMT | ${m(gross)}`,
      `DISC | 0.00`,
      `ROUND ADJ | ${m(round)}`,
      `NET AMT | ${m(rounded)}`,
    ],
    [
      `TAXABLE AMOUNT | ${m(net)}`,
      `GST | ${m(tax)}`,
      `ROUND OFF | ${m(round)}`,
      `GRAND TOTAL (RM) | ${m(rounded)}`,
    ],
    [`TOTAL INCLUSIVE OF GST | ${m(gross)}`, `ROUNDED TOTAL (RM) | ${m(rounded)}`],
    [`JUMLAH | ${m(gross)}`, `PENGGENAPAN | ${m(round)}`, `JUMLAH BESAR | ${m(rounded)}`],
    [
      `ITEMS : 3`,
      `BILL TOTAL : | ${m(gross)}`,
      `ROUNDING : | ${m(round)}`,
      `TOTAL PAYMENT : | ${m(rounded)}`,
    ],
    [
      `TOTAL EXCL. GST | ${m(net)}`,
      `TOTAL GST | ${m(tax)}`,
      `TOTAL INCL. GST | ${m(gross)}`,
      `ROUNDING | ${m(round)}`,
      `TOTAL AMT PAYABLE | ${m(rounded)}`,
    ],
    [`TOTAL SALES INCL GST | ${m(gross)}`, `TOTAL AFTER ADJ INCL GST | ${m(rounded)}`],
  ])
  const summary = r.chance(0.5)
    ? r.pick<Lines>([
        ['GST SUMMARY | AMOUNT(RM) | TAX(RM)', `SR @ 6% | ${m(net)} | ${m(tax)}`],
        [
          'GST SUMMARY',
          'TAX CODE | % | AMT (RM) | TAX (RM)',
          `SR | 6 | ${m(net)} | ${m(tax)}`,
          `TOTAL : | ${m(net)} | ${m(tax)}`,
        ],
        [
          'GST ANALYSIS | GOODS | TAX AMOUNT',
          `S = 6% | ${m(net)} | ${m(tax)}`,
          `Z = 0% | 0.00 | 0.00`,
        ],
        [`GST INCLUDED IN TOTAL | ${m(tax)}`],
      ])
    : []
  return { printed: [...printed, ...pay, ...summary], total: rounded / 100 }
}

const tail = (r: Random): Lines =>
  r.pick<Lines>([
    [],
    ['THANK YOU. PLEASE COME AGAIN'],
    ['GOODS SOLD ARE NOT RETURNABLE'],
    ['*** THANK YOU ***', 'POWERED BY WWW.TILLSOFT.COM'],
    ['MEMBER POINTS : 120', 'EXPIRY : 31/12/2025'],
    ['TERIMA KASIH'],
  ])

/** One receipt of random parts. */
export function mixedReceipt(r: Random, name: string): Fixture {
  const seller = nameOf(r)
  const address = addressOf(r)
  const date = dateOf(r)
  const goods = goodsOf(r)
  const sums = sumsOf(r, goods.cents)
  const title = r.pick<Lines>([[], ['TAX INVOICE'], ['CASH SALES'], ['RECEIPT'], ['CASH BILL']])
  const atTail = r.chance(0.2)
  return {
    name,
    skill: 'receipt',
    truth: {
      merchant: seller.name,
      address: address.join(' '),
      date: date.iso,
      total: sums.total,
      currency: 'MYR',
    },
    lines: [
      ...above(r),
      ...seller.printed,
      ...registrationOf(r),
      ...address,
      ...contact(r),
      ...title,
      ...(atTail ? [] : date.printed),
      ...goods.printed,
      ...sums.printed,
      ...(atTail ? date.printed : []),
      ...tail(r),
    ],
  }
}
