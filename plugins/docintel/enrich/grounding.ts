/** Takes from a model's answer only what the document says, and only where the rules found nothing. */
import { groundOf } from '#skillkit'
import { documentFromText } from '../read/text.ts'
import type { ParseResult } from '../schema.ts'
import { amountsOfRow } from '../understand/marks/amounts.ts'
import { findDates } from '../understand/marks/dates.ts'
import { isNear } from '../understand/marks/near.ts'
import { detectDecimalMark } from '../understand/marks/numbers.ts'
import { currencyMarksIn } from '../lexicon/currencies.ts'

/** A model's value that the document confirms is still less sure than one read by a label. */
const CONFIDENCE = 0.7
const TEXT_MAX = 300

export interface Facts {
  hasText(value: unknown): value is string
  hasAmount(value: unknown): value is number
  hasDate(value: unknown): value is string
  hasCurrency(value: unknown): value is string
}

/** What can be looked up in a document's text. */
function factsOf(text: string): Facts {
  const document = documentFromText(text)
  const ground = groundOf(text)
  const mark = detectDecimalMark(text)
  const amounts = document.rows.flatMap((row) =>
    amountsOfRow(row, mark).map((a) => Math.abs(a.value)),
  )
  const dates = new Set(findDates(document).map((d) => d.iso))
  const currencies = new Set(currencyMarksIn(text))
  return {
    hasText: (value): value is string =>
      typeof value === 'string' && value.length <= TEXT_MAX && ground.hasText(value),
    hasAmount: (value): value is number =>
      typeof value === 'number' &&
      Number.isFinite(value) &&
      amounts.some((a) => isNear(a, Math.abs(value))),
    hasDate: (value): value is string => typeof value === 'string' && dates.has(value),
    hasCurrency: (value): value is string => typeof value === 'string' && currencies.has(value),
  }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

/**
 * The result with gaps filled from `answer`; values that the text does not contain are dropped. A
 * document that is no sale stays empty, and a hidden total stays hidden.
 */
export function fillGaps(result: ParseResult, answer: unknown, text: string): ParseResult {
  if (result.doc_type === 'unknown') return result
  const facts = factsOf(text)
  const given = record(answer)
  const filled = structuredClone(result)
  const { fields } = filled.confidence
  let dropped = 0
  const take = <T>(
    field: string,
    current: T | null,
    value: unknown,
    accepts: (v: unknown) => v is T,
  ): T | null => {
    if (current !== null || value === null || value === undefined) return current
    if (!accepts(value)) {
      dropped++
      return null
    }
    fields[field] = CONFIDENCE
    return value
  }
  const merchant = record(given.merchant)
  for (const key of ['name', 'tax_id', 'address', 'phone'] as const)
    filled.merchant[key] = take(
      `merchant.${key}`,
      filled.merchant[key],
      merchant[key],
      facts.hasText,
    )
  filled.document_id = take('document_id', filled.document_id, given.document_id, facts.hasText)
  filled.issued_at = take('issued_at', filled.issued_at, given.issued_at, facts.hasDate)
  filled.currency = take('currency', filled.currency, given.currency, facts.hasCurrency)
  const masked = filled.warnings.includes('total_is_masked')
  for (const key of ['subtotal', 'total', 'amount_paid', 'balance_due'] as const)
    if (!masked) filled[key] = take(key, filled[key], given[key], facts.hasAmount)
  const tax = record(given.tax)
  filled.tax.vat_amount = take(
    'tax.vat_amount',
    filled.tax.vat_amount,
    tax.vat_amount,
    facts.hasAmount,
  )
  const buyer = record(given.buyer)
  if (filled.buyer === null && facts.hasText(buyer.name)) {
    filled.buyer = { name: buyer.name, tax_id: facts.hasText(buyer.tax_id) ? buyer.tax_id : null }
    fields.buyer = CONFIDENCE
  }
  if (filled.line_items.length === 0 && Array.isArray(given.line_items)) {
    for (const entry of given.line_items.slice(0, 200).map(record)) {
      const { description, quantity, unit_price: price, amount } = entry
      if (!facts.hasText(description) || !facts.hasAmount(amount)) {
        dropped++
        continue
      }
      filled.line_items.push({
        description,
        quantity: facts.hasAmount(quantity) ? quantity : null,
        unit_price: facts.hasAmount(price) ? price : null,
        amount,
      })
    }
    if (filled.line_items.length > 0) fields.line_items = CONFIDENCE
  }
  if (filled.total !== null)
    filled.warnings = filled.warnings.filter((w) => w !== 'total_not_found')
  if (dropped > 0) filled.warnings.push('model_values_not_in_document_dropped')
  return filled
}
