/**
 * How many bytes are stored that no destination has taken yet, per endpoint and per paying key.
 * The sums change in the transaction that stores, delivers or drops a payload, so they are exact
 * on any number of instances.
 */
import type { PluginDb } from '#kernel'
import { LIVE_STATES } from '../status.ts'
import type { Queries } from './endpoints.ts'

/** What limits them, by the name that callers see. */
export type ByteLimit = 'endpoint_bytes' | 'key_bytes' | 'unfunded_bytes'

/** Most bytes of one endpoint and of one key. */
export interface ByteLimits {
  endpointBytes: number
  keyBytes: number
}

export interface Usage {
  endpointBytes: number
  keyBytes: number
  /** The key has as many forwards waiting for funds as it may have. */
  parkedFull: boolean
}

/** Of these rows oldest first; some of them may still be under way. */
const LOOKED_AT = 500
const CHECK_VIOLATION = '23514'
const LIVE = LIVE_STATES.map((state) => `'${state}'`).join(', ')

/**
 * CTEs that take the payloads of the deliveries in `source` (a query of column id) off the sums.
 * Whoever did so before counts: a second time changes nothing. Locks: rows of undelivered by id,
 * then sums, endpoints before keys. A LIMIT that cuts nothing makes the planner expect few rows, so
 * that it looks them up by index, whatever it knew of the tables when it planned.
 */
export const uncount = (source: string): string => `
gone AS (
  DELETE FROM undelivered v USING (SELECT id FROM (${source}) AS x ORDER BY id LIMIT $2::bigint) AS m
  WHERE v.delivery_id = m.id RETURNING v.endpoint_id, v.payer_key_id, v.bytes),
freed AS (
  SELECT x.subject COLLATE "C" AS subject, sum(x.bytes)::bigint AS bytes FROM (
    SELECT 'endpoint:' || endpoint_id AS subject, bytes FROM gone
    UNION ALL
    SELECT 'key:' || payer_key_id, bytes FROM gone WHERE payer_key_id IS NOT NULL) AS x
  GROUP BY 1 ORDER BY 1 LIMIT $2::bigint),
sums AS (
  SELECT s.subject, freed.bytes FROM freed JOIN stored s USING (subject)
  ORDER BY s.subject FOR NO KEY UPDATE OF s),
less AS (
  UPDATE stored s SET bytes = s.bytes - sums.bytes FROM sums WHERE s.subject = sums.subject)`

const UNCOUNT = `WITH ${uncount('SELECT jsonb_array_elements_text($1::text::jsonb) AS id')}
SELECT count(*)::integer AS n FROM gone`

/** A destination took these deliveries: their payloads count no longer. */
export async function countOut(tx: Queries, deliveryIds: readonly string[]): Promise<void> {
  await tx.query(UNCOUNT, [JSON.stringify(deliveryIds), deliveryIds.length * 2])
}

/** Whether a statement that adds to the sums failed because there is no room. */
export function isNoRoom(error: unknown): boolean {
  const { code, constraint_name: constraint } = error as {
    code?: unknown
    constraint_name?: unknown
  }
  return code === CHECK_VIOLATION && constraint === 'stored_room'
}

/** What the endpoint and the key (null: nobody pays) have stored now. */
export async function usageOf(
  db: Queries,
  of: { endpointId: string; keyId: string | null; maxParked: number },
): Promise<Usage> {
  const [row] = await db.query<Usage>(
    `SELECT COALESCE((SELECT bytes FROM stored WHERE subject = 'endpoint:' || $1::text), 0)::float8
       AS "endpointBytes",
     COALESCE((SELECT bytes FROM stored WHERE subject = 'key:' || $2::text), 0)::float8
       AS "keyBytes",
     EXISTS (SELECT 1 FROM forward WHERE payer_key_id = $2::text AND state = 'awaiting_funds'
       OFFSET $3::integer LIMIT 1) AS "parkedFull"`,
    [of.endpointId, of.keyId, of.maxParked - 1],
  )
  return row!
}

const EVICT = (column: 'endpoint_id' | 'payer_key_id'): string => `
WITH oldest AS (
  SELECT v.delivery_id, v.bytes FROM undelivered v WHERE v.${column} = $1
  ORDER BY v.delivery_id LIMIT ${LOOKED_AT}),
ended AS (
  SELECT o.delivery_id, sum(o.bytes) OVER (ORDER BY o.delivery_id) - o.bytes AS before
  FROM oldest o WHERE NOT EXISTS (
    SELECT 1 FROM forward f WHERE f.delivery_id = o.delivery_id AND f.state IN (${LIVE}))),
d AS (
  UPDATE delivery SET body = NULL WHERE id IN (
    SELECT x.id FROM delivery x JOIN ended ON ended.delivery_id = x.id
    WHERE ended.before < $3::bigint ORDER BY x.id FOR UPDATE OF x SKIP LOCKED)
  RETURNING id),
${uncount('SELECT id FROM d')}
SELECT count(*)::integer AS n FROM gone`

/**
 * Drops the oldest payloads that were not delivered and have no work left, until `bytes` are free;
 * false when there was none. What waits or is retried stays.
 */
export async function evict(
  db: PluginDb,
  from: { endpointId: string } | { keyId: string },
  bytes: number,
): Promise<boolean> {
  const [statement, id] =
    'keyId' in from ? [EVICT('payer_key_id'), from.keyId] : [EVICT('endpoint_id'), from.endpointId]
  const [row] = await db.query<{ n: number }>(statement, [id, LOOKED_AT * 2, bytes])
  return (row?.n ?? 0) > 0
}
