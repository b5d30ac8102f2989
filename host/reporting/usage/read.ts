/** What an account bought by day, key and skill: the folded sums, and the postings that are not in them. */
import { assert, type Statements } from '#kernel'
import { ID_SLOT, LOWEST_ID, type SqlTransaction } from '#kernel/host'
import { SLACK_MS } from '../ledger-seek.ts'

const DAY_MS = 86_400_000
/** Rows of one statement. */
const PAGE_ROWS = 20_000
/** 300 keys with ten skills each on every day of two months. */
const ROWS_MAX = 200_000

type UsageRow = Awaited<ReturnType<Statements['usage']>>[number]
type Part = NonNullable<Parameters<Statements['usage']>[3]>

/**
 * Newest day first; with `by`, the sums by that, the largest first, at most PAGE_ROWS. Throws for more
 * than ROWS_MAX rows: whoever wants them all asks for some days at a time.
 */
export async function usageOf(
  tx: SqlTransaction,
  accountId: string,
  from: Date,
  until: Date,
  part: Part = {},
): Promise<UsageRow[]> {
  if (part.by !== undefined) return pageOf(tx, accountId, { from, until }, part)
  const rows: UsageRow[] = []
  for (let end = until; ;) {
    const page = await pageOf(tx, accountId, { from, until: end }, part, rows.at(-1))
    rows.push(...page)
    assert(rows.length <= ROWS_MAX, `usage of at most ${ROWS_MAX} rows is read at once`)
    if (page.length < PAGE_ROWS) return rows
    // The rest of the oldest day is on the next page.
    const oldest = new Date(`${page.at(-1)!.day}T00:00:00Z`)
    end = new Date(Math.min(end.getTime(), oldest.getTime() + DAY_MS))
  }
}

/** The first PAGE_ROWS behind `last`. Exact: one statement, one snapshot. */
async function pageOf(
  tx: SqlTransaction,
  accountId: string,
  { from, until }: { from: Date; until: Date },
  { keyId, by }: Part,
  last?: UsageRow,
): Promise<UsageRow[]> {
  // Whole UTC days have sums; a part of a day is added up from its postings.
  const firstDay = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS)
  const endDay = new Date(Math.floor(until.getTime() / DAY_MS) * DAY_MS)
  const hasDays = firstDay < endDay
  const edges = hasDays ? [from, firstDay, endDay, until] : [from, until, from, from]
  return tx.unsafe<UsageRow[]>(USAGE[by ?? 'all'], [
    accountId,
    ...edges,
    hasDays ? firstDay : from,
    hasDays ? endDay : from,
    SLACK_MS,
    keyId ?? null,
    ...(by === undefined ? [last?.day ?? null, last?.skillId ?? null, last?.keyId ?? null] : []),
  ])
}

/**
 * $1 account; $2–$5 two spans of time without sums, $6 and $7 the days between; $8 how far an id may lie
 * from its posting; $9 a key, or null for all. Only the sums are put in order, not the postings by
 * three texts.
 */
const PARTS = `
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
    AND ($9::text IS NULL OR u.key_id = $9::text)
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
  WHERE k.account_id = $1::uuid AND ($9::text IS NULL OR k.id = $9::text))`

/** Sums by these columns of `part`, of which a null one is the same for all rows. */
const summed = (day: string, skill: string, key: string): string => `${PARTS},
summed AS MATERIALIZED (
  SELECT ${day} AS day, ${skill} AS skill_id, ${key} AS key_id, sum(calls) AS calls,
    sum(charged) AS charged, sum(refunded) AS refunded
  FROM part GROUP BY 1, 2, 3)
SELECT COALESCE(to_char(day, 'YYYY-MM-DD'), '') AS day, COALESCE(skill_id, '') AS "skillId",
  COALESCE(key_id, '') AS "keyId", calls::int, charged::bigint AS "chargedAtomic",
  refunded::bigint AS "refundedAtomic"
FROM summed`
const LARGEST = `ORDER BY charged - refunded DESC, day, skill_id, key_id LIMIT ${PAGE_ROWS}`

/** `all`: $10–$12 the last row that is known. */
const USAGE: Readonly<Record<'all' | NonNullable<Part['by']>, string>> = {
  all: `${summed('day', 'skill_id', 'key_id')}
WHERE $10::date IS NULL OR day < $10::date OR day = $10::date AND (skill_id, key_id) > ($11::text, $12::text)
ORDER BY summed.day DESC, skill_id, key_id LIMIT ${PAGE_ROWS}`,
  day: `${summed('day', 'NULL::text', 'NULL::text')} ${LARGEST}`,
  skillId: `${summed('NULL::date', 'skill_id', 'NULL::text')} ${LARGEST}`,
  keyId: `${summed('NULL::date', 'NULL::text', 'key_id')} ${LARGEST}`,
}
