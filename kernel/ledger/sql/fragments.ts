/**
 * Pieces of the ledger's SQL. Rules that keep it right under concurrency: locks are taken hold →
 * account → the rest of that account, whose lock so covers budgets, free calls and volumes; batches
 * lock in sorted order; CHECK constraints are the guard, the unlocked look at the account before it
 * is only a cheap refusal. A statement that waited for a lock sees the newest version of rows that it
 * had found, but no row made meanwhile (READ COMMITTED): the account's epoch tells, and a difference
 * breaks a CHECK, so that the statement is undone and run again.
 */

export const TODAY = `(now() AT TIME ZONE 'utc')::date`
/** The first day of a date's month. */
export const MONTH = (date: string) => `date_trunc('month', ${date}::timestamp)::date`
/** The UTC day on which a hold was made, and counts. */
export const HOLD_DAY = (hold: string) => `(${hold}.created_at AT TIME ZONE 'utc')::date`

/** What a key_spend row counts so far on a UTC day, or in its month. */
export const DAY_SPENT = (row: string, day = TODAY) =>
  `CASE WHEN ${row}.day >= ${day} THEN ${row}.day_spent ELSE 0 END`
export const MONTH_SPENT = (row: string, day = TODAY) =>
  `CASE WHEN ${row}.day >= ${MONTH(day)} THEN ${row}.month_spent ELSE 0 END`
/** Whether a key_spend row bounds a day or a month. */
export const IS_CAPPED = (row: string) => `COALESCE(${row}.day_cap, ${row}.month_cap) IS NOT NULL`

/** The bucket of a free quota in this UTC day or month. */
export const BUCKET = (period: string) =>
  `to_char(now() AT TIME ZONE 'utc', CASE ${period} WHEN 'day' THEN 'YYYY-MM-DD' ELSE 'YYYY-MM' END)`

/**
 * How long a statement waits for a row that somebody else has locked. A batch gives up soon and its
 * members go on singly, so that one stuck account does not hold up the others; set for this
 * transaction. A subquery of its own, so that it is set once and not for each row.
 */
export const PATIENCE = (ms: PatienceMs) => `(SELECT set_config('lock_timeout', '${ms}', true))`
export type PatienceMs = 500 | 2000

/** Sets synchronous_commit for this transaction to the text in `parameter`; null leaves it as it is. */
export const COMMIT_AS = (parameter: string) => `(SELECT set_config('synchronous_commit',
  COALESCE(${parameter}::text, current_setting('synchronous_commit')), true))`

/**
 * A LIMIT that cuts nothing: its parameter makes the planner expect one row, so that it looks holds
 * and accounts up by index even when it plans while the tables are empty. Without it the cached plan
 * scans the whole table, and every batch gets slower as holds gather. Derived groups need it too.
 */
export const FEW = (count: string) => `LIMIT ${count}::bigint`

/**
 * The epoch that the statement's snapshot saw. A scalar subquery, because a join by account lets the
 * planner look holds up by their account alone.
 */
export const SEEN = (row: string) =>
  `(SELECT b.epoch FROM coinop.account b WHERE b.id = ${row}.account_id)`

/** True; runs the WITH item to its end first. */
export const AFTER = (item: string) => `(SELECT count(*) FROM ${item}) >= 0`

/**
 * Whether a hold named by its id is open. As text, because the plain comparison lets the planner
 * take the index of open holds instead of the key, and then every statement reads all of them.
 */
export const IS_OPEN = `h.state::text = 'authorized'`

/** Columns of a hold as `HoldRow` (holds.ts) reads them. */
export const HOLD = (hold: string) =>
  ['id', 'account_id', 'key_id', 'request_id', 'claim', 'skill_id', 'product_id', 'path']
    .concat(['amount', 'captured', 'state', 'price_version', 'acquisition', 'free_bucket', 'units'])
    .concat(['volume_units', 'created_at', 'expires_at'])
    .map((column) => `${hold}.${column}`)
    .join(', ') + `, COALESCE(${hold}.refund_id, ${hold}.end_id, ${hold}.id) AS ledger_id`

/** A posting of a hold. */
export const ENTRY_INSERT = `INSERT INTO coinop.entry
    (id, at, kind, account_id, key_id, hold_id, amount, debit, credit)`

/** A new UUIDv7 of the server's clock, where no caller makes one. */
export const NEW_ID = `(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
    || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`

/** Members of `UPDATE account a`: the sum falls by `amount`, and the mark is crossed at most once. */
export const FALL = (amount: string) => `low_at = CASE
      WHEN a.available + a.held - ${amount} < a.low_mark THEN COALESCE(a.low_at, now()) ELSE a.low_at END`
/** The sum rises by `amount`, and a mark that it reaches may be crossed again. */
export const RISE = (amount: string) => `low_at = CASE
      WHEN a.available + a.held + ${amount} >= a.low_mark THEN NULL ELSE a.low_at END`
/** RETURNING of such an UPDATE, for LOW_BALANCE. */
export const FALLEN = `a.held, a.low_mark, a.low_at = now() AS is_low`
/**
 * Tells of accounts in `u` that have just crossed their mark: an earlier statement of the same
 * transaction, whose `now()` is the same, may have told it already. A CASE, so that the outbox is looked at only then.
 */
export const LOW_BALANCE = `
  INSERT INTO coinop.outbox (account_id, topic, body)
  SELECT u.account_id, 'account.low_balance',
    jsonb_build_object('available', u.available, 'held', u.held, 'mark', u.low_mark)
  FROM u WHERE CASE WHEN u.is_low THEN (SELECT count(*) = 0 FROM coinop.outbox o
    WHERE o.made_at = now() AND o.account_id = u.account_id AND o.topic = 'account.low_balance') END`
