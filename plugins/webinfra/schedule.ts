/** When a failed forward is tried again, and when it is given up. */

/** A Retry-After beyond this is not believed. */
const MAX_RETRY_AFTER_MS = 3_600_000
const JITTER = 0.2

/**
 * Milliseconds until attempt number `made + 1`, or null when `made` attempts were all there are.
 * The schedule's step ±20 %; a Retry-After can only lengthen it, to an hour or the step at most.
 * `random` is in [0, 1).
 */
export function nextDelayMs(
  plan: { scheduleMs: readonly number[]; maxAttempts: number },
  made: number,
  retryAfterMs: number | null,
  random: number = Math.random(),
): number | null {
  if (made >= plan.maxAttempts) return null
  const index = Math.min(Math.max(made, 1), plan.scheduleMs.length) - 1
  const step = plan.scheduleMs[index]!
  const jittered = Math.round(step * (1 - JITTER + 2 * JITTER * random))
  if (retryAfterMs === null) return jittered
  return Math.max(jittered, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS))
}

/** The most that `nextDelayMs` gives for this schedule; a lease is shorter. */
export function longestDelayMs(scheduleMs: readonly number[]): number {
  return Math.max(MAX_RETRY_AFTER_MS, ...scheduleMs) * (1 + JITTER)
}

/** Milliseconds of a Retry-After header (seconds or HTTP date, RFC 9110 section 10.2.3); null: none. */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null
  const text = value.trim()
  if (/^\d+$/.test(text)) return Number(text) * 1000
  // Date.parse takes `1.5` and `-5` for dates; one of HTTP begins with the day's name.
  const at = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
