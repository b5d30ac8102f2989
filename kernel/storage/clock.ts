/**
 * The database's clock beside this machine's: holds, limits and payments end by the one, tokens are
 * checked by the other.
 */
import type { SqlClient } from './contract.ts'

/** Payments, tokens and holds are good for minutes. */
const OFFSET_MAX_MS = 10_000

/** The time of a database. */
export type ReadClock = () => Promise<Date>

export interface ClockReading {
  /** The database's time. */
  at: Date
  /** How far this machine's clock is ahead of it at least; below 0: behind. */
  aheadMs: number
  /** Whether they differ by more than they may. */
  isOff: boolean
}

/** The time of this moment, not of the statement's beginning. */
export const databaseClock =
  (sql: SqlClient): ReadClock =>
  async () => {
    const [row] = await sql<[{ now: Date }]>`SELECT clock_timestamp() AS now`
    return row.now
  }

/** Reads the database's clock and compares it with `nowMs`, that of this machine. */
export async function compareClocks(
  readClock: ReadClock,
  nowMs: () => number = Date.now,
): Promise<ClockReading> {
  const sentMs = nowMs()
  const at = await readClock()
  // However long the answer took, the clock was read in between.
  const aheadMs = Math.max(sentMs - at.getTime(), 0) + Math.min(nowMs() - at.getTime(), 0)
  return { at, aheadMs, isOff: Math.abs(aheadMs) > OFFSET_MAX_MS }
}
