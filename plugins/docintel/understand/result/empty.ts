/** The result that says nothing: every key present, values null or empty. */
import type { ParseResult } from '../../schema.ts'

/** A fresh empty result carrying the excerpt of what was read. */
export function emptyResult(excerpt: string | null): ParseResult {
  return {
    doc_type: 'unknown',
    document_kind: 'unknown',
    merchant: { name: null, tax_id: null, country: null, address: null, phone: null },
    buyer: null,
    document_id: null,
    issued_at: null,
    issued_time: null,
    due_date: null,
    delivery_date: null,
    payment_terms: null,
    purchase_order: null,
    original_document_id: null,
    currency: null,
    subtotal: null,
    tax: { vat_rate: null, vat_amount: null, label: null, inclusive: null },
    tax_lines: [],
    discount: null,
    tip: null,
    rounding: null,
    total: null,
    amount_paid: null,
    tendered: null,
    change: null,
    balance_due: null,
    payment: null,
    iban: null,
    bic: null,
    line_items: [],
    locale_hints: [],
    raw_text_excerpt: excerpt,
    warnings: [],
    confidence: { overall: 0, fields: {}, line_items: [] },
  }
}
