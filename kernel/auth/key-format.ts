/**
 * The text of an API key: `ck_live_<public id, 12>_<secret, 43><checksum, 6>`, base62 throughout.
 * One expression finds leaked keys (`ck_(live|test)_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}`), and the
 * checksum, a CRC-32 of everything before it, detects typos and foreign strings without a look-up.
 */
import { timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { assert } from '../errors.ts'

/** For secret scanners: matches every key of this service and hardly anything else. */
export const KEY_PATTERN = /ck_(?:live|test)_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}/

const PUBLIC_ID_LENGTH = 12
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const PREFIX_LENGTH = 'ck_live_'.length
const SECRET_AT = PREFIX_LENGTH + PUBLIC_ID_LENGTH + 1
const CHECKSUM_AT = SECRET_AT + SECRET_LENGTH
const KEY_LENGTH = CHECKSUM_AT + CHECKSUM_LENGTH
const WHOLE_KEY = new RegExp(`^${KEY_PATTERN.source}$`)

export type KeyMode = 'live' | 'test'

export interface ParsedKey {
  ok: true
  mode: KeyMode
  publicId: string
  /** The 43 base62 characters of the secret. */
  secret: string
}
/** Why a text cannot be a key of this service; `message` may be shown to the caller. */
export interface MalformedKey {
  ok: false
  reason: 'prefix' | 'length' | 'characters' | 'checksum'
  message: string
}

/**
 * A new credential of a plugin in the format of API keys, with two letters of its own instead of
 * `ck`, so that one expression finds leaks of every kind.
 */
export function generateCredential(letters: string, mode: KeyMode): string {
  assert(/^c[a-z]$/.test(letters), 'two letters, c first')
  return generate(letters, mode).plaintext
}

/** Whether a text has the format and the checksum of such a credential; needs no look-up. */
export function isCredential(letters: string, text: string): boolean {
  if (text.length !== KEY_LENGTH || !text.startsWith(`${letters}_`)) return false
  return (
    WHOLE_KEY.test(`ck_${text.slice(3)}`) &&
    checksum(text.slice(0, CHECKSUM_AT)) === text.slice(CHECKSUM_AT)
  )
}

/** The parts of a new credential. */
export function generate(
  letters: string,
  mode: KeyMode,
): { plaintext: string; prefix: string; publicId: string; secret: string } {
  const publicId = randomBase62(PUBLIC_ID_LENGTH)
  const secret = bytes32ToBase62(crypto.getRandomValues(new Uint8Array(32)))
  const prefix = `${letters}_${mode}_${publicId}`
  const body = `${prefix}_${secret}`
  return { plaintext: body + checksum(body), prefix, publicId, secret }
}

/** Whether a text is meant to be a key of this service, well-formed or not. */
export function looksLikeKey(text: string): boolean {
  return text.startsWith('ck_')
}

/** The parts of a presented key, or why it cannot be one; needs no look-up. */
export function parseKey(text: string): ParsedKey | MalformedKey {
  const isLive = text.startsWith('ck_live_')
  if (text === '')
    return malformed('prefix', 'is sent as X-Api-Key: ck_... or Authorization: Bearer ck_...')
  if (!isLive && !text.startsWith('ck_test_'))
    return malformed('prefix', 'does not start with ck_live_ or ck_test_')
  if (text.length !== KEY_LENGTH)
    return malformed('length', `has ${text.length} characters instead of ${KEY_LENGTH}`)
  if (!WHOLE_KEY.test(text)) return malformed('characters', 'has characters that no key has')
  if (checksum(text.slice(0, CHECKSUM_AT)) !== text.slice(CHECKSUM_AT))
    return malformed('checksum', 'has a wrong checksum: a character was changed or lost')
  return {
    ok: true,
    mode: isLive ? 'live' : 'test',
    publicId: text.slice(PREFIX_LENGTH, PREFIX_LENGTH + PUBLIC_ID_LENGTH),
    secret: text.slice(SECRET_AT, CHECKSUM_AT),
  }
}

/** SHA-256 of the secret's characters: the only form in which it is stored. */
export function hashSecret(secret: string): Buffer {
  return Buffer.from(new Bun.CryptoHasher('sha256').update(secret).digest())
}

/** Whether a presented secret has the stored hash; compared in constant time. */
export function secretMatches(secret: string, storedHash: Uint8Array): boolean {
  return timingSafeEqual(hashSecret(secret), storedHash)
}

function checksum(text: string): string {
  return uint32ToBase62(crc32(text))
}

function malformed(reason: MalformedKey['reason'], detail: string): MalformedKey {
  return { ok: false, reason, message: `The API key ${detail}` }
}

/** Base62 of fixed width has no padding or separators, so that a double click selects all of it. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Six characters that hold any unsigned 32-bit number. */
export function uint32ToBase62(value: number): string {
  let rest = value
  let text = ''
  for (let i = 0; i < 6; i++) {
    text = ALPHABET[rest % 62]! + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** Forty-three characters that hold 32 bytes, read as one big-endian number. */
export function bytes32ToBase62(bytes: Uint8Array): string {
  assert(bytes.length === 32, 'bytes32ToBase62 takes 32 bytes')
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let i = 0; i < 43; i++) {
    text = ALPHABET[Number(rest % 62n)]! + text
    rest /= 62n
  }
  return text
}

/** `length` characters, each drawn evenly from the alphabet. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 = 4 · 62: using higher bytes would make the first letters more likely.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62]
    }
  }
  return text
}
