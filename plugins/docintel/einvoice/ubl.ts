/** UBL 2.1 Invoice and CreditNote (EN 16931, XRechnung, Peppol) to the shared result. */
import type { Address, ParseResult } from '../schema.ts'
import { emptyResult } from '../understand/result/empty.ts'
import { docTypeOfCode, paymentMethodOfCode } from './cii.ts'
import { kindOfCode } from './kinds.ts'
import { isNear } from '../understand/marks/near.ts'
import { CENT, sumWarnings } from './sums.ts'
import { unitPriceOf } from './unit-price.ts'
import { all, at, numberAt, textAt, type XmlNode } from '../../shared/xml.ts'

function nameOf(party: XmlNode | null): string | null {
  const person = at(party, 'Person')
  return (
    textAt(party, 'PartyLegalEntity', 'RegistrationName') ??
    textAt(party, 'PartyName', 'Name') ??
    joined([textAt(person, 'FirstName'), textAt(person, 'FamilyName')])
  )
}
function taxIdOf(party: XmlNode | null): string | null {
  const schemes = all(party, 'PartyTaxScheme')
  const vat = schemes.find((s) => textAt(s, 'TaxScheme', 'ID') === 'VAT') ?? schemes[0]
  // Turkey's tax numbers of companies and of people.
  const identified = all(party, 'PartyIdentification').map((one) => at(one, 'ID'))
  const turkish = identified.find((id) => /^(?:VKN|TCKN)$/.test(id?.attributes.schemeID ?? ''))
  return textAt(vat, 'CompanyID') ?? (turkish?.text.trim() || null)
}
const joined = (parts: (string | null)[]): string | null =>
  parts.filter((p) => p !== null && p !== '').join(' ') || null

function addressOf(party: XmlNode | null): { address: string | null; parts: Address } {
  const postal = at(party, 'PostalAddress')
  const street = joined([
    textAt(postal, 'StreetName'),
    textAt(postal, 'AdditionalStreetName'),
    textAt(postal, 'AddressLine', 'Line'),
  ])
  const parts = {
    street,
    postcode: textAt(postal, 'PostalZone'),
    city: textAt(postal, 'CityName'),
    region: textAt(postal, 'CountrySubentity'),
    country: textAt(postal, 'Country', 'IdentificationCode'),
  }
  return { address: joined([street, parts.postcode, parts.city]), parts }
}

const schemeOf = (total: XmlNode): string | null =>
  textAt(at(total, 'TaxSubtotal'), 'TaxCategory', 'TaxScheme', 'ID')

/**
 * The totals of tax that count. UBL has one for each kind of tax (Colombia: VAT, consumption, trade);
 * EN 16931 has one, beside its sum in the currency of the tax office, which has no parts; Saudi Arabia
 * repeats that sum in the same currency.
 */
function taxTotals(root: XmlNode, currency: string | null): XmlNode[] {
  const given = all(root, 'TaxTotal')
  const own = given.filter((t) => at(t, 'TaxAmount')?.attributes.currencyID === currency)
  const parted = own.filter((t) => at(t, 'TaxSubtotal') !== null)
  const areKinds = new Set(parted.map(schemeOf)).size === parted.length
  if (parted.length > 0) return areKinds ? parted : parted.slice(0, 1)
  return (own.length > 0 ? own : given).slice(0, 1)
}

/** The rate of a part of a tax: some countries state it beside its category, others in it. */
const rateOf = (part: XmlNode): number | null =>
  numberAt(part, 'TaxCategory', 'Percent') ?? numberAt(part, 'Percent')

/**
 * The net. In Denmark's UBL 2.0 the amount that is called tax exclusive is the tax; the net is that of
 * the lines there, and not stated where something is added to these or taken away.
 */
function netOf(
  sums: XmlNode,
  vat: number | null,
  total: number | null,
  charges: number,
): number | null {
  const exclusive = numberAt(sums, 'TaxExclusiveAmount')
  const lines = numberAt(sums, 'LineExtensionAmount')
  if (exclusive === null || exclusive !== vat || total === null || lines === null)
    return exclusive ?? lines
  const isTax = !isNear(exclusive + vat, total, CENT) && isNear(lines + charges + vat, total, CENT)
  if (!isTax) return exclusive
  return charges === 0 ? lines : null
}

/** Null where one has no amount. Added in whole millionths: sums of fractions are not exact. */
function sumOfTaxes(totals: readonly XmlNode[]): number | null {
  const amounts = totals.map((t) => numberAt(t, 'TaxAmount'))
  if (amounts.length === 1 || amounts.includes(null))
    return amounts.length === 1 ? amounts[0]! : null
  return amounts.reduce<number>((sum, a) => sum + Math.round(a! * 1e6), 0) / 1e6
}

const dayAt = (node: XmlNode | null, ...path: string[]): string | null =>
  textAt(node, ...path)?.slice(0, 10) ?? null

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
  const code = textAt(root, credit ? 'CreditNoteTypeCode' : 'InvoiceTypeCode')
  result.doc_type = docTypeOfCode(code)
  // Countries have codes of their own (Colombia's 91); what calls itself a credit note is none but that.
  const kind = kindOfCode(code)
  result.document_kind = credit && kind === 'invoice' ? 'credit_note' : kind
  const sold = addressOf(seller)
  result.merchant = {
    name: nameOf(seller),
    tax_id: taxIdOf(seller),
    country: sold.parts.country,
    address: sold.address,
    phone: textAt(seller, 'Contact', 'Telephone'),
    address_parts: sold.parts,
  }
  if (buyer) {
    const bought = addressOf(buyer)
    result.buyer = {
      name: nameOf(buyer),
      tax_id: taxIdOf(buyer),
      ...(bought.address && { address: bought.address, address_parts: bought.parts }),
    }
  }
  result.document_id = textAt(root, 'ID')
  result.issued_at = dayAt(root, 'IssueDate')
  result.due_date = dayAt(root, 'DueDate') ?? dayAt(root, 'PaymentMeans', 'PaymentDueDate')
  result.delivery_date = dayAt(root, 'Delivery', 'ActualDeliveryDate')
  result.payment_terms = textAt(root, 'PaymentTerms', 'Note')
  result.purchase_order = textAt(root, 'OrderReference', 'ID')
  result.original_document_id = textAt(root, 'BillingReference', 'InvoiceDocumentReference', 'ID')
  result.currency = currency
  const totals = taxTotals(root, currency)
  result.tax_lines = totals
    .flatMap((t) => all(t, 'TaxSubtotal'))
    .map((tax) => ({
      rate: rateOf(tax),
      base: numberAt(tax, 'TaxableAmount'),
      amount: numberAt(tax, 'TaxAmount'),
      category: textAt(tax, 'TaxCategory', 'ID'),
    }))
  const rates = [...new Set(result.tax_lines.map((t) => t.rate))].filter((r) => r !== null)
  result.tax = {
    vat_rate: rates.length === 1 ? rates[0]! : null,
    vat_amount: totals.length === 0 ? null : sumOfTaxes(totals),
    label: totals[0] ? schemeOf(totals[0]) : null,
    inclusive: false,
  }
  result.total = numberAt(sums, 'TaxInclusiveAmount') ?? numberAt(sums, 'PayableAmount')
  const allowances = numberAt(sums, 'AllowanceTotalAmount') ?? 0
  const charges = (numberAt(sums, 'ChargeTotalAmount') ?? 0) - allowances
  result.subtotal = netOf(sums, result.tax.vat_amount, result.total, charges)
  result.amount_paid = numberAt(sums, 'PrepaidAmount')
  result.balance_due = numberAt(sums, 'PayableAmount')
  const means = at(root, 'PaymentMeans')
  const method = paymentMethodOfCode(textAt(means, 'PaymentMeansCode'))
  const account = at(means, 'PayeeFinancialAccount')
  const number = textAt(account, 'ID')
  result.iban = number && /^[A-Z]{2}\d{2}/.test(number) ? number : null
  result.bic = textAt(account, 'FinancialInstitutionBranch', 'ID')
  if (method) result.payment = { method, mobile_money: null, bank_ref: textAt(means, 'PaymentID') }
  for (const line of all(root, credit ? 'CreditNoteLine' : 'InvoiceLine')) {
    const amount = numberAt(line, 'LineExtensionAmount')
    if (amount === null) continue
    const item = at(line, 'Item')
    const price = at(line, 'Price')
    const quantity = at(line, credit ? 'CreditedQuantity' : 'InvoicedQuantity')
    const code = textAt(item, 'SellersItemIdentification', 'ID')
    const unit = quantity?.attributes.unitCode
    const taxes = all(line, 'TaxTotal').flatMap((one) => all(one, 'TaxSubtotal'))
    const rate =
      numberAt(item, 'ClassifiedTaxCategory', 'Percent') ??
      (taxes.length === 1 ? rateOf(taxes[0]!) : null)
    result.line_items.push({
      description: textAt(item, 'Name') ?? textAt(item, 'Description') ?? '',
      quantity: numberAt(quantity),
      unit_price: unitPriceOf(numberAt(price, 'PriceAmount'), at(price, 'BaseQuantity'), quantity),
      amount,
      ...(code && { code }),
      ...(unit && { unit }),
      ...(rate !== null && { tax_rate: rate }),
    })
  }
  result.discount = allowances === 0 ? null : allowances
  result.rounding = numberAt(sums, 'PayableRoundingAmount')
  result.warnings = sumWarnings(result, {
    linesTotal: numberAt(sums, 'LineExtensionAmount'),
    charges,
    rounding: result.rounding ?? 0,
    prepaid: result.amount_paid ?? 0,
  })
  return result
}
