/**
 * Whether this machine's clock and the database's agree: payments and tokens are checked by the one,
 * holds and limits end by the other.
 */
import type { Health } from '#kernel'

/** Payments, tokens and holds are good for minutes. */
const OFFSET_MAX_MS = 10_000

/** `readClock` gives the database's time; `nowMs` is this machine's clock. */
export function clockCheck(readClock: () => Promise<Date>, nowMs: () => number = Date.now): Health {
  return {
    name: 'clock',
    critical: false,
    timeoutMs: 2000,
    probe: async () => {
      const sentMs = nowMs()
      const databaseMs = (await readClock()).getTime()
      // However long the answer took, it was read in between.
      const aheadMs = Math.max(sentMs - databaseMs, 0) + Math.min(nowMs() - databaseMs, 0)
      if (Math.abs(aheadMs) <= OFFSET_MAX_MS) return { state: 'ok' }
      const offset = `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`
      return {
        state: 'degraded',
        detail: `this machine's clock is ${offset} the database's: set both by NTP`,
      }
    },
  }
}
