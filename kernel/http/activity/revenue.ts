/** What calls brought in, by UTC day, skill and rail: sums of the ledger's postings. */
import { GOODS_PREFIX } from '../../ledger/contract.ts'
import type { SqlClient } from '../../storage/contract.ts'
import { entriesSince } from './ledger-seek.ts'

export interface RevenueRow {
  skillId: string
  rail: string
  /** Calls that were charged. */
  calls: number
  chargedAtomic: bigint
  /** Given back on that day, whenever it had been charged. */
  refundedAtomic: bigint
}
export interface RevenueDay {
  /** UTC, such as 2026-01-31. */
  day: string
  rows: RevenueRow[]
}

const DAY_MS = 86_400_000
const DAYS = 7
/** How long a transaction may take to commit a posting of the day before. */
const LATE_MS = 10 * 60_000
/** The sums are shared by everybody who asks while they are made and for this long. */
const FRESH_MS = 10_000
const TIMEOUT_MS = 8000

/** Keeps the sums of days that are over: their postings do not change. */
export class Revenue {
  readonly #sql: SqlClient
  readonly #over = new Map<string, RevenueRow[]>()
  #kept: { days: Promise<RevenueDay[]>; freshUntilMs: number } | null = null

  constructor(sql: SqlClient) {
    this.#sql = sql
  }

  /**
   * The last seven UTC days, today first. Rejects when the database does not sum one of them in 8
   * seconds; what was summed by then is kept for the next who asks.
   */
  days(now: Date): Promise<RevenueDay[]> {
    if (this.#kept === null || now.getTime() > this.#kept.freshUntilMs) {
      const kept = { days: this.#days(now), freshUntilMs: Infinity }
      this.#kept = kept
      kept.days.then(
        () => (kept.freshUntilMs = Date.now() + FRESH_MS),
        () => (this.#kept = null),
      )
    }
    return this.#kept.days
  }

  async #days(now: Date): Promise<RevenueDay[]> {
    const days: RevenueDay[] = []
    for (let back = 0; back < DAYS; back++) {
      const at = new Date(now.getTime() - back * DAY_MS)
      const day = at.toISOString().slice(0, 10)
      days.push({ day, rows: await (back === 0 ? this.#sum(day) : this.#ofOver(day, now)) })
    }
    for (const kept of this.#over.keys()) if (kept < days.at(-1)!.day) this.#over.delete(kept)
    return days
  }

  async #ofOver(day: string, now: Date): Promise<RevenueRow[]> {
    const known = this.#over.get(day)
    if (known) return known
    const rows = await this.#sum(day)
    if (now.getTime() > Date.parse(day) + DAY_MS + LATE_MS) this.#over.set(day, rows)
    return rows
  }

  #sum(day: string): Promise<RevenueRow[]> {
    const from = new Date(day)
    const until = new Date(from.getTime() + DAY_MS)
    return this.#sql.begin('read only', async (tx) => {
      await tx.unsafe(`SET LOCAL statement_timeout = ${TIMEOUT_MS}`)
      const first = await entriesSince(tx, from)
      const last = await entriesSince(tx, until)
      const rows = await tx<
        { skill: string; rail: string; calls: number; charged: string; refunded: string }[]
      >`
        SELECT COALESCE(e.skill_id, h.skill_id, s.skill_id, 'unknown') AS skill,
          COALESCE(s.rail, e.rail, 'credits') AS rail,
          count(*) FILTER (WHERE e.kind <> 'refund')::int AS calls,
          COALESCE(sum(e.amount) FILTER (WHERE e.kind <> 'refund'), 0)::text AS charged,
          COALESCE(sum(e.amount) FILTER (WHERE e.kind = 'refund'), 0)::text AS refunded
        FROM coinop.entry e LEFT JOIN coinop.hold h ON h.id = e.hold_id
          -- The refund of an x402 payment names the settlement.
          LEFT JOIN coinop.entry s ON e.kind = 'refund'
            AND s.id = CASE WHEN e.reference ~ '^refund:[0-9]{1,18}$' THEN substr(e.reference, 8)::bigint END
        WHERE e.id >= ${first.lower} AND e.id <= ${last.upper} AND e.at >= ${from} AND e.at < ${until}
          AND e.kind IN ('capture', 'settlement', 'refund')
        GROUP BY 1, 2 ORDER BY sum(e.amount) DESC`
      return rows
        .filter(({ skill }) => !skill.startsWith(GOODS_PREFIX))
        .map(({ skill, rail, calls, charged, refunded }) => ({
          skillId: skill,
          rail,
          calls,
          chargedAtomic: BigInt(charged),
          refundedAtomic: BigInt(refunded),
        }))
    })
  }
}
