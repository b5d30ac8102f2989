/**
 * Which instance sends an event: it claims the row for a lease, and the number of the attempt is
 * the fencing token. An instance that dies leaves a row that is due again when its lease ends.
 */
import { inSlices, type AccountEvent } from '#kernel'
import type { SqlClient } from '#kernel/host'

/** An event that this instance may send until its lease ends. */
export interface ClaimedEvent extends AccountEvent {
  /** Of this attempt, from 1. */
  attempts: number
  /** By the clock of the database, which made it. */
  claimedAt: Date
  /** Since it was made, by the same clock. */
  ageMs: number
}

/** How long an instance without a webhook leaves events to those that may have one. */
export interface LeftToOthers {
  /** For an event that no instance has tried to send. */
  untriedMs: number
  /** For an event that an instance has tried to send. */
  triedMs: number
}

/**
 * Claims at most `limit` events that are due, for `leaseMs`. With `leftToOthers`, only those for
 * which that time since they were made is over.
 */
export async function claimEvents(
  sql: SqlClient,
  limit: number,
  leaseMs: number,
  leftToOthers: LeftToOthers | null = null,
): Promise<ClaimedEvent[]> {
  const isOldEnough =
    leftToOthers === null
      ? sql``
      : sql`AND o.made_at < now() - interval '1 millisecond' * CASE WHEN o.attempts = 0
          THEN ${leftToOthers.untriedMs}::float8 ELSE ${leftToOthers.triedMs}::float8 END`
  return sql<ClaimedEvent[]>`
    WITH due AS MATERIALIZED (
      SELECT o.id FROM coinop.outbox o
      WHERE o.done_at IS NULL AND o.due_at <= now() ${isOldEnough}
      ORDER BY o.made_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED)
    UPDATE coinop.outbox o
    SET attempts = o.attempts + 1, due_at = now() + ${leaseMs} * interval '1 millisecond'
    FROM due WHERE o.id = due.id
    RETURNING o.id, o.topic AS type, o.made_at AS at, o.account_id AS "accountId", o.body, o.attempts,
      now() AS "claimedAt",
      (extract(epoch FROM now() - o.made_at) * 1000)::float8 AS "ageMs"`
}

/** Ends the event, unless another instance has taken it over. */
export async function endEvent(
  sql: SqlClient,
  { id, attempts }: Pick<ClaimedEvent, 'id' | 'attempts'>,
  outcome: 'delivered' | 'unsent' | 'given_up',
  error: string | null = null,
): Promise<void> {
  await sql`
    UPDATE coinop.outbox SET done_at = now(), outcome = ${outcome}, last_error = ${error}
    WHERE id = ${id} AND attempts = ${attempts} AND done_at IS NULL`
}

/** Makes the event due again after `delayMs`, unless another instance has taken it over. */
export async function retryEvent(
  sql: SqlClient,
  { id, attempts }: Pick<ClaimedEvent, 'id' | 'attempts'>,
  delayMs: number,
  error: string,
): Promise<void> {
  await sql`
    UPDATE coinop.outbox
    SET due_at = now() + ${delayMs} * interval '1 millisecond', last_error = ${error}
    WHERE id = ${id} AND attempts = ${attempts} AND done_at IS NULL`
}

/**
 * Makes events due now that are due later than any pause can last, `longestMs`: the database's clock was
 * ahead when they were made or tried. They would wait until it is that time.
 */
export async function pullBackEvents(sql: SqlClient, longestMs: number): Promise<void> {
  await sql`
    UPDATE coinop.outbox SET due_at = now()
    WHERE done_at IS NULL AND due_at > now() + ${longestMs} * interval '1 millisecond'`
}

/** Rows that one statement deletes: a fraction of a second. */
const SLICE = 5000

/**
 * Deletes events that ended long ago, notices of budgets whose period is over, and old alerts, a
 * slice at a time. An event ends after it was made, and events are indexed by when that was.
 */
export async function purgeEvents(
  sql: SqlClient,
  keptDays: number,
  stopping: AbortSignal,
): Promise<void> {
  const old = sql`now() - ${keptDays} * interval '1 day'`
  const slices = [
    (limit: number) => sql`
      DELETE FROM coinop.outbox WHERE id IN (
        SELECT id FROM coinop.outbox WHERE made_at < ${old} AND done_at < ${old}
        ORDER BY made_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
    (limit: number) => sql`
      DELETE FROM coinop.budget_notice WHERE ctid IN (
        SELECT ctid FROM coinop.budget_notice
        WHERE period_start < (now() AT TIME ZONE 'utc')::date - ${keptDays}::integer
        LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
    (limit: number) => sql`
      DELETE FROM coinop.alert WHERE ctid IN (
        SELECT ctid FROM coinop.alert WHERE seen_at < ${old} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  ]
  for (const slice of slices) {
    await inSlices(async (limit) => (await slice(limit)).count, SLICE, stopping)
  }
}
