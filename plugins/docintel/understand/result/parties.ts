/** The seller and the buyer of an invoice: what each finder found, weighed in one table. */
import { BUYER_LABEL } from '../../lexicon/parties.ts'
import { findBuyer, type FoundBuyer } from '../parties/buyer.ts'
import { type FoundMerchant, findMerchant } from '../parties/merchant.ts'
import { namedInTerms } from '../parties/named-in-terms.ts'
import { partyCandidates } from '../parties/party-candidates.ts'
import { isSameParty, type PartyFindings } from '../parties/party-facts.ts'
import { assignRoles, type ChosenParty, type PartyRoles } from '../parties/party-roles.ts'
import type { Reading } from './reading.ts'

export interface FoundSeller {
  value: string
  confidence: number
  /** Where it stands; null where only a sentence names it. */
  spot: FoundMerchant['spot'] | null
}

export interface Parties {
  seller: FoundSeller | null
  buyer: FoundBuyer | null
}

/** Confidence of a choice that no rule for names or labels made, by how far it is ahead. */
const CONFIDENCE_BY_MARGIN = [
  { least: 3, confidence: 0.8 },
  { least: 1.5, confidence: 0.72 },
  { least: 0, confidence: 0.62 },
] as const

const confidenceOf = ({ margin }: ChosenParty): number =>
  CONFIDENCE_BY_MARGIN.find(({ least }) => margin >= least)!.confidence

/** What the finders found, and the roles over all candidates. */
export function weighParties(reading: Reading): { findings: PartyFindings; roles: PartyRoles } {
  const { document, zones, taxIds, items } = reading
  const buyer = findBuyer(zones, taxIds, true)
  const findings: PartyFindings = {
    seller: findMerchant(document, zones, 'invoice'),
    buyer,
    inTerms: namedInTerms(document, buyer?.name ?? null),
    goods: items.map(({ description }) => description),
  }
  return { findings, roles: assignRoles(partyCandidates(document, zones, findings)) }
}

/** Seller and buyer of an invoice; each null where doubt is real. */
export function findParties(reading: Reading): Parties {
  const { findings, roles } = weighParties(reading)
  return { seller: sellerOf(findings, roles), buyer: buyerOf(reading, findings, roles) }
}

function sellerOf({ seller, inTerms }: PartyFindings, roles: PartyRoles): FoundSeller | null {
  if (!roles.seller) return null
  const { name, spot } = roles.seller.candidate
  const confidence = confidenceOf(roles.seller)
  if (seller && isSameParty(seller.value, name)) return seller
  if (inTerms && isSameParty(inTerms.value, name)) return { ...inTerms, spot }
  return { value: name, confidence, spot }
}

/** Columns from a name within which its tax number begins. */
const TAX_ID_REACH = 40
const TAX_ID_ROWS = 6

function buyerOf(
  { zones, taxIds }: Reading,
  { buyer }: PartyFindings,
  roles: PartyRoles,
): FoundBuyer | null {
  if (buyer && roles.buyer?.candidate.name === buyer.name) return buyer
  if (!roles.buyer) {
    // A tax number under the buyer's label is the buyer's, whatever the name is.
    const isLabelled = [...zones.buyer].some(({ upper }) => BUYER_LABEL.test(upper))
    return buyer?.tax_id && isLabelled
      ? { ...buyer, name: null, spot: null, confidence: 0.6 }
      : null
  }
  const { name, spot } = roles.buyer.candidate
  const own = taxIds.find(
    ({ row, x0 }) =>
      spot &&
      row > spot.row.index &&
      row <= spot.row.index + TAX_ID_ROWS &&
      Math.abs(x0 - spot.cell.x0) < TAX_ID_REACH / 4,
  )
  return {
    name,
    tax_id: own?.value ?? null,
    country: own?.country ?? null,
    spot,
    rest: '',
    confidence: confidenceOf(roles.buyer),
  }
}
