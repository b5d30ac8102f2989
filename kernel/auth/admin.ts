/** The test of the operator's bearer, and how guesses are slowed down. */
import { LRUCache } from 'lru-cache'
import type { CredentialSource } from './contract.ts'
import { fail, type Failure } from '../errors.ts'
import { Gcra } from './gcra.ts'
import { bearerOf, secretTester } from './tokens.ts'
import { unauthorized } from './unauthorized.ts'
import { REASONS } from '../reasons.ts'

/** Wrong bearers an address may present at once; one more every FAILURE_REFILL_MS. */
const FAILURE_BURST = 10
const FAILURE_REFILL_MS = 6000
const ADDRESSES_MAX = 10_000

/**
 * Tests of the admin bearer, for `Operators`. Failures are what is limited: an
 * address that presented too many wrong bearers gets 429 for further wrong ones until the refill.
 * The right one always passes: behind a reverse proxy the operator shares an address with everybody,
 * and a token of at least 32 characters is not guessed at any speed. A missing bearer is no guess.
 */
export function adminGate(
  token: string | null,
  nowMs: () => number = Date.now,
): {
  isAdmin(bearer: string): boolean
  requireAdmin(source: CredentialSource, clientAddress: string): Failure | null
} {
  const isAdmin = secretTester(token)
  const failures = new LRUCache<string, Gcra>({ max: ADDRESSES_MAX })
  const requireAdmin = (source: CredentialSource, clientAddress: string): Failure | null => {
    const bearer = bearerOf(source.header('authorization'))
    if (bearer === null || bearer === '') {
      return unauthorized('This route needs the admin token as Authorization: Bearer', {
        reason: REASONS.missing_admin_token,
      })
    }
    if (isAdmin(bearer)) return null
    const counted = failures.get(clientAddress) ?? new Gcra(FAILURE_REFILL_MS, FAILURE_BURST)
    failures.set(clientAddress, counted)
    const waitMs = counted.waitMs(nowMs())
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000)
      return fail('RATE_LIMITED', 'Too many wrong admin tokens from this address', {
        details: { limit: 'admin_failures', retryAfterSeconds: seconds },
        headers: { 'retry-after': String(seconds) },
      })
    }
    counted.take(nowMs())
    return unauthorized('The admin token is wrong', { reason: REASONS.invalid_admin_token })
  }
  return { isAdmin, requireAdmin }
}
