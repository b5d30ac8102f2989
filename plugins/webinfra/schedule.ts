/** When a failed forward is tried again, and when it is given up. */
import { RETRY_AFTER_MAX_MS } from '#kernel'

const JITTER = 0.2

/**
 * Milliseconds until attempt number `made + 1`, or null when `made` attempts were all there are.
 * The schedule's step ±20 %; a Retry-After can only lengthen it. `random` is in [0, 1).
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
  return Math.max(jittered, retryAfterMs ?? 0)
}

/** The most that `nextDelayMs` gives for this schedule; a lease is shorter. */
export function longestDelayMs(scheduleMs: readonly number[]): number {
  return Math.max(RETRY_AFTER_MAX_MS, ...scheduleMs) * (1 + JITTER)
}
