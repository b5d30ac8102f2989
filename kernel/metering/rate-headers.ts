/** Rate-limit headers of draft-ietf-httpapi-ratelimit-headers: RateLimit and RateLimit-Policy. */
import type { RateDecision } from '../auth/contract.ts'

/** `RateLimit-Policy` states the limit, `RateLimit` what is left and when the burst is full again. */
export function rateHeaders(
  limits: { rpm: number; burst: number },
  decision: RateDecision,
): Record<string, string> {
  const resetS = Math.ceil(((limits.burst - decision.remaining) * 60) / limits.rpm)
  return {
    'ratelimit-policy': `"default";q=${limits.rpm};w=60;burst=${limits.burst}`,
    ratelimit: `"default";r=${decision.remaining};t=${resetS}`,
  }
}
