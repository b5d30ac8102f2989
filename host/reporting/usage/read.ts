/** What an account bought by day, key and skill: the folded sums, and the postings that are not in them. */
import { assert, type Statements } from '#kernel'
import { ID_SLOT, LOWEST_ID, type SqlTransaction } from '#kernel/host'
import { SLACK_MS } from '../ledger-seek.ts'

const DAY_MS = 86_400_000
/** Rows of one statement; of a single day no more are read. */
const PAGE_ROWS = 20_000
/** 300 keys with ten skills each on every day of two months. */
const ROWS_MAX = 200_000

type UsageRow = Awaited<ReturnType<Statements['usage']>>[number]

/** Newest day first; throws for more than ROWS_MAX rows, of which sums would lack the oldest days. */
export async function usageOf(
  tx: SqlTransaction,
  accountId: string,
  from: Date,
  until: Date,
): Promise<UsageRow[]> {
  const rows: UsageRow[] = []
  for (let end = until; ;) {
    const page = await pageOf(tx, accountId, from, end)
    rows.push(...page)
    assert(rows.length <= ROWS_MAX, `usage of at most ${ROWS_MAX} rows is read at once`)
    if (page.length < PAGE_ROWS) return rows
    // The oldest day of a full page may be cut: it is read again, unless the page has no other.
    const { day: oldest } = page.at(-1)!
    const start = new Date(`${oldest}T00:00:00Z`)
    const isWhole = page[0]!.day === oldest
    end = isWhole ? start : new Date(start.getTime() + DAY_MS)
    if (!isWhole) while (rows.at(-1)!.day === oldest) rows.pop()
  }
}

/** Newest day first, the first PAGE_ROWS of them. Exact: one statement, one snapshot. */
async function pageOf(
  tx: SqlTransaction,
  accountId: string,
  from: Date,
  until: Date,
): Promise<UsageRow[]> {
  // Whole UTC days have sums; a part of a day is added up from its postings.
  const firstDay = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS)
  const endDay = new Date(Math.floor(until.getTime() / DAY_MS) * DAY_MS)
  const hasDays = firstDay < endDay
  const edges = hasDays ? [from, firstDay, endDay, until] : [from, until, from, from]
  return tx.unsafe<UsageRow[]>(USAGE, [
    accountId,
    ...edges,
    hasDays ? firstDay : from,
    hasDays ? endDay : from,
    SLACK_MS,
  ])
}

/**
 * $1 account; $2–$5 two spans of time without sums, $6 and $7 the days between; $8 how far an id may lie
 * from its posting. Only the sums are put in order, not the postings by three texts.
 */
const USAGE = `
WITH span AS MATERIALIZED (
  SELECT s.since, s.until, ${LOWEST_ID(`s.since - $8::float8 * interval '1 millisecond'`)} AS lower,
    ${LOWEST_ID(`s.until + $8::float8 * interval '1 millisecond'`)} AS upper
  FROM (
    SELECT $2::timestamptz, $3::timestamptz UNION ALL SELECT $4::timestamptz, $5::timestamptz
    UNION ALL SELECT GREATEST($6::timestamptz, folded_to), $7::timestamptz FROM coinop.usage_fold
  ) AS s(since, until) WHERE s.since < s.until),
part AS (
  SELECT u.day, u.skill_id, u.key_id, u.calls, u.charged, u.refunded FROM coinop.usage_day u
  WHERE u.account_id = $1::uuid AND u.day >= ($6::timestamptz AT TIME ZONE 'utc')::date
    AND u.day < ($7::timestamptz AT TIME ZONE 'utc')::date
  UNION ALL
  SELECT (e.at AT TIME ZONE 'utc')::date, h.skill_id, e.key_id,
    CASE e.kind WHEN 'capture' THEN 1 ELSE 0 END, CASE e.kind WHEN 'capture' THEN e.amount ELSE 0 END,
    CASE e.kind WHEN 'refund' THEN e.amount ELSE 0 END
  FROM span s CROSS JOIN coinop.api_key k
    -- OFFSET 0: each key's postings of each span, not all of the key's and then those of the span.
    CROSS JOIN LATERAL (
      SELECT e.at, e.key_id, e.kind, e.amount, e.hold_id FROM coinop.entry e
      WHERE e.key_id = k.id AND e.id >= s.lower AND e.id <= s.upper AND e.account_id = $1::uuid
        AND ${ID_SLOT('e.id')} >= ${ID_SLOT('s.lower')} AND ${ID_SLOT('e.id')} <= ${ID_SLOT('s.upper')}
        AND e.kind IN ('capture', 'refund') AND e.at >= s.since AND e.at < s.until OFFSET 0) AS e
    JOIN coinop.hold h ON h.id = e.hold_id
  WHERE k.account_id = $1::uuid),
summed AS MATERIALIZED (
  SELECT day, skill_id, key_id, sum(calls) AS calls, sum(charged) AS charged, sum(refunded) AS refunded
  FROM part GROUP BY 1, 2, 3)
SELECT to_char(day, 'YYYY-MM-DD') AS day, skill_id AS "skillId", key_id AS "keyId",
  calls::int, charged::bigint AS "chargedAtomic", refunded::bigint AS "refundedAtomic"
FROM summed ORDER BY summed.day DESC, skill_id, key_id LIMIT ${PAGE_ROWS}`
