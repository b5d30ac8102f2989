/**
 * Labels joined with their amounts: in one row, in the row below, under a column head, or as a run
 * of labels followed by a run of amounts (text whose columns were read one after the other).
 */
import { foldLabel, wordCount } from '../../lexicon/fold.ts'
import { classifyMoneyLabel, LABEL_WORDS_MAX, SUMMARY_HEAD } from '../../lexicon/money-labels.ts'
import type { MoneyLabel } from '../../lexicon/money-label.ts'
import { letterWeight } from '../../lexicon/other-scripts.ts'
import { pairsAcrossRows } from './across-rows.ts'
import { realign } from './alignment.ts'
import { looksLikeMoney, pickAmount, type Amount } from '../marks/amounts.ts'
import { isGoodsHead } from '../goods/goods-heads.ts'
import { productOf } from '../goods/line-product.ts'
import type { MoneyLine, Pairing } from '../marks/money-line.ts'
import { isNear } from '../marks/near.ts'
import { netTaxesAndGross } from '../marks/net-in-row.ts'
import { partedHeads, type Head } from '../marks/parted-heads.ts'
import type { RowMoney } from '../marks/row-money.ts'

const HEAD_WORDS_MAX = 6
/** The label left of an amount: its own cell first, then the cells to the left, then all of it. */
function labelLeft(entry: RowMoney, amount: Amount): { label: MoneyLabel; folded: string } | null {
  const { row, amounts } = entry
  // A bare whole number is a count or part of the label ("TAX 1 8.25% 2.48"), not another sum.
  const previous = amounts
    .filter((a) => a.end <= amount.start && !a.percent && (a.decimals > 0 || a.mark !== null))
    .at(-1)
  const from = previous?.end ?? 0
  const left = row.text.slice(from, amount.start)
  const pieces = left.split('  ')
  const tries = [
    pieces.at(-1) ?? '',
    pieces.filter((p) => foldLabel(p).replace(/^(RM|MYR|EUR|KES|USD|\d+%?)$/, '') !== '').at(-1) ??
      '',
    pieces.slice(-2).join(' '),
    left,
  ]
  // "GST 5% 12.08 @ 5.000% 0.60": the base with its rate stands between label and tax.
  if (previous && /^\W*(?:@ ?\d+(?:[.,]\d+)? ?%)?\W*(?:RM|[$€£]|[A-Z]{3})?\W*$/.test(left))
    // Before the rate first: "IVA 21 % s/ 48,69" as "IVA"; else "Waarvan 21% btw over 47,48" whole.
    for (const first of [amounts[0]!, amounts.find((a) => !a.percent)])
      if (first) tries.push(row.text.slice(0, first.start))
  const read = (text: string): { label: MoneyLabel; folded: string } | null => {
    const folded = foldLabel(text)
    const label = wordCount(folded) > LABEL_WORDS_MAX ? null : classifyMoneyLabel(folded)
    return label && { label, folded }
  }
  // "Totaal incl." and "btw" set apart are no tax.
  const printed = pieces.filter((piece) => piece.trim() !== '')
  const joined = printed.length > 1 ? read(printed.slice(-2).join(' ')) : null
  if (joined && WITH_OR_WITHOUT_TAX.has(joined.label) && read(printed.at(-1)!)?.label === 'tax')
    return joined
  for (const text of tries) {
    const found = read(text)
    if (found) return found
  }
  return null
}
const WITH_OR_WITHOUT_TAX = new Set<MoneyLabel>(['total_inclusive', 'subtotal'])

const TIP_WORD = /(?:^| )(?:TIPS?|GRATUITY|PROPINA|POURBOIRE|TRINKGELD|MANCIA|GORJETA)(?: |$)/
/** What tills print alone with its sum, and never as goods. */
const SWAPPED = new Set<MoneyLabel>(['change', 'cash', 'tendered', 'subtotal', 'rounding'])

/** A tilted scan's swapped cells: "6.00  CHANGE", where the row says nothing else. */
function labelRight(entry: RowMoney, amount: Amount): { label: MoneyLabel; folded: string } | null {
  if (entry.amounts.length !== 1 || amount.decimals !== 2) return null
  if (/\p{L}{3}/u.test(entry.row.text.slice(0, amount.start))) return null
  const folded = foldLabel(entry.row.text.slice(amount.end))
  if (wordCount(folded) > 2) return null
  const label = classifyMoneyLabel(folded)
  const sold = label?.startsWith('total') && wordCount(folded) > 1
  return label && !sold && (SWAPPED.has(label) || label.startsWith('total'))
    ? { label, folded }
    : null
}

/** "TOTAL (5,81 EUR)  3.843": what a sum is in other money, or what is in it. */
function withoutAsides(entry: RowMoney): RowMoney {
  const { text } = entry.row
  const amounts = entry.amounts.filter(
    ({ start, end }) =>
      !/\([^()]*$/.test(text.slice(0, start)) || !/^[^()]*\)/.test(text.slice(end)),
  )
  const isSum = (a: Amount): boolean => looksLikeMoney(a) || /\d[.,']\d{3}$/.test(a.raw)
  return amounts.some(isSum) ? { ...entry, amounts } : entry
}

const rateIn = (entry: RowMoney): number | null =>
  entry.amounts.find((a) => a.percent)?.value ?? null

function linesInRow(printed: RowMoney): MoneyLine[] {
  const entry = withoutAsides(printed)
  const byLabel = new Map<string, { label: MoneyLabel; amounts: Amount[] }>()
  const suggestsTip = TIP_WORD.test(foldLabel(entry.row.text))
  for (const amount of entry.amounts) {
    if (amount.percent) continue
    const left = labelLeft(entry, amount) ?? labelRight(entry, amount)
    if (!left) continue
    // "18% (Tip 6.81 Total 48.44)": what it would be with a tip.
    const found =
      suggestsTip && left.label.startsWith('total') ? { ...left, label: 'tip' as const } : left
    const known = byLabel.get(found.folded) ?? { label: found.label, amounts: [] }
    known.amounts.push(amount)
    byLabel.set(found.folded, known)
  }
  const lines: MoneyLine[] = []
  for (const [folded, { label, amounts }] of byLabel) {
    const picked = pickAmount(amounts)
    if (!picked) continue
    const sums = label === 'subtotal' ? sumsOfColumns(amounts) : null
    for (const [own, amount] of sums ?? [[label, picked] as const])
      lines.push({
        label: own,
        folded,
        row: entry.row.index,
        amount,
        companions: sums ? [amount] : amounts.filter(looksLikeMoney),
        pairing: 'row',
        inSummary: entry.inSummary && amount.x0 < entry.summaryEnd,
        rate: rateIn(printed),
      })
  }
  return lines
}

/** "Subtotal  100.00  19.00  119.00": the sums of a table's columns; null where they are no such. */
function sumsOfColumns(amounts: readonly Amount[]): (readonly [MoneyLabel, Amount])[] | null {
  const sums = netTaxesAndGross(amounts, 1)
  return (
    sums && [
      ['subtotal', sums.net],
      ['tax', sums.taxes[0]!],
      ['total_inclusive', sums.gross],
    ]
  )
}

/** What a label over two rows may say; a way of paying above "VAT 16%" is a row of its own. */
const CONTINUED = new Set<MoneyLabel>([
  'total_rounded',
  'total_payable',
  'total_inclusive',
  'total',
  'subtotal',
  'taxable',
  'rounding',
  'balance_due',
  'tax',
  'discount',
])

/** A label continued from the row above ("TOTAL SALES" / "(INCLUSIVE OF GST) : 80.90"). */
function continuedLabel(entries: RowMoney[], at: number): MoneyLine | null {
  const entry = entries[at]!
  const above = entries[at - 1]
  if (!above || above.amounts.some((a) => !a.percent) || entry.row.gapAbove > 0.8) return null
  const amount = pickAmount(entry.amounts)
  if (!amount) return null
  const own = foldLabel(entry.row.text.slice(0, amount.start))
  if (
    !/^(?:INCL|INCLUSIVE|INCLUDING|EXCL|EXCLUDING|EXCLUSIVE|AFTER|BEFORE|WITH|GST|VAT|TAX|RM|\(|AMOUNT|ADJUSTMENT|PAYABLE|DUE|TTC|HT)/.test(
      own,
    )
  )
    return null
  const folded = `${above.folded} ${own}`
  if (wordCount(folded) > LABEL_WORDS_MAX) return null
  const label = classifyMoneyLabel(folded)
  if (!label || !CONTINUED.has(label)) return null
  return {
    label,
    folded,
    row: entry.row.index,
    amount,
    companions: entry.amounts.filter(looksLikeMoney),
    pairing: 'row',
    inSummary: entry.inSummary,
    rate: rateIn(entry) ?? rateIn(above),
  }
}

const isNamedProduct = (entry: RowMoney): boolean => {
  const product = productOf(entry)
  return product !== null && letterWeight(entry.row.text.slice(0, product.amount.start)) >= 3
}

/** Amounts under a row of column heads ("Total HT | TVA | Total TTC"). */
function linesUnderHeads(head: RowMoney, below: RowMoney): MoneyLine[] {
  if (head.row.cells.length < 2 || below.amounts.length === 0 || isGoodsHead(head)) return []
  // The second row of the heads of goods stands over goods.
  if (isNamedProduct(below)) return []
  const values = below.amounts.filter((a) => !a.percent)
  const { cells: printed } = head.row
  // As many cells as sums: each is one head, of however many words.
  const cells: readonly Head[] =
    printed.length === values.length
      ? printed
      : printed.flatMap((cell, at) => partedHeads(cell, printed[at + 1], values))
  const labelled = cells.flatMap((cell, place) => {
    const folded = foldLabel(cell.text)
    const label = wordCount(folded) > HEAD_WORDS_MAX ? null : classifyMoneyLabel(folded)
    // "VAT %" stands over rates, and "Net" over the bases of a tax table.
    if (!label || folded === 'NET' || (label === 'tax' && folded.includes('%'))) return []
    return SUMMARY_HEAD.test(folded) ? [] : [{ cell, folded, label, place }]
  })
  // As many sums as heads stand in their order, also where the text lost its columns.
  const ordered = labelled.length > 1 && labelled.length === values.length
  const allOrdered = cells.length > 2 && cells.length === values.length
  const inOrder = (at: number, place: number): Amount | undefined =>
    ordered ? values[at] : values[place]
  const lines: MoneyLine[] = []
  for (const [at, { cell, folded, label, place }] of labelled.entries()) {
    const under = values.filter(
      (a) => Math.min(a.x1, cell.x1 + 2) - Math.max(a.x0, cell.x0 - 2) > 0,
    )
    const best =
      ordered || allOrdered
        ? inOrder(at, place)
        : under.toSorted((a, b) => distance(a, cell) - distance(b, cell))[0]
    if (!best || !looksLikeMoney(best)) continue
    lines.push({
      label,
      folded,
      row: below.row.index,
      amount: best,
      companions: [best],
      pairing: 'column',
      inSummary: head.inSummary,
      rate: null,
    })
  }
  return lines
}
const distance = (a: Amount, cell: Head): number =>
  Math.min(
    Math.abs(a.x1 - cell.x1),
    Math.abs(a.x0 - cell.x0),
    Math.abs((a.x0 + a.x1 - cell.x0 - cell.x1) / 2),
  )

function paired(label: RowMoney, value: RowMoney, pairing: Pairing): MoneyLine | null {
  const amount = pickAmount(value.amounts)
  if (!amount || !label.label) return null
  return {
    label: label.label,
    folded: label.folded,
    row: value.row.index,
    amount,
    companions: value.amounts.filter(looksLikeMoney),
    pairing,
    inSummary: label.inSummary || value.inSummary,
    rate: rateIn(label) ?? rateIn(value),
  }
}

/** "ROUNDING 42.35" under a total of 42.33 is what is to be paid, not what was added. */
function asRoundedTotal(line: MoneyLine, at: number, all: MoneyLine[]): MoneyLine {
  const rounded =
    line.label === 'rounding' &&
    all
      .slice(0, at)
      .some(
        (l) => l.label.startsWith('total') && Math.abs(l.amount.value - line.amount.value) < 0.06,
      )
  return rounded && line.amount.value >= 1 ? { ...line, label: 'total_rounded' } : line
}

/** "VAT 20 % on 327.28  65.46": what was taxed stands before its tax. */
function asTaxBase(line: MoneyLine, _: number, all: MoneyLine[]): MoneyLine {
  const { rate, amount } = line
  if (line.label !== 'tax' || !rate) return line
  const tax = (Math.abs(amount.value) * rate) / 100
  const isTaxed = all.some(
    (other) =>
      other.row === line.row && other !== line && isNear(Math.abs(other.amount.value), tax, 0.02),
  )
  return isTaxed ? { ...line, label: 'taxable' } : line
}

const RECEIVED = /RECEIVED|RECU|ERHALTEN|RICEVUTO|ONTVANGEN/
const hundredths = (amount: Amount): number => Math.round(amount.value * 100)

/** What was received beside a balance that is left of the total was paid of it; at a till it is the cash. */
function withPaidInPart(lines: MoneyLine[]): MoneyLine[] {
  const totals = new Set(
    lines.filter((l) => l.label.startsWith('total')).map((l) => hundredths(l.amount)),
  )
  return lines.map((line, at) => {
    if (line.label !== 'tendered' || !RECEIVED.test(line.folded)) return line
    const isPart = lines
      .slice(Math.max(0, at - 1), at + 2)
      .some(
        ({ label, folded, amount }) =>
          (label === 'balance_due' || folded.includes('BALANCE')) &&
          totals.has(hundredths(amount) + Math.abs(hundredths(line.amount))),
      )
    return isPart ? { ...line, label: 'paid' } : line
  })
}

const TOTAL_OR_TAX =
  /^(?:GRAND )?TOTAL (?:GST|VAT|SST|TAX(?:ES)?) (?:INCL(?:UDED)?|INC)(?: [A-Z]{2,3})?$/

/** "Total VAT included" names the tax in a sum, or the sum: the largest amount of a paper is no tax. */
function asTotalWithTax(lines: MoneyLine[], entries: readonly RowMoney[]): MoneyLine[] {
  if (lines.some(({ label }) => label.startsWith('total'))) return lines
  const sums = entries.flatMap(({ amounts }) => amounts.filter(looksLikeMoney))
  return lines.map((line) => {
    if (line.label !== 'tax' || !TOTAL_OR_TAX.test(line.folded)) return line
    const others = sums.filter((one) => one !== line.amount)
    const isLargest = others.length > 0 && others.every(({ value }) => value <= line.amount.value)
    return isLargest ? { ...line, label: 'total_inclusive' } : line
  })
}

/** The largest tax that a sum with tax may hold. */
const TAX_SHARE_MAX = 0.3

/** "Total GST incl. 90.00" under a total of 590.00 is the tax in it. */
function asTaxInTotal(line: MoneyLine, _: number, all: MoneyLine[]): MoneyLine {
  if (line.label !== 'total_inclusive' || !TOTAL_OR_TAX.test(line.folded)) return line
  const isPart = all.some(
    ({ label, amount }) =>
      label.startsWith('total') && line.amount.value <= TAX_SHARE_MAX * amount.value,
  )
  return isPart ? { ...line, label: 'tax' } : line
}

const OWN_TOTAL = /^V[LI]R? TOTAL$/

/** Brazil's tills name each line's own sum "Vl. Total"; two such are goods. */
function asGoods(line: MoneyLine, _: number, all: MoneyLine[]): MoneyLine {
  const isGoods =
    OWN_TOTAL.test(line.folded) && all.filter((one) => OWN_TOTAL.test(one.folded)).length > 1
  return isGoods ? { ...line, label: 'other' } : line
}

/** Every labelled amount of a document, in document order. */
export function findMoneyLines(entries: RowMoney[]): MoneyLine[] {
  const lines: MoneyLine[] = []
  const heads = new Set<number>()
  /** Rows of which each cell is the head of a sum: together they are the label of none. */
  const headsOnly = new Set<RowMoney>()
  for (const [at, entry] of entries.entries()) {
    const inRow = entry.amounts.length > 0 && !entry.onlyAmounts ? linesInRow(entry) : []
    const continued = inRow.every((l) => l.label === 'tax' || l.label === 'other')
      ? continuedLabel(entries, at)
      : null
    if (continued) lines.push(continued)
    else lines.push(...inRow)
    const below = entries[at + 1]
    if (!below || entry.amounts.some((a) => looksLikeMoney(a))) continue
    const above = entries[at - 1]
    const goesOn = above !== undefined && entry.row.gapAbove < 1 && isGoodsHead(above)
    const columned = goesOn ? [] : linesUnderHeads(entry, below)
    if (columned.length > 0) heads.add(entry.row.index)
    if (columned.length > 1 && columned.length === entry.row.cells.length) headsOnly.add(entry)
    lines.push(...columned)
  }
  for (const { label, value, pairing } of realign(
    pairsAcrossRows(entries, heads),
    entries.map((entry) => (headsOnly.has(entry) ? { ...entry, label: null } : entry)),
    lines,
  )) {
    const line = paired(label, value, pairing)
    if (line) lines.push(line)
  }
  const inOrder = lines
    .toSorted((a, b) => a.row - b.row)
    .map(asTaxBase)
    .map(asRoundedTotal)
    .map(asTaxInTotal)
    .map(asGoods)
  return withPaidInPart(asTotalWithTax(inOrder, entries))
}
