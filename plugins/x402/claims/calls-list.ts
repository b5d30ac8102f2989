/** Calls paid by x402, newest first: payment claims, looked through as prepaid-calls.ts does. */
import {
  type CallFilter,
  type CallRow,
  SCAN_ROWS,
  type Slice,
  STATES,
} from '../../../kernel/http/activity/call-row.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'

interface Row {
  id: string
  at: Date
  state: string
  key_id: string | null
  payer: string
  request_id: string
  skill_id: string
  path: string
  amount: bigint
  price_version: number
  acquisition: string | null
  transaction: string | null
  reason: string | null
}
interface ClaimRow extends Row {
  network: string
  asset: string
  attempts: number
  uncertain: boolean
  valid_before: bigint
  settled_at: Date | null
  ledger_id: string | null
}

/** What is known of a payment beside its call. */
export interface SettlementView {
  network: string
  asset: string
  attempts: number
  /** Whether some attempt may have moved the money. */
  uncertain: boolean
  /** When the signed authorization ends; null for a plain transfer that never does. */
  validBefore: Date | null
  settledAt: Date | null
}

const COLUMNS = `c.id, c.created_at AS at, c.state, c.key_id, c.payer, c.request_id, c.skill_id, c.path,
  c.amount, c.price_version, c.acquisition, c.transaction, c.reason`
/** Later than any Date can be. */
const NEVER_S = 8_640_000_000_000n

/** Claims behind `cursor` (a claim id) that match the filter, at most `limit`. */
export async function x402Calls(
  sql: SqlClient,
  filter: CallFilter,
  page: { cursor: string | null; limit: number },
): Promise<Slice> {
  const parameters: (string | number | string[] | null)[] = [page.cursor, page.limit]
  const bind = (value: string | string[]): string => `$${parameters.push(value)}`
  const conditions: string[] = []
  if (filter.skillId !== undefined) conditions.push(`c.skill_id = ${bind(filter.skillId)}`)
  if (filter.keyId !== undefined) conditions.push(`c.key_id = ${bind(filter.keyId)}`)
  if (filter.outcome === 'open') conditions.push(`c.state IN ('claimed', 'settling')`)
  else if (filter.outcome !== undefined) {
    conditions.push(`c.state = ANY(${bind(STATES[filter.outcome].claim)}::text[])`)
  }
  if (filter.requestId !== undefined) {
    const requestId = bind(filter.requestId)
    // A settled one is found through its posting, which is indexed by request; others are recent.
    conditions.push(
      `c.request_id = ${requestId}`,
      `c.id IN (
        SELECT s.id FROM plugin_x402.x402_claim s WHERE s.transaction IN (
          SELECT e.transaction FROM coinop.entry e
          WHERE e.request_id = ${requestId} AND e.transaction IS NOT NULL)
        UNION ALL
        SELECT w.id FROM (SELECT id, request_id FROM plugin_x402.x402_claim ORDER BY id DESC LIMIT ${SCAN_ROWS}) w
        WHERE w.request_id = ${requestId})`,
    )
  }
  if (filter.requestId !== undefined || filter.outcome === 'open') {
    const rows = await sql.unsafe<Row[]>(
      `SELECT ${COLUMNS} FROM plugin_x402.x402_claim c
       WHERE ($1::uuid IS NULL OR c.id < $1::uuid) AND ${conditions.join(' AND ')}
       ORDER BY c.id DESC LIMIT $2`,
      parameters,
    )
    return sliceOf(rows, rows.length === page.limit ? rows.at(-1)! : null)
  }
  const scan = conditions.length === 0 ? page.limit : SCAN_ROWS
  const found = await sql.unsafe<(Row & { looked: number; looked_to: string; looked_at: Date })[]>(
    `WITH looked AS MATERIALIZED (
       SELECT * FROM plugin_x402.x402_claim c WHERE ($1::uuid IS NULL OR c.id < $1::uuid)
       ORDER BY c.id DESC LIMIT ${scan}),
     matched AS (
       SELECT ${COLUMNS} FROM looked c
       ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
       ORDER BY c.id DESC LIMIT $2)
     SELECT s.looked, s.looked_to, s.looked_at, matched.*
     FROM (SELECT count(*)::int AS looked, (array_agg(id ORDER BY id))[1] AS looked_to, min(created_at) AS looked_at FROM looked) s
     LEFT JOIN matched ON true ORDER BY matched.id DESC`,
    parameters,
  )
  const rows = found.filter((row) => row.id !== null)
  if (rows.length === page.limit) return sliceOf(rows, rows.at(-1)!)
  const { looked, looked_to: id, looked_at: at } = found[0]!
  return sliceOf(rows, looked === scan ? { id, at } : null)
}

/** One claim by its id, with the ids of its postings and refunds; null when there is none. */
export async function x402Call(
  sql: SqlClient,
  id: string,
): Promise<{ call: CallRow; entryIds: string[]; settlement: SettlementView } | null> {
  const rows = await sql<ClaimRow[]>`
    SELECT ${sql.unsafe(COLUMNS)}, c.network, c.asset, c.attempts, c.uncertain, c.valid_before,
      c.settled_at, c.ledger_id
    FROM plugin_x402.x402_claim c WHERE c.id = ${id}`
  const row = rows[0]
  if (!row) return null
  const { network, asset, attempts, uncertain, valid_before: until, settled_at: settledAt } = row
  const refunds =
    row.ledger_id === null
      ? []
      : await sql<{ id: bigint }[]>`
          SELECT id FROM coinop.entry
          WHERE debit = 'settlement' AND reference = ${`refund:${row.ledger_id}`}`
  return {
    call: callOf(row),
    entryIds: [...(row.ledger_id === null ? [] : [row.ledger_id]), ...refunds.map(idText)],
    settlement: {
      network,
      asset,
      attempts,
      uncertain,
      validBefore: until >= NEVER_S ? null : new Date(Number(until) * 1000),
      settledAt,
    },
  }
}

const idText = ({ id }: { id: bigint }): string => String(id)

function sliceOf(rows: readonly Row[], last: { id: string; at: Date } | null): Slice {
  return {
    rows: rows.map((row) => ({ call: callOf(row), cursor: row.id })),
    next: last === null ? null : last.id,
    lookedBackTo: last === null ? null : last.at,
  }
}

function callOf(row: Row): CallRow {
  const isCharged = row.state === 'settled' || row.state === 'prepaid'
  const isOpen = row.state === 'claimed' || row.state === 'settling'
  return {
    id: row.id,
    at: row.at,
    rail: 'x402',
    state: row.state,
    keyId: row.key_id,
    payer: row.payer,
    requestId: row.request_id,
    skillId: row.skill_id,
    path: row.path,
    amountAtomic: row.amount,
    chargedAtomic: isOpen ? null : isCharged ? row.amount : 0n,
    priceVersion: row.price_version,
    acquisition: row.acquisition,
    expiresAt: null,
    transaction: row.transaction,
    reason: row.reason,
  }
}
