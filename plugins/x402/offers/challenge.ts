/**
 * The 402 of a quote, made once: the version 2 header, a JSON body that version 1 buyers read, and
 * the same object for MCP. A client echoes the extensions in its own header and Bun refuses 16 KiB
 * of headers, so a challenge stays under 4 KiB and drops schema detail first.
 */
import type { Failure, McpUnpaidForm, Offer, Quote } from '#kernel'
import type { Asset } from './asset.ts'
import { bazaarOf, type Detail } from './bazaar.ts'
import { extraOf, mainWay, suits, type PaymentKind } from './payment-kinds.ts'
import {
  encodeHeader,
  META_ERROR,
  PAYMENT_REQUIRED,
  type PaymentRequired,
  type PaymentRequirements,
} from '../payment/wire.ts'

/** The largest PAYMENT-REQUIRED header, in characters of base64. */
export const MAX_CHALLENGE_CHARACTERS = 4095
/** Kept free between the skill's deadline and the end of the authorization, for the settlement. */
export const SETTLE_MARGIN_S = 20
/** What a payer may take between the challenge and its paid request. */
const PAYER_SLACK_S = 40
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

/** A quote's requirements and its finished 402. */
export interface Challenge {
  quote: Quote
  /** Of the main way. */
  requirements: PaymentRequirements
  /** Its `accepts` is empty where no way to pay is good for this quote now: then nothing is offered. */
  required: PaymentRequired
  offer: Offer
}

/** How long a payer's signature must be good: skill, settlement and the payer's own delays. */
export function maxTimeoutSeconds(timeoutMs: number): number {
  return Math.max(60, Math.ceil(timeoutMs / 1000) + SETTLE_MARGIN_S + PAYER_SLACK_S)
}

export function requirementsOf(
  quote: Quote,
  asset: Asset,
  payTo: string,
  way = mainWay(asset),
): PaymentRequirements {
  return {
    scheme: way.scheme,
    network: asset.network,
    amount: quote.amountAtomic.toString(),
    asset: asset.address,
    payTo,
    maxTimeoutSeconds: maxTimeoutSeconds(quote.timeoutMs),
    extra: extraOf(asset, way),
  }
}

/** The challenge of `quote`, under MAX_CHALLENGE_CHARACTERS; `others` are ways beside the main one. */
export function challengeOf(
  quote: Quote,
  asset: Asset,
  payTo: string,
  serviceName: string,
  others: readonly PaymentKind[] = [],
): Challenge {
  const requirements = requirementsOf(quote, asset, payTo)
  const offered = [mainWay(asset), ...others].filter((way) => suits(way, quote))
  const accepts = offered.map((way) => requirementsOf(quote, asset, payTo, way))
  const required = fitted(quote, accepts, serviceName)
  return {
    quote,
    requirements,
    required,
    offer: {
      headers: { [PAYMENT_REQUIRED]: encodeHeader(required), 'cache-control': 'no-store' },
      // Version 1 knows neither Permit2 nor upto, and its readers refuse an empty list.
      body:
        asset.method === 'eip3009' && !quote.isCeiling
          ? {
              x402Version: 1,
              accepts: [requirementsV1(quote, requirements, asset)],
              ...(serviceName === SANDBOX_NAME && { sandbox: SANDBOX_NOTE }),
            }
          : {},
      challenge: required,
      challengeKey: META_ERROR,
      mcpForm: MCP_FORM,
      advice: 'With x402: sign one of `accepts` and send it as _meta["x402/payment"].',
    },
  }
}

/**
 * The offer of `challenge` after a payment for it was refused: its `error` says why and names the
 * field, in the shape x402 clients print (code first), as far as the header stays small enough.
 */
export function refusedOffer(challenge: Challenge, refusal: Failure): Offer {
  const { offer, required } = challenge
  for (const error of refusalTexts(refusal.details ?? {})) {
    const told = { ...required, error }
    const header = encodeHeader(told)
    if (header.length > MAX_CHALLENGE_CHARACTERS) continue
    return {
      ...offer,
      headers: { ...offer.headers, [PAYMENT_REQUIRED]: header },
      challenge: told,
    }
  }
  return offer
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

function fitted(
  quote: Quote,
  accepts: PaymentRequirements[],
  serviceName: string,
): PaymentRequired {
  const details: Detail[] = ['full', 'brief', 'bare']
  // The same scheme in a second way buys nothing that the first does not: it goes before any detail.
  const fewer = accepts.filter((offer, index) => index === 0 || offer.scheme !== 'exact')
  for (const detail of details) {
    const bazaar = bazaarOf(quote, detail)
    for (const offers of [accepts, fewer]) {
      const required = requiredOf(quote, offers, serviceName, bazaar)
      if (encodeHeader(required).length <= MAX_CHALLENGE_CHARACTERS) return required
    }
  }
  // A schema with 24 very long member names: the places and types of the fields are given up.
  const nameless: Quote = { ...quote, inputSchema: { type: 'object' }, example: undefined }
  return requiredOf(quote, fewer, serviceName, bazaarOf(nameless, 'bare'))
}

function requiredOf(
  quote: Quote,
  accepts: PaymentRequirements[],
  serviceName: string,
  bazaar: unknown,
): PaymentRequired {
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
    extensions: { bazaar, 'payment-identifier': PAYMENT_IDENTIFIER },
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
  asset: Asset,
): Record<string, unknown> {
  return {
    scheme: requirements.scheme,
    network: asset.networkV1,
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
    : `${text.slice(0, MAX_DESCRIPTION_CHARACTERS - 1)}…`
}
