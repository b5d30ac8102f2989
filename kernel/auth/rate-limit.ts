/** How many calls a key may make, and how headers say so; `host/rate-limits` counts them. */
import type { Logger } from '../log/logger.ts'
import type { SqlClient } from '../storage/contract.ts'
import type { CallLimits, Identity, RateDecision, RateLimiter } from './contract.ts'

export interface SharedRateLimiter extends RateLimiter {
  /** Ends the background sweep. */
  close(): void
}

/** A limiter over the shared buckets of this database; it logs when it has to limit alone. */
export type CreateRateLimiter = (sql: SqlClient, log: Logger) => SharedRateLimiter

/** The limits of a key, or of an address when there is none. */
export function callLimits(
  identity: Pick<Identity, 'rpmLimit' | 'burstLimit'> | null,
  defaults: CallLimits,
): CallLimits {
  const rpm = identity?.rpmLimit ?? null
  return {
    rpm: rpm ?? defaults.rpm,
    // Who allows five calls a minute does not mean a hundred at once.
    burst: identity?.burstLimit ?? Math.min(defaults.burst, rpm ?? defaults.burst),
  }
}

/**
 * The limits of ending holds, which are counted apart: whoever is at the limit of calls can still
 * capture or release what is open, twice for each hold (a retry), a minute's holds at once.
 */
export function endingLimits({ rpm, burst }: CallLimits): CallLimits {
  return { rpm: 2 * rpm, burst: burst + rpm }
}

/**
 * Rate-limit headers of draft-ietf-httpapi-ratelimit-headers: `RateLimit-Policy` states the limit,
 * `RateLimit` what is left and when the burst is full again.
 */
export function rateHeaders(limits: CallLimits, decision: RateDecision): Record<string, string> {
  const resetS = Math.ceil(((limits.burst - decision.remaining) * 60) / limits.rpm)
  return {
    'ratelimit-policy': `"default";q=${limits.rpm};w=60;burst=${limits.burst}`,
    ratelimit: `"default";r=${decision.remaining};t=${resetS}`,
  }
}
