/**
 * Reads the credential of a call: `Authorization: Payment …` (or `Payment-Authorization`) on HTTP,
 * `_meta["org.paymentauth/credential"]` on MCP. All of it is text work on input of untrusted callers:
 * bounded, and strict about every member that is used; members unknown here are ignored.
 */
import { isBrief, isObject, parseJson, type CredentialSource } from '#kernel'
import { decodeBase64url, decodeBase64urlText, encodeJcs } from './base64url.ts'
import type { Challenge } from './challenge.ts'
import { AUTHORIZATION, META_CREDENTIAL, PAYMENT_AUTHORIZATION } from './names.ts'

export interface Credential {
  challenge: Challenge
  /** Of the method: 'authorization' of evm/charge. */
  payload: Readonly<Record<string, unknown>>
  /** DID of the payer, as its client says. */
  source: string | null
}

export type ReadCredential =
  | { outcome: 'read'; credential: Credential }
  /** `what` completes 'The credential …'. */
  | { outcome: 'malformed'; what: string }
  /** A challenge that cannot be one of ours. */
  | { outcome: 'foreign'; what: string }
  | { outcome: 'several' }

/** Bun refuses requests with more than 16 KiB of headers. The objects of MCP get no more room. */
const MAX_CHARACTERS = 16_384
const MAX_SOURCE_CHARACTERS = 256
const PAYMENT = /^payment(?:[ \t]+|$)/i
const ID = /^[A-Za-z0-9_-]{43}$/
const NAME = /^[a-z0-9][a-z0-9:_-]{0,63}$/
const REALM = /^[\x21\x23-\x5b\x5d-\x7b\x7d\x7e]{1,255}$/
const EXPIRES = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/
const DIGEST = /^sha-256=:?[A-Za-z0-9+/]{43}=:?$/

/** Whether the call brings a credential of the scheme, good or not; costs no more than reading headers. */
export function bringsCredential(source: CredentialSource): boolean {
  return found(source).length > 0
}

/** The credential of a call that brings one. */
export function readCredential(source: CredentialSource): ReadCredential {
  const [first, ...others] = found(source)
  if (others.length > 0) return { outcome: 'several' }
  return typeof first === 'string' ? fromText(first) : fromObject(first)
}

/**
 * Every credential, undecoded: texts without their scheme, or the object of MCP. A call over MCP is
 * paid by its `_meta` alone: the headers are those of the connection, which carries other calls too.
 */
function found(source: CredentialSource): readonly unknown[] {
  if (source.meta !== undefined) {
    const given = source.meta[META_CREDENTIAL]
    return given === undefined || given === null ? NONE : [given]
  }
  const ofAuthorization = source.header(AUTHORIZATION)
  const ofOther = source.header(PAYMENT_AUTHORIZATION)
  if (ofAuthorization === null && ofOther === null) return NONE
  return [
    // Neither base64url nor a key has commas: HTTP joins fields of one name by them.
    ...(ofAuthorization === null
      ? []
      : partsOf(ofAuthorization).filter((part) => PAYMENT.test(part))),
    ...(ofOther === null ? [] : partsOf(ofOther)),
  ].map((part) => (PAYMENT.test(part) ? part.replace(PAYMENT, '') : ''))
}

const NONE: readonly unknown[] = []

function partsOf(header: string): string[] {
  return header.split(',').map((part) => part.trim())
}

function fromText(text: string): ReadCredential {
  if (text.length > MAX_CHARACTERS) return malformed('is too long')
  const json = text === '' ? null : decodeBase64urlText(text)
  if (json === null) return malformed('must be base64url of UTF-8 JSON, without padding')
  const parsed = parseJson(json)
  return parsed.ok ? credentialOf(parsed.value) : malformed('must be base64url of a JSON object')
}

function fromObject(value: unknown): ReadCredential {
  if (!isObject(value)) return malformed('must be a JSON object')
  // What holds many values is not written out just to be measured.
  const isShort = isBrief(value) && JSON.stringify(value).length <= MAX_CHARACTERS
  return isShort ? credentialOf(value) : malformed('is too long')
}

function credentialOf(value: unknown): ReadCredential {
  if (!isObject(value)) return malformed('must be base64url of a JSON object')
  const { challenge, payload, source } = value
  if (!isObject(payload)) return malformed('has no object as payload')
  if (source !== undefined && !isText(source, MAX_SOURCE_CHARACTERS))
    return malformed('has a source that is no text')
  if (!isObject(challenge)) return malformed('has no object as challenge')
  const request = encoded(challenge['request'])
  const opaque = challenge['opaque'] === undefined ? null : encoded(challenge['opaque'])
  const { id, realm, method, intent, expires, digest, header } = challenge
  if (request === null) return malformed('has no request in its challenge')
  if (challenge['opaque'] !== undefined && opaque === null)
    return malformed('has a malformed opaque in its challenge')
  const wrong =
    (!matches(id, ID) && 'id') ||
    (!matches(realm, REALM) && 'realm') ||
    (!matches(method, NAME) && 'method') ||
    (!matches(intent, NAME) && 'intent') ||
    (digest !== undefined && !matches(digest, DIGEST) && 'digest') ||
    (header !== undefined && header !== PAYMENT_AUTHORIZATION && 'header')
  if (wrong) return foreign(`has a challenge of another issuer: ${wrong}`)
  if (!matches(expires, EXPIRES)) return foreign('has a challenge without expires')
  return {
    outcome: 'read',
    credential: {
      challenge: {
        id: id as string,
        realm: realm as string,
        method: method as string,
        intent: intent as string,
        request,
        expires,
        digest: (digest as string | undefined) ?? null,
        header: (header as string | undefined) ?? null,
        opaque,
      },
      payload,
      source: (source as string | undefined) ?? null,
    },
  }
}

/**
 * A member that the id covers as base64url: the text as it was sent; or its object, as MCP has
 * `request` and older clients have `opaque`. Null when it is neither.
 */
function encoded(value: unknown): string | null {
  if (typeof value === 'string') return decodeBase64url(value) === null ? null : value
  return isObject(value) ? encodeJcs(value) : null
}

function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most
}

function matches(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value)
}

const malformed = (what: string): ReadCredential => ({ outcome: 'malformed', what })
const foreign = (what: string): ReadCredential => ({ outcome: 'foreign', what })
