/**
 * The shared state of the rate limit: GCRA in one statement for many subjects. A bucket's level,
 * plus what instances hold leased, never exceeds its burst, so the limit is exact across them.
 */
import { inSlices } from '#kernel'
import type { SqlClient } from '#kernel/host'

export interface RateOrder {
  subject: string
  /** Nanoseconds between calls in the long run. */
  intervalNs: number
  burst: number
  /** Callers waiting at this moment. */
  demand: number
  /** Tokens wanted beyond them; granted only from the upper half of the bucket. */
  ahead: number
  /** How long tokens taken ahead are used; they count as outstanding for one to two of these. */
  leaseNs: number
}

export interface RateGrant {
  subject: string
  served: number
  ahead: number
  /** Tokens left in the shared bucket. */
  remaining: number
  /** Until it has another one. */
  waitMs: number
}

/** What each subject was granted; a subject without a row is left out. */
async function update(sql: SqlClient, orders: readonly RateOrder[]): Promise<RateGrant[]> {
  // Rows are locked in the order of their subject, so that two instances cannot deadlock; the
  // clock is read after the lock. While a limit stays what it is, neither LEAST does anything: a
  // bucket is at most empty, and at most half of it is out on leases. What was written under a
  // higher limit is cut to that, or its tokens at the new interval would lock the key out for long.
  return sql<RateGrant[]>`
    WITH wanted AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(orders)}::text::jsonb) AS w(
        subject text, "intervalNs" bigint, burst bigint, demand bigint, ahead bigint,
        "leaseNs" bigint)
    ), locked AS (
      SELECT w.*, r.tat_ns, r.slot, r.leased, r.leased_before
      FROM wanted w JOIN coinop.rate_limit r ON r.subject = w.subject
      ORDER BY w.subject FOR UPDATE OF r
    ), timed AS (
      SELECT *, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000 AS now_ns
      FROM locked
    ), slotted AS (
      SELECT *, now_ns / "leaseNs" AS this_slot FROM timed
    ), outstanding AS (
      SELECT *,
        CASE WHEN slot = this_slot THEN leased ELSE 0 END AS leased_now,
        CASE WHEN slot = this_slot THEN leased_before
             WHEN slot = this_slot - 1 THEN leased ELSE 0 END AS leased_last
      FROM slotted
    ), based AS (
      SELECT *, LEAST(now_ns + burst * "intervalNs", GREATEST(tat_ns,
        now_ns + LEAST(leased_now + leased_last, burst / 2) * "intervalNs")) AS base_ns
      FROM outstanding
    ), levelled AS (
      SELECT *, GREATEST(0, now_ns + burst * "intervalNs" - base_ns) / "intervalNs" AS level
      FROM based
    ), granted AS (
      SELECT *, LEAST(demand, level) AS give,
        GREATEST(0, LEAST(ahead, level - demand - burst / 2)) AS give_ahead
      FROM levelled
    )
    UPDATE coinop.rate_limit r SET
      tat_ns = g.base_ns + (g.give + g.give_ahead) * g."intervalNs",
      slot = g.this_slot,
      leased = g.leased_now + g.give_ahead,
      leased_before = g.leased_last
    FROM granted g WHERE r.subject = g.subject
    RETURNING r.subject, g.give::int AS served, g.give_ahead::int AS ahead,
      (g.level - g.give - g.give_ahead)::int AS remaining,
      GREATEST(0, r.tat_ns - (g.burst - 1) * g."intervalNs" - g.now_ns)::float8 / 1000000
        AS "waitMs"`
}

/** Takes tokens for every order (one per subject). Rejects when the database is away. */
export async function takeTokens(
  sql: SqlClient,
  orders: readonly RateOrder[],
): Promise<Map<string, RateGrant>> {
  const grants = new Map<string, RateGrant>()
  for (const grant of await update(sql, orders)) grants.set(grant.subject, grant)
  const missing = orders.filter((order) => !grants.has(order.subject))
  if (missing.length === 0) return grants
  const subjects = JSON.stringify(missing.map((order) => order.subject))
  await sql`
    INSERT INTO coinop.rate_limit (subject, tat_ns)
    SELECT subject, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000
    FROM jsonb_array_elements_text(${subjects}::text::jsonb) AS subject ORDER BY subject
    ON CONFLICT DO NOTHING`
  for (const grant of await update(sql, missing)) grants.set(grant.subject, grant)
  return grants
}

const SWEEP_BATCH = 10_000

/** Deletes subjects whose bucket has been full for an hour, a batch at a time; returns how many. */
export function sweepSubjects(sql: SqlClient, stopping: AbortSignal): Promise<number> {
  return inSlices((limit) => sweepBatch(sql, limit), SWEEP_BATCH, stopping)
}

async function sweepBatch(sql: SqlClient, limit: number): Promise<number> {
  const swept = await sql`
    DELETE FROM coinop.rate_limit WHERE subject IN (
      SELECT subject FROM coinop.rate_limit
      WHERE tat_ns < (extract(epoch FROM clock_timestamp()) - 3600)::bigint * 1000000000
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
  return swept.count
}
