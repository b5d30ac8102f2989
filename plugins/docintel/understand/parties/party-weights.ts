/** What every fact about a party is worth for each role: the one table that chooses seller and buyer. */
import type { PartyCandidate, PartyFacts } from './party-facts.ts'

export interface PartyWeight {
  name: string
  /** How far the fact holds: 0 not at all, 1 fully. */
  holds(facts: PartyFacts): number
  seller: number
  buyer: number
}

const yes = (holds: boolean): number => (holds ? 1 : 0)

/** From here on the rules for names are more often right than wrong. */
const NAME_SURE = 0.6

export const PARTY_WEIGHTS: readonly PartyWeight[] = [
  {
    name: 'best of the rules for names',
    holds: ({ nameConfidence }) => nameConfidence,
    seller: 6,
    buyer: 0,
  },
  {
    name: 'another line that looks like a name',
    holds: ({ namePoints, nameConfidence }) =>
      nameConfidence > 0 ? 0 : Math.min(namePoints / 8, 1),
    seller: 3,
    buyer: 0,
  },
  {
    name: 'looks like a name',
    holds: ({ namePoints }) => Math.min(namePoints / 8, 1),
    seller: 0,
    buyer: 1.5,
  },
  { name: 'labelled as buyer', holds: (f) => yes(f.isLabelledBuyer), seller: -6, buyer: 7 },
  {
    name: 'labelled on a slip for payment',
    holds: (f) => yes(f.isOnSlip && f.nameConfidence >= NAME_SURE),
    seller: 6,
    buyer: -6,
  },
  { name: 'labelled as seller', holds: (f) => yes(f.isLabelledSeller), seller: 3, buyer: -3 },
  { name: 'addressee of the letter', holds: (f) => yes(f.isAddressee), seller: -1.5, buyer: 4.5 },
  { name: 'goods are delivered there', holds: (f) => yes(f.isDeliveredTo), seller: -2, buyer: -4 },
  {
    name: 'goods are delivered there, and no other buyer is labelled',
    holds: (f) => yes(f.isOnlyDelivery),
    seller: -6,
    buyer: 7,
  },
  { name: 'named by the terms', holds: (f) => yes(f.isInTerms), seller: 3, buyer: -2 },
  {
    name: 'in the foot with register, tax number or bank',
    holds: (f) => yes(f.isInFoot),
    seller: 3,
    buyer: -3,
  },
  { name: 'signs a mail', holds: (f) => yes(f.isSignature), seller: 6, buyer: -3 },
  { name: 'name of a domain', holds: (f) => yes(f.isDomain), seller: 1.5, buyer: -1.5 },
  { name: 'named in a sender line', holds: (f) => yes(f.isSender), seller: 3, buyer: -3 },
  { name: 'under a sender line', holds: (f) => yes(f.isUnderSender), seller: -3, buyer: 3 },
  {
    name: 'telephone, register or bank under it',
    holds: (f) => yes(f.hasOwnData),
    seller: 1,
    buyer: -1,
  },
  { name: 'a town under it', holds: (f) => yes(f.hasTown), seller: 0, buyer: 1.2 },
  {
    name: 'an address without data of an issuer',
    holds: (f) => yes(f.isPlainAddress),
    seller: -1,
    buyer: 0.8,
  },
  {
    name: 'the only address, at the right, without data of an issuer anywhere',
    holds: (f) => yes(f.isOnlyAddress),
    seller: -4,
    buyer: 2,
  },
  {
    name: 'a person or department under it',
    holds: (f) => yes(f.hasAttention),
    seller: -2,
    buyer: 2,
  },
  {
    name: 'a customer number under it',
    holds: (f) => yes(f.hasCustomerNumber),
    seller: -1,
    buyer: 1,
  },
  { name: 'addressed as a person', holds: (f) => yes(f.isPerson), seller: -2, buyer: 1.5 },
  {
    name: 'a person under another name',
    holds: (f) => yes(f.isUnderName && f.isPerson),
    seller: -2,
    buyer: -5,
  },
  {
    name: 'under another name',
    holds: (f) => yes(f.isUnderName && !f.isPerson && f.nameConfidence === 0),
    seller: -1,
    buyer: -2.5,
  },
  { name: 'company form', holds: (f) => yes(f.hasLegalForm), seller: 0.5, buyer: 0 },
  { name: 'above everything', holds: (f) => yes(f.isTop), seller: 0.5, buyer: 0 },
  { name: 'printed twice above the goods', holds: (f) => yes(f.isRepeated), seller: 2, buyer: 0 },
  { name: 'its own name again under it', holds: (f) => yes(f.isDoubled), seller: -1.5, buyer: 1.5 },
  { name: 'signs for the firm under it', holds: (f) => yes(f.isSigner), seller: -6, buyer: -6 },
  {
    name: 'firm of who signs',
    holds: (f) => yes(f.isSignersFirm),
    seller: 7,
    buyer: -6,
  },
  { name: 'name of goods', holds: (f) => yes(f.isGoods), seller: -9, buyer: -9 },
  { name: 'a street', holds: (f) => yes(f.isStreet), seller: -6, buyer: -6 },
]

export interface PairWeight {
  name: string
  holds(seller: PartyCandidate, buyer: PartyCandidate): boolean
  points: number
}

const isLeftOf = ({ spot }: PartyCandidate, { spot: other }: PartyCandidate): boolean =>
  spot !== null && spot.row === other?.row && spot.cell.x1 < other.cell.x0

/** What only both parties together tell. */
export const PAIR_WEIGHTS: readonly PairWeight[] = [
  {
    name: 'an issuer known by its data and another address',
    holds: ({ facts: seller }, { facts: buyer }) =>
      buyer.isPlainAddress &&
      (seller.isInFoot ||
        seller.isSender ||
        seller.isInTerms ||
        seller.isLabelledSeller ||
        seller.isDomain ||
        seller.isSignersFirm ||
        seller.hasOwnData),
    points: 1.5,
  },
  {
    // As one reads: the issuer first. An issuer at the right gives itself away by its data.
    name: 'left of the other in one row',
    holds: isLeftOf,
    points: 1.2,
  },
  {
    // Two blocks of the same kind, telephone or mail in both: only the order tells.
    name: 'left of an address with as much data',
    holds: (seller, buyer) =>
      isLeftOf(seller, buyer) &&
      [seller, buyer].every(
        ({ facts }) =>
          facts.hasTown && facts.hasOwnData && !facts.isLabelledBuyer && !facts.isDeliveredTo,
      ),
    points: 4.5,
  },
  {
    // Two plain blocks without a word about whose they are.
    name: 'left of an address, neither with data or label',
    holds: (seller, buyer) =>
      isLeftOf(seller, buyer) &&
      [seller, buyer].every(({ facts }) => facts.isPlainAddress && !facts.isPerson),
    points: 3,
  },
  {
    name: 'an address left of a contact without one',
    holds: (seller, buyer) =>
      seller.facts.hasTown && buyer.facts.isContact && isLeftOf(seller, buyer),
    points: 6.5,
  },
]

/** What a role is worth that nobody takes: a name must be above it. */
export const EMPTY = { seller: 2.2, buyer: 2.6 }
/** A role whose holder is not this far ahead of the next best answer stays empty. */
export const MARGIN_MIN = 0.4
