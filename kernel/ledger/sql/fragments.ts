/**
 * Fragments of the ledger's SQL, and the rules that keep it correct under concurrency. Locks are
 * taken in the order hold → account → other rows of the account, so that the account's lock covers
 * budgets, free calls and volumes; batches lock in sorted order. CHECK constraints are the guard;
 * the unlocked read of the account before is only a cheap refusal. A statement that waited for a
 * lock sees the newest version of the rows it had found, but no row inserted meanwhile (READ
 * COMMITTED): then the account's epoch differs and fails a CHECK, and the statement is undone and
 * run again.
 */

export const TODAY = `(now() AT TIME ZONE 'utc')::date`
/** The first day of a date's month. */
export const MONTH = (date: string) => `date_trunc('month', ${date}::timestamp)::date`
/** The UTC day on which a hold was made and counts. */
export const HOLD_DAY = (hold: string) => `(${hold}.created_at AT TIME ZONE 'utc')::date`

/** The spending that a key_spend row has counted on a UTC day, or in its month. */
export const DAY_SPENT = (row: string, day = TODAY) =>
  `CASE WHEN ${row}.day >= ${day} THEN ${row}.day_spent ELSE 0 END`
export const MONTH_SPENT = (row: string, day = TODAY) =>
  `CASE WHEN ${row}.day >= ${MONTH(day)} THEN ${row}.month_spent ELSE 0 END`
/** Whether a key_spend row has a cap by day or by month. */
export const IS_CAPPED = (row: string) => `COALESCE(${row}.day_cap, ${row}.month_cap) IS NOT NULL`

/** The bucket of a free quota in this UTC day or month. */
export const BUCKET = (period: string) =>
  `to_char(now() AT TIME ZONE 'utc', CASE ${period} WHEN 'day' THEN 'YYYY-MM-DD' ELSE 'YYYY-MM' END)`

/**
 * Sets for this transaction how long a statement waits for a locked row. A batch gives up soon and
 * its members run singly, so that one stuck account does not delay the others. A subquery, so that
 * it is set once and not for each row.
 */
export const PATIENCE = (ms: PatienceMs) => `(SELECT set_config('lock_timeout', '${ms}', true))`
export type PatienceMs = 500 | 2000

/** Sets synchronous_commit for this transaction to `parameter`; null leaves it as it is. */
export const COMMIT_AS = (parameter: string) => `(SELECT set_config('synchronous_commit',
  COALESCE(${parameter}::text, current_setting('synchronous_commit')), true))`

/**
 * A LIMIT that cuts nothing: its parameter makes the planner expect few rows, so that it uses the
 * indexes of holds and accounts even if it plans while the tables are empty. Without it the cached
 * plan scans the whole table and slows down as holds accumulate. Derived groups need it too.
 */
export const FEW = (count: string) => `LIMIT ${count}::bigint`

/**
 * The epoch that the statement's snapshot saw. A scalar subquery, because a join by account would
 * let the planner look up holds by their account only.
 */
export const SEEN = (row: string) =>
  `(SELECT b.epoch FROM coinop.account b WHERE b.id = ${row}.account_id)`

/** Always true; forces the WITH item to run completely first. */
export const AFTER = (item: string) => `(SELECT count(*) FROM ${item}) >= 0`

/**
 * Whether a hold found by its id is open. Compared as text, because a plain comparison lets the
 * planner use the index of open holds instead of the primary key and read all of them.
 */
export const IS_OPEN = `h.state::text = 'authorized'`

/** The columns of a hold, as `HoldRow` (holds.ts). */
export const HOLD = (hold: string) =>
  ['id', 'account_id', 'key_id', 'request_id', 'claim', 'skill_id', 'product_id', 'path']
    .concat(['amount', 'captured', 'state', 'price_version', 'acquisition', 'free_bucket', 'units'])
    .concat(['volume_units', 'created_at', 'expires_at'])
    .map((column) => `${hold}.${column}`)
    .join(', ') + `, COALESCE(${hold}.refund_id, ${hold}.end_id, ${hold}.id) AS ledger_id`

/** Inserts a posting of a hold. */
export const ENTRY_INSERT = `INSERT INTO coinop.entry
    (id, at, kind, account_id, key_id, hold_id, amount, debit, credit)`

/** A new UUIDv7 by the database's clock, for rows whose id no caller makes. */
export const NEW_ID = `(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
    || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`

/** Assignments of `UPDATE account a`: the sum falls by `amount`, crossing the mark at most once. */
export const FALL = (amount: string) => `low_at = CASE
      WHEN a.available + a.held - ${amount} < a.low_mark THEN COALESCE(a.low_at, now()) ELSE a.low_at END`
/** The sum rises by `amount`; a mark that it reaches can be crossed again. */
export const RISE = (amount: string) => `low_at = CASE
      WHEN a.available + a.held + ${amount} >= a.low_mark THEN NULL ELSE a.low_at END`
/** RETURNING columns of such an UPDATE, for LOW_BALANCE. */
export const FALLEN = `a.held, a.low_mark, a.low_at = now() AS is_low`
/**
 * Writes an event for accounts in `u` that have just crossed their mark, unless an earlier
 * statement of the same transaction, with the same `now()`, did. The CASE avoids reading the outbox
 * otherwise.
 */
export const LOW_BALANCE = `
  INSERT INTO coinop.outbox (account_id, topic, body)
  SELECT u.account_id, 'account.low_balance',
    jsonb_build_object('available', u.available, 'held', u.held, 'mark', u.low_mark)
  FROM u WHERE CASE WHEN u.is_low THEN (SELECT count(*) = 0 FROM coinop.outbox o
    WHERE o.made_at = now() AND o.account_id = u.account_id AND o.topic = 'account.low_balance') END`
