/**
 * The queue: forwards claimed with FOR UPDATE SKIP LOCKED under a lease, and
 * every way a claimed one is given back. All SQL of claim and acknowledgement is here. No statement
 * holds a lock while a request is on the wire.
 */
import type { PluginDb } from '#kernel'
import type { StoredSecret } from '../secrets.ts'
import type { ForwardState } from '../status.ts'
import type { Claimed } from './claimed.ts'
import type { Queries } from './endpoints.ts'

/** What came of one attempt, as it is recorded. */
export interface AttemptRecord {
  at: Date
  /** HTTP status; null when no answer came. */
  status: number | null
  /** Error class; null for a success. */
  error: string | null
  ms: number
  excerpt: string | null
}

/** Those of one destination beyond its room are left as they are. */
const CLAIM = `
WITH busy AS (
  SELECT id, count(*) AS forwards FROM jsonb_array_elements_text($4::text::jsonb) AS b(id)
  GROUP BY id),
oldest AS (
  SELECT f.id, f.destination_id, f.state, COALESCE(f.lease_until, f.due_at) AS since FROM forward f
  WHERE f.state IN ('pending', 'retrying', 'in_flight') AND COALESCE(f.lease_until, f.due_at) <= $1
    AND f.destination_id NOT IN (SELECT id FROM busy WHERE forwards >= $5::integer)
  ORDER BY COALESCE(f.lease_until, f.due_at) LIMIT $2 FOR UPDATE SKIP LOCKED),
placed AS (
  SELECT o.id, o.state = 'in_flight' AS has_lapsed, COALESCE(b.forwards, 0)
    + row_number() OVER (PARTITION BY o.destination_id ORDER BY o.since) AS place
  FROM oldest o LEFT JOIN busy b ON b.id = o.destination_id),
due AS (SELECT id, has_lapsed FROM placed WHERE place <= $5::integer)
UPDATE forward f SET state = 'in_flight', due_at = NULL, lease_token = f.lease_token + 1,
  lapses = f.lapses + due.has_lapsed::integer,
  lease_until = $1::timestamptz + (e.timeout_ms + $3::integer) * interval '1 millisecond'
FROM due, delivery d, endpoint e, destination t
WHERE f.id = due.id AND d.id = f.delivery_id AND e.id = d.endpoint_id AND t.id = f.destination_id
RETURNING f.id AS forward_id, f.delivery_id, f.cycle, f.attempts, f.max_attempts, f.lease_token,
  f.lapses, due.has_lapsed, f.payer_key_id, f.parked, e.timeout_ms, t.id AS destination_id, t.url, t.headers AS own_headers,
  t.secrets, t.enabled, t.failing_since IS NOT NULL AS failing, d.body, d.headers`

interface ClaimRow {
  forward_id: string
  delivery_id: string
  cycle: number
  attempts: number
  max_attempts: number
  lease_token: number
  lapses: number
  has_lapsed: boolean
  payer_key_id: string | null
  parked: boolean
  timeout_ms: number
  destination_id: string
  url: string
  own_headers: string | null
  secrets: StoredSecret[]
  enabled: boolean
  failing: boolean
  body: Uint8Array | null
  headers: Record<string, string>
}

/** What one claim may take. */
export interface ClaimOrder {
  now: Date
  /** Forwards in all. */
  limit: number
  leaseMarginMs: number
  /** Of each forward that is under way here, the id of its destination. */
  busyDestinations: readonly string[]
  /** Forwards to one destination at once, those under way included; absent: `limit`. */
  perDestination?: number
}

/** Due forwards, oldest first, leased to this instance; also those of a lost lease. */
export async function claimDue(db: PluginDb, order: ClaimOrder): Promise<Claimed[]> {
  const rows = await db.query<ClaimRow>(CLAIM, [
    order.now,
    order.limit,
    order.leaseMarginMs,
    JSON.stringify(order.busyDestinations),
    order.perDestination ?? order.limit,
  ])
  return rows.map((row) => ({
    forwardId: row.forward_id,
    deliveryId: row.delivery_id,
    cycle: row.cycle,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    leaseToken: row.lease_token,
    lapses: row.lapses,
    hasLapsed: row.has_lapsed,
    payerKeyId: row.payer_key_id,
    parked: row.parked,
    timeoutMs: row.timeout_ms,
    destination: {
      id: row.destination_id,
      url: row.url,
      headers: row.own_headers,
      secrets: row.secrets,
      enabled: row.enabled,
      failing: row.failing,
    },
    payload: { body: row.body, headers: row.headers },
  }))
}

const RECORD = `INSERT INTO attempt (forward_id, n, at, status, error, ms, excerpt)
  SELECT f.id, f.attempts, $3::timestamptz, $4::integer, $5::text, $6::integer, $7::text FROM f`

const SUCCEED = `
WITH f AS (
  UPDATE forward SET state = 'succeeded', attempts = attempts + 1, lease_until = NULL, last_error = NULL,
    rail = $8::text, hold_id = $9::uuid, ended_at = $10::timestamptz
  WHERE id = $1 AND lease_token = $2 AND state = 'in_flight' RETURNING id, attempts)
${RECORD} RETURNING n`

/** Marks it succeeded and records the attempt; false when the lease was lost: nothing changed. */
export async function succeed(
  tx: Queries,
  claimed: Claimed,
  record: AttemptRecord,
  paid: { rail: string; holdId: string | null },
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(SUCCEED, [
    ...recordParameters(claimed, record),
    paid.rail,
    paid.holdId,
    now,
  ])
  return rows.length > 0
}

const FAIL = `
WITH f AS (
  UPDATE forward SET state = $8::text, attempts = attempts + 1, lease_until = NULL,
    due_at = $9::timestamptz, last_error = $5::text,
    ended_at = CASE WHEN $9::timestamptz IS NULL THEN $10::timestamptz END
  WHERE id = $1 AND lease_token = $2 AND state = 'in_flight' RETURNING id, attempts, destination_id),
s AS (
  SELECT s.id, CASE WHEN NOT s.enabled THEN NULL WHEN $11::boolean THEN 'gone'
    WHEN $8::text = 'dead' AND s.failing_since <= $12::timestamptz THEN 'failing' END AS reason
  FROM f JOIN destination s ON s.id = f.destination_id),
t AS (
  UPDATE destination t SET failing_since = COALESCE(t.failing_since, $10::timestamptz),
    enabled = t.enabled AND s.reason IS NULL,
    disabled_reason = COALESCE(s.reason, t.disabled_reason),
    disabled_at = CASE WHEN s.reason IS NULL THEN t.disabled_at ELSE $10::timestamptz END
  FROM s WHERE t.id = s.id AND (s.reason IS NOT NULL OR t.failing_since IS NULL))
${RECORD} RETURNING n`

/**
 * Records a failed attempt: retrying at `dueAt`, or ended. The same statement disables the
 * destination when it is `gone`, or when a forward is dead and nothing has succeeded there since
 * `failingSince`. False when the lease was lost: nothing changed.
 */
export async function failAttempt(
  db: Queries,
  claimed: Claimed,
  record: AttemptRecord,
  next: {
    state: 'retrying' | 'dead' | 'blocked_destination'
    dueAt: Date | null
    gone: boolean
    /** Null: no destination is disabled for failing. */
    failingSince: Date | null
  },
  now: Date,
): Promise<boolean> {
  const rows = await db.query(FAIL, [
    ...recordParameters(claimed, record),
    next.state,
    next.dueAt,
    now,
    next.gone,
    next.failingSince,
  ])
  return rows.length > 0
}

/** The destination took something again. */
export async function recovered(db: Queries, destinationId: string): Promise<void> {
  await db.query('UPDATE destination SET failing_since = NULL WHERE id = $1', [destinationId])
}

const MOVE = `UPDATE forward SET state = $3::text, lease_until = NULL, due_at = $4::timestamptz,
  last_error = $5::text, parked = parked OR $3::text = 'awaiting_funds',
  ended_at = CASE WHEN $3::text IN ('dead', 'cancelled') THEN $6::timestamptz END
WHERE id = $1 AND lease_token = $2 AND state = 'in_flight' RETURNING id`

/** Gives a claimed forward back without an attempt: parked, cancelled, or due again at `dueAt`. */
export async function giveBack(
  db: Queries,
  claimed: Claimed,
  next: { state: ForwardState; dueAt: Date | null; reason: string | null },
  now: Date,
): Promise<boolean> {
  const rows = await db.query(MOVE, [
    claimed.forwardId,
    claimed.leaseToken,
    next.state,
    next.dueAt,
    next.reason,
    now,
  ])
  return rows.length > 0
}

/**
 * Makes up to `limit` parked forwards of a key due now; returns how many. Each of them that can be
 * paid wakes more, so a small top-up does not stir up a long queue.
 */
export async function wakeKey(
  db: PluginDb,
  keyId: string,
  limit: number,
  now: Date,
): Promise<number> {
  const rows = await db.query(
    `UPDATE forward SET state = 'pending', due_at = $3
     WHERE id IN (SELECT id FROM forward WHERE payer_key_id = $1 AND state = 'awaiting_funds'
       LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING id`,
    [keyId, limit, now],
  )
  return rows.length
}

/**
 * Makes one parked forward of each key due now: when it can be paid, the rest of its key follows.
 * Keys are found by skipping through the index, not by reading every parked row.
 */
export async function probeParked(db: PluginDb, now: Date): Promise<number> {
  const rows = await db.query(
    `WITH RECURSIVE keys AS (
       (SELECT payer_key_id FROM forward WHERE state = 'awaiting_funds'
        ORDER BY payer_key_id LIMIT 1)
       UNION ALL
       SELECT (SELECT f.payer_key_id FROM forward f WHERE f.state = 'awaiting_funds'
         AND f.payer_key_id > keys.payer_key_id ORDER BY f.payer_key_id LIMIT 1)
       FROM keys WHERE keys.payer_key_id IS NOT NULL),
     one AS (
       SELECT (SELECT f.id FROM forward f WHERE f.state = 'awaiting_funds'
         AND f.payer_key_id = keys.payer_key_id LIMIT 1) AS id
       FROM keys WHERE keys.payer_key_id IS NOT NULL)
     UPDATE forward SET state = 'pending', due_at = $1 FROM one
     WHERE forward.id = one.id AND forward.state = 'awaiting_funds' RETURNING forward.id`,
    [now],
  )
  return rows.length
}

const PULL_BACK = `UPDATE forward SET
  due_at = CASE WHEN lease_until IS NULL THEN now() END,
  lease_until = CASE WHEN lease_until IS NOT NULL THEN now() END
WHERE state IN ('pending', 'retrying', 'in_flight')
  AND COALESCE(lease_until, due_at) > now() + $1::float8 * interval '1 millisecond' RETURNING id`

/**
 * Makes what is due later than any wait can last, `longestMs`, due now: it was put off, or leased, by a
 * gateway whose clock was ahead. Returns how many.
 */
export async function pullBack(db: PluginDb, longestMs: number): Promise<number> {
  return (await db.query(PULL_BACK, [longestMs])).length
}

/** Forwards that are due or in flight, and since when the oldest is due; for /ready. */
export async function backlog(
  db: PluginDb,
  now: Date,
): Promise<{ due: number; oldestDueMs: number; parked: number }> {
  const [row] = await db.query<{ due: number; oldest: Date | null; parked: number }>(
    `SELECT count(*)::integer AS due, min(since) AS oldest,
       (SELECT count(*)::integer FROM (SELECT 1 FROM forward WHERE state = 'awaiting_funds'
         LIMIT 10000) AS p) AS parked
     FROM (SELECT COALESCE(lease_until, due_at) AS since FROM forward
       WHERE state IN ('pending', 'retrying', 'in_flight') AND COALESCE(lease_until, due_at) <= $1
       ORDER BY since LIMIT 10000) AS d`,
    [now],
  )
  const oldest = row?.oldest ?? null
  return {
    due: row?.due ?? 0,
    oldestDueMs: oldest === null ? 0 : now.getTime() - oldest.getTime(),
    parked: row?.parked ?? 0,
  }
}

function recordParameters(claimed: Claimed, record: AttemptRecord): unknown[] {
  const { forwardId, leaseToken } = claimed
  const { at, status, error, ms, excerpt } = record
  return [forwardId, leaseToken, at, status, error, ms, excerpt]
}
