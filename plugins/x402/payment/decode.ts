/**
 * Reads a payment from the headers or MCP `_meta` of a call. Everything here is text work on input
 * of strangers: bounded, strict, and a refusal names the place that is wrong.
 */
import { type CredentialSource, isBrief, isObject, parseJson } from '#kernel'
import { bad, decodePayload, type Members } from './decode-payload.ts'
import type { Problem } from './problem.ts'
import {
  META_PAYMENT,
  META_PAYMENT_V1,
  PAYMENT_SIGNATURE,
  PAYMENT_V1,
  type Payment,
  type PaymentRequirements,
} from './wire.ts'

/** Bun refuses requests with more than 16 KiB of headers. The objects of MCP get no more room. */
const MAX_ENCODED_CHARACTERS = 16_384
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const IDENTIFIER = /^[A-Za-z0-9_-]{16,128}$/

export type Decoded = { ok: true; payment: Payment } | { ok: false; problem: Problem }

/** Where the payment of a call stands, undecoded; null when it brings none. */
export function findPayment(source: CredentialSource): { place: string; value: unknown } | null {
  const header = source.header(PAYMENT_SIGNATURE)
  if (header !== null) return { place: PAYMENT_SIGNATURE, value: header }
  const meta = source.meta
  if (meta) {
    for (const place of [META_PAYMENT, META_PAYMENT_V1]) {
      if (meta[place] !== undefined && meta[place] !== null) return { place, value: meta[place] }
    }
  }
  const v1 = source.header(PAYMENT_V1)
  return v1 === null ? null : { place: PAYMENT_V1, value: v1 }
}

/** The payment found at `place`: base64 of JSON, or on MCP the object itself. */
export function decodePayment(place: string, value: unknown): Decoded {
  const read = typeof value === 'string' ? decodeText(place, value) : { ok: true as const, value }
  if (!read.ok) return read
  if (!isObject(read.value)) return bad(place, 'must be a JSON object')
  // An object of MCP is as long as its message may be, and is kept and passed on. What holds many
  // values is not written out just to be measured.
  const isTooLong =
    typeof value !== 'string' &&
    (!isBrief(value) || JSON.stringify(value).length > MAX_ENCODED_CHARACTERS)
  if (isTooLong) return bad(place, `must not be longer than ${MAX_ENCODED_CHARACTERS} characters`)
  const payment = read.value
  if (payment['x402Version'] === 2) return decodeV2(payment)
  if (payment['x402Version'] === 1) return decodeV1(payment)
  return bad('x402Version', 'must be 1 or 2', 'invalid_x402_version')
}

function decodeText(
  place: string,
  text: string,
): { ok: true; value: unknown } | { ok: false; problem: Problem } {
  if (text.length > MAX_ENCODED_CHARACTERS) {
    return bad(place, `must not be longer than ${MAX_ENCODED_CHARACTERS} characters`)
  }
  if (text === '' || text.length % 4 !== 0 || !BASE64.test(text)) {
    return bad(place, 'must be padded standard base64')
  }
  const parsed = parseJson(Buffer.from(text, 'base64'))
  return parsed.ok ? parsed : bad(place, 'must be base64 of a JSON object')
}

function decodeV2(payment: Members): Decoded {
  const { accepted, extensions } = payment
  if (!isObject(accepted)) return bad('accepted', 'must be the offer that is paid')
  if (typeof accepted['scheme'] !== 'string') return bad('accepted.scheme', 'must be a string')
  if (typeof accepted['network'] !== 'string') return bad('accepted.network', 'must be a string')
  for (const name of ['amount', 'asset', 'payTo']) {
    if (typeof accepted[name] !== 'string') return bad(`accepted.${name}`, 'must be a string')
  }
  const read = decodePayload(payment['payload'], 2, accepted['scheme'])
  if (!read.ok) return read
  const identified = identifierOf(extensions)
  if (!identified.ok) return identified
  return {
    ok: true,
    payment: {
      version: 2,
      scheme: accepted['scheme'],
      network: accepted['network'],
      accepted: accepted as unknown as PaymentRequirements,
      ...read.signed,
      echoed: {
        ...(payment['resource'] !== undefined && { resource: payment['resource'] }),
        ...(extensions !== undefined && { extensions }),
      },
      identifier: identified.identifier,
    },
  }
}

function decodeV1(payment: Members): Decoded {
  const { scheme, network } = payment
  if (typeof scheme !== 'string') return bad('scheme', 'must be a string')
  if (typeof network !== 'string') return bad('network', 'must be a string')
  const read = decodePayload(payment['payload'], 1, scheme)
  if (!read.ok) return read
  return {
    ok: true,
    payment: {
      version: 1,
      scheme,
      network,
      accepted: null,
      ...read.signed,
      echoed: {},
      identifier: null,
    },
  }
}

/** `extensions['payment-identifier'].info.id`, which shares the Idempotency-Key store. */
function identifierOf(
  extensions: unknown,
): { ok: true; identifier: string | null } | { ok: false; problem: Problem } {
  if (!isObject(extensions)) return { ok: true, identifier: null }
  const extension = extensions['payment-identifier']
  const info = isObject(extension) ? extension['info'] : undefined
  const id = isObject(info) ? info['id'] : undefined
  if (id === undefined || id === null) return { ok: true, identifier: null }
  if (typeof id === 'string' && IDENTIFIER.test(id)) return { ok: true, identifier: id }
  return bad(
    'extensions.payment-identifier.info.id',
    'must be 16 to 128 characters of [A-Za-z0-9_-]',
    'invalid_payment_identifier',
  )
}
