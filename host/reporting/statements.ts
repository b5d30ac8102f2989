/** The `statements` service: what was called and bought on one account, out of the ledger. */
import { assert, isAccountId, isUuid, ledgerRowToJson, type Statements } from '#kernel'
import type { StatementDeps } from '#kernel/host'
import { boundedRead } from './bounded-read.ts'
import { CALL, callOf, callsOf, type CallRow } from './account-calls.ts'
import { entriesWithRefunds } from './ledger-entries.ts'
import { usageOf } from './usage/read.ts'

const TIMEOUT_MS = 8000
const PAGE_MAX = 1000
const USAGE_DAYS_MAX = 400
const DAY_MS = 86_400_000
/** What moves credits beside calls, and a payment by another rail that was refunded as credits. */
const BESIDE_CALLS = `(e.kind IN ('topup', 'grant', 'adjustment') OR (e.kind = 'refund' AND e.hold_id IS NULL))`

/** The service over the ledger of `deps`. A malformed id finds nothing; a slow read throws. */
export function createStatements(deps: StatementDeps): Statements {
  const { sql, ledger } = deps
  const within = boundedRead(sql)

  return {
    async calls(accountId, filter, page) {
      const none = { calls: [], nextCursor: null }
      const limit = Math.min(Math.max(1, page.limit), PAGE_MAX)
      if (!isAccountId(accountId) || (page.cursor !== null && !isUuid(page.cursor))) return none
      return within(TIMEOUT_MS, (tx) => callsOf(tx, accountId, filter, { ...page, limit }))
    },

    async call(accountId, id) {
      if (!isAccountId(accountId) || !isUuid(id)) return null
      const [row] = await sql.unsafe<(CallRow & { entries: string[] })[]>(
        `SELECT ${CALL}, array_remove(ARRAY[e.id, h.end_id, h.rest_id, h.refund_id], NULL) AS entries
         FROM coinop.entry e LEFT JOIN coinop.hold h ON h.id = e.hold_id
         WHERE e.id = $1::uuid AND e.account_id = $2::uuid AND e.key_id IS NOT NULL
           AND e.kind IN ('authorize', 'settlement')`,
        [id, accountId],
      )
      if (!row) return null
      return { call: callOf(row), entries: await entriesWithRefunds(deps, row.entries) }
    },

    async usage(accountId, from, until, part) {
      if (!isAccountId(accountId)) return []
      const days = (until.getTime() - from.getTime()) / DAY_MS
      assert(days <= USAGE_DAYS_MAX, `usage of at most ${USAGE_DAYS_MAX} days is summed at once`)
      return within(TIMEOUT_MS, (tx) => usageOf(tx, accountId, from, until, part))
    },

    async purchases(accountId, { limit, cursor, until }) {
      if (!isAccountId(accountId) || (cursor !== null && !isUuid(cursor))) {
        return { entries: [], nextCursor: null }
      }
      const size = Math.min(Math.max(1, limit), PAGE_MAX)
      const found = await sql<{ id: string }[]>`
        SELECT e.id FROM coinop.entry e
        WHERE e.account_id = ${accountId}::uuid AND ${sql.unsafe(BESIDE_CALLS)}
          AND (${cursor}::uuid IS NULL OR e.id < ${cursor}::uuid)
          AND (${until ?? null}::timestamptz IS NULL OR e.at < ${until ?? null}::timestamptz)
        ORDER BY e.id DESC LIMIT ${size + 1}`
      const ids = found.slice(0, size).map(({ id }) => id)
      if (ids.length === 0) return { entries: [], nextCursor: null }
      const rows = await ledger.rows({ ids, accountId, limit: ids.length })
      return {
        entries: rows.map(ledgerRowToJson),
        nextCursor: found.length > size ? ids.at(-1)! : null,
      }
    },

    async purchase(accountId, id) {
      if (!isAccountId(accountId) || !isUuid(id)) return null
      const found = await sql`
        SELECT FROM coinop.entry e
        WHERE e.id = ${id}::uuid AND e.account_id = ${accountId}::uuid AND ${sql.unsafe(BESIDE_CALLS)}`
      if (found.length === 0) return null
      const [row] = await ledger.rows({ ids: [id], accountId, limit: 1 })
      return row ? ledgerRowToJson(row) : null
    },
  }
}
