/** Writing deliveries: dedupe key, delivery and forwards in one statement, and replay cycles. */
import type { PluginDb } from '#kernel'
import { ROW_BYTES } from '../migrations.ts'
import { mayBeId } from '../ids.ts'
import { LIVE_STATES, type ForwardState } from '../status.ts'
import type { Queries } from './endpoints.ts'
import { isNoRoom, type ByteLimits } from './stored.ts'

/** A forward as it is first written. */
export interface NewForward {
  id: string
  destinationId: string
  cycle: number
  state: 'in_flight' | 'pending' | 'cancelled'
  leaseToken: number
  maxAttempts: number
  payerKeyId: string | null
  /** When to try, for `pending`. */
  dueAt: Date | null
  /** When this instance's claim ends, for `in_flight`. */
  leaseUntil: Date | null
  reason: string | null
  /** The Idempotency-Key of the replay that it is of. */
  callKey: string | null
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
  /** It came with a signature of the endpoint's scheme. */
  isGenuine: boolean
  forwards: readonly NewForward[]
}

const INSERT_FORWARDS = `INSERT INTO forward (id, delivery_id, destination_id, cycle, state,
    lease_token, lease_until, max_attempts, payer_key_id, due_at, last_error, call_key,
    created_at, ended_at)
  SELECT f.id, n.id, f."destinationId", f.cycle, f.state, f."leaseToken", f."leaseUntil",
    f."maxAttempts", f."payerKeyId", f."dueAt", f.reason, f."callKey",
    n.created_at,
    CASE WHEN f.state = 'cancelled' THEN n.created_at END
  FROM n, jsonb_to_recordset($1::text::jsonb) AS f(id text, "destinationId" text, cycle integer,
    state text, "leaseToken" integer, "leaseUntil" timestamptz, "maxAttempts" integer,
    "payerKeyId" text, "dueAt" timestamptz, reason text, "callKey" text)`

/** Adds the delivery's bytes to a sum; without room the CHECK of the table undoes everything. */
const ADD = (subject: string, limit: string, from: string) => `
  INSERT INTO stored AS s (subject, bytes)
  SELECT ${subject}, CASE WHEN $13::bigint <= ${limit}::bigint THEN $13::bigint ELSE -1 END ${from}
  ON CONFLICT (subject) DO UPDATE SET bytes =
    CASE WHEN s.bytes + $13::bigint <= ${limit}::bigint THEN s.bytes + $13::bigint ELSE -1 END
  RETURNING 1`

/**
 * A dedupe key that is there stops everything after it, without a lock on its row. The sums come
 * after it, the endpoint's before the key's: always in this order, so that nobody waits in a circle.
 */
const INGEST = `
WITH k AS (
  INSERT INTO dedupe (endpoint_id, key, delivery_id, expires_at)
  SELECT $2::text, $3::text, $4::text, $5::timestamptz WHERE $3::text IS NOT NULL
  ON CONFLICT DO NOTHING RETURNING delivery_id),
e AS (${ADD(`'endpoint:' || $2::text`, '$14', 'WHERE $3::text IS NULL OR EXISTS (SELECT 1 FROM k)')}),
p AS (${ADD(`'key:' || $7::text`, '$15', 'FROM e WHERE $7::text IS NOT NULL')}),
n AS (
  INSERT INTO delivery (id, endpoint_id, dedupe_key, payer_key_id, event, headers, body, size_bytes,
    sha256, created_at, genuine)
  SELECT $4::text, $2::text, $3::text, $7::text, $8::text, $9::text::jsonb, $10::bytea, $11::integer,
    $12::text, $6::timestamptz, $16::boolean
  FROM e
  RETURNING id, created_at),
v AS (
  INSERT INTO undelivered (delivery_id, endpoint_id, payer_key_id, bytes)
  SELECT n.id, $2::text, $7::text, $13::integer FROM n),
f AS (${INSERT_FORWARDS})
SELECT id FROM n`

const KNOWN = `SELECT delivery_id AS "deliveryId", expires_at <= $3::timestamptz AS expired FROM dedupe
  WHERE endpoint_id = $1 AND key = $2`
const FREE_EXPIRED = `DELETE FROM dedupe
  WHERE endpoint_id = $1 AND key = $2 AND expires_at <= $3::timestamptz`
const MAX_ROUNDS = 5

export type Ingested =
  | { outcome: 'stored' }
  | { outcome: 'duplicate'; deliveryId: string }
  /** The endpoint or the key would have too many bytes stored: nothing was written. */
  | { outcome: 'no_room' }

/**
 * Stores a delivery with its forwards unless its dedupe key is taken, which tells the id of the
 * first one, or the limits are reached. Durable when it returns.
 */
export async function ingest(
  db: PluginDb,
  delivery: NewDelivery,
  limits: ByteLimits,
  now: Date,
): Promise<Ingested> {
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
    countedBytes(delivery.body),
    limits.endpointBytes,
    limits.keyBytes,
    delivery.isGenuine,
  ]
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const inserted = await insert(db, parameters)
    if (inserted === 'no_room') return { outcome: 'no_room' }
    if (inserted) return { outcome: 'stored' }
    const { endpointId, dedupeKey } = delivery
    const known = await findDuplicate(db, endpointId, dedupeKey, now)
    if (known && !known.expired) return { outcome: 'duplicate', deliveryId: known.deliveryId }
    // It expired, or was freed between the two statements: then this one is new.
    if (known) await db.query(FREE_EXPIRED, [endpointId, dedupeKey, now])
  }
  throw new Error(`delivery ${delivery.id} was neither stored nor found as a duplicate`)
}

async function insert(db: PluginDb, parameters: unknown[]): Promise<boolean | 'no_room'> {
  try {
    return (await db.query(INGEST, parameters)).length > 0
  } catch (error) {
    if (isNoRoom(error)) return 'no_room'
    throw error
  }
}

/** The delivery that has this dedupe key, or had it until it expired. */
async function findDuplicate(
  db: PluginDb,
  endpointId: string,
  dedupeKey: string | null,
  now: Date,
): Promise<{ deliveryId: string; expired: boolean } | null> {
  if (dedupeKey === null) return null
  const rows = await db.query<{ deliveryId: string; expired: boolean }>(KNOWN, [
    endpointId,
    dedupeKey,
    now,
  ])
  return rows[0] ?? null
}

/** What a payload counts against the limits: itself and its rows. */
export function countedBytes(body: Uint8Array): number {
  return body.byteLength + ROW_BYTES
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
  isGenuine: boolean
  newestCycle: number
  live: boolean
}

/** The delivery under a lock that a second replay waits for; null when unknown. */
export async function lockForReplay(tx: Queries, id: string): Promise<Replayable | null> {
  if (!mayBeId(id)) return null
  const [row] = await tx.query<Omit<Replayable, 'newestCycle' | 'live'>>(
    `SELECT d.id, d.endpoint_id AS "endpointId", d.payer_key_id AS "payerKeyId", d.event, d.headers,
       d.body, d.genuine AS "isGenuine" FROM delivery d WHERE d.id = $1 FOR UPDATE`,
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

/**
 * The states of the forwards that a replay by this key and Idempotency-Key has made since then: of the
 * newest such replay, none if there was none.
 */
export async function replayedBefore(
  tx: Queries,
  by: { deliveryId: string; payerKeyId: string; callKey: string; since: Date },
): Promise<ForwardState[]> {
  const rows = await tx.query<{ state: ForwardState }>(
    `SELECT f.state FROM forward f
     WHERE f.delivery_id = $1 AND f.cycle = (SELECT max(o.cycle) FROM forward o
       WHERE o.delivery_id = $1 AND o.payer_key_id = $2 AND o.call_key = $3
         AND o.created_at > $4::timestamptz)`,
    [by.deliveryId, by.payerKeyId, by.callKey, by.since],
  )
  return rows.map(({ state }) => state)
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
