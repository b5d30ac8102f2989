/**
 * Invoices as text whose columns, labels, numbers and sums vary by seed: columns in any order, heads and
 * labels in words that no language has, groups, discounts, carriage, payments on account.
 */
import { seeded, type Random } from '../random.ts'
import { day, makeSale, round, sums, type Sale } from './sale.ts'

/** What the sums are: one rate, two rates, no tax, or prices that include it. */
export const TAXES = ['one', 'two', 'none', 'included'] as const
export type Taxes = (typeof TAXES)[number]

export interface Sheet {
  text: string
  sale: Sale
}

type Column = 'position' | 'name' | 'quantity' | 'price' | 'amount'

const WIDTHS: Readonly<Record<Column, number>> = {
  position: 6,
  name: 34,
  quantity: 9,
  price: 15,
  amount: 17,
}
const ORDERS: readonly (readonly Column[])[] = [
  ['name', 'quantity', 'price', 'amount'],
  ['quantity', 'name', 'price', 'amount'],
  ['name', 'price', 'quantity', 'amount'],
  ['position', 'name', 'quantity', 'price', 'amount'],
  ['quantity', 'price', 'name', 'amount'],
]
const HEADS: Readonly<Record<Column, readonly string[]>> = {
  position: ['#'],
  name: ['Description', 'Item', 'Work', 'Blivet', 'Article'],
  quantity: ['Qty', 'No.', 'Units', 'Hours', 'Anz'],
  price: ['Price', 'Each', 'Rate', 'Unit price', 'Prz'],
  amount: ['Amount', 'Total', 'Sum', 'Value', 'Wrt'],
}
const NETS = ['Net', 'Subtotal', 'Amount excl. tax', 'Goods', 'Zwarte', 'Montrel', 'Sum A', '']
const OF_TAX = ['VAT 20%', 'Tax 20 %', '20 %', 'TVA 20%', 'plus 20 % VAT', 'Morval (20%)']
const TOTALS = ['Total', 'Amount payable', 'To pay', 'Grenzel', 'Sum B', '', 'Total GBP']
const MARKS = [
  [',', '.'],
  ['.', ','],
  [' ', ','],
  ["'", '.'],
] as const
/** Columns of a row's amounts. */
const SUM_WIDTH = 20

/** How one sheet writes its rows. */
interface Style {
  columns: readonly Column[]
  /** A number, and the same with its currency. */
  plain: (value: number) => string
  money: (value: number) => string
  isLabelRight: boolean
}

const widthOf = (columns: readonly Column[]): number =>
  columns.reduce((width, column) => width + WIDTHS[column], 0)

function sumRow({ columns, money, isLabelRight }: Style, label: string, value: number): string {
  const width = widthOf(columns) - SUM_WIDTH
  const indent = columns[0] === 'name' ? '' : ' '.repeat(8)
  const text = isLabelRight ? label.padStart(width) : `${indent}${label}`.padEnd(width)
  return text + money(value).padStart(SUM_WIDTH)
}

const rowOf = (columns: readonly Column[], cells: Readonly<Record<Column, string>>): string =>
  columns
    .map((column) =>
      column === 'name'
        ? cells.name.padEnd(WIDTHS.name)
        : `${cells[column].padStart(WIDTHS[column] - 1)} `,
    )
    .join('')

function goodsRows(random: Random, sale: Sale, style: Style): string[] {
  const { columns, plain, money } = style
  const heads = Object.fromEntries(
    Object.entries(HEADS).map(([column, words]) => [column, random.pick(words)]),
  ) as Record<Column, string>
  const rows = random.chance(0.8) ? [rowOf(columns, heads)] : []
  const hasGroups = random.chance(0.2) && sale.lines.length > 3
  const hasNotes = random.chance(0.25)
  const indent = ' '.repeat(widthOf(columns.slice(0, columns.indexOf('name'))))
  const groupSum = (from: number, to: number): number =>
    round(sale.lines.slice(from, to).reduce((sum, { amount }) => sum + amount, 0))
  for (const [at, line] of sale.lines.entries()) {
    if (hasGroups && at === 0) rows.push('Section one')
    if (hasGroups && at === 2)
      rows.push(sumRow(style, 'Section one sum', groupSum(0, 2)), 'Section two')
    rows.push(
      rowOf(columns, {
        position: String(at + 1),
        name: line.name,
        quantity: String(line.quantity),
        price: plain(line.price),
        amount: money(line.amount),
      }),
    )
    if (hasNotes) rows.push(`${indent}as agreed on the phone`)
  }
  if (hasGroups) rows.push(sumRow(style, 'Section two sum', groupSum(2, sale.lines.length)))
  return rows
}

function taxRows(random: Random, sale: Sale, taxes: Taxes, style: Style): string[] {
  const row = (label: string, value: number): string => sumRow(style, label, value)
  const total = row(random.pick(TOTALS), sale.total)
  const net = row(random.pick(NETS), sale.net)
  if (taxes === 'none') return random.chance(0.4) ? [row('VAT 0%', 0), total] : [total]
  if (taxes === 'included')
    return [total, row('including 20 % VAT', sale.vat), row('Net', sale.net)]
  if (taxes === 'one') return [net, row(random.pick(OF_TAX), sale.vat), total]
  const byRate = sale.rates.map(({ rate, base, tax }) =>
    row(`VAT ${rate}% on ${style.plain(base)}`, tax),
  )
  if (random.chance(0.5)) return [net, ...byRate, total]
  const table = sale.rates.map(({ rate, base, tax }) =>
    [`${rate}%`, style.plain(base), style.plain(tax)].map((cell) => cell.padStart(14)).join(''),
  )
  const heads = ['Rate', 'Base', 'VAT'].map((cell) => cell.padStart(14)).join('')
  return [net, row('VAT', sale.vat), total, '', heads, ...table]
}

/** The invoice of a seed, with the sale that it tells of. */
export function makeSheet(seed: number, taxes: Taxes): Sheet {
  const random = seeded(seed * 7919 + 3)
  const isPlain = taxes === 'included'
  const made = makeSale(50_000 + seed, {
    language: random.pick(['en', 'de', 'fr'] as const),
    lines: random.int(2, 8),
    rates: taxes === 'two' ? [20, 5] : taxes === 'none' ? [0] : [20],
    priceMax: random.pick([900, 9000, 90_000]),
    discountPercent: !isPlain && random.chance(0.25) ? 5 : 0,
    shipping: !isPlain && random.chance(0.25) ? 12.5 : 0,
  })
  const net = round(made.goods / 1.2)
  const sale = isPlain ? { ...made, total: made.goods, net, vat: round(made.goods - net) } : made
  const [group, decimal] = random.pick(MARKS)
  const plain = sums(group, decimal)
  const mark = random.pick(['', '', '£', ' EUR'])
  const style: Style = {
    columns: random.pick(ORDERS),
    plain,
    money: (value) => (mark === '£' ? `£${plain(value)}` : `${plain(value)}${mark}`),
    isLabelRight: random.chance(0.4),
  }
  const row = (label: string, value: number): string => sumRow(style, label, value)
  const added = [
    ...(sale.discount > 0 ? [row('Less 5 % discount', -sale.discount)] : []),
    ...(sale.shipping > 0 ? [row(random.pick(['Carriage', 'Delivery']), sale.shipping)] : []),
  ]
  const paid = random.chance(0.15) ? round(sale.total * 0.3) : 0
  const title = random.pick(['Invoice', 'INVOICE No.', 'Rechnung Nr.', 'Facture n°'])
  const text = [
    sale.seller,
    sale.sellerStreet,
    sale.sellerTown,
    '',
    sale.buyer,
    sale.buyerStreet,
    sale.buyerTown,
    '',
    `${title} ${sale.id}     ${day(sale.date, 'D.M.Y')}`,
    '',
    ...goodsRows(random, sale, style),
    '',
    ...(added.length > 0 ? [row(random.pick(['Sum of goods', 'Goods', '']), sale.goods)] : []),
    ...added,
    ...taxRows(random, sale, taxes, style),
    ...(paid > 0
      ? [
          row('Deposit paid', -paid),
          row(random.pick(['Left to pay', 'Balance']), sale.total - paid),
        ]
      : []),
    '',
    'IBAN DE89 3704 0044 0532 0130 00',
  ].join('\n')
  return { text, sale }
}
