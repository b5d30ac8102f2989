/** Calls paid by vouchers for the operator's list, newest first; a cursor is the id of a claim. */
import type { CallOutcomeName, PluginDb, RailCallRow, RailCalls } from '@coinop/gateway'
import { RAIL_ID } from './shown.ts'

type Row = Pick<
  RailCallRow,
  'id' | 'at' | 'state' | 'payer' | 'keyId' | 'requestId' | 'skillId' | 'path' | 'amountAtomic'
> &
  Pick<RailCallRow, 'priceVersion' | 'acquisition'> & { ledgerId: string | null; leaseUntil: Date }

const OUTCOMES: Readonly<Record<string, CallOutcomeName>> = {
  claimed: 'open',
  captured: 'charged',
  streaming: 'charged',
  owed: 'charged',
  released: 'uncharged',
}
const COLUMNS = `id, created_at AS at, state, voucher AS payer, key_id AS "keyId",
  request_id AS "requestId", skill_id AS "skillId", path, amount AS "amountAtomic",
  price_version AS "priceVersion", acquisition, ledger_id AS "ledgerId", lease_until AS "leaseUntil"`
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function voucherCalls(db: PluginDb): RailCalls {
  return {
    async list({ requestId, keyId, skillId, outcome }, { cursor, limit }) {
      if (cursor !== null && !UUID.test(cursor)) return null
      const states = Object.keys(OUTCOMES).filter((state) => OUTCOMES[state] === outcome)
      const rows = await db.query<Row>(
        `SELECT ${COLUMNS} FROM claim
         WHERE ($1::uuid IS NULL OR id < $1::uuid) AND ($3::text IS NULL OR request_id = $3)
           AND ($4::text IS NULL OR key_id = $4) AND ($5::text IS NULL OR skill_id = $5)
           AND ($6::text[] IS NULL OR state = ANY($6::text[]))
         ORDER BY id DESC LIMIT $2`,
        [cursor, limit, requestId ?? null, keyId ?? null, skillId ?? null, outcome ? states : null],
      )
      const last = rows.length === limit ? rows.at(-1)! : null
      return {
        rows: rows.map((row) => ({ call: callOf(row), cursor: row.id })),
        next: last && last.id,
        lookedBackTo: last && last.at,
      }
    },
    async find(id) {
      const [row] = await db.query<Row>(`SELECT ${COLUMNS} FROM claim WHERE id = $1::uuid`, [id])
      if (!row) return null
      const entryIds = row.ledgerId === null ? [] : [row.ledgerId]
      return { call: callOf(row), entryIds, settlement: { voucher: row.payer } }
    },
    uncharged: (since) =>
      db.query<{ minute: number; calls: number }>(
        `SELECT floor(extract(epoch FROM created_at) / 60)::int AS minute, count(*)::int AS calls
         FROM claim WHERE created_at >= $1 AND state = 'released' GROUP BY 1`,
        [since],
      ),
  }
}

function callOf({ ledgerId, leaseUntil, ...row }: Row): RailCallRow {
  const outcome = OUTCOMES[row.state]!
  const isCharged = ledgerId !== null
  return {
    ...row,
    rail: RAIL_ID,
    outcome,
    chargedAtomic: outcome === 'open' ? null : isCharged ? row.amountAtomic : 0n,
    expiresAt: outcome === 'open' ? leaseUntil : null,
    transaction: isCharged ? row.payer : null,
    reason: null,
  }
}
