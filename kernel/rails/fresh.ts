/**
 * The parts of offers that are made anew for each 402. Callers read only some KiB of headers, so a
 * part that would make the answer's headers too long, or has a header that cannot be sent, is left
 * out, and the rest of the 402 stays.
 */
import type { Failure } from '../errors.ts'
import type { CallPlace, CredentialSource } from '../auth/contract.ts'
import type { FreshOffer, Offer } from './offer-contract.ts'

/** The call that a 402 answers. */
export interface UnpaidCall {
  /** Where the call goes; built on first access. */
  readonly place: CallPlace
  source: CredentialSource
}

/** The part of `offer` that is made for one call. */
export interface FreshPart {
  offer: Offer
  part: FreshOffer
}

/** No offer has a part that is made for the call. */
export const NO_PARTS: readonly FreshPart[] = []

/** The longest header of an offer, in characters: clients take 4 KiB, and many echo the header. */
export const MAX_OFFER_HEADER = 4095
/** The most header characters of all offers in a 402: with the gateway's own, below 8 KiB. */
const MAX_OFFER_HEADERS = 6656

/** A header's name (a token of RFC 9110, section 5.6.2). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
/** Characters that a header's value must not contain. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/
const BEYOND_LATIN = /[\u0100-\uffff]/

/** The parts of `offers` for `call`, by precedence; `failed` is told of each that is left out. */
export function freshParts(
  offers: readonly Offer[],
  call: UnpaidCall,
  refusal: Failure | undefined,
  failed: (offer: Offer, error: unknown) => void,
): readonly FreshPart[] {
  if (!offers.some((offer) => offer.fresh)) return NO_PARTS
  const parts: FreshPart[] = []
  let characters = 0
  for (const offer of offers) characters += fixedCharacters(offer)
  for (const offer of offers) {
    if (!offer.fresh) continue
    try {
      const part = offer.fresh(call.place, call.source, refusal)
      const more = addedCharacters(offer, part)
      if (characters + more > MAX_OFFER_HEADERS) {
        throw new Error(`with it the headers of the offers have ${characters + more} characters`)
      }
      characters += more
      parts.push({ offer, part })
    } catch (error) {
      failed(offer, error)
    }
  }
  return parts
}

const fixed = new WeakMap<Offer, number>()

function fixedCharacters(offer: Offer): number {
  const known = fixed.get(offer)
  if (known !== undefined) return known
  let characters = 0
  for (const name in offer.headers) characters += lineCharacters(name, offer.headers[name]!)
  fixed.set(offer, characters)
  return characters
}

function addedCharacters(
  offer: Offer,
  { headers, replacedHeaders = {}, contentType }: FreshOffer,
): number {
  let characters = 0
  if (contentType !== undefined) checkedCharacters('content-type', contentType)
  for (const [name, value] of headers) characters += checkedCharacters(name, value)
  for (const name in replacedHeaders) {
    const before = offer.headers[name]
    characters += checkedCharacters(name, replacedHeaders[name]!)
    if (before !== undefined) characters -= lineCharacters(name, before)
  }
  return characters
}

function checkedCharacters(name: string, value: string): number {
  if (value.length > MAX_OFFER_HEADER) {
    throw new Error(`its header ${name} has ${value.length} characters`)
  }
  if (!HEADER_NAME.test(name) || !isValue(value)) {
    throw new Error(`its header ${JSON.stringify(name)} has characters that no header may have`)
  }
  return lineCharacters(name, value)
}

/** Whether a header's value can be sent. Checks for ASCII first, in a tenth of the time. */
function isValue(value: string): boolean {
  if (CONTROL.test(value)) return false
  return Buffer.byteLength(value) === value.length || !BEYOND_LATIN.test(value)
}

/** The header's length on the wire, with its colon, blank and line break. */
function lineCharacters(name: string, value: string): number {
  return name.length + value.length + 4
}
