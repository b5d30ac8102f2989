/**
 * Notices that the database's clock was set back, by this process's own clock, which never is: a
 * posting made then stands before what was folded, also when the clock has caught up by the next fold.
 */
import type { Logger } from '#kernel'
import { compareClocks, type ReadClock } from '#kernel/host'

/** The clocks may drift apart by so much between two looks; a smaller step stays within the lag. */
const TOLERANCE_MS = 1000
/** An answer that took longer tells too little of when the clock was read. */
const ANSWER_MAX_MS = 500

export interface ClockWatch {
  /** Reads the database's clock; true when it went back since the last look. */
  look(): Promise<boolean>
  /**
   * Gives `mend` the lowest time that it went back to since one was mended; nothing where it did not go
   * back. What fails is not mended and comes again, with what the clock did meanwhile.
   */
  mending(mend: (lowest: Date) => Promise<void>): Promise<void>
}

interface Look {
  /** The database's time, and this process's right before and right after it. */
  databaseMs: number
  sentMs: number
  heardMs: number
}

/** `nowMs` is a clock that nobody sets; a test's own. */
export function watchClock(
  readClock: ReadClock,
  nowMs: () => number = () => performance.now(),
): ClockWatch {
  let last: Look | null = null
  let lowestMs: number | null = null
  return {
    async look() {
      const sentMs = nowMs()
      const databaseMs = (await readClock()).getTime()
      const now = { databaseMs, sentMs, heardMs: nowMs() }
      const isLate = now.heardMs - now.sentMs > ANSWER_MAX_MS
      const wentBack = last !== null && databaseMs < earliest(last, now) - TOLERANCE_MS
      if (wentBack) lowestMs = Math.min(lowestMs ?? databaseMs, databaseMs)
      if (wentBack || last === null || !isLate) last = now
      return wentBack
    },
    async mending(mend) {
      const taken = lowestMs
      if (taken === null) return
      lowestMs = null
      try {
        await mend(new Date(taken))
      } catch (error) {
        lowestMs = Math.min(lowestMs ?? taken, taken)
        throw error
      }
    },
  }
}

/** The lowest time that a clock which went on evenly can show now. */
const earliest = (last: Look, now: Look): number => last.databaseMs + now.sentMs - last.heardMs

/** The same clock; the log says when it and this machine's begin to differ by more than they may. */
export function notingOffset(
  readClock: ReadClock,
  log: Pick<Logger, 'warn'>,
  nowMs?: () => number,
): ReadClock {
  let isNoted = false
  return async () => {
    const { at, aheadMs, isOff } = await compareClocks(readClock, nowMs)
    if (isOff && !isNoted) {
      const message = "this machine's clock and the database's differ: set both by NTP"
      log.warn({ aheadSeconds: Math.round(aheadMs / 1000) }, message)
    }
    isNoted = isOff
    return at
  }
}
