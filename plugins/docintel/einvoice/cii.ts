/**
 * UN/CEFACT Cross Industry Invoice to the shared result: Factur-X, ZUGFeRD 2, XRechnung (D16B) and
 * ZUGFeRD 1 (CrossIndustryDocument), which names the same things differently.
 */
import type { ParseResult } from '../schema.ts'
import { emptyResult } from '../understand/empty.ts'
import { all, at, numberAt, textAt, type XmlNode } from './xml.ts'

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
  const vat = ids.find((id) => id.attributes.schemeID === 'VA') ?? ids[0]
  return vat?.text.trim() || null
}
function addressOf(party: XmlNode | null): { address: string | null; country: string | null } {
  const postal = at(party, 'PostalTradeAddress')
  const parts = [
    textAt(postal, 'LineOne'),
    textAt(postal, 'LineTwo'),
    textAt(postal, 'LineThree'),
    [textAt(postal, 'PostcodeCode'), textAt(postal, 'CityName')].filter(Boolean).join(' '),
  ].filter((p): p is string => p !== null && p !== '')
  return {
    address: parts.length > 0 ? parts.join(' ') : null,
    country: textAt(postal, 'CountryID'),
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
  return {
    description: textAt(product, 'Name') ?? textAt(product, 'Description') ?? note ?? '',
    quantity: numberAt(delivery, 'BilledQuantity'),
    unit_price: numberAt(net, 'ChargeAmount'),
    amount,
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
  const contact = at(seller, 'DefinedTradeContact')
  result.merchant = {
    name: textAt(seller, 'Name'),
    tax_id: taxIdOf(seller),
    ...addressOf(seller),
    phone: textAt(contact, 'TelephoneUniversalCommunication', 'CompleteNumber'),
  }
  if (buyer) result.buyer = { name: textAt(buyer, 'Name'), tax_id: taxIdOf(buyer) }
  result.document_id = textAt(header, 'ID')
  result.issued_at = isoDate(
    textAt(header, 'IssueDateTime', 'DateTimeString') ??
      textAt(header, 'IssueDateTime', 'DateTime'),
  )
  result.currency = currency
  const taxes = all(settlement, 'ApplicableTradeTax')
  const rates = [
    ...new Set(
      taxes.map((t) => numberAt(t, 'RateApplicablePercent') ?? numberAt(t, 'ApplicablePercent')),
    ),
  ].filter((r): r is number => r !== null)
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
  result.line_items = all(transaction, 'IncludedSupplyChainTradeLineItem')
    .map(lineOf)
    .filter((l): l is NonNullable<typeof l> => l !== null)
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
