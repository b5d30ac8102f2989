/**
 * Every name of an invoice that may be its seller or its buyer, each with the facts that tell which:
 * where it stands, what stands around it, and what the rules for names and labels made of it.
 */
import {
  ATTENTION_LINE,
  BUYER_LABEL,
  DELIVERY_LABEL,
  FIELD_LABEL,
  LEGAL_FORM,
  NAME_FIELD,
  PAYER_LABEL,
  SELLER_LABEL,
  TITLE,
} from '../lexicon/parties.ts'
import { addressScore } from '../lexicon/addresses.ts'
import { basicLetters, capitals, foldLabel } from '../lexicon/fold.ts'
import { columnOfHead } from '../lexicon/items.ts'
import type { Cell, DocumentText } from '../model/document.ts'
import { PERSONAL, type FoundBuyer } from './buyer.ts'
import { cleanName } from './clean-name.ts'
import { senderOf } from './sender-line.ts'
import type { Scored } from './issued-at.ts'
import { blocksOf, isAligned, isOwnData, isPlaceLine, isSenderAbove } from './letter-blocks.ts'
import { domainsOf, isNameOf } from './domains.ts'
import { scoreSpot } from './merchant-score.ts'
import type { FoundMerchant } from './merchant.ts'
import { FOOT_DATA, isNamedInFoot } from './named-in-foot.ts'
import { isClosedLetter, signedFor } from './signed-letters.ts'
import { isHouseLine } from './street-lines.ts'
import { below, type Spot, type Zones } from './zones.ts'

/** What is known of a candidate; every fact is a row of the table of weights. */
export interface PartyFacts {
  /** How sure the rules for names are that it is the seller; 0 where they chose another. */
  nameConfidence: number
  /** Points of the best other line that the rules for names know. */
  namePoints: number
  isLabelledBuyer: boolean
  /** Its label stands below the goods, as on a slip for payment, and its name above them without one. */
  isOnSlip: boolean
  isLabelledSeller: boolean
  /** Chosen as the addressee of a letter without labels. */
  isAddressee: boolean
  isDeliveredTo: boolean
  /** Below the label of a delivery, in a document that labels no buyer. */
  isOnlyDelivery: boolean
  isInTerms: boolean
  isInFoot: boolean
  /** Below all sums, over its street and town, as a mail is signed. */
  isSignature: boolean
  /** The document prints a domain that is its name, outside its own block. */
  isDomain: boolean
  isSender: boolean
  isUnderSender: boolean
  hasOwnData: boolean
  hasTown: boolean
  /** An e-mail under it and no town: a customer's, under the person to write to. */
  isContact: boolean
  /** A town below it, and nothing by which an issuer gives itself away. */
  isPlainAddress: boolean
  /** The one address, at the right as over a window, of a document without any data of an issuer. */
  isOnlyAddress: boolean
  hasAttention: boolean
  hasCustomerNumber: boolean
  isPerson: boolean
  /** Not the first line of its block. */
  isUnderName: boolean
  hasLegalForm: boolean
  isTop: boolean
  /** Its line is printed twice, as in a letterhead and above the address window. */
  isRepeated: boolean
  /** Printed again in the next line, as a customer and the person to write to who have one name. */
  isDoubled: boolean
  /** A person above her firm in the sender's lines, who signs the letter. */
  isSigner: boolean
  /** The firm under the name of who signs. */
  isSignersFirm: boolean
  /** A line of goods has this name. */
  isGoods: boolean
  /** Ends in a house number, between a name and a town. */
  isStreet: boolean
}

export interface PartyCandidate {
  name: string
  /** Where the name stands; null where only a sentence names it. */
  spot: Spot | null
  facts: PartyFacts
}

/** What the rules for names, labels and terms found, each by itself. */
export interface PartyFindings {
  seller: FoundMerchant | null
  buyer: FoundBuyer | null
  inTerms: Scored<string> | null
  /** Names of the goods. */
  goods: readonly string[]
}

const LETTERS_MIN = 5
const BLOCK_ROWS = 5
/** Rows of the head among which a sender's line stands. */
const HEAD_ROWS = 14
/** Other lines that the rules for names know, beside the best. */
const OTHER_NAMES = 3
const CUSTOMER_NUMBER =
  /(?:^|\W)(?:CUSTOMER|CLIENT|KUNDEN?|KLANT|KUND|ASIAKAS|CLIENTE|ACCOUNT|MEMBER)[ .-]?(?:ID|N[OR]|NUM\w*|CODE)/
const NAME_MAX = 70

/** The letters of a name; of another script the text itself. */
const partyKey = (name: string): string => {
  const letters = basicLetters(capitals(name))
  return letters.length >= 3 ? letters : name.replaceAll(/\s/g, '')
}

/** Whether two names are of one party: the same, or one begins with the other. */
export function isSameParty(a: string, b: string): boolean {
  const [short, long] = [partyKey(a), partyKey(b)].toSorted((x, y) => x.length - y.length)
  return short === long || (short!.length >= LETTERS_MIN && long!.includes(short!))
}

const AMOUNT = /\d[.,]\d{2}(?!\d)/

/** Whether a name signs a mail: below all sums, with its street and town in the next line. */
function isSignature({ rows }: DocumentText, zones: Zones, spot: Spot): boolean {
  const next = rows[spot.row.index + 1]
  return (
    next !== undefined &&
    spot.row.cells.length === 1 &&
    isBlockName(zones, spot) &&
    // Lines of a digital seal have digits, heads of their fields capitals alone.
    !/\d/.test(spot.cell.text) &&
    (/\p{Ll}/u.test(spot.cell.text) || LEGAL_FORM.test(spot.upper)) &&
    (!/[.!?]$/.test(spot.cell.text.trim()) || LEGAL_FORM.test(spot.upper)) &&
    isPlaceLine(capitals(next.text)) &&
    addressScore(capitals(next.text)) >= 2 &&
    /\d.*\d{4}/.test(next.text) &&
    !rows.slice(spot.row.index).some(({ text }) => AMOUNT.test(text))
  )
}

/** "Name:  Studio 54" in the part of the seller. */
const isSellersField = (zones: Zones, place: Spot): boolean => {
  const [lead] = place.row.cells
  return lead !== place.cell && zones.seller.has(place) && NAME_FIELD.test(capitals(lead!.text))
}

/** "Studio 54  IBAN: NL91 …": a name that begins the row in which its bank data begin. */
const isBesideBank = (zones: Zones, spot: Spot): boolean => {
  const [lead, data] = spot.row.cells
  return (
    lead === spot.cell &&
    data !== undefined &&
    FOOT_DATA.test(capitals(data.text)) &&
    isBlockName(zones, spot) &&
    !isOwnData(spot.upper)
  )
}

/** Names in the foot that stand in one cell, or side by side, with data of a register or a bank. */
function namesInFoot(document: DocumentText, zones: Zones): Spot[] {
  const { rows } = document
  return zones.spots.filter((spot) => {
    const { row, cell, upper } = spot
    if (row.index <= zones.bodyStart || zones.tableRows.has(row.index)) return false
    if (isSignature(document, zones, spot) || isBesideBank(zones, spot)) return true
    if (!LEGAL_FORM.test(upper) || cell.text.length > NAME_MAX || isOwnData(upper)) return false
    return [row, rows[row.index + 1]].some((near) => near && FOOT_DATA.test(capitals(near.text)))
  })
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
    if (!isKnown && partyKey(name).length >= 2) named.push({ name, spot })
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

/** The lines under a name that belong to it, to its town. */
function blockUnder(document: DocumentText, zones: Zones, spot: Spot): Spot[] {
  const lines: Spot[] = []
  for (const line of below(document, zones.spots, spot, BLOCK_ROWS)) {
    const isNext = line.row.index - (lines.at(-1) ?? spot).row.index <= 2
    const endsBlock = [FIELD_LABEL, BUYER_LABEL, SELLER_LABEL, TITLE].some((one) =>
      one.test(line.upper),
    )
    if (!isNext || line.row.gapAbove >= 1 || zones.tableRows.has(line.row.index)) break
    if (endsBlock && !isOwnData(line.upper)) break
    lines.push(line)
  }
  return lines
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

/** Whether a label names the buyer right above or left of a name, and not where goods go. */
const isUnderBuyerLabel = (zones: Zones, spot: Spot): boolean =>
  isUnderLabel(zones, spot, BUYER_LABEL) && !isUnderLabel(zones, spot, DELIVERY_LABEL)

/** Whether two lines are set around one middle, as on rolls of tills. */
const isCentred = (a: Cell, b: Cell): boolean => Math.abs(a.x0 + a.x1 - b.x0 - b.x1) <= 4

/** Whether a line right above in the same column can be a name. */
const hasNameAbove = (zones: Zones, spot: Spot): boolean => {
  const { row, cell } = spot
  return zones.spots.some(
    (s) =>
      s.row.index === row.index - 1 &&
      row.gapAbove < 1 &&
      (isAligned(s, spot) || isCentred(s.cell, cell)) &&
      ![FIELD_LABEL, BUYER_LABEL, SELLER_LABEL, TITLE].some((one) => one.test(s.upper)) &&
      isBlockName(zones, s),
  )
}

/** Whether the first line of a block can be a name. */
const isBlockName = (zones: Zones, spot: Spot): boolean => isName(spot) && !isHouseLine(zones, spot)

const isName = ({ upper, cell }: Spot): boolean =>
  /[A-Z]{3}/.test(upper) &&
  !/\d{3}|[:@]/.test(upper) &&
  !FIELD_LABEL.test(upper) &&
  !NAME_FIELD.test(upper) &&
  BUYER_LABEL.exec(upper)?.[0].length !== upper.length &&
  addressScore(upper) < 2 &&
  columnOfHead(foldLabel(cell.text), new Set()) === null &&
  cell.text.length <= NAME_MAX

/** Whether a label stands right above a name in its column, or left of it in its row. */
function isUnderLabel(zones: Zones, { row, cell }: Spot, label: RegExp): boolean {
  return zones.spots.some((s) => {
    if (!label.test(s.upper)) return false
    if (s.row === row)
      return (
        s.cell !== cell && /:\s*$/.test(s.upper) && s.cell.x0 < cell.x0 && cell.x0 - s.cell.x1 < 20
      )
    const holdsName = /\p{L}{2}/u.test(s.upper.replaceAll(/\([^)]*\)/g, '').replace(label, ''))
    return !holdsName && s.row.index === row.index - 1 && Math.abs(s.cell.x0 - cell.x0) <= 3
  })
}
