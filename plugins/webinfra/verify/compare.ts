/**
 * Comparing MACs in constant time. The text is checked for its exact form before it is decoded:
 * `Buffer.from('zz', 'hex')` is empty, and two empty buffers are equal.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Algorithm } from './contract.ts'

const SIZE_BYTES: Readonly<Record<Algorithm, number>> = { sha1: 20, sha256: 32, sha512: 64 }

/** The HMAC of the concatenated parts. */
export function mac(
  algorithm: Algorithm,
  key: string | Buffer,
  ...parts: (string | Uint8Array)[]
): Buffer {
  const hmac = createHmac(algorithm, key)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}

/** The bytes of a MAC in hex, or null when the text is anything else than that many digits. */
export function decodeHex(text: string, algorithm: Algorithm): Buffer | null {
  const isHex = text.length === SIZE_BYTES[algorithm] * 2 && /^[0-9a-fA-F]+$/.test(text)
  return isHex ? Buffer.from(text, 'hex') : null
}

/** The bytes of a MAC in padded base64, or null when the text is anything else. */
export function decodeBase64(text: string, algorithm: Algorithm): Buffer | null {
  const sizeBytes = SIZE_BYTES[algorithm]
  if (text.length !== Math.ceil(sizeBytes / 3) * 4 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    return null
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === sizeBytes ? bytes : null
}

/** Whether two MACs of one algorithm are equal, in constant time. */
export function equalMacs(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Whether two texts of any length are equal, without telling where they differ. */
export function equalTexts(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
