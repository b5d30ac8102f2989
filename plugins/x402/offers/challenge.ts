/**
 * The 402 of a quote, made once: the version 2 header, a JSON body that version 1 buyers read, and
 * the same object for MCP. A client echoes the extensions in its own header and Bun refuses 16 KiB
 * of headers, so a challenge stays under 4 KiB and drops schema detail first.
 */
import type { Failure, McpUnpaidForm, Offer, Quote } from '#kernel'
import { cutText } from '../../shared/cut-text.ts'
import { SCHEME as CHANNELS } from '../payment/channel.ts'
import { bodyType } from '../../shared/documents/request-places.ts'
import type { EntryOffers } from '../entries/contract.ts'
import type { Problem } from '../payment/problem.ts'
import { hasNonce, newNonce, withNonce } from './solana-nonce.ts'
import { freshPart, OpenChallenge, type ExtensionsFor } from './answer-extensions.ts'
import { bazaarOf, type Detail } from './bazaar.ts'
import { sponsoringExtensions, SPONSORINGS, type Sponsoring } from '../payment/sponsoring.ts'
import {
  encodeHeader,
  isSameAddress,
  META_ERROR,
  PAYMENT_REQUIRED,
  type PaymentRequired,
  type PaymentRequirements,
} from '../payment/wire.ts'

/** The largest PAYMENT-REQUIRED header, in characters of base64. */
export const MAX_CHALLENGE_CHARACTERS = 4095
/** A challenge with this much less leaves room for what single answers add to it. */
const ROOM_CHARACTERS = 1400
/** Room for a reason code where a challenge says nothing but that payment is required, in base64. */
const REASON_CHARACTERS = 100
const MAX_DESCRIPTION_CHARACTERS = 300

/** The service's name on a sandbox chain, which has the id of a real network: wallets show it to who pays. */
export const SANDBOX_NAME = 'Coinop (sandbox, test money)'
const SANDBOX_NOTE = 'Sandbox: test money only. Nothing here costs or pays out real money.'

/** The binding of x402 to MCP for clients that name its extension (x402-foundation/x402#3106). */
const MCP_FORM: McpUnpaidForm = {
  capability: ['extensions', 'org.x402/payment'],
  kind: 'result',
  resultType: 'payment_required',
  member: 'paymentRequired',
}

/** What a challenge says beside its offers and its place. */
interface Shown {
  serviceName: string
  sponsorings: readonly Sponsoring[]
}

/** A quote and its finished 402. */
export interface Challenge {
  quote: Quote
  /** Its `accepts` is empty where no way to pay is good for this quote now: then nothing is offered. */
  required: PaymentRequired
  offer: Offer
  /** What `fresh` of the offer is made by, with this text as `error`; absent: every answer is the same. */
  freshWith?(error: string): NonNullable<Offer['fresh']>
  /** The offers of every entry, also those that the header has no room for. */
  offers: readonly PaymentRequirements[]
  /** The challenge with one offer alone, and as much detail as leaves room for a reason code. */
  sole(offer: PaymentRequirements): PaymentRequired
}

/** A client without the scheme reports only that it found nothing that it can pay. */
const UPTO_NOTE =
  'The price follows use, so every one of `accepts` has scheme `upto`: the client must know it (`UptoEvmScheme` of `@x402/evm/upto/client`).'

/**
 * The challenge of `quote`, under MAX_CHALLENGE_CHARACTERS: the offers of every entry in their order.
 * Version 1 buyers get those of `main`, whose network they name without a token.
 */
export function challengeOf(
  quote: Quote,
  entries: readonly EntryOffers[],
  serviceName: string,
  main: EntryOffers = entries[0]!,
  extensionsFor: ExtensionsFor | null = null,
): Challenge {
  const accepts = entries.map((offers) => offers.of(quote)).filter((offers) => offers.length > 0)
  const sponsorings = SPONSORINGS.filter((name) =>
    entries.some((offers) => offers.sponsorings?.includes(name)),
  )
  const required = fitted(quote, accepts, { serviceName, sponsorings })
  const needsUpto =
    required.accepts.length > 0 && required.accepts.every(({ scheme }) => scheme === 'upto')
  const [first] = entries.includes(main) ? main.of(quote) : []
  // Readers of version 1 refuse an empty list.
  const first1 =
    first && main.speaksV1 && !quote.isCeiling
      ? requirementsV1(quote, first, main.token.networkV1)
      : null
  const isSame = extensionsFor === null && !required.accepts.some(hasNonce)
  const freshWith = (error: string) =>
    freshOf(quote, { accepts, serviceName, sponsorings, required, error, first1 }, extensionsFor)
  return {
    quote,
    required,
    ...(!isSame && { freshWith }),
    offers: accepts.flat(),
    sole: (offer) => fitted(quote, [[offer]], { serviceName, sponsorings }, REASON_CHARACTERS),
    offer: {
      ...(!isSame && { fresh: freshWith(required.error ?? '') }),
      headers: { [PAYMENT_REQUIRED]: encodeHeader(required) },
      body: {
        ...(first1 && {
          x402Version: 1,
          // One with a nonce comes with each answer.
          ...(first && !hasNonce(first) && { accepts: [first1] }),
          ...(serviceName === SANDBOX_NAME && { sandbox: SANDBOX_NOTE }),
        }),
        ...(needsUpto && { x402Note: UPTO_NOTE }),
      },
      challenge: required,
      challengeKey: META_ERROR,
      mcpForm: MCP_FORM,
      advice: `With x402: sign one of \`accepts\` and send it as _meta["x402/payment"].${needsUpto ? ` ${UPTO_NOTE}` : ''}`,
    },
  }
}

/**
 * The offer of `challenge` after a payment for it was refused: its `error` says why and names the
 * field, in the shape x402 clients print (code first), as far as the header stays small enough.
 */
export function refusedOffer(challenge: Challenge, refusal: Failure): Offer {
  const corrected = corrective(challenge, refusal)
  if (corrected) return corrected
  const { offer, required } = challenge
  for (const error of refusalTexts(refusal.details ?? {})) {
    const told = { ...required, error }
    const header = encodeHeader(told)
    if (header.length > MAX_CHALLENGE_CHARACTERS) continue
    const { freshWith } = challenge
    return {
      ...offer,
      ...(freshWith && { fresh: freshWith(error) }),
      headers: { ...offer.headers, [PAYMENT_REQUIRED]: header },
      challenge: told,
    }
  }
  return offer
}

/**
 * The offer from which a client of channels goes on, with the state of the channel in the offer that it
 * is of; null where the refusal tells none. Its `error` is the bare code. Where the header would be too
 * long the other offers go, and detail.
 */
function corrective(
  { offer, offers, required, sole }: Challenge,
  { details }: Failure,
): Offer | null {
  const told = details?.['channel'] as Problem['channel']
  if (!told) return null
  const { network, asset, ...state } = told
  const ofChannel = offers.find(
    (one) => one.scheme === CHANNELS && one.network === network && isSameAddress(one.asset, asset),
  )
  if (!ofChannel) return null
  const corrected = { ...ofChannel, extra: { ...ofChannel.extra, ...state } }
  const error = String(details?.['reason'])
  const accepts = required.accepts.map((one) => (one === ofChannel ? corrected : one))
  const whole = freshened({ ...required, accepts, error })
  const isWhole =
    accepts.includes(corrected) && encodeHeader(whole).length <= MAX_CHALLENGE_CHARACTERS
  const challenge = isWhole ? whole : { ...sole(corrected), error }
  const { fresh: _, ...fixed } = offer
  const headers = { ...fixed.headers, [PAYMENT_REQUIRED]: encodeHeader(challenge) }
  return { ...fixed, headers, challenge, challengeError: error }
}

/** Longest first; none when the refusal is about no payment. */
function refusalTexts(details: Record<string, unknown>): string[] {
  const { reason, field, expected, got } = details
  if (typeof reason !== 'string') return []
  if (typeof field !== 'string') return [reason]
  const sides = [
    ...(typeof expected === 'string' ? [`expected ${expected}`] : []),
    ...(typeof got === 'string' ? [`got ${got}`] : []),
  ]
  const texts = [`${reason}: ${field}`, reason]
  return sides.length > 0 ? [`${reason}: ${field} (${sides.join(', ')})`, ...texts] : texts
}

/** The offer of version 1 with this nonce in its `extra`, where that has one. */
function withNonce1(first1: Record<string, unknown>, nonce: string): Record<string, unknown> {
  const { extra } = first1
  return typeof extra === 'object' && extra !== null
    ? withNonce({ ...first1, extra: { ...extra } }, nonce)
    : first1
}

/** The challenge for one buyer: offers that have a nonce get another one. */
export function freshened(required: PaymentRequired): PaymentRequired {
  const nonce = newNonce()
  return { ...required, accepts: required.accepts.map((offer) => withNonce(offer, nonce)) }
}

/** The part of each answer, put into the challenge, or into one with less detail where that is long. */
function freshOf(
  quote: Quote,
  made: {
    accepts: readonly (readonly PaymentRequirements[])[]
    serviceName: string
    sponsorings: readonly Sponsoring[]
    required: PaymentRequired
    error: string
    /** What version 1 is offered; null: nothing. */
    first1: ReturnType<typeof requirementsV1> | null
  },
  extensionsFor: ExtensionsFor | null,
): NonNullable<Offer['fresh']> {
  const { accepts, required, error, first1 } = made
  const hasNonces = required.accepts.some(hasNonce)
  const whole = new OpenChallenge({ ...required, error })
  let brief: OpenChallenge | null = null
  function* challenges(): Iterable<OpenChallenge> {
    yield whole
    const smaller = () => fitted(quote, accepts, made, ROOM_CHARACTERS)
    yield (brief ??= new OpenChallenge({ ...smaller(), error }))
  }
  return (place) => {
    const added = extensionsFor?.(place, quote, required.accepts) ?? []
    if (!hasNonces) return freshPart(challenges, added, place, MAX_CHALLENGE_CHARACTERS)
    const nonce = newNonce()
    const part = freshPart(challenges, added, place, MAX_CHALLENGE_CHARACTERS, nonce)
    if (place.transport !== 'http' || !first1) return part
    const { bodyText: _without, ...others } = part
    return { ...others, body: { ...part.body, accepts: [withNonce1(first1, nonce)] } }
  }
}

/**
 * With as many offers and as much detail as there is room for, where so many characters are left free;
 * `entries` has the offers of each entry.
 */
function fitted(
  quote: Quote,
  entries: readonly (readonly PaymentRequirements[])[],
  shown: Shown,
  freeCharacters = 0,
): PaymentRequired {
  const isSmall = (required: PaymentRequired): boolean =>
    encodeHeader(required).length <= MAX_CHALLENGE_CHARACTERS - freeCharacters
  // The same scheme in a second way buys nothing that the first does not: it goes before any detail.
  const fewer = entries.map((offers) =>
    offers.filter((offer, index) => index === 0 || offer.scheme !== 'exact'),
  )
  const details: Detail[] = ['full', 'brief', 'bare']
  for (const detail of details) {
    const bazaar = bazaarOf(quote, detail)
    for (const offers of [entries, fewer]) {
      const required = requiredOf(quote, offers.flat(), shown, bazaar)
      if (isSmall(required)) return required
    }
  }
  // What else an entry offers buys nothing that its first offer does not.
  const sole = entries.map((offers) => offers.slice(0, 1))
  const bare = requiredOf(quote, sole.flat(), shown, bazaarOf(quote, 'bare'))
  if (isSmall(bare)) return bare
  // A schema with 24 very long member names: the places and types of the fields are given up.
  const unnamed: Quote = { ...quote, inputSchema: namelessInput(quote), example: undefined }
  const nameless = bazaarOf(unnamed, 'bare')
  for (let count = sole.length; count > 1; count--) {
    const required = requiredOf(quote, sole.slice(0, count).flat(), shown, nameless)
    if (isSmall(required)) return required
  }
  return requiredOf(quote, sole.slice(0, 1).flat(), shown, nameless)
}

/** Of the input no more than how its body is sent. */
function namelessInput({ transport, inputSchema }: Quote): Record<string, unknown> {
  return { type: 'object', ...(transport === 'http' && { 'x-body': bodyType(inputSchema) }) }
}

function requiredOf(
  quote: Quote,
  accepts: PaymentRequirements[],
  { serviceName, sponsorings }: Shown,
  bazaar: unknown,
): PaymentRequired {
  const isByPermit2 = accepts.some(({ extra }) => extra['assetTransferMethod'] === 'permit2')
  return {
    x402Version: 2,
    error: 'Payment required',
    resource: {
      url: quote.resourceUrl,
      description: shortened(quote.description),
      mimeType: 'application/json',
      serviceName,
    },
    accepts,
    extensions: {
      bazaar,
      'payment-identifier': PAYMENT_IDENTIFIER,
      ...(isByPermit2 && sponsoringExtensions(sponsorings)),
    },
  }
}

/** x402 v2 extensions/payment-identifier: the payer may add an id, which shares our Idempotency-Key store. */
const PAYMENT_IDENTIFIER = {
  info: { required: false },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
    },
    required: ['required'],
  },
}

/** The same offer as version 1 has it. */
function requirementsV1(
  quote: Quote,
  requirements: PaymentRequirements,
  networkV1: string,
): Record<string, unknown> {
  return {
    scheme: requirements.scheme,
    network: networkV1,
    maxAmountRequired: requirements.amount,
    resource: quote.resourceUrl,
    description: shortened(quote.description),
    mimeType: 'application/json',
    payTo: requirements.payTo,
    maxTimeoutSeconds: requirements.maxTimeoutSeconds,
    asset: requirements.asset,
    extra: requirements.extra,
  }
}

function shortened(text: string): string {
  return text.length <= MAX_DESCRIPTION_CHARACTERS
    ? text
    : `${cutText(text, MAX_DESCRIPTION_CHARACTERS - 1)}…`
}
