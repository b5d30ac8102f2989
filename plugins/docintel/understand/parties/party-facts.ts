/** Who may be the seller or the buyer, and every fact that the table of weights knows of them. */
import { basicLetters, capitals } from '../../lexicon/fold.ts'
import type { FoundBuyer } from './buyer.ts'
import type { Scored } from '../days/issued-at.ts'
import type { FoundMerchant } from './merchant.ts'
import type { Spot } from './zones.ts'

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

/** A name with what is known of it. */
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

/** Letters of a name that chance is unlikely to repeat. */
export const LETTERS_MIN = 5

/** The letters of a name; of another script the text itself. */
export const partyKey = (name: string): string => {
  const letters = basicLetters(capitals(name))
  return letters.length >= 3 ? letters : name.replaceAll(/\s/g, '')
}

/** Whether two names are of one party: the same, or one begins with the other. */
export function isSameParty(a: string, b: string): boolean {
  const [short, long] = [partyKey(a), partyKey(b)].toSorted((x, y) => x.length - y.length)
  return short === long || (short!.length >= LETTERS_MIN && long!.includes(short!))
}
