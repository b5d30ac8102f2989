/**
 * UN/CEFACT Cross Industry Invoice to the shared result: Factur-X, ZUGFeRD 2, XRechnung (D16B) and
 * ZUGFeRD 1 (CrossIndustryDocument), which names the same things differently.
 */
import type { Address, ParseResult, TaxLine } from '../schema.ts'
import { emptyResult } from '../understand/result/empty.ts'
import { kindOfCode } from './kinds.ts'
import { sumWarnings } from './sums.ts'
import { unitPriceOf } from './unit-price.ts'
import { all, at, numberAt, textAt, type XmlNode } from '../../shared/xml.ts'

/** Child whose name is one of two: ZUGFeRD 2's, then ZUGFeRD 1's. */
function either(node: XmlNode | null, ...names: string[]): XmlNode | null {
  for (const name of names) {
    const found = at(node, name)
    if (found) return found
  }
  return null
}

/** A sum in the invoice's currency, where the profile EXTENDED gives it in two. */
function sumIn(sums: XmlNode, name: string, currency: string | null): number | null {
  const given = all(sums, name)
  const own = given.find((n) => n.attributes.currencyID === currency) ?? given[0]
  const value = Number(own?.text.trim() || Number.NaN)
  return Number.isFinite(value) ? value : null
}

const isoDate = (text: string | null): string | null => {
  const match = text ? /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text) : null
  return match ? `${match[1]}-${match[2]}-${match[3]}` : null
}

/** UNTDID 1001 codes: 325 proforma; every other code here is a kind of invoice or credit note. */
export function docTypeOfCode(code: string | null): ParseResult['doc_type'] {
  return code === '325' ? 'proforma' : 'invoice'
}

function taxIdOf(party: XmlNode | null): string | null {
  const ids = all(party, 'SpecifiedTaxRegistration').flatMap((r) => all(r, 'ID'))
  // The code is VA; some writers put UBL's word.
  const vat = ids.find((id) => /^VAT?$/.test(id.attributes.schemeID ?? '')) ?? ids[0]
  return vat?.text.trim() || null
}
const joined = (parts: (string | null)[]): string | null =>
  parts.filter((p) => p !== null && p !== '').join(' ') || null

function addressOf(party: XmlNode | null): { address: string | null; parts: Address } {
  const postal = at(party, 'PostalTradeAddress')
  const street = joined([
    textAt(postal, 'LineOne'),
    textAt(postal, 'LineTwo'),
    textAt(postal, 'LineThree'),
  ])
  const parts = {
    street,
    postcode: textAt(postal, 'PostcodeCode'),
    city: textAt(postal, 'CityName'),
    region: textAt(postal, 'CountrySubDivisionName'),
    country: textAt(postal, 'CountryID'),
  }
  return { address: joined([street, parts.postcode, parts.city]), parts }
}

function dateAt(node: XmlNode | null, ...path: string[]): string | null {
  return isoDate(textAt(node, ...path, 'DateTimeString') ?? textAt(node, ...path, 'DateTime'))
}

function taxLineOf(tax: XmlNode): TaxLine {
  return {
    rate: numberAt(tax, 'RateApplicablePercent') ?? numberAt(tax, 'ApplicablePercent'),
    base: numberAt(tax, 'BasisAmount'),
    amount: numberAt(tax, 'CalculatedAmount'),
    category: textAt(tax, 'CategoryCode'),
  }
}

function lineOf(item: XmlNode): ParseResult['line_items'][number] | null {
  const agreement = either(
    item,
    'SpecifiedLineTradeAgreement',
    'SpecifiedSupplyChainTradeAgreement',
  )
  const delivery = either(item, 'SpecifiedLineTradeDelivery', 'SpecifiedSupplyChainTradeDelivery')
  const settlement = either(
    item,
    'SpecifiedLineTradeSettlement',
    'SpecifiedSupplyChainTradeSettlement',
  )
  const sum = either(
    settlement,
    'SpecifiedTradeSettlementLineMonetarySummation',
    'SpecifiedTradeSettlementMonetarySummation',
  )
  const amount = numberAt(sum, 'LineTotalAmount')
  if (amount === null) return null
  const product = at(item, 'SpecifiedTradeProduct')
  const note = textAt(item, 'AssociatedDocumentLineDocument', 'IncludedNote', 'Content')
  const net =
    at(agreement, 'NetPriceProductTradePrice') ?? at(agreement, 'GrossPriceProductTradePrice')
  const code = textAt(product, 'SellerAssignedID')
  const quantity = at(delivery, 'BilledQuantity')
  const unit = quantity?.attributes.unitCode
  const tax = at(settlement, 'ApplicableTradeTax')
  const rate = tax ? taxLineOf(tax).rate : null
  return {
    description: textAt(product, 'Name') ?? textAt(product, 'Description') ?? note ?? '',
    quantity: numberAt(quantity),
    unit_price: unitPriceOf(numberAt(net, 'ChargeAmount'), at(net, 'BasisQuantity'), quantity),
    amount,
    ...(code && { code }),
    ...(unit && { unit }),
    ...(rate !== null && { tax_rate: rate }),
  }
}

/** The result of a CII document, or null when the root is another. */
export function readCii(root: XmlNode): ParseResult | null {
  if (root.name !== 'CrossIndustryInvoice' && root.name !== 'CrossIndustryDocument') return null
  const header = either(root, 'ExchangedDocument', 'HeaderExchangedDocument')
  const transaction = either(
    root,
    'SupplyChainTradeTransaction',
    'SpecifiedSupplyChainTradeTransaction',
  )
  const agreement = either(
    transaction,
    'ApplicableHeaderTradeAgreement',
    'ApplicableSupplyChainTradeAgreement',
  )
  const settlement = either(
    transaction,
    'ApplicableHeaderTradeSettlement',
    'ApplicableSupplyChainTradeSettlement',
  )
  const sums = either(
    settlement,
    'SpecifiedTradeSettlementHeaderMonetarySummation',
    'SpecifiedTradeSettlementMonetarySummation',
  )
  if (!header || !settlement || !sums) return null
  const seller = at(agreement, 'SellerTradeParty')
  const buyer = at(agreement, 'BuyerTradeParty')
  const currency = textAt(settlement, 'InvoiceCurrencyCode')
  const result = emptyResult(null)
  result.doc_type = docTypeOfCode(textAt(header, 'TypeCode'))
  result.document_kind = kindOfCode(textAt(header, 'TypeCode'))
  const contact = at(seller, 'DefinedTradeContact')
  const sold = addressOf(seller)
  result.merchant = {
    name: textAt(seller, 'Name'),
    tax_id: taxIdOf(seller),
    address: sold.address,
    country: sold.parts.country,
    phone: textAt(contact, 'TelephoneUniversalCommunication', 'CompleteNumber'),
    address_parts: sold.parts,
  }
  if (buyer) {
    const bought = addressOf(buyer)
    result.buyer = {
      name: textAt(buyer, 'Name'),
      tax_id: taxIdOf(buyer),
      ...(bought.address && { address: bought.address, address_parts: bought.parts }),
    }
  }
  result.document_id = textAt(header, 'ID')
  result.issued_at = dateAt(header, 'IssueDateTime')
  result.purchase_order =
    textAt(at(agreement, 'BuyerOrderReferencedDocument'), 'IssuerAssignedID') ??
    textAt(agreement, 'BuyerOrderReferencedDocument', 'ID')
  const delivery = either(
    transaction,
    'ApplicableHeaderTradeDelivery',
    'ApplicableSupplyChainTradeDelivery',
  )
  result.delivery_date = dateAt(delivery, 'ActualDeliverySupplyChainEvent', 'OccurrenceDateTime')
  const terms = at(settlement, 'SpecifiedTradePaymentTerms')
  result.due_date = dateAt(terms, 'DueDateDateTime')
  result.payment_terms = textAt(terms, 'Description')
  result.original_document_id = textAt(settlement, 'InvoiceReferencedDocument', 'IssuerAssignedID')
  result.currency = currency
  const taxes = all(settlement, 'ApplicableTradeTax')
  result.tax_lines = taxes.map(taxLineOf)
  const rates = [...new Set(result.tax_lines.map((t) => t.rate))].filter((r) => r !== null)
  result.subtotal =
    sumIn(sums, 'TaxBasisTotalAmount', currency) ?? numberAt(sums, 'LineTotalAmount')
  result.tax = {
    vat_rate: rates.length === 1 ? rates[0]! : null,
    // The sum may be left out where there is one rate: its own line says it.
    vat_amount:
      sumIn(sums, 'TaxTotalAmount', currency) ??
      (taxes.length === 1 ? numberAt(taxes[0], 'CalculatedAmount') : null),
    label: textAt(taxes[0], 'TypeCode'),
    inclusive: false,
  }
  result.total = sumIn(sums, 'GrandTotalAmount', currency)
  result.amount_paid = numberAt(sums, 'TotalPrepaidAmount')
  result.balance_due = numberAt(sums, 'DuePayableAmount')
  result.payment = paymentOf(settlement)
  const means = at(settlement, 'SpecifiedTradeSettlementPaymentMeans')
  result.iban = textAt(means, 'PayeePartyCreditorFinancialAccount', 'IBANID')
  result.bic = textAt(means, 'PayeeSpecifiedCreditorFinancialInstitution', 'BICID')
  const allowances = numberAt(sums, 'AllowanceTotalAmount') ?? 0
  result.discount = allowances === 0 ? null : allowances
  result.rounding = numberAt(sums, 'RoundingAmount')
  result.line_items = all(transaction, 'IncludedSupplyChainTradeLineItem')
    .map(lineOf)
    .filter((l): l is NonNullable<typeof l> => l !== null)
  result.warnings = sumWarnings(result, {
    linesTotal: numberAt(sums, 'LineTotalAmount'),
    charges: (numberAt(sums, 'ChargeTotalAmount') ?? 0) - allowances,
    rounding: result.rounding ?? 0,
    prepaid: result.amount_paid ?? 0,
  })
  return result
}

/** UNTDID 4461 payment means as the contract's methods. */
export function paymentMethodOfCode(code: string | null): string | null {
  if (code === null) return null
  if (code === '10') return 'cash'
  if (code === '20') return 'cheque'
  if (['48', '54', '55', '68'].includes(code)) return 'card'
  if (['30', '31', '42', '49', '57', '58', '59'].includes(code)) return 'bank_transfer'
  return null
}
function paymentOf(settlement: XmlNode): ParseResult['payment'] {
  const method = paymentMethodOfCode(
    textAt(settlement, 'SpecifiedTradeSettlementPaymentMeans', 'TypeCode'),
  )
  return method
    ? { method, mobile_money: null, bank_ref: textAt(settlement, 'PaymentReference') }
    : null
}
