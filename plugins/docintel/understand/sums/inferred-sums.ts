/**
 * Sums that no known label names, by arithmetic: what the goods add up to, the taxes and fees in the
 * rows below it, and the row that is all of them together.
 */
import { foldLabel } from '../../lexicon/fold.ts'
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import { looksLikeMoney, type Amount } from '../marks/amounts.ts'
import type { MoneyLine } from '../marks/money-line.ts'
import { isNear } from '../marks/near.ts'
import type { RowMoney } from '../marks/row-money.ts'
import { TAX_WORD } from '../marks/tax-word.ts'

/** Rows below the goods' sum in which the rest of the sums stand. */
const ROWS_MAX = 8
/** A tax or fee is at most this share of what it is added to. */
const SHARE_MAX = 0.35
const ROUNDINGS = 0.03

/** The lines of goods that were found. */
export interface Goods {
  /** What they add up to; null without any. */
  sum: number | null
  count: number
}

interface SumRow {
  entry: RowMoney
  amount: Amount
}

/** The last sum of a row; null where it has none. */
function sumOf(entry: RowMoney): SumRow | null {
  const amount = entry.amounts.findLast((a) => looksLikeMoney(a) && !a.percent)
  return amount ? { entry, amount } : null
}

/** The row of the net: labelled so, else the last that has what the goods add up to. */
function netRow(
  entries: readonly RowMoney[],
  lines: readonly MoneyLine[],
  itemsSum: number | null,
): (SumRow & { at: number }) | null {
  const labelled = lines.findLast((l) => l.label === 'subtotal' && !l.inSummary)
  if (labelled) {
    const at = entries.findIndex((entry) => entry.row.index === labelled.row)
    return at < 0 ? null : { entry: entries[at]!, amount: labelled.amount, at }
  }
  if (itemsSum === null || itemsSum <= 0) return null
  const at = entries.findLastIndex((entry) => {
    const sum = sumOf(entry)
    return sum !== null && isNear(sum.amount.value, itemsSum)
  })
  const found = at < 0 ? null : sumOf(entries[at]!)
  return found && { ...found, at }
}

/** What is added to the net, and the row of all together; null where no row is that. */
function composed(
  entries: readonly RowMoney[],
  net: SumRow & { at: number },
): { added: SumRow[]; total: SumRow } | null {
  const added: SumRow[] = []
  let sum = net.amount.value
  for (const entry of entries.slice(net.at + 1, net.at + 1 + ROWS_MAX)) {
    const row = sumOf(entry)
    if (!row) continue
    const { value } = row.amount
    if (added.length > 0 && isNear(value, sum, ROUNDINGS)) return { added, total: row }
    if (value === 0 || Math.abs(value) > net.amount.value * SHARE_MAX) return null
    added.push(row)
    sum += value
  }
  return null
}

const GIVES_WAY = new Set<MoneyLabel>(['paid', 'other', 'count', 'taxable'])
const PAYMENTS = new Set<MoneyLabel>(['cash', 'card', 'mobile', 'tendered', 'change', 'rounding'])

const isTotal = ({ label, inSummary }: MoneyLine): boolean =>
  label.startsWith('total') && !inSummary

/** What is called a total, but with the tax below it makes another total: the net ("Net total"). */
function taxedTotal(entries: readonly RowMoney[], lines: readonly MoneyLine[]): SumRow | null {
  if (lines.some(({ label }) => label === 'subtotal' || label === 'taxable')) return null
  for (const line of lines.filter(isTotal)) {
    const at = entries.findIndex((entry) => entry.row.index === line.row)
    const row = at < 0 ? null : { entry: entries[at]!, amount: line.amount, at }
    const found = row && composed(entries, row)
    if (!row || !found) continue
    const labelsAt = (sum: SumRow): MoneyLine[] =>
      lines.filter((l) => l.row === sum.entry.row.index)
    const isTaxed = found.added.every((sum) => labelsAt(sum).some(({ label }) => label === 'tax'))
    if (isTaxed && labelsAt(found.total).some(isTotal)) return row
  }
  return null
}

/** Goods of which chance is unlikely to make another sum. */
const GOODS_LEAST = 2

/**
 * The row below the goods that is all of them together, where no label names a total; null where other
 * rows with sums follow that no label explains.
 */
function goodsTotal(
  entries: readonly RowMoney[],
  lines: readonly MoneyLine[],
  items: Goods,
): SumRow | null {
  if (items.sum === null || items.sum <= 0 || items.count < GOODS_LEAST) return null
  if (lines.some((l) => isTotal(l) || l.label === 'tax' || l.label === 'balance_due')) return null
  const sums = entries.map(sumOf)
  const at = sums.findLastIndex((row) => row !== null && isNear(row.amount.value, items.sum!))
  const row = at < 0 ? null : sums[at]!
  const isOpen = sums
    .slice(at + 1)
    .some((later) => later && !lines.some((l) => l.row === later.entry.row.index))
  return row && !isOpen ? row : null
}

const lineOf = ({ entry, amount }: SumRow, label: MoneyLabel): MoneyLine => ({
  label,
  folded: foldLabel(entry.row.text.slice(0, amount.start)),
  row: entry.row.index,
  amount,
  companions: entry.amounts.filter(looksLikeMoney),
  pairing: 'row',
  inSummary: false,
  rate: entry.amounts.find((a) => a.percent)?.value ?? null,
})

/** The labelled sums with those that arithmetic adds; the same where labels name all, or nothing fits. */
export function withInferredSums(
  entries: readonly RowMoney[],
  lines: MoneyLine[],
  items: Goods,
): MoneyLine[] {
  const plain = goodsTotal(entries, lines, items)
  const labelled = plain ? lines.filter((l) => l.row === plain.entry.row.index) : []
  if (plain && labelled.every(({ label }) => GIVES_WAY.has(label)))
    return [...lines.filter((l) => !labelled.includes(l)), lineOf(plain, 'total')].toSorted(
      (a, b) => a.row - b.row,
    )
  const net = netRow(entries, lines, items.sum)
  const found = net && composed(entries, net)
  const taxed = found ? null : taxedTotal(entries, lines)
  if (taxed) {
    const { row } = taxed.entry
    const others = lines.filter((l) => l.row !== row.index)
    return [...others, lineOf(taxed, 'subtotal')].toSorted((a, b) => a.row - b.row)
  }
  if (!net || !found) return lines
  const inferred: MoneyLine[] = []
  const labelIn = (row: SumRow): MoneyLabel[] =>
    lines.filter((l) => l.row === row.entry.row.index).map(({ label }) => label)
  // A labelled sum is what its label says; only labels that say nothing of sums give way.
  const isFree = (row: SumRow): boolean => labelIn(row).every((label) => GIVES_WAY.has(label))
  const taxes = found.added
    .map((row) => ({ row, line: lineOf(row, 'tax') }))
    .filter(
      ({ row, line: { folded, rate } }) =>
        row.amount.value > 0 && (TAX_WORD.test(folded) || (rate !== null && rate > 0)),
    )
  const isTaxed = taxes.length > 0
  // What is called a total and is taxed below is the net ("Totale righe").
  if (!lines.some((l) => l.label === 'subtotal') && (isFree(net) || isTaxed))
    inferred.push(lineOf(net, 'subtotal'))
  inferred.push(...taxes.filter(({ row }) => isFree(row)).map(({ line }) => line))
  const isNamed = lines.some((l) => isTotal(l) && !(isTaxed && l.row === net.entry.row.index))
  const isPayment = labelIn(found.total).some((label) => PAYMENTS.has(label))
  if (!isNamed && !isPayment) inferred.push(lineOf(found.total, 'total'))
  const rows = new Set(inferred.map(({ row }) => row))
  return [...lines.filter((l) => !rows.has(l.row)), ...inferred].toSorted((a, b) => a.row - b.row)
}
