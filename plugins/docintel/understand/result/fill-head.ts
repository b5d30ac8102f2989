/** The parties of a document, its number, date and currency, put into the result. */
import { addressParts } from '../parties/address-parts.ts'
import { findAddress, findPhone } from '../parties/address.ts'
import { findBuyerAddress } from '../parties/buyer-address.ts'
import { findBuyer } from '../parties/buyer.ts'
import { findCurrency } from '../parties/country.ts'
import { findDocumentId } from '../papers/document-id.ts'
import type { Draft } from './draft.ts'
import { findIssuedAt } from '../days/issued-at.ts'
import { legalNameOf } from '../parties/legal-name.ts'
import { findMerchant } from '../parties/merchant.ts'
import { findDeliveryDate, findDueDate, findInstalmentDay, findTime } from '../days/other-days.ts'
import { namedInTerms } from '../parties/named-in-terms.ts'
import { findParties, type Parties } from './parties.ts'
import type { Reading } from './reading.ts'
import { readingByOrder } from '../days/order-of-days.ts'
import { findReferences } from '../papers/references.ts'

/** Confidence in a name of which nothing tells but that it stands first. */
const UNSURE = 0.5

/** Seller and buyer of an invoice, or of a receipt, which names its shop and seldom a customer. */
function partiesOf(reading: Reading): Parties {
  if (reading.preferred === 'invoice') return findParties(reading)
  const { document, zones, taxIds, preferred } = reading
  const buyer = findBuyer(zones, taxIds, false)
  const named = findMerchant(document, zones, preferred)
  // Mails have no sign above them but a sentence: "Receipt from X", "your purchase at X".
  const inTerms =
    named && named.confidence > UNSURE ? null : namedInTerms(document, buyer?.name ?? null)
  return { seller: inTerms ? { ...inTerms, spot: null } : named, buyer }
}

export function fillParties(draft: Draft, reading: Reading): void {
  const { document, zones, taxIds, country, preferred } = reading
  const { merchant } = draft.result
  const isInvoice = preferred === 'invoice'
  const { seller, buyer } = partiesOf(reading)
  if (seller) {
    merchant.name = (isInvoice ? legalNameOf(document, seller.value) : null) ?? seller.value
    draft.trust('merchant.name', seller.confidence)
  }
  const printed = seller?.spot ? { value: seller.value, spot: seller.spot } : null
  const found = {
    address: findAddress(document, zones, printed),
    phone: findPhone(document, zones),
    country,
  }
  for (const name of ['address', 'phone', 'country'] as const) {
    const one = found[name]
    if (!one) continue
    merchant[name] = one.value
    draft.trust(`merchant.${name}`, one.confidence)
  }
  const parts = merchant.address && addressParts(merchant.address, merchant.country)
  if (parts) merchant.address_parts = parts
  const ownTaxId = taxIds.find((id) => id.value !== buyer?.tax_id)
  if (ownTaxId) {
    merchant.tax_id = ownTaxId.value
    draft.trust('merchant.tax_id', ownTaxId.confidence)
  }
  if (buyer) {
    const own = findBuyerAddress(document, zones, buyer, merchant.country, parts || null)
    draft.result.buyer = {
      name: buyer.name,
      tax_id: buyer.tax_id,
      ...(own && { address: own.address, address_parts: own.parts }),
    }
    draft.trust('buyer', buyer.confidence)
  }
}

const DAYS: readonly string[] = ['issued_at', 'due_date', 'delivery_date']
const HEAD_FIELDS = [
  'document_id',
  'issued_at',
  'currency',
  'issued_time',
  'due_date',
  'delivery_date',
  'purchase_order',
  'original_document_id',
  'payment_terms',
  'iban',
  'bic',
] as const

export function fillHead(draft: Draft, { document, entries, country }: Reading, now: Date): void {
  const found = {
    document_id: findDocumentId(document),
    issued_at: findIssuedAt(document, now),
    currency: findCurrency(document, entries, country),
  }
  const days = {
    issued_time: findTime(document, found.issued_at?.value ?? null),
    due_date: findDueDate(document),
    delivery_date: findDeliveryDate(document),
  }
  const all = { ...found, ...days, ...findReferences(document) }
  const asWritten = readingByOrder(
    document,
    found.issued_at?.value ?? null,
    days.due_date?.value ?? null,
  )
  for (const name of HEAD_FIELDS) {
    const one = all[name]
    if (!one) continue
    draft.result[name] = DAYS.includes(name) ? asWritten(one.value) : one.value
    draft.trust(name, one.confidence)
  }
}

/** The due day that no label names, once the day of issue and the total are known. */
export function fillInstalmentDay(draft: Draft, { document, entries }: Reading): void {
  const { due_date: known, issued_at: issuedAt, total } = draft.result
  if (known || !issuedAt || total === null) return
  const found = findInstalmentDay(document, entries, issuedAt, total)
  if (!found) return
  draft.result.due_date = found.value
  draft.trust('due_date', found.confidence)
}
