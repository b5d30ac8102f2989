/** UBL 2.1 Invoice and CreditNote (EN 16931, XRechnung, Peppol) to the shared result. */
import type { ParseResult } from '../schema.ts'
import { emptyResult } from '../understand/empty.ts'
import { docTypeOfCode, paymentMethodOfCode } from './cii.ts'
import { all, at, numberAt, textAt, type XmlNode } from './xml.ts'

function nameOf(party: XmlNode | null): string | null {
  return textAt(party, 'PartyLegalEntity', 'RegistrationName') ?? textAt(party, 'PartyName', 'Name')
}
function taxIdOf(party: XmlNode | null): string | null {
  const schemes = all(party, 'PartyTaxScheme')
  const vat = schemes.find((s) => textAt(s, 'TaxScheme', 'ID') === 'VAT') ?? schemes[0]
  return textAt(vat, 'CompanyID')
}
function addressOf(party: XmlNode | null): string | null {
  const postal = at(party, 'PostalAddress')
  const parts = [
    textAt(postal, 'StreetName'),
    textAt(postal, 'AdditionalStreetName'),
    textAt(postal, 'AddressLine', 'Line'),
    [textAt(postal, 'PostalZone'), textAt(postal, 'CityName')].filter(Boolean).join(' '),
  ].filter((p): p is string => p !== null && p !== '')
  return parts.length > 0 ? parts.join(' ') : null
}

/** The result of a UBL document, or null when the root is another. */
export function readUbl(root: XmlNode): ParseResult | null {
  const credit = root.name === 'CreditNote'
  if (root.name !== 'Invoice' && !credit) return null
  const sums = at(root, 'LegalMonetaryTotal')
  if (!sums) return null
  const seller = at(root, 'AccountingSupplierParty', 'Party')
  const buyer = at(root, 'AccountingCustomerParty', 'Party')
  const currency = textAt(root, 'DocumentCurrencyCode')
  const result = emptyResult(null)
  result.doc_type = docTypeOfCode(textAt(root, credit ? 'CreditNoteTypeCode' : 'InvoiceTypeCode'))
  result.merchant = {
    name: nameOf(seller),
    tax_id: taxIdOf(seller),
    country: textAt(seller, 'PostalAddress', 'Country', 'IdentificationCode'),
    address: addressOf(seller),
    phone: textAt(seller, 'Contact', 'Telephone'),
  }
  if (buyer) result.buyer = { name: nameOf(buyer), tax_id: taxIdOf(buyer) }
  result.document_id = textAt(root, 'ID')
  result.issued_at = textAt(root, 'IssueDate')?.slice(0, 10) ?? null
  result.currency = currency
  const totals = all(root, 'TaxTotal')
  const ownTotal =
    totals.find((t) => at(t, 'TaxAmount')?.attributes.currencyID === currency) ?? totals[0]
  const rates = [
    ...new Set(all(ownTotal, 'TaxSubtotal').map((s) => numberAt(s, 'TaxCategory', 'Percent'))),
  ].filter((r): r is number => r !== null)
  result.subtotal = numberAt(sums, 'TaxExclusiveAmount') ?? numberAt(sums, 'LineExtensionAmount')
  result.tax = {
    vat_rate: rates.length === 1 ? rates[0]! : null,
    vat_amount: numberAt(ownTotal, 'TaxAmount'),
    label: textAt(at(ownTotal, 'TaxSubtotal'), 'TaxCategory', 'TaxScheme', 'ID'),
    inclusive: false,
  }
  result.total = numberAt(sums, 'TaxInclusiveAmount') ?? numberAt(sums, 'PayableAmount')
  result.amount_paid = numberAt(sums, 'PrepaidAmount')
  result.balance_due = numberAt(sums, 'PayableAmount')
  const means = at(root, 'PaymentMeans')
  const method = paymentMethodOfCode(textAt(means, 'PaymentMeansCode'))
  if (method) result.payment = { method, mobile_money: null, bank_ref: textAt(means, 'PaymentID') }
  for (const line of all(root, credit ? 'CreditNoteLine' : 'InvoiceLine')) {
    const amount = numberAt(line, 'LineExtensionAmount')
    if (amount === null) continue
    const item = at(line, 'Item')
    result.line_items.push({
      description: textAt(item, 'Name') ?? textAt(item, 'Description') ?? '',
      quantity: numberAt(line, credit ? 'CreditedQuantity' : 'InvoicedQuantity'),
      unit_price: numberAt(line, 'Price', 'PriceAmount'),
      amount,
    })
  }
  return result
}
