/**
 * Labels joined with their amounts: in one row, in the row below, under a column head, or as a run
 * of labels followed by a run of amounts (text whose columns were read one after the other).
 */
import { foldLabel } from '../lexicon/fold.ts'
import { classifyMoneyLabel, type MoneyLabel } from '../lexicon/money-labels.ts'
import type { DocumentText, Row } from '../model/document.ts'
import { classifyOtherScript } from '../lexicon/other-scripts.ts'
import { pairsAcrossRows } from './across-rows.ts'
import { realign } from './alignment.ts'
import { amountsOfRow, looksLikeMoney, type Amount } from './amounts.ts'
import { isGoodsHead } from './items.ts'
import { datesOfRow } from './dates.ts'
import type { DecimalMark } from './numbers.ts'
import { TaxTable, type TablePlace } from './tax-table.ts'
import { withWholeSums } from './whole-sums.ts'

export type Pairing = 'row' | 'below' | 'column' | 'sequence'

export interface MoneyLine {
  label: MoneyLabel
  folded: string
  row: number
  amount: Amount
  /** All money-like amounts of the amount's row. */
  companions: Amount[]
  pairing: Pairing
  /** Inside a table of taxes by rate. */
  inSummary: boolean
  /** A percentage beside the label ("GST @6%"). */
  rate: number | null
}

export interface RowMoney extends TablePlace {
  row: Row
  amounts: Amount[]
  /** The row says nothing but amounts (with marks and tax codes). */
  onlyAmounts: boolean
  /** Folded text of a row without money amounts, and what it says. */
  folded: string
  label: MoneyLabel | null
}

const LABEL_WORDS_MAX = 8
const HEAD_WORDS_MAX = 6
const ADORNED = /^[*#=•\s]{2,}(.*?)[*#=•\s]*$/
const MASKED = /[*#xX_•█▇■]{2,}[.,]?[*#xX_•█▇■\d]*|\[(?:REDACTED|MASKED|HIDDEN)\]/

/**
 * Whether a row hides its digits ("TOTAL ***.**"). Stars before a label adorn it, and a line to be
 * filled in by hand ("Total ______") hides nothing.
 */
const isMasked = (text: string): boolean =>
  !/\d[.,]\d{2}(?!\d)/.test(text) &&
  MASKED.test(text.replace(ADORNED, '$1').replaceAll(/_{2,}/g, ' '))

const wordCount = (folded: string): number => (folded === '' ? 0 : folded.split(' ').length)
/** Tax letters, currency marks and filler that may stand beside an amount. */
const FILLER =
  /^(?:RM|MYR|EUR|USD|GBP|KES|KSH|KSHS|UGX|TZS|TSH|NGN|INR|RS|CHF|AUD|SR|ZR|ZRL|SRL|ES|OS|T|A|B|C|E|F|N|S|Z|X|R|P|TX|EA|PC|PCS|NOS|\d+|%)$/

/** Every row with its amounts and, where it has none, the label it is. */
export function readRowMoney(document: DocumentText, mark: DecimalMark): RowMoney[] {
  const summary = new TaxTable()
  const found = withWholeSums(
    document.rows,
    document.rows.map((row) => amountsOfRow(row, mark)),
  )
  return document.rows.map((row, at) => {
    const amounts = found[at]!
    const folded = foldLabel(row.text)
    const rest = restOf(row.text, amounts)
    const counted = isCountedTotal(rest, amounts) && found[at + 1]?.some((a) => a.decimals === 2)
    const money = amounts.some((a) => !a.percent) && !counted
    const label =
      money ||
      wordCount(folded) > LABEL_WORDS_MAX ||
      isMasked(row.text) ||
      datesOfRow(row).length > 0
        ? null
        : counted
          ? 'total'
          : classifyMoneyLabel(folded)
    const place = summary.next(row, foldLabel(rest), amounts)
    return {
      row,
      amounts,
      onlyAmounts:
        amounts.length > 0 &&
        foldLabel(rest)
          .split(' ')
          .every((w) => w === '' || FILLER.test(w)),
      folded,
      label,
      ...place,
    }
  })
}

/** "Sum 3 varer", "TOTAL (3 ITEMS)": a total that says how many, its amount in the next row. */
function isCountedTotal(rest: string, amounts: Amount[]): boolean {
  const [only, more] = amounts
  if (!only || more || only.decimals !== 0 || only.mark !== null || only.value >= 1000) return false
  const folded = foldLabel(rest)
  return (
    COUNTED_TOTAL.test(folded) || Boolean(classifyOtherScript(folded)?.startsWith('total_payable'))
  )
}
const COUNTED_TOTAL =
  /^(?:TOTAL|SUM|SUMMA|SUMME|TOTALT|SUBTOTAL|YHTEENSA|TOTAAL|TOTALE|JUMLAH) (?:ITEMS?|VARER?|VAROR|ARTIKEL|ARTICLES?|ARTIKLAR|TUOTETTA|PCS|POSTEN|ARTIKELEN)$/

function restOf(text: string, amounts: Amount[]): string {
  let rest = ''
  let at = 0
  for (const amount of amounts) {
    rest += `${text.slice(at, amount.start)} `
    at = amount.end
  }
  return rest + text.slice(at)
}

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
  if (previous && /^\W*(?:RM|[$€£]|[A-Z]{3})?\W*$/.test(left))
    // Before the rate first: "IVA 21 % s/ 48,69" as "IVA"; else "Waarvan 21% btw over 47,48" whole.
    for (const first of [amounts[0]!, amounts.find((a) => !a.percent)])
      if (first) tries.push(row.text.slice(0, first.start))
  for (const text of tries) {
    const folded = foldLabel(text)
    if (wordCount(folded) > LABEL_WORDS_MAX) continue
    const label = classifyMoneyLabel(folded)
    if (label) return { label, folded }
  }
  return null
}

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

const rateIn = (entry: RowMoney): number | null =>
  entry.amounts.find((a) => a.percent)?.value ?? null

/** The amount that a total's row means: the last that looks like money, else the last number. */
export function pickAmount(candidates: Amount[]): Amount | null {
  const usable = candidates.filter((a) => !a.percent && !a.measured)
  return (
    usable.findLast((a) => looksLikeMoney(a) && !a.factor) ??
    usable.findLast((a) => !a.factor) ??
    null
  )
}

function linesInRow(entry: RowMoney): MoneyLine[] {
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
    const amount = pickAmount(amounts)
    if (!amount) continue
    lines.push({
      label,
      folded,
      row: entry.row.index,
      amount,
      companions: amounts.filter(looksLikeMoney),
      pairing: 'row',
      inSummary: entry.inSummary && amount.x0 < entry.summaryEnd,
      rate: rateIn(entry),
    })
  }
  return lines
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

/** Amounts under a row of column heads ("Total HT | TVA | Total TTC"). */
function linesUnderHeads(head: RowMoney, below: RowMoney): MoneyLine[] {
  if (head.row.cells.length < 2 || below.amounts.length === 0 || isGoodsHead(head)) return []
  const lines: MoneyLine[] = []
  for (const cell of head.row.cells) {
    const folded = foldLabel(cell.text)
    const label = wordCount(folded) > HEAD_WORDS_MAX ? null : classifyMoneyLabel(folded)
    // "VAT %" stands over rates, and "Net" over the bases of a tax table.
    if (!label || folded === 'NET' || (label === 'tax' && folded.includes('%'))) continue
    const under = below.amounts.filter(
      (a) => !a.percent && Math.min(a.x1, cell.x1 + 2) - Math.max(a.x0, cell.x0 - 2) > 0,
    )
    const best = under.toSorted((a, b) => distance(a, cell) - distance(b, cell))[0]
    if (!best || !looksLikeMoney(best)) continue
    lines.push({
      label,
      folded,
      row: below.row.index,
      amount: best,
      companions: [best],
      pairing: 'column',
      inSummary: false,
      rate: null,
    })
  }
  return lines
}
const distance = (a: Amount, cell: { x0: number; x1: number }): number =>
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

/** Every labelled amount of a document, in document order. */
export function findMoneyLines(entries: RowMoney[]): MoneyLine[] {
  const lines: MoneyLine[] = []
  const heads = new Set<number>()
  for (const [at, entry] of entries.entries()) {
    const inRow = entry.amounts.length > 0 && !entry.onlyAmounts ? linesInRow(entry) : []
    const continued = inRow.every((l) => l.label === 'tax' || l.label === 'other')
      ? continuedLabel(entries, at)
      : null
    if (continued) lines.push(continued)
    else lines.push(...inRow)
    const below = entries[at + 1]
    if (!below || entry.amounts.some((a) => looksLikeMoney(a))) continue
    const columned = linesUnderHeads(entry, below)
    if (columned.length > 0) heads.add(entry.row.index)
    lines.push(...columned)
  }
  for (const { label, value, pairing } of realign(
    pairsAcrossRows(entries, heads),
    entries,
    lines,
  )) {
    const line = paired(label, value, pairing)
    if (line) lines.push(line)
  }
  return lines.toSorted((a, b) => a.row - b.row)
}

/** Whether a total's place is there but its digits are hidden ("TOTAL ***.**"). */
export function hasMaskedTotal(document: DocumentText): boolean {
  return document.rows.some((row) => {
    // Digits that are left, or a country's letters, tell of a card or account: "ES12 **** **** 4471".
    if (!isMasked(row.text) || /\d{3}|\b[A-Z]{2}\d{2}\b/.test(row.text)) return false
    const label = classifyMoneyLabel(
      foldLabel(row.text.replace(MASKED, ' ').replaceAll(/[^\p{L} ]/gu, ' ')),
    )
    return label !== null && label.startsWith('total')
  })
}
