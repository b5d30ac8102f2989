/** Electronic invoices: which texts are one, and their exact result with full confidence. */
import type { ParseResult } from '../schema.ts'
import { readCii } from './cii.ts'
import { readUbl } from './ubl.ts'
import { parseXml, type XmlNode } from '../../shared/xml.ts'

const ROOT = /<(?:[\w.-]+:)?(?:CrossIndustryInvoice|CrossIndustryDocument|Invoice|CreditNote)[\s>]/

/** Whether a text may be e-invoice XML; cheap, so that every text can be asked. */
export function looksLikeEInvoice(text: string): boolean {
  return /^\s*\uFEFF?\s*</.test(text.slice(0, 64)) && ROOT.test(text.slice(0, 20_000))
}

/** The invoice itself where an envelope (Peppol's StandardBusinessDocument) carries it. */
function documentIn(root: XmlNode): XmlNode {
  if (root.name !== 'StandardBusinessDocument') return root
  return root.children.find((c) => c.name !== 'StandardBusinessDocumentHeader') ?? root
}

const UBL = 'urn:oasis:names:specification:ubl:'

/**
 * Whether the document says that it is no UBL: other formats (ISDOC, ebInterface) have an Invoice with
 * some of the same names, of which a part would be read. One that names no namespace may be UBL.
 */
function isOtherNamespace(outer: XmlNode, root: XmlNode): boolean {
  const spaces = [outer, root]
    .flatMap(({ attributes }) => Object.values(attributes))
    .filter((value) => /^(?:https?|urn):/.test(value) && !/^https?:\/\/www\.w3\.org\//.test(value))
  return spaces.length > 0 && !spaces.some((value) => value.startsWith(UBL))
}

/** The exact result of CII or UBL XML; null when it is neither or names no total and number. */
export function readEInvoice(xml: string): ParseResult | null {
  const outer = parseXml(xml)
  if (!outer) return null
  const root = documentIn(outer)
  const result = readCii(root) ?? (isOtherNamespace(outer, root) ? null : readUbl(root))
  if (!result || (result.total === null && result.document_id === null)) return null
  // Read exactly; where its sums disagree nobody knows which of them is meant.
  const agrees = result.warnings.length === 0
  result.confidence = {
    overall: agrees ? 1 : DISAGREES,
    fields: exactFields(result),
    line_items: result.line_items.map(() => 1),
  }
  result.locale_hints = result.merchant.country ? [result.merchant.country] : []
  return result
}

/** Overall confidence in XML whose own sums disagree. */
const DISAGREES = 0.8

function exactFields(result: ParseResult): Record<string, number> {
  const values: Record<string, unknown> = {
    'merchant.name': result.merchant.name,
    'merchant.tax_id': result.merchant.tax_id,
    'merchant.address': result.merchant.address,
    'merchant.country': result.merchant.country,
    'merchant.phone': result.merchant.phone,
    document_id: result.document_id,
    issued_at: result.issued_at,
    currency: result.currency,
    subtotal: result.subtotal,
    'tax.vat_amount': result.tax.vat_amount,
    'tax.vat_rate': result.tax.vat_rate,
    total: result.total,
    amount_paid: result.amount_paid,
    balance_due: result.balance_due,
    buyer: result.buyer,
    line_items: result.line_items.length > 0 ? result.line_items : null,
    tax_lines: result.tax_lines.length > 0 ? result.tax_lines : null,
    due_date: result.due_date,
    delivery_date: result.delivery_date,
    payment_terms: result.payment_terms,
    purchase_order: result.purchase_order,
    original_document_id: result.original_document_id,
    discount: result.discount,
    rounding: result.rounding,
    iban: result.iban,
    bic: result.bic,
  }
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, v]) => v !== null)
      .map(([k]) => [k, 1]),
  )
}
