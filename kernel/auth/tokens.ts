/** Comparing configured secrets (admin and service tokens) with what untrusted callers present. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** The token of `Authorization: Bearer <token>`; '' for an empty one, null for any other scheme. */
export function bearerOf(authorization: string | null): string | null {
  const match = authorization === null ? null : /^bearer(?:\s+(.*))?$/i.exec(authorization.trim())
  return match ? (match[1] ?? '').trim() : null
}

/**
 * A test of presented texts against `configured`, in time that depends on neither's content or
 * length. Always false when nothing is configured: an empty secret never matches.
 */
export function secretTester(configured: string | null): (presented: string) => boolean {
  if (configured === null || configured === '') return () => false
  const expected = createHash('sha256').update(configured).digest()
  return (presented) =>
    presented !== '' && timingSafeEqual(createHash('sha256').update(presented).digest(), expected)
}
