/**
 * base64url without padding (RFC 4648 §5), read strictly: a character outside of its alphabet, a
 * length that no bytes have, or bits beyond the last byte make a text malformed. Two texts are then
 * never one value, so that texts can be compared and signed.
 */
import { canonicalJson } from '#kernel'

const ALPHABET = /^[A-Za-z0-9_-]*$/
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The bytes of a text; null when it is malformed. */
export function decodeBase64url(text: string): Uint8Array | null {
  if (text.length % 4 === 1 || !ALPHABET.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : null
}

/** The UTF-8 text that a text encodes; null when it is malformed. */
export function decodeBase64urlText(text: string): string | null {
  const bytes = decodeBase64url(text)
  if (bytes === null) return null
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

/** base64url of the UTF-8 bytes of a text. */
export function encodeBase64url(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url')
}

/**
 * base64url of the canonical JSON of an object (RFC 8785, JCS). `canonicalJson` is that form for
 * objects without member names that are whole numbers, and those sent from here have none.
 */
export function encodeJcs(value: object): string {
  return encodeBase64url(canonicalJson(value))
}
