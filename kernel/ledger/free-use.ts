/** Rows of free calls (`coinop.free_use`): one for each account, skill and day or month. */
import type { SqlClient } from '../storage/contract.ts'

/** SQL: the oldest month whose rows are kept, as a bucket: the one before this UTC month. */
export const FREE_USE_KEPT_SINCE = `to_char((now() AT TIME ZONE 'utc') - interval '1 month', 'YYYY-MM')`

/**
 * Deletes at most `limit` rows of old buckets; returns how many. A bucket is a UTC day or month and
 * is not read again after it ended.
 */
export async function purgeFreeUse(sql: SqlClient, limit: number): Promise<number> {
  const gone = await sql.unsafe(
    `DELETE FROM coinop.free_use WHERE ctid IN (
       SELECT ctid FROM coinop.free_use WHERE left(bucket, 7) < ${FREE_USE_KEPT_SINCE}
       LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [limit],
  )
  return gone.count
}
