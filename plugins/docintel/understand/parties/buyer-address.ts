/** The address printed under (or behind) the buyer's name, and its parts where they are beyond doubt. */
import {
  ATTENTION_LINE,
  BUYER_LABEL,
  FIELD_LABEL,
  SELLER_LABEL,
  TITLE,
} from '../../lexicon/parties.ts'
import type { DocumentText } from '../../model/document.ts'
import type { Address } from '../../schema.ts'
import { addressParts } from './address-parts.ts'
import type { FoundBuyer } from './buyer.ts'
import { below, type Zones } from './zones.ts'

export interface BuyerAddress {
  /** Its lines joined by commas. */
  address: string
  parts: Address
}

/** Lines between a name and its town, at most. */
const LINES_MAX = 5
/** Empty rows above a line that part it from the block. */
const GAP_MAX = 1
/** Other lines about persons and accounts, which are no part of the address. */
const CONTACT = /^\W*(?:T\.? ?N\.? ?V|A\/C|KONTAKT|CONTACT)(?![A-Z])/
/** Data of the buyer that may stand between its lines: a telephone, a tax number, an e-mail. */
const OTHER_DATA = /[:@]|^\W*(?:TEL|PHONE|FAX|VAT|TVA|IVA|BTW|UST|NIP|NIF|CIF|ABN)(?![A-Z])/

/** The printed lines under the buyer's name in its column, to the first that cannot be its address. */
function linesUnder(document: DocumentText, zones: Zones, buyer: FoundBuyer): string[] {
  if (!buyer.spot) return []
  const lines: string[] = []
  for (const { row, cell, upper } of below(document, zones.spots, buyer.spot, LINES_MAX)) {
    const endsBlock = [BUYER_LABEL, SELLER_LABEL, FIELD_LABEL, TITLE].some((label) =>
      label.test(upper),
    )
    if (row.gapAbove > GAP_MAX || zones.tableRows.has(row.index)) break
    if (ATTENTION_LINE.test(upper) || CONTACT.test(upper)) continue
    if (endsBlock || OTHER_DATA.test(upper)) break
    lines.push(cell.text.trim())
  }
  return lines
}

/**
 * The first line with a town, and the one above it as its street. Where Britain has more lines, the
 * last may be a county as well as the town: that is left out.
 */
function addressOf(lines: readonly string[], country: string | null): BuyerAddress | null {
  for (const [at, line] of lines.entries()) {
    const street = lines[at - 1]
    if (addressParts(line, country)?.street === null) {
      const address = street === undefined ? line : `${street}, ${line}`
      const parts = addressParts(address, country)
      return parts ? { address, parts } : null
    }
    if (at > 1) continue
    const address = lines.slice(0, at + 1).join(', ')
    const parts = addressParts(address, country)
    if (parts) return { address, parts }
  }
  return null
}

/**
 * The buyer's address with its parts; null where its form does not tell them without doubt, or where it
 * is the seller's own (`sellerParts`). `sellerCountry` says how postcodes are written; the parts carry
 * the country of the buyer's own tax number, else none.
 */
export function findBuyerAddress(
  document: DocumentText,
  zones: Zones,
  buyer: FoundBuyer,
  sellerCountry: string | null,
  sellerParts: Address | null,
): BuyerAddress | null {
  if (!buyer.name) return null
  const form = buyer.country ?? sellerCountry
  const behind = buyer.rest === '' ? [] : [buyer.rest]
  const lines = [...behind, ...linesUnder(document, zones, buyer)]
  const found = addressOf(lines, form)
  if (!found) return null
  const isSellers =
    found.parts.postcode === sellerParts?.postcode && found.parts.street === sellerParts?.street
  return isSellers ? null : { ...found, parts: { ...found.parts, country: buyer.country } }
}
