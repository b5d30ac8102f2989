/** Rows of a document to the shared result: the order of the layers, the checks, the confidence. */
import type { ParseResult } from '../schema.ts'
import type { DocumentText } from '../model/document.ts'
import { findAddress, findPhone } from './address.ts'
import { findBuyer } from './buyer.ts'
import { emptyResult } from './empty.ts'
import { findCountry, findCurrency, localeHints } from './country.ts'
import { natureOf } from './doc-type.ts'
import { findDocumentId } from './document-id.ts'
import { findIssuedAt } from './issued-at.ts'
import { findItems } from './items.ts'
import { legalNameOf } from './legal-name.ts'
import { withLetterBuyer } from './letter-blocks.ts'
import { findMerchant } from './merchant.ts'
import { findMoneyLines } from './money-lines.ts'
import { hasMaskedTotal, readRowMoney } from './row-money.ts'
import { isNear } from './near.ts'
import { detectDecimalMark } from './numbers.ts'
import { findPayment } from './payment.ts'
import { findTax } from './tax.ts'
import { findTaxIds } from './tax-ids.ts'
import { chooseBalance, choosePaid, chooseSubtotal, splitBesideTotal } from './sums.ts'
import { withJoinedCents } from './split-cents.ts'
import { labelledAmounts } from './labelled-amounts.ts'
import { chooseTotal } from './totals.ts'
import { findZones } from './zones.ts'

export interface UnderstandOptions {
  /** Which skill asks: names the document when nothing in it does. */
  preferred: 'receipt' | 'invoice'
  now: Date
}

const EXCERPT_LENGTH = 1000

/** The first 1000 characters of what was read; null for nothing. */
export function excerptOf(document: DocumentText): string | null {
  const text = document.rows
    .map((r) => r.text)
    .join('\n')
    .slice(0, EXCERPT_LENGTH)
  return text.trim() === '' ? null : text
}

/** What a document says. Values are those printed in it; what is not there is null. */
export function understand(printed: DocumentText, options: UnderstandOptions): ParseResult {
  const result = emptyResult(excerptOf(printed))
  const document = withJoinedCents(printed)
  if (document.rows.length === 0) {
    result.warnings.push('no_text_found')
    return result
  }
  const mark = detectDecimalMark(document.rows.map((r) => r.text).join('\n'))
  const entries = readRowMoney(document, mark)
  const lines = findMoneyLines(entries)
  const labelled = findZones(document, entries)
  const zones = options.preferred === 'invoice' ? withLetterBuyer(document, labelled) : labelled
  const items = findItems(document, entries, zones.bodyStart)
  const nature = natureOf(document, entries, lines, items.length, options.preferred)
  const taxIds = findTaxIds(document)
  const country = findCountry(document, taxIds)
  const fields: Record<string, number> = {}
  const put = (field: string, confidence: number): void => {
    fields[field] =
      Math.round(Math.max(0, Math.min(1, confidence * legibilityFactor(document))) * 100) / 100
  }
  result.locale_hints = localeHints(document, country?.value ?? null)
  if (!nature.isSale) {
    result.warnings.push('not_a_receipt_or_invoice')
    result.confidence.overall = 0.1
    return result
  }
  result.doc_type = nature.docType
  put('doc_type', nature.confidence)

  const merchant = findMerchant(document, zones, options.preferred)
  if (merchant) {
    result.merchant.name =
      (options.preferred === 'invoice' ? legalNameOf(document, merchant.value) : null) ??
      merchant.value
    put('merchant.name', merchant.confidence)
  }
  const address = findAddress(document, zones, merchant)
  if (address) {
    result.merchant.address = address.value
    put('merchant.address', address.confidence)
  }
  const phone = findPhone(document, zones)
  if (phone) {
    result.merchant.phone = phone.value
    put('merchant.phone', phone.confidence)
  }
  if (country) {
    result.merchant.country = country.value
    put('merchant.country', country.confidence)
  }
  const buyer = findBuyer(zones, taxIds, options.preferred === 'invoice')
  const ownTaxId = taxIds.find((id) => id.value !== buyer?.tax_id)
  if (ownTaxId) {
    result.merchant.tax_id = ownTaxId.value
    put('merchant.tax_id', ownTaxId.confidence)
  }
  if (buyer) {
    result.buyer = { name: buyer.name, tax_id: buyer.tax_id }
    put('buyer', buyer.confidence)
  }
  const id = findDocumentId(document)
  if (id) {
    result.document_id = id.value
    put('document_id', id.confidence)
  }
  const issued = findIssuedAt(document, options.now)
  if (issued) {
    result.issued_at = issued.value
    put('issued_at', issued.confidence)
  }
  const currency = findCurrency(document, entries, country)
  if (currency) {
    result.currency = currency.value
    put('currency', currency.confidence)
  }

  const byLabel = labelledAmounts(lines)
  const itemsSum =
    items.length === 0 ? null : Math.round(items.reduce((s, i) => s + i.amount, 0) * 100) / 100
  const masked = hasMaskedTotal(document)
  const total = masked ? null : chooseTotal(byLabel, entries, itemsSum)
  if (masked) result.warnings.push('total_is_masked')
  else if (!total) result.warnings.push('total_not_found')
  if (total) {
    result.total = total.value
    put('total', total.confidence)
  }
  const split = splitBesideTotal(entries, total)
  const named = chooseSubtotal(byLabel, total, itemsSum)
  const subtotal = named ?? (split ? { value: split.net, confidence: 0.85 } : null)
  if (subtotal) {
    result.subtotal = subtotal.value
    put('subtotal', subtotal.confidence)
  }
  const found = findTax(document, entries, lines, total?.value ?? null, subtotal?.value ?? null)
  const tax =
    found.amount === null && split ? { ...found, amount: split.tax, amountConfidence: 0.85 } : found
  result.tax = {
    vat_rate: tax.rate,
    vat_amount: tax.amount,
    label: tax.label,
    inclusive: tax.inclusive,
  }
  if (tax.rate !== null) put('tax.vat_rate', tax.rateConfidence)
  if (tax.amount !== null) put('tax.vat_amount', tax.amountConfidence)
  if (tax.unsummed && tax.amount === null)
    result.warnings.push('several_tax_lines_without_printed_sum')
  const paid = choosePaid(byLabel)
  if (paid) {
    result.amount_paid = paid.value
    put('amount_paid', paid.confidence)
  }
  const balance = chooseBalance(byLabel, total)
  if (balance) {
    result.balance_due = balance.value
    put('balance_due', balance.confidence)
  }
  result.payment = findPayment(document, lines)
  if (result.payment) put('payment.method', 0.9)
  result.line_items = items
  if (items.length > 0) put('line_items', itemsConfidence(itemsSum, result))
  check(result, itemsSum)
  if (document.source === 'ocr' && document.legibility < 0.6) result.warnings.push('poorly_legible')
  result.confidence.fields = fields
  result.confidence.overall = overall(fields, result)
  return result
}

/** OCR's own doubt lowers ours: at 60 % legibility a value is worth about nine tenths. */
function legibilityFactor(document: DocumentText): number {
  return document.source === 'ocr' ? Math.min(1, 0.75 + 0.28 * document.legibility) : 1
}

function itemsConfidence(sum: number | null, result: ParseResult): number {
  if (sum === null) return 0.5
  const targets = [result.subtotal, result.total].filter((v): v is number => v !== null)
  const withTax =
    result.tax.vat_amount !== null && result.total !== null
      ? [result.total - result.tax.vat_amount]
      : []
  return [...targets, ...withTax].some((t) => isNear(t, sum, 0.06)) ? 0.95 : 0.6
}

/** Sums that do not agree are said, not repaired. */
function check(result: ParseResult, itemsSum: number | null): void {
  const { subtotal, total, tax } = result
  if (subtotal !== null && total !== null && tax.vat_amount !== null && tax.inclusive !== true) {
    const gap = total - subtotal - tax.vat_amount
    if (Math.abs(gap) > 0.06 && !isNear(subtotal, total, 0.06))
      result.warnings.push('vat_total_mismatch')
  }
  if (tax.vat_rate !== null && tax.vat_amount !== null && total !== null && tax.vat_amount > total)
    result.warnings.push('vat_total_mismatch')
  if (itemsSum !== null && (subtotal ?? total) !== null) {
    const targets = [
      subtotal,
      total,
      total !== null && tax.vat_amount !== null ? total - tax.vat_amount : null,
    ]
    if (!targets.some((t) => t !== null && isNear(t, itemsSum, 0.11)))
      result.warnings.push('line_items_sum_mismatch')
  }
  if (total !== null && result.currency === null) result.warnings.push('currency_unknown')
}

const WEIGHTS: Readonly<Record<string, number>> = {
  total: 4,
  issued_at: 2,
  'merchant.name': 2,
  document_id: 1,
  currency: 1,
}

/** Weighted mean of the fields that matter; a missing one counts as a third. */
function overall(fields: Record<string, number>, result: ParseResult): number {
  let sum = 0
  let weights = 0
  for (const [field, weight] of Object.entries(WEIGHTS)) {
    sum += weight * (fields[field] ?? 0.33)
    weights += weight
  }
  const penalty = result.warnings.includes('vat_total_mismatch') ? 0.05 : 0
  return Math.round(Math.max(0, sum / weights - penalty) * 100) / 100
}
