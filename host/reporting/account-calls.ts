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

/** Postings looked at for one page when a filter asks for some (test/bench/statements.ts). */
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
  const parameters: (string | string[] | Date)[] = [accountId]
  const bind = (value: string | string[] | Date, type: string): string =>
    `$${parameters.push(value)}::${type}`
  const own = ['k.account_id = $1::uuid']
  if (filter.keyId !== undefined) own.push(`k.id = ${bind(filter.keyId, 'text')}`)
  const bounds = ['e.key_id = k.id', 'e.account_id = $1::uuid']
  const bound = (id: string, sign: '<' | '<=' | '>='): void => {
    const edge = bind(id, 'uuid')
    const slotSign = sign === '>=' ? '>=' : '<='
    bounds.push(`e.id ${sign} ${edge} AND ${ID_SLOT('e.id')} ${slotSign} ${ID_SLOT(edge)}`)
  }
  const conditions = [`NOT starts_with(skill_id, '${GOODS_PREFIX}')`]
  if (cursor !== null) bound(cursor, '<')
  if (filter.from) {
    bound(entriesSince(filter.from).lower, '>=')
    conditions.push(`at >= ${bind(filter.from, 'timestamptz')}`)
  }
  if (filter.until) {
    bound(entriesSince(filter.until).upper, '<=')
    conditions.push(`at < ${bind(filter.until, 'timestamptz')}`)
  }
  if (filter.skillId !== undefined) conditions.push(`skill_id = ${bind(filter.skillId, 'text')}`)
  if (filter.outcome !== undefined)
    conditions.push(`state = ANY (${bind(statesOf(filter.outcome), 'text[]')})`)
  const postings = (columns: string, most: number): string => `
    SELECT ${columns} FROM coinop.entry e
    WHERE e.kind IN ('authorize', 'settlement') AND ${bounds.join(' AND ')}
    ORDER BY ${ID_SLOT('e.id')} DESC, e.id DESC LIMIT ${most}`
  const rows = await tx.unsafe<(CallRow & { looked: number; looked_to: string | null })[]>(
    // Only keys with the newest of newest postings have one on the page: of the others one is looked at.
    `WITH newest AS MATERIALIZED (
       SELECT k.id FROM coinop.api_key k CROSS JOIN LATERAL (${postings('e.id', 1)}) AS x
       WHERE ${own.join(' AND ')} ORDER BY x.id DESC LIMIT ${scan}),
     looked AS MATERIALIZED (
       SELECT x.* FROM newest k CROSS JOIN LATERAL (${postings('e.*', scan)}) AS x
       ORDER BY x.id DESC LIMIT ${scan}),
     called AS (SELECT ${CALL} FROM looked e LEFT JOIN coinop.hold h ON h.id = e.hold_id),
     matched AS (
       SELECT * FROM called WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ${limit})
     SELECT s.looked, s.looked_to, matched.*
     FROM (SELECT count(*)::int AS looked, (array_agg(id ORDER BY id))[1] AS looked_to FROM looked) s
     LEFT JOIN matched ON true ORDER BY matched.id DESC`,
    parameters,
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
