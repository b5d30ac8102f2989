/** Paid calls of the last hour by minute, over all instances: charged, and failed without a charge. */
import type { SqlClient } from '../../storage/contract.ts'
import { entriesSince } from './ledger-seek.ts'

export interface Minute {
  at: Date
  charged: number
  uncharged: number
}

const MINUTES = 60
const MINUTE_MS = 60_000
const FRESH_MS = 5000
const TIMEOUT_MS = 5000

export class Minutes {
  readonly #sql: SqlClient
  #kept: { atMs: number; minutes: Promise<Minute[]> } | null = null

  constructor(sql: SqlClient) {
    this.#sql = sql
  }

  /** Sixty minutes, the one under way last. Rejects when the database takes over 5 seconds. */
  of(now: Date): Promise<Minute[]> {
    const atMs = now.getTime()
    if (this.#kept === null || atMs - this.#kept.atMs > FRESH_MS) {
      const minutes = this.#count(now)
      this.#kept = { atMs, minutes }
      minutes.catch(() => (this.#kept = null))
    }
    return this.#kept.minutes
  }

  async #count(now: Date): Promise<Minute[]> {
    const newest = Math.floor(now.getTime() / MINUTE_MS)
    const since = new Date((newest - MINUTES + 1) * MINUTE_MS)
    const rows = await this.#sql.begin('read only', async (tx) => {
      await tx.unsafe(`SET LOCAL statement_timeout = ${TIMEOUT_MS}`)
      const { lower } = await entriesSince(tx, since)
      // The rest that a partial capture gives back is a release too, but no failure.
      return tx<{ minute: number; charged: number; uncharged: number }[]>`
        SELECT minute, sum(charged)::int AS charged, sum(uncharged)::int AS uncharged FROM (
          SELECT floor(extract(epoch FROM e.at) / 60)::int AS minute,
            count(*) FILTER (WHERE e.kind IN ('capture', 'settlement')) AS charged,
            count(*) FILTER (WHERE e.kind IN ('release', 'expire') AND h.end_entry = e.id) AS uncharged
          FROM coinop.entry e LEFT JOIN coinop.hold h
            ON h.id = e.hold_id AND e.kind IN ('release', 'expire')
          WHERE e.id >= ${lower} AND e.at >= ${since}
            AND e.kind IN ('capture', 'settlement', 'release', 'expire')
          GROUP BY 1
          UNION ALL
          SELECT floor(extract(epoch FROM c.created_at) / 60)::int, 0, count(*)
          FROM plugin_x402.x402_claim c
          WHERE c.id >= ${firstIdAt(since)}::uuid AND c.created_at >= ${since}
            AND c.state IN ('released', 'failed')
          GROUP BY 1) parts
        GROUP BY minute`
    })
    const byMinute = new Map(rows.map((row) => [row.minute, row]))
    return Array.from({ length: MINUTES }, (_, index) => {
      const minute = newest - MINUTES + 1 + index
      const { charged = 0, uncharged = 0 } = byMinute.get(minute) ?? {}
      return { at: new Date(minute * MINUTE_MS), charged, uncharged }
    })
  }
}

/** The lowest id of version 7 that can be made at `at`, less a minute in which clocks may differ. */
function firstIdAt(at: Date): string {
  const hex = (at.getTime() - MINUTE_MS).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
