/** What is past its time: dedupe keys, payloads, records. In batches, so that no round is long. */
import type { PluginDb } from '#kernel'
import { databaseTime } from '../../shared/storage/database-time.ts'
import { LIVE_STATES } from '../status.ts'
import { uncount } from './stored.ts'

const BATCH = 1000
/** Half a million rows a round: more than one gateway takes in meanwhile. */
const MAX_BATCHES = 500
const DAY_MS = 86_400_000
const NOT_LIVE = `NOT EXISTS (SELECT 1 FROM forward f WHERE f.delivery_id = d.id
  AND f.state IN (${LIVE_STATES.map((state) => `'${state}'`).join(', ')}))`

const DEDUPE = `DELETE FROM dedupe WHERE (endpoint_id, key) IN (
  SELECT endpoint_id, key FROM dedupe WHERE expires_at <= $1 LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
  RETURNING 1`
/** Bytes that are given up count no longer. */
const giveUp = (change: string, rows: string): string => `
WITH d AS (${change} WHERE id IN (
  SELECT d.id FROM delivery d WHERE ${rows} AND d.created_at <= $1 AND ${NOT_LIVE}
  ORDER BY d.created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING id),
${uncount('SELECT id FROM d')}
SELECT id FROM d`
const PAYLOADS = giveUp('UPDATE delivery SET body = NULL', 'd.body IS NOT NULL')
const RECORDS = giveUp('DELETE FROM delivery', 'true')

/**
 * Deletes expired dedupe keys, drops the payloads of deliveries older than `payloadDays` (no longer
 * replayable then) and whole records older than `recordDays`; never of one that still has work. By the
 * database's clock: a gateway whose own is ahead for a moment would drop what is not old.
 */
export async function purge(
  db: PluginDb,
  keep: { payloadDays: number; recordDays: number },
  at?: Date,
): Promise<void> {
  const now = at ?? (await databaseTime(db))
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  await inBatches(db, DEDUPE, [now])
  await inBatches(db, PAYLOADS, [ago(keep.payloadDays), 2 * BATCH])
  await inBatches(db, RECORDS, [ago(keep.recordDays), 2 * BATCH])
}

async function inBatches(db: PluginDb, statement: string, parameters: unknown[]): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const rows = await db.query(statement, parameters)
    if (rows.length < BATCH) return
  }
}
