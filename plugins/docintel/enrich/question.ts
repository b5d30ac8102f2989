/** What tier L asks the enrichment model about one document. */
import type { ModelQuestion } from '#skillkit'
import type { ParseResult } from '../schema.ts'

const RULES =
  'You extract data from one receipt or invoice. Answer with one JSON object and nothing else: {"merchant":{"name","tax_id","address","phone"},"buyer":{"name","tax_id"},"document_id","issued_at" (YYYY-MM-DD),"currency" (ISO 4217),"subtotal","tax":{"vat_amount"},"total","amount_paid","balance_due","line_items":[{"description","quantity","unit_price","amount"}]}. Copy values exactly as they are written; numbers as JSON numbers. Use null for whatever is not written in the text.'

/** The question about a document that the rules took for `docType`. */
export function questionAbout(docType: ParseResult['doc_type'], text: string): ModelQuestion {
  return { rules: RULES, wish: `Kind: ${docType}`, document: text }
}
