/**
 * Where in the ledger a moment lies. Postings have no index by time, which every call would have to
 * write, but their ids rise with it: a binary search over the primary key finds the place.
 */
import type { SqlTransaction } from '../storage/contract.ts'

/** Transactions may commit in another order than they took their ids in. */
const SLACK_IDS = 100_000n

/**
 * Ids around the first posting at or after `since`: no posting before `lower` is that young, none
 * after `upper` is older.
 */
export async function entriesSince(
  tx: SqlTransaction,
  since: Date,
): Promise<{ lower: bigint; upper: bigint }> {
  const rows = await tx<{ id: bigint | null }[]>`
    WITH RECURSIVE step(low, high) AS (
      SELECT min(id), max(id) + 1 FROM coinop.entry
      UNION ALL
      SELECT CASE WHEN m.at < ${since} THEN m.id + 1 ELSE low END,
        CASE WHEN m.at < ${since} THEN high ELSE low + (high - low) / 2 END
      FROM step, LATERAL (
        SELECT id, at FROM coinop.entry WHERE id >= low + (high - low) / 2 ORDER BY id LIMIT 1) m
      WHERE low < high)
    SELECT max(low) AS id FROM step`
  const id = rows[0]?.id ?? 0n
  return { lower: id - SLACK_IDS, upper: id + SLACK_IDS }
}
