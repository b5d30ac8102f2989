/** The result that says nothing: every key present, values null or empty. */
import type { ParseResult } from '../schema.ts'

/** A fresh empty result carrying the excerpt of what was read. */
export function emptyResult(excerpt: string | null): ParseResult {
  return {
    doc_type: 'unknown',
    merchant: { name: null, tax_id: null, country: null, address: null, phone: null },
    buyer: null,
    document_id: null,
    issued_at: null,
    currency: null,
    subtotal: null,
    tax: { vat_rate: null, vat_amount: null, label: null, inclusive: null },
    total: null,
    amount_paid: null,
    balance_due: null,
    payment: null,
    line_items: [],
    locale_hints: [],
    raw_text_excerpt: excerpt,
    warnings: [],
    confidence: { overall: 0, fields: {} },
  }
}
