/** Writing deliveries: dedupe key, delivery and forwards in one statement, and replay cycles. */
import type { PluginDb } from '#kernel'
import { LIVE_STATES } from '../status.ts'
import type { Queries } from './endpoints.ts'

/** A forward as it is first written. */
export interface NewForward {
  id: string
  destinationId: string
  cycle: number
  state: 'in_flight' | 'pending' | 'cancelled'
  fence: number
  maxAttempts: number
  payerKeyId: string | null
  /** End of the lease for `in_flight`, else when it is due. */
  dueAt: Date | null
  reason: string | null
}

export interface NewDelivery {
  id: string
  endpointId: string
  /** Null: the sender gave no id, and nothing is deduplicated. */
  dedupeKey: string | null
  dedupeUntil: Date
  payerKeyId: string | null
  event: string | null
  headers: Record<string, string>
  body: Uint8Array
  sha256: string
  forwards: readonly NewForward[]
}

const INSERT_FORWARDS = `INSERT INTO forward (id, delivery_id, destination_id, cycle, state, fence,
    max_attempts, payer_key_id, due_at, last_error, created_at, ended_at)
  SELECT f.id, n.id, f."destinationId", f.cycle, f.state, f.fence, f."maxAttempts", f."payerKeyId",
    f."dueAt", f.reason, n.created_at, CASE WHEN f.state = 'cancelled' THEN n.created_at END
  FROM n, jsonb_to_recordset($1::text::jsonb) AS f(id text, "destinationId" text, cycle integer,
    state text, fence integer, "maxAttempts" integer, "payerKeyId" text, "dueAt" timestamptz,
    reason text)`

/** A dedupe key that is there stops everything after it, without a lock on its row. */
const INGEST = `
WITH k AS (
  INSERT INTO dedupe (endpoint_id, key, delivery_id, expires_at)
  SELECT $2::text, $3::text, $4::text, $5::timestamptz WHERE $3::text IS NOT NULL
  ON CONFLICT DO NOTHING RETURNING delivery_id),
n AS (
  INSERT INTO delivery (id, endpoint_id, dedupe_key, payer_key_id, event, headers, body, size_bytes,
    sha256, created_at)
  SELECT $4::text, $2::text, $3::text, $7::text, $8::text, $9::text::jsonb, $10::bytea, $11::integer,
    $12::text, $6::timestamptz
  WHERE $3::text IS NULL OR EXISTS (SELECT 1 FROM k)
  RETURNING id, created_at),
f AS (${INSERT_FORWARDS})
SELECT id FROM n`

const KNOWN = `SELECT delivery_id, expires_at <= $3::timestamptz AS expired FROM dedupe
  WHERE endpoint_id = $1 AND key = $2`
const FREE_EXPIRED = `DELETE FROM dedupe
  WHERE endpoint_id = $1 AND key = $2 AND expires_at <= $3::timestamptz`
const MAX_ROUNDS = 5

/**
 * Stores a delivery with its forwards unless its dedupe key is taken; then the id of the first one.
 * Durable when it returns.
 */
export async function ingest(
  db: PluginDb,
  delivery: NewDelivery,
  now: Date,
): Promise<{ duplicate: false } | { duplicate: true; deliveryId: string }> {
  const parameters = [
    JSON.stringify(delivery.forwards),
    delivery.endpointId,
    delivery.dedupeKey,
    delivery.id,
    delivery.dedupeUntil,
    now,
    delivery.payerKeyId,
    delivery.event,
    JSON.stringify(delivery.headers),
    delivery.body,
    delivery.body.byteLength,
    delivery.sha256,
  ]
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const inserted = await db.query(INGEST, parameters)
    if (inserted.length > 0) return { duplicate: false }
    const key = [delivery.endpointId, delivery.dedupeKey, now]
    const [known] = await db.query<{ delivery_id: string; expired: boolean }>(KNOWN, key)
    if (known && !known.expired) return { duplicate: true, deliveryId: known.delivery_id }
    // It expired, or was freed between the two statements: then this one is new.
    if (known) await db.query(FREE_EXPIRED, key)
  }
  throw new Error(`delivery ${delivery.id} was neither stored nor found as a duplicate`)
}

/** Lets the same id come again: nobody is left to pay for what was stored under it. */
export async function freeDedupeKey(db: Queries, deliveryId: string): Promise<void> {
  await db.query(
    `DELETE FROM dedupe k USING delivery d WHERE d.id = $1 AND k.endpoint_id = d.endpoint_id
       AND k.key = d.dedupe_key AND k.delivery_id = d.id`,
    [deliveryId],
  )
}

/** What a replay needs to know of a delivery; read under its lock. */
export interface Replayable {
  id: string
  endpointId: string
  payerKeyId: string | null
  event: string | null
  headers: Record<string, string>
  body: Uint8Array | null
  newestCycle: number
  live: boolean
}

/** The delivery under a lock that a second replay waits for; null when unknown. */
export async function lockForReplay(tx: Queries, id: string): Promise<Replayable | null> {
  const [row] = await tx.query<Omit<Replayable, 'newestCycle' | 'live'>>(
    `SELECT d.id, d.endpoint_id AS "endpointId", d.payer_key_id AS "payerKeyId", d.event, d.headers,
       d.body FROM delivery d WHERE d.id = $1 FOR UPDATE`,
    [id],
  )
  if (!row) return null
  const live = LIVE_STATES.map((state) => `'${state}'`).join(', ')
  // A statement of its own: its snapshot is newer than the lock.
  const [forwards] = await tx.query<{ newest: number; live: boolean }>(
    `SELECT COALESCE(max(f.cycle), -1) AS newest, COALESCE(bool_or(f.state IN (${live})), false) AS live
     FROM forward f WHERE f.delivery_id = $1`,
    [id],
  )
  return { ...row, newestCycle: forwards!.newest, live: forwards!.live }
}

/** Adds the forwards of a new cycle to a delivery. */
export async function addForwards(
  tx: Queries,
  deliveryId: string,
  forwards: readonly NewForward[],
  now: Date,
): Promise<void> {
  await tx.query(
    `WITH n AS (SELECT $2::text AS id, $3::timestamptz AS created_at) ${INSERT_FORWARDS}`,
    [JSON.stringify(forwards), deliveryId, now],
  )
}
