/** Parses bearer tokens of untrusted callers, and compares them with configured secrets. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { looksLikeKey } from './key-format.ts'

/** The token after `Bearer`; '' if it is empty or a key stands there alone, null for other schemes. */
export function bearerOf(authorization: string | null): string | null {
  const text = authorization?.trim() ?? ''
  if (isOfKeys(text)) return ''
  const match = /^bearer(?:\s+(.*))?$/i.exec(text)
  return match ? (match[1] ?? '').trim() : null
}

/** Whether a bearer has the form of a signed JWT (RFC 7519): three base64url parts. */
export function looksLikeJwt(bearer: string): boolean {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(bearer)
}

/** Whether a bearer is meant to be an API key or a token made from one. */
export function isOfKeys(bearer: string): boolean {
  return looksLikeKey(bearer) || looksLikeJwt(bearer)
}

/** A constant-time test of presented texts against what is configured; an empty secret never matches. */
export function secretTester(
  configured: string | readonly string[] | null,
): (presented: string) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  const expected = [configured ?? []].flat().filter(Boolean).map(digest)
  return (presented) => expected.some((one) => timingSafeEqual(digest(presented), one))
}
