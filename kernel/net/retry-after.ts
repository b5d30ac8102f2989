/** How long a destination asks to be left alone. */

/** A longer wait is not believed. */
export const RETRY_AFTER_MAX_MS = 3_600_000

/**
 * The milliseconds that the Retry-After header of an answer asks for (seconds or HTTP date, RFC 9110
 * section 10.2.3), at most `RETRY_AFTER_MAX_MS`; null: it has none that can be read.
 */
export function retryAfterMs(
  headers: readonly (readonly [name: string, value: string])[],
  now: Date,
): number | null {
  const asked = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1].trim()
  if (asked === undefined) return null
  const waitMs = /^\d+$/.test(asked) ? Number(asked) * 1000 : dateOf(asked) - now.getTime()
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), RETRY_AFTER_MAX_MS)
}

/** Date.parse takes `1.5` and `-5` for dates; one of HTTP begins with the day's name. */
function dateOf(text: string): number {
  return /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
}
