/**
 * Calls paid by credits for the operator's list, newest first: holds in the order of their first
 * postings. No index is kept for it, which every call would have to write: a filter that no index
 * answers is looked for in a bounded number of postings, and the caller may go on behind them.
 */
import { isUuid, type RailCallRow, type RailCalls, type RailCallSlice } from '#kernel'
import { CREDITS_RAIL_ID, ID_SLOT, type SqlClient } from '#kernel/host'
import { outcomeOf, statesOf } from './call-states.ts'

interface Row {
  cursor: string
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
/** Postings looked at for one page when no index answers the filter: a few tens of milliseconds. */
export const SCAN_ROWS = 10_000

/** A cursor is the id of the last hold, which is also that of its first posting. */
export function creditsCalls(sql: SqlClient): RailCalls {
  return {
    async list(filter, { cursor, limit }) {
      if (cursor !== null && !isUuid(cursor)) return null
      const parameters: (string | number | string[] | null)[] = [cursor, limit]
      const bind = (value: string | string[]): string => `$${parameters.push(value)}`
      const conditions: string[] = []
      if (filter.skillId !== undefined) conditions.push(`h.skill_id = ${bind(filter.skillId)}`)
      // A literal, not a parameter: the partial index on open holds is chosen by it.
      if (filter.outcome === 'open') conditions.push(`h.state = 'authorized'`)
      else if (filter.outcome !== undefined) {
        conditions.push(`h.state::text = ANY(${bind(statesOf(filter.outcome))}::text[])`)
      }
      if (filter.requestId !== undefined) {
        conditions.push(`h.request_id = ${bind(filter.requestId)}`)
      }
      if (filter.requestId !== undefined || filter.outcome === 'open') {
        if (filter.keyId !== undefined) conditions.push(`h.key_id = ${bind(filter.keyId)}`)
        const rows = await sql.unsafe<Row[]>(
          `SELECT h.id AS cursor, ${COLUMNS} FROM coinop.hold h
           WHERE ($1::uuid IS NULL OR h.id < $1::uuid) AND ${conditions.join(' AND ')}
           ORDER BY h.id DESC LIMIT $2`,
          parameters,
        )
        return sliceOf(rows, rows.length === limit ? rows.at(-1)! : null)
      }
      // Without a condition every posting looked at is a hold found.
      const scan = conditions.length === 0 ? limit : SCAN_ROWS
      const isOfKey = filter.keyId !== undefined
      const ofKey = isOfKey
        ? `AND e.key_id = ${bind(filter.keyId!)}
             AND ($1::uuid IS NULL OR ${ID_SLOT('e.id')} <= ${ID_SLOT('$1::uuid')})`
        : ''
      const found = await sql.unsafe<
        (Row & { looked: number; looked_to: string; looked_at: Date })[]
      >(
        `WITH looked AS MATERIALIZED (
           SELECT e.id, e.at, e.hold_id FROM coinop.entry e
           WHERE e.kind = 'authorize' AND ($1::uuid IS NULL OR e.id < $1::uuid) ${ofKey}
           ORDER BY ${isOfKey ? `${ID_SLOT('e.id')} DESC, ` : ''}e.id DESC LIMIT ${scan}),
         matched AS (
           SELECT looked.id AS cursor, ${COLUMNS} FROM looked JOIN coinop.hold h ON h.id = looked.hold_id
           ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
           ORDER BY looked.id DESC LIMIT $2)
         SELECT s.looked, s.looked_to, s.looked_at, matched.*
         FROM (SELECT count(*)::int AS looked, (array_agg(id ORDER BY id))[1] AS looked_to, min(at) AS looked_at FROM looked) s
         LEFT JOIN matched ON true ORDER BY matched.cursor DESC`,
        parameters,
      )
      const rows = found.filter((row) => row.id !== null)
      if (rows.length === limit) return sliceOf(rows, rows.at(-1)!)
      const { looked, looked_to: lookedTo, looked_at: at } = found[0]!
      return sliceOf(rows, looked === scan ? { cursor: lookedTo, at } : null)
    },

    async find(id) {
      if (!isUuid(id)) return null
      const [row] = await sql<(Row & { entries: string[] })[]>`
        SELECT h.id AS cursor, ${sql.unsafe(COLUMNS)},
          array_remove(ARRAY[h.id, h.end_id, h.rest_id, h.refund_id], NULL) AS entries
        FROM coinop.hold h WHERE h.id = ${id}`
      return row ? { call: callOf(row), entryIds: row.entries, settlement: null } : null
    },
  }
}

function sliceOf(rows: readonly Row[], last: { cursor: string; at: Date } | null): RailCallSlice {
  return {
    rows: rows.map((row) => ({ call: callOf(row), cursor: row.cursor })),
    next: last === null ? null : last.cursor,
    lookedBackTo: last === null ? null : last.at,
  }
}

function callOf(row: Row): RailCallRow {
  const outcome = outcomeOf(row.state)
  const isOver = outcome !== 'open'
  return {
    id: row.id,
    at: row.at,
    rail: CREDITS_RAIL_ID,
    outcome,
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
