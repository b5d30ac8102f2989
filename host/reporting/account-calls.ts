/**
 * Calls of one account, newest first: holds of its keys, and what other rails settled with them. They
 * are found by the keys' postings, which have an index; a filter that no index answers is looked for
 * in a bounded number of them, and the caller may go on behind these.
 */
import { GOODS_PREFIX, type StatementCall, type Statements } from '#kernel'
import { CREDITS_RAIL_ID, ID_SLOT, type SqlTransaction } from '#kernel/host'
import { outcomeOf, statesOf } from './call-states.ts'
import { entriesSince } from './ledger-seek.ts'

type Filter = Parameters<Statements['calls']>[1]

export interface CallRow {
  id: string
  at: Date
  key_id: string
  rail: string
  skill_id: string
  path: string
  request_id: string
  state: string
  amount: bigint
  captured: bigint | null
  transaction: string | null
}

/** Postings of each key looked at for one page when a filter asks for some (test/bench/statements.ts). */
const SCAN_ROWS = 1000

/** Columns of a call by its first posting `e` and its hold `h`; a settlement has no hold. */
export const CALL = `e.id, e.at, e.key_id, COALESCE(e.rail, '${CREDITS_RAIL_ID}') AS rail,
  COALESCE(h.skill_id, e.skill_id, 'unknown') AS skill_id, COALESCE(h.path, e.path, '') AS path,
  COALESCE(h.request_id, e.request_id, '') AS request_id, e.amount, e.transaction,
  COALESCE(h.captured, CASE WHEN h.id IS NULL THEN e.amount END) AS captured,
  CASE WHEN h.id IS NOT NULL THEN h.state::text
    WHEN EXISTS (SELECT FROM coinop.entry r WHERE r.debit = 'settlement'
      AND r.reference = 'refund:' || COALESCE(e.legacy_id::text, e.id::text)) THEN 'refunded'
    ELSE 'captured' END AS state`

/** A page of the account's calls; shorter than `limit` where so much was looked through. */
export async function callsOf(
  tx: SqlTransaction,
  accountId: string,
  filter: Filter,
  { limit, cursor }: { limit: number; cursor: string | null },
): Promise<{ calls: StatementCall[]; nextCursor: string | null }> {
  const isFiltered = filter.skillId !== undefined || filter.outcome !== undefined
  const scan = isFiltered ? Math.max(SCAN_ROWS, limit) : limit
  const from = filter.from && entriesSince(filter.from).lower
  const until = filter.until && entriesSince(filter.until).upper
  const rows = await tx.unsafe<(CallRow & { looked: number; looked_to: string | null })[]>(
    `WITH looked AS MATERIALIZED (
       SELECT x.* FROM coinop.api_key k CROSS JOIN LATERAL (
         SELECT e.* FROM coinop.entry e
         WHERE e.key_id = k.id AND e.account_id = $1::uuid AND e.kind IN ('authorize', 'settlement')
           AND ($3::uuid IS NULL OR e.id < $3::uuid AND ${ID_SLOT('e.id')} <= ${ID_SLOT('$3::uuid')})
           AND ($4::uuid IS NULL OR e.id >= $4::uuid AND ${ID_SLOT('e.id')} >= ${ID_SLOT('$4::uuid')})
           AND ($5::uuid IS NULL OR e.id <= $5::uuid AND ${ID_SLOT('e.id')} <= ${ID_SLOT('$5::uuid')})
         ORDER BY ${ID_SLOT('e.id')} DESC, e.id DESC LIMIT ${scan}) AS x
       WHERE k.account_id = $1::uuid AND ($2::text IS NULL OR k.id = $2::text)
       ORDER BY x.id DESC LIMIT ${scan}),
     called AS (SELECT ${CALL} FROM looked e LEFT JOIN coinop.hold h ON h.id = e.hold_id),
     matched AS (
       SELECT * FROM called
       WHERE NOT starts_with(skill_id, '${GOODS_PREFIX}')
         AND ($6::text IS NULL OR skill_id = $6::text)
         AND ($7::text[] IS NULL OR state = ANY ($7::text[]))
         AND ($8::timestamptz IS NULL OR at >= $8::timestamptz)
         AND ($9::timestamptz IS NULL OR at < $9::timestamptz)
       ORDER BY id DESC LIMIT ${limit})
     SELECT s.looked, s.looked_to, matched.*
     FROM (SELECT count(*)::int AS looked, (array_agg(id ORDER BY id))[1] AS looked_to FROM looked) s
     LEFT JOIN matched ON true ORDER BY matched.id DESC`,
    [
      accountId,
      filter.keyId ?? null,
      cursor,
      from ?? null,
      until ?? null,
      filter.skillId ?? null,
      filter.outcome === undefined ? null : statesOf(filter.outcome),
      filter.from ?? null,
      filter.until ?? null,
    ],
  )
  const calls = rows.filter((row) => row.id !== null).map(callOf)
  const { looked, looked_to: lookedTo } = rows[0]!
  if (calls.length === limit) return { calls, nextCursor: calls.at(-1)!.id }
  return { calls, nextCursor: looked === scan ? lookedTo : null }
}

export function callOf(row: CallRow): StatementCall {
  const outcome = outcomeOf(row.state)
  return {
    id: row.id,
    at: row.at,
    keyId: row.key_id,
    skillId: row.skill_id,
    path: row.path,
    requestId: row.request_id,
    outcome,
    rail: row.rail,
    amountAtomic: row.amount,
    chargedAtomic: outcome === 'open' ? null : (row.captured ?? 0n),
    transaction: row.transaction,
  }
}
