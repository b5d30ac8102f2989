/** Signatures over raw bytes, compared in constant time and never by their text. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether `text` in `encoding` is the MAC; a malformed or short text never is. */
export function isMac(
  algorithm: 'sha256' | 'sha512',
  secret: string,
  body: Uint8Array,
  text: string | null,
  encoding: 'hex' | 'base64',
): boolean {
  if (text === null) return false
  const expected = createHmac(algorithm, secret).update(body).digest()
  const given = Buffer.from(text, encoding)
  // Decoding skips what it does not know, so only the one text that encodes these bytes is right.
  if (given.toString(encoding) !== (encoding === 'hex' ? text.toLowerCase() : text)) return false
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Whether a header equals a static secret; hashed first so that lengths do not leak. */
export function isSecret(secret: string, text: string | null): boolean {
  if (text === null) return false
  const digest = (value: string) => createHmac('sha256', 'compare').update(value).digest()
  return timingSafeEqual(digest(secret), digest(text))
}
