/**
 * Calls paid by x402 for the operator's list, newest first: payment claims. No index is kept for it,
 * which every call would have to write: a filter that no index answers is looked for in a bounded
 * number of claims, and the caller may go on behind them.
 */
import {
  firstIdAt,
  isUuid,
  type CallOutcomeName,
  type PluginTx,
  type RailCallRow,
  type RailCalls,
  type RailCallSlice,
} from '#kernel'

interface Row {
  id: string
  at: Date
  /** The rail that sold it; null: x402. */
  rail: string | null
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

const X402 = 'x402'
const COLUMNS = `c.id, c.created_at AS at, c.rail, c.state, c.key_id, c.payer, c.request_id, c.skill_id, c.path,
  c.amount, c.price_version, c.acquisition, c.transaction, c.reason`
/** Claims looked at for one page when no index answers the filter: a few tens of milliseconds. */
const SCAN_ROWS = 10_000
/** So many claims of other rails may stand among those of a page. */
const OTHERS_AMONG = 1000
/** `valid_before` of a plain transfer, which never ends, is this or later: no Date can hold it. */
const NEVER_S = 8_640_000_000_000n
const MINUTE_MS = 60_000

/** What a claim's states mean to its payer. None is 'refunded': the claim of a refunded call stays settled. */
const OUTCOMES: Readonly<Record<string, CallOutcomeName>> = {
  claimed: 'open',
  settling: 'open',
  settled: 'charged',
  prepaid: 'charged',
  released: 'uncharged',
  failed: 'uncharged',
}

/**
 * Reads the claims through `db`; a cursor is the id of the last claim looked at. Those that another rail
 * sold are in the list of that rail; what x402 has to settle of both, and what was not charged, is counted
 * with its own.
 */
export function x402Calls(db: Pick<PluginTx, 'query'>, railId = X402): RailCalls {
  const isX402 = railId === X402
  // The literal makes the planner take the partial index on claims of other rails.
  const own = isX402 ? 'c.rail IS NULL' : `c.rail = '${railId}'`
  return {
    async list(filter, { cursor, limit }) {
      if (cursor !== null && !isUuid(cursor)) return null
      const parameters: unknown[] = [cursor, limit]
      const bind = (value: unknown): string => `$${parameters.push(value)}`
      const conditions: string[] = [own]
      if (filter.skillId !== undefined) conditions.push(`c.skill_id = ${bind(filter.skillId)}`)
      if (filter.keyId !== undefined) conditions.push(`c.key_id = ${bind(filter.keyId)}`)
      // Literals, not a parameter: the partial index on open claims is chosen by them.
      if (filter.outcome === 'open') conditions.push(`c.state IN ('claimed', 'settling')`)
      else if (filter.outcome !== undefined) {
        conditions.push(`c.state = ANY(${bind(statesOf(filter.outcome))}::text[])`)
      }
      if (filter.requestId !== undefined) {
        const requestId = bind(filter.requestId)
        // A settled claim is found by its transaction, which is indexed; others are recent.
        conditions.push(
          `c.request_id = ${requestId}`,
          `c.id IN (
            SELECT s.id FROM x402_claim s
            WHERE s.transaction = ANY(${bind(filter.transactions ?? [])}::text[])
            UNION ALL
            SELECT w.id FROM (SELECT id, request_id FROM x402_claim ORDER BY id DESC LIMIT ${SCAN_ROWS}) w
            WHERE w.request_id = ${requestId})`,
        )
      }
      if (filter.requestId !== undefined || filter.outcome === 'open') {
        const rows = await db.query<Row>(
          `SELECT ${COLUMNS} FROM x402_claim c
           WHERE ($1::uuid IS NULL OR c.id < $1::uuid) AND ${conditions.join(' AND ')}
           ORDER BY c.id DESC LIMIT $2`,
          parameters,
        )
        return sliceOf(rows, rows.length === limit ? rows.at(-1)! : null)
      }
      // Without a filter nearly every claim looked at is a claim found.
      const isFiltered = conditions.length > 1
      const scan = isFiltered ? SCAN_ROWS : limit + (isX402 ? OTHERS_AMONG : 0)
      const found = await db.query<Row & { looked: number; looked_to: string; looked_at: Date }>(
        `WITH looked AS MATERIALIZED (
           SELECT * FROM x402_claim c
           WHERE ($1::uuid IS NULL OR c.id < $1::uuid)${isX402 ? '' : ` AND ${own}`}
           ORDER BY c.id DESC LIMIT ${scan}),
         matched AS (
           SELECT ${COLUMNS} FROM looked c
           WHERE ${conditions.join(' AND ')}
           ORDER BY c.id DESC LIMIT $2)
         SELECT s.looked, s.looked_to, s.looked_at, matched.*
         FROM (SELECT count(*)::int AS looked, (array_agg(id ORDER BY id))[1] AS looked_to,
           min(created_at) AS looked_at FROM looked) s
         LEFT JOIN matched ON true ORDER BY matched.id DESC`,
        parameters,
      )
      const rows = found.filter((row) => row.id !== null)
      if (rows.length === limit) return sliceOf(rows, rows.at(-1)!)
      const { looked, looked_to: id, looked_at: at } = found[0]!
      return sliceOf(rows, looked === scan ? { id, at } : null)
    },

    async find(id) {
      const [row] = await db.query<ClaimRow>(
        `SELECT ${COLUMNS}, c.network, c.asset, c.attempts, c.uncertain, c.valid_before,
           c.settled_at, c.ledger_id
         FROM x402_claim c WHERE c.id = $1::uuid`,
        [id],
      )
      if (!row) return null
      const { network, asset, attempts, uncertain, valid_before: untilS } = row
      return {
        call: callOf(row),
        entryIds: row.ledger_id === null ? [] : [row.ledger_id],
        settlement: {
          network,
          asset,
          attempts,
          /** Whether some attempt may have moved the money. */
          uncertain,
          /** When the signed authorization ends; null for a plain transfer, which never does. */
          validBefore: untilS >= NEVER_S ? null : new Date(Number(untilS) * 1000),
          settledAt: row.settled_at,
        },
      }
    },

    ...(isX402 && settlementsOf(db)),
  }
}

/** Of all claims, whichever rail sold them. */
function settlementsOf(db: Pick<PluginTx, 'query'>): Pick<RailCalls, 'pending' | 'uncharged'> {
  return {
    async pending() {
      const [row] = await db.query<{ pending: number; uncertain: number; oldestAt: Date | null }>(
        `SELECT count(*)::int AS pending, count(*) FILTER (WHERE uncertain)::int AS uncertain,
           min(created_at) AS "oldestAt"
         FROM x402_claim WHERE state = 'settling'`,
      )
      return row!
    },

    uncharged(since) {
      // Ids have the clock of the gateway that made them.
      return db.query<{ minute: number; calls: number }>(
        `SELECT floor(extract(epoch FROM created_at) / 60)::int AS minute, count(*)::int AS calls
         FROM x402_claim
         WHERE id >= $1::uuid AND created_at >= $2 AND state IN ('released', 'failed')
         GROUP BY 1`,
        [firstIdAt(new Date(since.getTime() - MINUTE_MS)), since],
      )
    },
  }
}

function statesOf(outcome: CallOutcomeName): string[] {
  return Object.keys(OUTCOMES).filter((state) => OUTCOMES[state] === outcome)
}

function sliceOf(rows: readonly Row[], last: { id: string; at: Date } | null): RailCallSlice {
  return {
    rows: rows.map((row) => ({ call: callOf(row), cursor: row.id })),
    next: last === null ? null : last.id,
    lookedBackTo: last === null ? null : last.at,
  }
}

function callOf(row: Row): RailCallRow {
  const outcome = OUTCOMES[row.state] ?? 'open'
  return {
    id: row.id,
    at: row.at,
    rail: row.rail ?? X402,
    outcome,
    state: row.state,
    keyId: row.key_id,
    payer: row.payer,
    requestId: row.request_id,
    skillId: row.skill_id,
    path: row.path,
    amountAtomic: row.amount,
    chargedAtomic: outcome === 'open' ? null : outcome === 'charged' ? row.amount : 0n,
    priceVersion: row.price_version,
    acquisition: row.acquisition,
    expiresAt: null,
    transaction: row.transaction,
    reason: row.reason,
  }
}
