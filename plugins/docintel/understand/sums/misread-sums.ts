/**
 * Sums of photos that OCR misread by one digit or without their mark, put right where the others tell what
 * was printed: "23.34" is 623.34 where net and total differ by it and it is the printed rate of the net.
 */
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import { withCells, type Cell, type DocumentText } from '../../model/document.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import { isNear, roundedToCents } from '../marks/near.ts'
import { moneyOf, type RowMoney } from '../marks/row-money.ts'

/** What a first reading found that other sums are held against. */
interface SumsRead {
  document: DocumentText
  entries: readonly RowMoney[]
  /** The sums that labels name. */
  named: readonly MoneyLine[]
  /** What the goods add up to; null without any. */
  itemsSum: number | null
}

/** A sum as it was read and as it was printed. */
export interface MisreadSum {
  row: number
  read: number
  meant: number
  rule: string
}

/** Two sums alone, with the goods, and with the printed rate of the tax: the stronger one wins. */
type Proof = 0 | 1 | 2

interface Expected {
  labels: ReadonlySet<MoneyLabel>
  value: number
  rule: string
  /** How much tells it: with a second fact any one digit may have been misread, else a first one or the mark. */
  proof: Proof
}

const TOTALS = new Set<MoneyLabel>([
  'total',
  'total_payable',
  'total_inclusive',
  'total_rounded',
  'balance_due',
])
const NETS = new Set<MoneyLabel>(['subtotal', 'taxable'])
const TAXES = new Set<MoneyLabel>(['tax'])
/** What makes a total less, or more, than its goods. */
const CHANGES = new Set<MoneyLabel>(['discount', 'paid', 'previous', 'shipping', 'service', 'tip'])

/** Rates of a tax are rounded with it. */
const ROUNDINGS = 0.021
/** First digits that are lost together with the mark behind them. */
const LOST_MOST = 2
/** Digits of two sums that chance is unlikely to make the same. */
const DIGITS_LEAST = 4

const inCents = (value: number): string => String(Math.round(value * 100))

/** Whether a number became another one by one digit that was changed, lost or added. */
export function isOneDigitOff(read: string, meant: string): boolean {
  if (Math.abs(read.length - meant.length) > 1) return false
  let at = 0
  while (at < read.length && read[at] === meant[at]) at++
  const [ofRead, ofMeant] = [read.slice(at), meant.slice(at)]
  if (read.length === meant.length) return ofRead.slice(1) === ofMeant.slice(1)
  return ofRead.slice(1) === ofMeant || ofRead === ofMeant.slice(1)
}

interface Read {
  nets: number[]
  taxes: number[]
  totals: number[]
}

function sumsOf(named: readonly MoneyLine[]): Read {
  const valuesOf = (labels: ReadonlySet<MoneyLabel>): number[] => [
    ...new Set(
      named
        .filter(({ label, amount }) => labels.has(label) && amount.value > 0 && !amount.percent)
        .map(({ amount }) => amount.value),
    ),
  ]
  return { nets: valuesOf(NETS), taxes: valuesOf(TAXES), totals: valuesOf(TOTALS) }
}

/** What sums there should be, by the others. */
function expectedOf({ named, itemsSum }: SumsRead, { nets, taxes, totals }: Read): Expected[] {
  const rates = named.flatMap(({ label, rate }) => (label === 'tax' && rate ? [rate] : []))
  const isOfRate = (net: number, tax: number): boolean =>
    rates.some((rate) => isNear((net * rate) / 100, tax, ROUNDINGS))
  const isGoods = (value: number): boolean => itemsSum !== null && isNear(itemsSum, value)
  const expected: Expected[] = []
  const expect = (
    labels: ReadonlySet<MoneyLabel>,
    value: number,
    rule: string,
    proof: Proof,
  ): void => {
    if (value > 0) expected.push({ labels, value: roundedToCents(value), rule, proof })
  }
  const proofOf = (net: number, tax: number): Proof => (isOfRate(net, tax) ? 2 : 0)
  for (const net of nets)
    for (const tax of taxes)
      expect(TOTALS, net + tax, 'net and tax', proofOf(net, tax) || (isGoods(net) ? 1 : 0))
  for (const total of totals) {
    for (const net of itemsSum === null ? nets : [...nets, itemsSum])
      expect(TAXES, total - net, 'what total and net differ by', proofOf(net, total - net))
    for (const tax of taxes)
      expect(NETS, total - tax, 'total without tax', proofOf(total - tax, tax))
  }
  if (itemsSum !== null) {
    expect(NETS, itemsSum, 'sum of the goods', 0)
    const isChanged = named.some(({ label }) => CHANGES.has(label))
    if (taxes.length === 0 && !isChanged) expect(TOTALS, itemsSum, 'sum of the goods', 0)
  }
  return expected
}

/** Whether a sum is what was read of another. */
function isMisread({ amount }: MoneyLine, { value, proof }: Expected): boolean {
  const meant = inCents(value)
  if (amount.value <= 0 || amount.percent) return false
  if (amount.decimals === 0) return meant.length >= DIGITS_LEAST && String(amount.value) === meant
  const read = inCents(amount.value)
  if (amount.decimals !== 2 || read === meant) return false
  if (proof > 0 && isOneDigitOff(read, meant)) return true
  const lost = meant.length - read.length
  return lost > 0
    ? lost <= LOST_MOST && read.length >= DIGITS_LEAST && meant.endsWith(read)
    : lost === -1 && meant.length >= DIGITS_LEAST && read.endsWith(meant)
}

/** Sums that net, tax and total confirm as they were read. */
const confirmedBy = ({ nets, taxes, totals }: Read): number[] =>
  nets.flatMap((net) =>
    taxes.flatMap((tax) =>
      totals.flatMap((total) => (isNear(net + tax, total, ROUNDINGS) ? [net, tax, total] : [])),
    ),
  )

/** The sums of a photo or scan that were misread; none where all fit, nothing tells or several may be. */
export function misreadSums(sums: SumsRead): MisreadSum[] {
  if (sums.document.source !== 'ocr') return []
  const printed = sums.entries.flatMap(moneyOf)
  const isPrinted = (value: number): boolean => printed.some((one) => isNear(Math.abs(one), value))
  const read = sumsOf(sums.named)
  const confirmed = confirmedBy(read)
  const found: (MisreadSum & Pick<Expected, 'proof'>)[] = []
  for (const expected of expectedOf(sums, read)) {
    const own = sums.named.filter(({ label }) => expected.labels.has(label))
    // One that is read as expected stands in another row: nothing was misread.
    if (own.some(({ amount }) => isNear(amount.value, expected.value))) continue
    for (const line of own) {
      const { value } = line.amount
      // What a payment or a discount leaves may look like the end of the whole sum.
      const isLeft = isPrinted(Math.abs(roundedToCents(expected.value - value)))
      if (isLeft || confirmed.includes(value) || !isMisread(line, expected)) continue
      const { rule, proof } = expected
      found.push({ row: line.row, read: value, meant: expected.value, rule, proof })
    }
  }
  const most = Math.max(...found.map(({ proof }) => proof))
  const told = found.filter(({ proof }) => proof === most)
  return new Set(told.map(({ meant }) => meant)).size === 1 ? told : []
}

/** A cell with the number that was printed. */
function mendedCell(cell: Cell, { read, meant }: MisreadSum): Cell {
  const cents = inCents(read)
  const text = cell.text.replace(/\d[\d.,' ]*\d/g, (number) => {
    const digits = number.replaceAll(/\D/g, '')
    const isOwn = digits === cents || (digits === String(read) && !/[.,]/.test(number))
    if (!isOwn) return number
    const mark = /[.,](?=\d{2}$)/.exec(number)?.[0] ?? '.'
    return meant.toFixed(2).replace('.', mark)
  })
  return text === cell.text ? cell : { ...cell, text }
}

/** The document with its sums as they were printed. */
export function withSumsAsPrinted(
  document: DocumentText,
  misread: readonly MisreadSum[],
): DocumentText {
  const rows = document.rows.map((row) => {
    const sum = misread.find((one) => one.row === row.index)
    if (!sum) return row
    const cells = row.cells.map((cell) => mendedCell(cell, sum))
    return withCells(row, cells)
  })
  return { ...document, rows }
}
