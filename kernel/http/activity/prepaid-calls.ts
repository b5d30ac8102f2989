/**
 * Calls paid by credits, newest first: holds in the order of their first postings. No index is kept
 * for this list, because the hot path would write it with every call: what no index answers is
 * looked for in a bounded stretch of the ledger, and the caller may go on behind it.
 */
import type { SqlClient } from '../../storage/contract.ts'
import { SCAN_ROWS, STATES, type CallFilter, type CallRow, type Slice } from './call-row.ts'

interface Row {
  cursor: bigint
  id: string
  at: Date
  state: string
  key_id: string
  request_id: string
  skill_id: string
  path: string
  amount: bigint
  captured: bigint | null
  price_version: number | null
  acquisition: string | null
  expires_at: Date
}

const COLUMNS = `h.id, h.created_at AS at, h.state::text AS state, h.key_id, h.request_id, h.skill_id,
  h.path, h.amount, h.captured, h.price_version, h.acquisition, h.expires_at`

/** Holds behind `cursor` (a ledger id) that match the filter, at most `limit`. */
export async function prepaidCalls(
  sql: SqlClient,
  filter: CallFilter,
  page: { cursor: string | null; limit: number },
): Promise<Slice> {
  const parameters: (string | number | string[] | null)[] = [page.cursor, page.limit]
  const bind = (value: string | number | string[]): string => `$${parameters.push(value)}`
  const conditions: string[] = []
  if (filter.skillId !== undefined) conditions.push(`h.skill_id = ${bind(filter.skillId)}`)
  if (filter.outcome === 'open') conditions.push(`h.state = 'authorized'`)
  else if (filter.outcome !== undefined) {
    conditions.push(`h.state::text = ANY(${bind(STATES[filter.outcome].hold)}::text[])`)
  }
  if (filter.requestId !== undefined) conditions.push(`h.request_id = ${bind(filter.requestId)}`)
  const isIndexed = filter.requestId !== undefined || filter.outcome === 'open'
  if (isIndexed) {
    if (filter.keyId !== undefined) conditions.push(`h.key_id = ${bind(filter.keyId)}`)
    const rows = await sql.unsafe<Row[]>(
      `SELECT h.authorize_entry AS cursor, ${COLUMNS} FROM coinop.hold h
       WHERE ($1::bigint IS NULL OR h.authorize_entry < $1::bigint) AND ${conditions.join(' AND ')}
       ORDER BY h.authorize_entry DESC LIMIT $2`,
      parameters,
    )
    return sliceOf(rows, rows.length === page.limit ? rows.at(-1)! : null)
  }
  // Without a condition every row looked at is a row found.
  const scan = conditions.length === 0 ? page.limit : SCAN_ROWS
  const ofKey = filter.keyId === undefined ? '' : `AND e.key_id = ${bind(filter.keyId)}`
  const found = await sql.unsafe<(Row & { looked: number; looked_to: bigint; looked_at: Date })[]>(
    `WITH looked AS MATERIALIZED (
       SELECT e.id, e.at, e.hold_id FROM coinop.entry e
       WHERE e.kind = 'authorize' AND ($1::bigint IS NULL OR e.id < $1::bigint) ${ofKey}
       ORDER BY e.id DESC LIMIT ${scan}),
     matched AS (
       SELECT looked.id AS cursor, ${COLUMNS} FROM looked JOIN coinop.hold h ON h.id = looked.hold_id
       ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
       ORDER BY looked.id DESC LIMIT $2)
     SELECT s.looked, s.looked_to, s.looked_at, matched.*
     FROM (SELECT count(*)::int AS looked, min(id) AS looked_to, min(at) AS looked_at FROM looked) s
     LEFT JOIN matched ON true ORDER BY matched.cursor DESC`,
    parameters,
  )
  const rows = found.filter((row) => row.id !== null)
  if (rows.length === page.limit) return sliceOf(rows, rows.at(-1)!)
  const { looked, looked_to: cursor, looked_at: at } = found[0]!
  return sliceOf(rows, looked === scan ? { cursor, at } : null)
}

/** One hold by its id, with the ids of its postings; null when there is none. */
export async function prepaidCall(
  sql: SqlClient,
  id: string,
): Promise<{ call: CallRow; entryIds: string[] } | null> {
  const rows = await sql<(Row & { entries: bigint[] })[]>`
    SELECT h.authorize_entry AS cursor, ${sql.unsafe(COLUMNS)},
      array_remove(ARRAY[h.authorize_entry, h.end_entry, h.rest_entry, h.refund_entry], NULL) AS entries
    FROM coinop.hold h WHERE h.id = ${id}`
  const row = rows[0]
  return row ? { call: callOf(row), entryIds: row.entries.map(String) } : null
}

function sliceOf(rows: readonly Row[], last: { cursor: bigint; at: Date } | null): Slice {
  return {
    rows: rows.map((row) => ({ call: callOf(row), cursor: String(row.cursor) })),
    next: last === null ? null : String(last.cursor),
    lookedBackTo: last === null ? null : last.at,
  }
}

function callOf(row: Row): CallRow {
  const isOver = row.state !== 'authorized'
  return {
    id: row.id,
    at: row.at,
    rail: 'credits',
    state: row.state,
    keyId: row.key_id,
    payer: null,
    requestId: row.request_id,
    skillId: row.skill_id,
    path: row.path,
    amountAtomic: row.amount,
    chargedAtomic: isOver ? (row.captured ?? 0n) : null,
    priceVersion: row.price_version,
    acquisition: row.acquisition,
    expiresAt: isOver ? null : row.expires_at,
    transaction: null,
    reason: null,
  }
}
