/** Whom a request counts against where something is limited or divided, and its rate limits. */
import { createHash, randomBytes } from 'node:crypto'
import type { CallLimits, Identity, RateDecision } from '../auth/contract.ts'
import { addressBlock } from '../net/address-block.ts'

/** Salts the hashes of shares: without it, hashing every address would reveal a caller's. */
const SALT = randomBytes(32)

/**
 * The share that a call counts against where a resource is divided fairly: rate limits, memory for
 * bodies, large parses, worker processes. Each caller has one name, and so only one share.
 *
 * The holder of the share: `key:<id>` for an identified key, `payer:<id>` for a payer that a rail
 * has verified, else `address:<address>` (an IPv6 address counts by its /64). The address of
 * `caller` has to be asked of the socket, so it is read only where it is used.
 */
export function shareOf(
  identity: { keyId: string } | null,
  payer: string | null,
  caller: { readonly clientAddress: string },
): string {
  if (identity) return `key:${identity.keyId}`
  return payer === null ? `address:${addressBlock(caller.clientAddress)}` : `payer:${payer}`
}

/** The share as plugins see it: a one-way hash, stable for its holder within this process. */
export function opaqueShare(share: string): string {
  return createHash('sha256').update(SALT).update(share).digest('base64url').slice(0, 16)
}

/** The limits of a key, or of an address when there is none. */
export function callLimits(
  identity: Pick<Identity, 'rpmLimit' | 'burstLimit'> | null,
  defaults: CallLimits,
): CallLimits {
  const rpm = identity?.rpmLimit ?? null
  return {
    rpm: rpm ?? defaults.rpm,
    // A key with a limit of five calls a minute must not get the default burst of a hundred.
    burst: identity?.burstLimit ?? Math.min(defaults.burst, rpm ?? defaults.burst),
  }
}

/**
 * The limits for ending holds, which are counted separately: a caller at its limit of calls can
 * still capture or release its open holds, twice each (for one retry), with a burst of a minute's
 * holds.
 */
export function endingLimits({ rpm, burst }: CallLimits): CallLimits {
  return { rpm: 2 * rpm, burst: burst + rpm }
}

/**
 * Rate-limit headers of draft-ietf-httpapi-ratelimit-headers: `RateLimit-Policy` states the limit,
 * `RateLimit` how many calls are left and when the burst is full again.
 */
export function rateHeaders(limits: CallLimits, decision: RateDecision): Record<string, string> {
  const resetS = Math.ceil(((limits.burst - decision.remaining) * 60) / limits.rpm)
  return {
    'ratelimit-policy': `"default";q=${limits.rpm};w=60;burst=${limits.burst}`,
    ratelimit: `"default";r=${decision.remaining};t=${resetS}`,
  }
}
