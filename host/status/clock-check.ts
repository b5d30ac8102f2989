/** Whether this machine's clock and the database's agree. */
import type { Health } from '#kernel'
import { compareClocks, type ReadClock } from '#kernel/host'

/** `readClock` gives the database's time; `nowMs` is this machine's clock. */
export function clockCheck(readClock: ReadClock, nowMs?: () => number): Health {
  return {
    name: 'clock',
    critical: false,
    timeoutMs: 2000,
    probe: async () => {
      const { aheadMs, isOff } = await compareClocks(readClock, nowMs)
      if (!isOff) return { state: 'ok' }
      const offset = `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`
      return {
        state: 'degraded',
        detail: `this machine's clock is ${offset} the database's: set both by NTP`,
      }
    },
  }
}
