/**
 * Where in the ledger a moment lies. Postings have no index by time, which every call would have to
 * write, but their ids begin with the time at which they were made (UUIDv7).
 */
import { firstIdAt } from '#kernel'

/**
 * Between an id and its posting: the clocks of gateway and database differ, a call names its hold
 * before it is placed, and a statement may be tried again.
 */
export const SLACK_MS = 15 * 60_000

/**
 * Ids around the first posting at or after `since`: no posting before `lower` is that young, none
 * after `upper` is older.
 */
export function entriesSince(since: Date): { lower: string; upper: string } {
  return {
    lower: firstIdAt(new Date(since.getTime() - SLACK_MS)),
    upper: firstIdAt(new Date(since.getTime() + SLACK_MS)),
  }
}
