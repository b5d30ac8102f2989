/**
 * A challenge of the Payment scheme and its id (MPP httpauth-payment-00 §5; the `header` slot as
 * mppx 0.11 has it). The id is an HMAC over all that a credential repeats, so nothing is kept of a
 * challenge until it is paid.
 */
import { timingSafeEqual } from 'node:crypto'
import { SCHEME } from './names.ts'

/** What the id of a challenge is bound to: the texts as they stand on the wire. */
export interface Bound {
  realm: string
  /** 'evm'. */
  method: string
  /** 'charge'. */
  intent: string
  /** base64url of the canonical JSON of what is to be paid. */
  request: string
  /** RFC 3339. */
  expires: string
  /** Of the request's body; null: not bound to one. */
  digest: string | null
  /** Where the credential goes instead of `Authorization`; null: there. */
  header: string | null
  /** base64url of the server's own members; null in challenges of others. */
  opaque: string | null
}

/** A challenge as it is sent. */
export interface Challenge extends Bound {
  /** 43 characters of base64url. */
  id: string
}

/** A secret, ready to sign ids. */
export type IdKey = Bun.CryptoHasher

/** The key of a secret. */
export function idKey(secret: Uint8Array): IdKey {
  return new Bun.CryptoHasher('sha256', secret)
}

/** The id of a challenge: base64url of the HMAC-SHA256 of its parts. */
export function idOf(key: IdKey, bound: Bound): string {
  return key.copy().update(inputOf(bound)).digest('base64url')
}

/** Whether the id is of one of these keys, and every part is as it was sent. */
export function isIssued(keys: readonly IdKey[], { id, ...bound }: Challenge): boolean {
  const given = Buffer.from(id)
  return keys.some((key) => {
    const expected = Buffer.from(idOf(key, bound))
    return given.byteLength === expected.byteLength && timingSafeEqual(given, expected)
  })
}

/** Absent parts are empty, so that each has its place; a header other than Authorization adds one. */
function inputOf({ realm, method, intent, request, expires, digest, header, opaque }: Bound) {
  const slot = header === null ? '' : `|${header}`
  return `${realm}|${method}|${intent}|${request}|${expires}|${digest ?? ''}${slot}|${opaque ?? ''}`
}

/**
 * The value of WWW-Authenticate for a challenge. Its parts are of alphabets without quotes and
 * backslashes (the realm by its variable), so that none needs escaping.
 */
export function challengeText(challenge: Challenge): string {
  const { id, realm, method, intent, request, expires, digest, header, opaque } = challenge
  return (
    `${SCHEME} id="${id}", realm="${realm}", method="${method}", intent="${intent}", ` +
    `request="${request}"` +
    (digest === null ? '' : `, digest="${digest}"`) +
    `, expires="${expires}"` +
    (header === null ? '' : `, header="${header}"`) +
    (opaque === null ? '' : `, opaque="${opaque}"`)
  )
}

/** The same challenge as MCP has it: `request` is the object itself. */
export function challengeObject(
  { header, opaque, digest, ...challenge }: Challenge,
  request: object,
): object {
  return {
    ...challenge,
    request,
    ...(digest !== null && { digest }),
    ...(header !== null && { header }),
    ...(opaque !== null && { opaque }),
  }
}
