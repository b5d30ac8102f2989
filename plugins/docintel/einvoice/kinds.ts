/** Kinds of documents by their UNTDID 1001 codes, as EN 16931 allows them. */
import type { ParseResult } from '../schema.ts'

type DocumentKind = ParseResult['document_kind']

const KINDS: Readonly<Record<string, DocumentKind>> = {
  '81': 'credit_note',
  '83': 'credit_note',
  '261': 'self_billed_credit_note',
  '262': 'credit_note',
  '296': 'credit_note',
  '308': 'credit_note',
  '325': 'proforma',
  '381': 'credit_note',
  '384': 'corrected_invoice',
  '386': 'prepayment_invoice',
  '389': 'self_billed',
  '396': 'credit_note',
  '420': 'credit_note',
  '458': 'credit_note',
  '500': 'self_billed',
  '501': 'self_billed_credit_note',
  '502': 'self_billed_credit_note',
  '503': 'credit_note',
  '532': 'credit_note',
}

/** The kind that a code names; every other code of the list is a kind of invoice. */
export function kindOfCode(code: string | null): DocumentKind {
  return (code && KINDS[code]) || 'invoice'
}
