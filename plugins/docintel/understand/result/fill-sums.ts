/** The sums of a document, its payment and its goods, put into the result. */
import { netAndTaxFit } from '../sums/between-sums.ts'
import { itemsConfidence } from '../sums/checks.ts'
import type { Draft } from './draft.ts'
import type { Chosen } from '../marks/labelled-amounts.ts'
import { totalPaidInFull } from '../sums/paid-totals.ts'
import { findPayment } from '../sums/payment.ts'
import { isProduct, type LineItem } from '../goods/item-quantities.ts'
import { withProvenRates } from '../goods/line-tax-rate.ts'
import { isNear } from '../marks/near.ts'
import { provenNetAndTax } from '../sums/net-and-tax.ts'
import type { Reading } from './reading.ts'
import { hasMaskedTotal } from '../marks/row-money.ts'
import { chooseBalance, choosePaid, chooseSubtotal, splitBesideTotal } from '../sums/sums.ts'
import {
  loneSubtotal,
  PROOF_LEAST,
  PROVEN,
  settledTotal,
  totalOfGoods,
  totalOfProven,
} from './settled-total.ts'
import { findTax } from '../sums/tax.ts'
import { findTaxLines } from '../sums/tax-lines.ts'
import { totalOfTaxes } from '../sums/total-of-taxes.ts'
import { chooseTotal } from '../sums/totals.ts'

/** Confidence in net and tax that stand beside the total in its row. */
const BESIDE_TOTAL = 0.85
/** Confidence in net and tax that only make the total together. */
const BY_ARITHMETIC = 0.85
/** A total of less than this makes net and tax doubtful, which are that sure at most. */
const DOUBT_TOTAL = 0.81
const DOUBTFUL = 0.85
const UNSUMMED = 'several_tax_lines_without_printed_sum'

export function fillSums(draft: Draft, reading: Reading): void {
  const { document, entries, labelled, itemsSum } = reading
  const isMasked = hasMaskedTotal(document)
  const total = isMasked ? null : totalOf(reading)
  if (isMasked) draft.warn('total_is_masked')
  else if (!total) draft.warn('total_not_found')
  put(draft, 'total', total)
  const split = splitBesideTotal(entries, total)
  const subtotal =
    chooseSubtotal(labelled, total, itemsSum) ??
    (split ? { value: split.net, confidence: BESIDE_TOTAL } : null)
  put(draft, 'subtotal', subtotal)
  fillTax(draft, reading, split)
  fillNetAndTax(draft, reading)
  const payment = choosePaid(labelled, total)
  put(draft, 'amount_paid', payment.paid)
  put(draft, 'tendered', payment.tendered)
  put(draft, 'change', payment.change)
  fillExtras(draft, reading)
  put(draft, 'balance_due', chooseBalance(labelled, total))
}

/** The sum to pay: what a label names, held against arithmetic, else what arithmetic alone proves. */
export function totalOf(reading: Reading): Chosen | null {
  const { entries, labelled, itemsSum, proven, chain } = reading
  const named = chooseTotal(labelled, entries, itemsSum)
  // Nothing is left of what was paid: that is no total.
  const paid = named === null || named.value === 0 ? totalPaidInFull(entries) : null
  if (named && !paid) return settledTotal(named, reading)
  return (
    paid ??
    totalOfTaxes(entries, labelled) ??
    totalOfProven(proven) ??
    totalOfGoods(chain) ??
    loneSubtotal(labelled, itemsSum)
  )
}

/** Net and tax that labels do not name, or name wrongly, where all sums of the page tell them. */
function fillNetAndTax(draft: Draft, reading: Reading): void {
  const { proven, preferred } = reading
  const { total, subtotal: net, tax } = draft.result
  if (total === null) return
  const found = provenNetAndTax(proven, {
    total,
    net,
    tax: tax.vat_amount,
    withTables: preferred === 'invoice',
  })
  if (found && found.net !== net)
    put(draft, 'subtotal', { value: found.net, confidence: BY_ARITHMETIC })
  if (found && found.tax !== tax.vat_amount) {
    tax.vat_amount = found.tax
    draft.trust('tax.vat_amount', BY_ARITHMETIC)
    draft.result.warnings = draft.result.warnings.filter((w) => w !== UNSUMMED)
  }
  trustNetAndTax(draft, reading)
}

/** Net and tax are as sure as the arithmetic that they and the total have: proven, or in doubt. */
function trustNetAndTax(draft: Draft, { proven, entries, lines }: Reading): void {
  const { total, subtotal: net, tax } = draft.result
  if (total === null || net === null || tax.vat_amount === null) return
  const own = proven.find(
    (sums) =>
      isNear(sums.total, total) && isNear(sums.net, net) && isNear(sums.tax, tax.vat_amount!),
  )
  const isProven = own !== undefined && own.score.points >= PROOF_LEAST
  const isDoubtful = (draft.confidences['total'] ?? 0) < DOUBT_TOTAL
  const isMismatch = !netAndTaxFit({ net, tax: tax.vat_amount, total }, entries, lines)
  for (const field of ['subtotal', 'tax.vat_amount']) {
    if (isMismatch || (isDoubtful && !isProven)) draft.doubt(field, DOUBTFUL)
    else if (isProven && !isDoubtful) draft.raise(field, PROVEN)
  }
}

type SumField =
  | 'total'
  | 'subtotal'
  | 'amount_paid'
  | 'tendered'
  | 'change'
  | 'balance_due'
  | 'discount'
  | 'tip'
  | 'rounding'

/** What was added to and taken off the goods, each where one label names it. */
function fillExtras(draft: Draft, { labelled }: Reading): void {
  for (const field of ['discount', 'tip', 'rounding'] as const) {
    const values = [...new Set(labelled.of(field))].filter((v) => v !== 0)
    const [value, other] = values
    // Discounts of single articles are several: which is the document's is not known.
    if (value === undefined || other !== undefined) continue
    put(draft, field, { value: field === 'rounding' ? value : Math.abs(value), confidence: 0.8 })
  }
}

function put(
  draft: Draft,
  field: SumField,
  chosen: Pick<Chosen, 'value' | 'confidence'> | null,
): void {
  if (!chosen) return
  draft.result[field] = chosen.value
  draft.trust(field, chosen.confidence)
}

function fillTax(
  draft: Draft,
  { document, entries, lines }: Reading,
  split: ReturnType<typeof splitBesideTotal>,
): void {
  const { total, subtotal } = draft.result
  const found = findTax(document, entries, lines, total, subtotal)
  const tax =
    found.amount === null && split
      ? { ...found, amount: split.tax, amountConfidence: BESIDE_TOTAL }
      : found
  draft.result.tax = {
    vat_rate: tax.rate,
    vat_amount: tax.amount,
    label: tax.label,
    inclusive: tax.inclusive,
  }
  draft.result.tax_lines = findTaxLines(entries, lines)
  if (draft.result.tax_lines.length > 0) draft.trust('tax_lines', 0.85)
  if (tax.rate !== null) draft.trust('tax.vat_rate', tax.rateConfidence)
  if (tax.amount !== null) draft.trust('tax.vat_amount', tax.amountConfidence)
  if (tax.unsummed && tax.amount === null) draft.warn(UNSUMMED)
}

const multiplies = (item: LineItem): boolean => item.quantity !== 1 && isProduct(item)

export function fillGoods(draft: Draft, { document, lines, items, itemsSum }: Reading): void {
  const { result } = draft
  result.payment = findPayment(document, lines)
  if (result.payment) draft.trust('payment.method', 0.9)
  result.line_items = withProvenRates(items, result)
  if (items.length === 0) return
  const confidence = itemsConfidence(itemsSum, result)
  draft.trust('line_items', confidence)
  const all = draft.confidences.line_items!
  // A line whose quantity and price make its amount is surer than the sum of all.
  result.confidence.line_items = items.map((item) => (multiplies(item) ? Math.max(all, 0.9) : all))
}
