/** The sums of a document, its payment and its goods, put into the result. */
import { itemsConfidence } from './checks.ts'
import type { Draft } from './draft.ts'
import type { Chosen } from './labelled-amounts.ts'
import { findPayment } from './payment.ts'
import type { Reading } from './reading.ts'
import { hasMaskedTotal } from './row-money.ts'
import { chooseBalance, choosePaid, chooseSubtotal, splitBesideTotal } from './sums.ts'
import { findTax } from './tax.ts'
import { chooseTotal } from './totals.ts'

/** Confidence in net and tax that stand beside the total in its row. */
const BESIDE_TOTAL = 0.85

export function fillSums(draft: Draft, reading: Reading): void {
  const { document, entries, labelled, itemsSum } = reading
  const isMasked = hasMaskedTotal(document)
  const total = isMasked ? null : chooseTotal(labelled, entries, itemsSum)
  if (isMasked) draft.warn('total_is_masked')
  else if (!total) draft.warn('total_not_found')
  put(draft, 'total', total)
  const split = splitBesideTotal(entries, total)
  const subtotal =
    chooseSubtotal(labelled, total, itemsSum) ??
    (split ? { value: split.net, confidence: BESIDE_TOTAL } : null)
  put(draft, 'subtotal', subtotal)
  fillTax(draft, reading, split)
  put(draft, 'amount_paid', choosePaid(labelled))
  put(draft, 'balance_due', chooseBalance(labelled, total))
}

function put(
  draft: Draft,
  field: 'total' | 'subtotal' | 'amount_paid' | 'balance_due',
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
  if (tax.rate !== null) draft.trust('tax.vat_rate', tax.rateConfidence)
  if (tax.amount !== null) draft.trust('tax.vat_amount', tax.amountConfidence)
  if (tax.unsummed && tax.amount === null) draft.warn('several_tax_lines_without_printed_sum')
}

export function fillGoods(draft: Draft, { document, lines, items, itemsSum }: Reading): void {
  const { result } = draft
  result.payment = findPayment(document, lines)
  if (result.payment) draft.trust('payment.method', 0.9)
  result.line_items = items
  if (items.length > 0) draft.trust('line_items', itemsConfidence(itemsSum, result))
}
