/**
 * Adds postings up into the sums of days (`coinop.usage_day`), away from the calls that make them.
 * A slice of time is folded once: its sums and the mark behind it are written in one transaction,
 * whose lock of the mark keeps other instances out, so a death in between loses and doubles
 * nothing.
 */
import { repeat, type Background, type Logger } from '#kernel'
import { databaseClock, LOWEST_ID, type SqlClient, type SqlTransaction } from '#kernel/host'
import { notingOffset, watchClock, type ClockWatch } from './clock-watch.ts'

/** What is younger stays unfolded: its transaction may still be on its way. */
const LAG_MS = 10_000
/**
 * A transaction that has written nothing for so long will write no posting: a backup, a person at
 * psql. One that has written holds the mark back for as long as it lives.
 */
const READER_MS = 15 * 60_000
const ROUND_EVERY_MS = 10_000
const LOOK_EVERY_MS = 1000
/** Postings of one slice, more or less: some tenths of a second. */
const SLICE_ROWS = 20_000
/** How far behind the clock the sums of a day are made anew when that clock went back. */
const CLOCK_BACK_MS = 3_600_000

export type Folded =
  /** Another slice is due. */
  | 'more'
  | 'done'
  /** Another instance is folding now. */
  | 'taken'
  /** The server's clock is before the folded days, which are therefore summed again. */
  | 'clock_went_back'

/** Folds whatever is due, every few seconds, on any number of instances. */
export function startUsageFold({ sql, log }: { sql: SqlClient; log: Logger }): Background {
  const clock = watchClock(notingOffset(databaseClock(sql), log))
  const options = { name: 'usage sums', everyMs: ROUND_EVERY_MS, atOnce: true, log }
  const folds = repeat(options, (stopping) => foldRound({ sql, log, clock }, stopping))
  const looks = repeat(
    { name: 'database clock', everyMs: LOOK_EVERY_MS, atOnce: true, log },
    async () => {
      // An unreachable database is reported by the folds, which run less often.
      if (await clock.look().catch(() => false)) folds.wake()
    },
  )
  return {
    wake: () => folds.wake(),
    async stop() {
      await Promise.all([folds.stop(), looks.stop()])
    },
  }
}

async function foldRound(
  { sql, log, clock }: { sql: SqlClient; log: Logger; clock: ClockWatch },
  stopping: AbortSignal,
): Promise<void> {
  await clock.mending(async (lowest) => {
    log.warn({ to: lowest }, 'database clock went back; usage is summed anew')
    await unfoldUsage(sql, lowest)
  })
  for (let folded: Folded = 'more'; !isOver(folded) && !stopping.aborted;) {
    folded = await foldUsage(sql)
    if (folded === 'clock_went_back') log.warn({}, 'database clock went back; usage is summed anew')
  }
}

const isOver = (folded: Folded): boolean => folded === 'done' || folded === 'taken'

/** Takes back the sums of the days since `lowest`, to which the clock went back, to be folded anew. */
export async function unfoldUsage(sql: SqlClient, lowest: Date): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`SELECT FROM coinop.usage_fold FOR UPDATE`
    await unfold(tx, lowest)
  })
}

/** Folds the next slice; `lagMs` is what stays unfolded of the last moments. */
export async function foldUsage(
  sql: SqlClient,
  { sliceRows = SLICE_ROWS, lagMs = LAG_MS } = {},
): Promise<Folded> {
  return sql.begin(async (tx) => {
    // One look-up for each posting of the slice, also where statistics are old or missing.
    await tx.unsafe('SET LOCAL enable_seqscan = off')
    await tx.unsafe('SET LOCAL enable_hashjoin = off')
    await tx.unsafe('SET LOCAL enable_mergejoin = off')
    // A plan that scans the single row of the mark all the same costs 10^10 then, which a server with JIT
    // takes for work worth compiling: a second of CPU for each slice.
    await tx.unsafe('SET LOCAL jit = off')
    const [due] = await tx.unsafe<Due[]>(DUE, [lagMs, READER_MS, sliceRows])
    if (due === undefined) return 'taken'
    if (due.went_back) {
      await unfold(tx, due.now)
      return 'clock_went_back'
    }
    if (due.until === null) return 'done'
    // A statement of its own: its snapshot has everything that ended before the mark was chosen.
    await tx.unsafe(FOLD, [due.since, due.until])
    await tx`UPDATE coinop.usage_fold SET folded_to = ${due.until}::text::timestamptz`
    return due.is_last ? 'done' : 'more'
  }) as Promise<Folded>
}

/** Instants as text: a Date has no microseconds, and no -infinity. */
interface Due {
  since: string
  until: string | null
  is_last: boolean
  went_back: boolean
  now: Date
}

/**
 * The next slice, and the mark locked; no row while another has it. $1 lag, $2 age of readers in
 * ms, $3 postings. No transaction that is under way began before its end; ids only say how much
 * time holds so many postings.
 */
const DUE = `
WITH mark AS MATERIALIZED (
  SELECT folded_to FROM coinop.usage_fold FOR UPDATE SKIP LOCKED),
oldest AS (
  SELECT max(transaction_timestamp() - xact_start) AS age FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND (backend_xid IS NOT NULL OR transaction_timestamp() - xact_start < $2::float8 * interval '1 millisecond')),
horizon AS (
  SELECT now() - GREATEST($1::float8 * interval '1 millisecond', oldest.age) AS at FROM oldest),
filled AS (
  SELECT GREATEST(max(x.at), mark.folded_to + interval '1 second') AS at, count(*) AS n
  FROM mark CROSS JOIN LATERAL (
    SELECT e.at FROM coinop.entry e WHERE e.id >= ${LOWEST_ID('mark.folded_to')}
    ORDER BY e.id LIMIT $3::bigint) AS x
  GROUP BY mark.folded_to),
slice AS (
  SELECT CASE WHEN filled.n = $3::bigint THEN LEAST(filled.at, horizon.at) ELSE horizon.at END AS until,
    horizon.at AS horizon
  FROM horizon LEFT JOIN filled ON true)
SELECT mark.folded_to::text AS since,
  CASE WHEN slice.until > mark.folded_to THEN slice.until::text END AS until,
  slice.until = slice.horizon AS is_last, now() < mark.folded_to AS went_back, now() AS now
FROM mark, slice`

/** Adds the captures and refunds of holds with $1 <= at < $2. */
const FOLD = `
INSERT INTO coinop.usage_day AS u (account_id, day, key_id, skill_id, calls, charged, refunded)
SELECT e.account_id, (e.at AT TIME ZONE 'utc')::date, e.key_id, h.skill_id,
  count(*) FILTER (WHERE e.kind = 'capture'),
  COALESCE(sum(e.amount) FILTER (WHERE e.kind = 'capture'), 0),
  COALESCE(sum(e.amount) FILTER (WHERE e.kind = 'refund'), 0)
FROM coinop.entry e JOIN coinop.hold h ON h.id = e.hold_id
WHERE e.at >= $1::text::timestamptz AND e.at < $2::text::timestamptz AND e.kind IN ('capture', 'refund')
GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
ON CONFLICT (account_id, day, key_id, skill_id) DO UPDATE SET calls = u.calls + excluded.calls,
  charged = u.charged + excluded.charged, refunded = u.refunded + excluded.refunded`

/**
 * Takes back the days in which postings may have come behind the mark, whose lock the caller has.
 * Days whose postings are in an archive stay: nothing could sum them anew.
 */
async function unfold(tx: SqlTransaction, lowest: Date): Promise<void> {
  await tx`
    WITH target AS (
      SELECT GREATEST(
        date_trunc('day', ${lowest}::timestamptz - ${CLOCK_BACK_MS}::float8 * interval '1 millisecond', 'utc'),
        (SELECT max(before) FROM coinop.ledger_archive)) AS at),
    mark AS (
      UPDATE coinop.usage_fold SET folded_to = target.at FROM target WHERE folded_to > target.at
      RETURNING folded_to)
    DELETE FROM coinop.usage_day
    WHERE day >= (SELECT (folded_to AT TIME ZONE 'utc')::date FROM mark)`
}
