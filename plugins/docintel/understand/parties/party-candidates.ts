/**
 * Every name of an invoice that may be its seller or its buyer, each with the facts that tell which:
 * where it stands, what stands around it, and what the rules for names and labels made of it.
 */
import {
  ATTENTION_LINE,
  BUYER_LABEL,
  DELIVERY_LABEL,
  LEGAL_FORM,
  NAME_FIELD,
  PAYER_LABEL,
  SELLER_LABEL,
} from '../../lexicon/parties.ts'
import { basicLetters, capitals } from '../../lexicon/fold.ts'
import type { DocumentText } from '../../model/document.ts'
import { PERSONAL } from './buyer.ts'
import { cleanName } from './clean-name.ts'
import { domainsOf, isNameOf } from '../marks/domains.ts'
import { isBesideBank, isSignature, namesInFoot } from './foot-names.ts'
import { blocksOf, isOwnData, isPlaceLine, isSenderAbove } from './letter-blocks.ts'
import { scoreSpot } from './merchant-score.ts'
import {
  blockUnder,
  hasNameAbove,
  isBlockName,
  isUnderBuyerLabel,
  isUnderLabel,
} from './name-places.ts'
import { FOOT_DATA, isNamedInFoot } from './named-in-foot.ts'
import {
  isSameParty,
  LETTERS_MIN,
  partyKey,
  type PartyCandidate,
  type PartyFindings,
} from './party-facts.ts'
import { senderOf } from './sender-line.ts'
import { isClosedLetter, signedFor } from './signed-letters.ts'
import { isHouseLine } from './street-lines.ts'
import type { Spot, Zones } from './zones.ts'

/** Rows of the head among which a sender's line stands. */
const HEAD_ROWS = 14
/** Other lines that the rules for names know, beside the best. */
const OTHER_NAMES = 3
const CUSTOMER_NUMBER =
  /(?:^|\W)(?:CUSTOMER|CLIENT|KUNDEN?|KLANT|KUND|ASIAKAS|CLIENTE|ACCOUNT|MEMBER)[ .-]?(?:ID|N[OR]|NUM\w*|CODE)/

/** "Name:  Studio 54" in the part of the seller. */
const isSellersField = (zones: Zones, place: Spot): boolean => {
  const [lead] = place.row.cells
  return lead !== place.cell && zones.seller.has(place) && NAME_FIELD.test(capitals(lead!.text))
}

/** Whether a document prints a telephone, register, tax number or bank: buyers have none of their own. */
const namesIssuer = ({ rows }: DocumentText): boolean =>
  rows.some(({ cells }) =>
    cells.some(({ text }) => {
      const upper = capitals(text).trim()
      return isOwnData(upper) || (/\d{3}/.test(upper) && FOOT_DATA.test(upper))
    }),
  )

/** Whether a row begins in the right half of its page; unknown where rows have no place on it. */
const isAtRight = (spot: Spot | null): boolean => (spot?.row.box?.[0] ?? 0) >= 0.5

/** What tills print where no customer is named. */
const NOBODY = /^\W*(?:(?:CASH|COUNTER) SALES?|(?:CASH|WALK[ -]?IN|COUNTER) CUSTOMER)\W*$/i

/** The candidates, each party once. */
export function partyCandidates(
  document: DocumentText,
  zones: Zones,
  { seller, buyer, inTerms, goods }: PartyFindings,
): PartyCandidate[] {
  const domains = domainsOf(document)
  const named: { name: string; spot: Spot | null }[] = []
  const add = (name: string, spot: Spot | null): void => {
    const isKnown = named.some((one) => isSameParty(one.name, name))
    if (!isKnown && partyKey(name).length >= 2 && !NOBODY.test(name)) named.push({ name, spot })
  }
  if (buyer?.name) add(buyer.name, buyer.spot)
  if (seller) add(seller.value, seller.spot)
  if (inTerms) add(inTerms.value, null)
  const blocks = document.hasGeometry ? blocksOf(document, zones) : []
  const signed = signedFor(document, zones)
  if (signed) add(cleanName(signed.firm.cell.text), signed.firm)
  const points = new Map<Spot, number>()
  for (const spot of zones.spots) {
    const score = scoreSpot(spot, document, zones, domains, 'invoice')
    if (score !== null && score >= 0.6) points.set(spot, score)
  }
  const others = [...points].toSorted((a, b) => b[1] - a[1]).slice(0, OTHER_NAMES)
  for (const spot of namesInFoot(document, zones)) add(cleanName(spot.cell.text), spot)
  for (const spot of zones.spots) {
    const sender = spot.row.index < HEAD_ROWS ? senderNameOf(spot.cell.text.trim()) : null
    if (sender !== null) add(sender, spot)
    if (isUnderBuyerLabel(zones, spot) && isBlockName(zones, spot))
      add(cleanName(spot.cell.text), spot)
  }
  for (const [spot] of others) if (!isHouseLine(zones, spot)) add(cleanName(spot.cell.text), spot)
  for (const [first] of blocks)
    if (first && isBlockName(zones, first)) add(cleanName(first.cell.text), first)
  const isAnonymous = !namesIssuer(document) && !isClosedLetter(document)
  const hasLabel =
    zones.buyerInline !== null || [...zones.buyer].some(({ upper }) => BUYER_LABEL.test(upper))
  const labels = [...zones.buyer].filter(({ upper }) => BUYER_LABEL.test(upper))
  const isDeliveryOnly =
    labels.length > 0 && labels.every(({ upper }) => DELIVERY_LABEL.test(upper))
  return named.map(({ name, spot }): PartyCandidate => {
    const key = partyKey(name)
    const places = zones.spots.filter((s) => {
      const own = partyKey(s.cell.text)
      return own === key || (key.length >= LETTERS_MIN && own.startsWith(key))
    })
    const block = spot ? blockUnder(document, zones, spot) : []
    const lines = spot ? [spot, ...block] : []
    const rowsOf = new Set(lines.map(({ row }) => row.index))
    const foreign = document.rows.filter(({ index }) => !rowsOf.has(index))
    const isBuyer = buyer?.name === name
    const isLabelled =
      (isBuyer && hasLabel) || places.some((place) => isUnderBuyerLabel(zones, place))
    const isPerson = PERSONAL.test(name.trim())
    const isInFoot =
      (spot !== null &&
        spot.row.index > zones.bodyStart &&
        (LEGAL_FORM.test(spot.upper) || isBesideBank(zones, spot))) ||
      (spot !== null && isNamedInFoot(document, zones, spot, basicLetters(capitals(name))))
    const isBelow = spot !== null && spot.row.index > zones.bodyStart
    const hasTown = !isBelow && block.some(({ upper }) => isPlaceLine(upper))
    const isMail = ({ upper }: Spot): boolean => /^\S+@\S+$/.test(upper.trim())
    const isContact = !hasTown && block.some(isMail)
    const hasOwnData = block.some((s) => isOwnData(s.upper) && !(isContact && isMail(s)))
    return {
      name,
      spot,
      facts: {
        nameConfidence: seller && isSameParty(seller.value, name) ? seller.confidence : 0,
        namePoints: Math.max(0, ...places.map((place) => points.get(place) ?? 0)),
        isLabelledBuyer: isLabelled,
        isOnSlip:
          isLabelled &&
          spot !== null &&
          spot.row.index > zones.bodyStart &&
          !places.some((place) => isUnderLabel(zones, place, PAYER_LABEL)) &&
          isNamedAbove(places, zones),
        isLabelledSeller: places.some(
          (place) => isUnderLabel(zones, place, SELLER_LABEL) || isSellersField(zones, place),
        ),
        isAddressee: isBuyer && !hasLabel,
        isDeliveredTo:
          !isDeliveryOnly &&
          places.some((place) => isUnderLabel(zones, place, DELIVERY_LABEL)) &&
          // Who is billed at the same address stands under both labels.
          !places.some((place) => isUnderBuyerLabel(zones, place)),
        isOnlyDelivery: isDeliveryOnly && places.some((place) => zones.buyer.has(place)),
        isInTerms: inTerms !== null && isSameParty(inTerms.value, name),
        isInFoot,
        isSignature: spot !== null && isSignature(document, zones, spot),
        isDomain: domainsOf({ ...document, rows: foreign }).some((d) => isNameOf(d, key)),
        isSender: zones.spots.some(({ cell }) => {
          const sender = senderNameOf(cell.text.trim())
          return sender !== null && isSameParty(sender, name)
        }),
        isUnderSender: spot !== null && isSenderAbove(zones, spot),
        hasOwnData,
        hasTown,
        isContact,
        isPlainAddress: hasTown && !hasOwnData && !hasLabel,
        isOnlyAddress:
          hasTown && !hasLabel && isAnonymous && blocks.length === 1 && isAtRight(spot),
        hasAttention: block.slice(0, 2).some(({ upper, cell }) => {
          return ATTENTION_LINE.test(upper) || PERSONAL.test(cell.text.trim())
        }),
        hasCustomerNumber: block.some(({ upper }) => CUSTOMER_NUMBER.test(upper)),
        isPerson,
        isUnderName: spot !== null && hasNameAbove(zones, spot),
        hasLegalForm: LEGAL_FORM.test(capitals(name)),
        isTop: spot !== null && spot.row.index <= 1,
        isRepeated:
          hasTown &&
          !isBuyer &&
          !isLabelled &&
          key.length >= LETTERS_MIN &&
          isRepeatedAbove(places, key, zones),
        isDoubled: spot !== null && isDoubledBelow(zones, spot),
        isSigner: signed !== null && spot === signed.signer,
        isSignersFirm: signed !== null && isSameParty(cleanName(signed.firm.cell.text), name),
        isGoods: !isLabelled && goods.some((one) => partyKey(one) === key),
        isStreet:
          spot !== null &&
          isHouseLine(zones, spot) &&
          (/, \d{1,4} ?[A-Z]?$/.test(spot.upper.trim()) || hasNameAbove(zones, spot)) &&
          block[0] !== undefined &&
          isPlaceLine(block[0].upper),
      },
    }
  })
}

/** The name in a sender's line: "Pension Alpenblick, Fam. Tschudi, 7260 Davos". */
function senderNameOf(text: string): string | null {
  const known = senderOf(text)
  if (known !== null) return known
  const parts = text.split(/, | [·•|–-] /)
  const [first = ''] = parts
  const isLine = parts.length >= 3 && isPlaceLine(capitals(parts.at(-1)!)) && !/\d|:/.test(first)
  return isLine && /\p{L}{3}/u.test(first) ? first : null
}

/** Whether one of the places of a name is above the goods, not under the buyer's label. */
const isNamedAbove = (places: readonly Spot[], zones: Zones): boolean =>
  places.some((place) => place.row.index < zones.bodyStart && !zones.buyer.has(place))

/**
 * Whether the whole line of a name stands in two rows above the goods, neither for a buyer nor for goods.
 * Twice in neighbouring rows it is a firm and the person to write to, who have one name.
 */
function isRepeatedAbove(places: readonly Spot[], key: string, zones: Zones): boolean {
  const rows = places
    .filter((place) => partyKey(place.cell.text) === key && place.row.index < zones.bodyStart)
    .filter((place) => ![BUYER_LABEL, DELIVERY_LABEL].some((l) => isUnderLabel(zones, place, l)))
    .map(({ row }) => row.index)
  return rows.some((one) => rows.some((other) => other > one + 1))
}

/** Whether the line right under a name, in its column, is the same name. */
const isDoubledBelow = (zones: Zones, { row, cell }: Spot): boolean =>
  zones.spots.some(
    (s) =>
      s.row.index === row.index + 1 &&
      Math.abs(s.cell.x0 - cell.x0) <= 2 &&
      partyKey(s.cell.text) === partyKey(cell.text),
  )
