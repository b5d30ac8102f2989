/** How many calls a key may make (its own limits, else the gateway's), and how headers say so. */
import type { Identity, RateDecision } from './contract.ts'

export interface CallLimits {
  /** Calls per minute, over time. */
  rpm: number
  /** Calls at once after a pause. */
  burst: number
}

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
 * Rate-limit headers of draft-ietf-httpapi-ratelimit-headers: `RateLimit-Policy` states the limit, `RateLimit` what is left and when the burst is
 * full again.
 */
export function rateHeaders(limits: CallLimits, decision: RateDecision): Record<string, string> {
  const resetS = Math.ceil(((limits.burst - decision.remaining) * 60) / limits.rpm)
  return {
    'ratelimit-policy': `"default";q=${limits.rpm};w=60;burst=${limits.burst}`,
    ratelimit: `"default";r=${decision.remaining};t=${resetS}`,
  }
}
