/**
 * What calls brought in, by UTC hour: sums of the ledger's postings. Hours that are over are summed
 * once for all instances and kept in `revenue_hour`; the one under way is summed when it is asked for.
 */
import type { PluginDb, Reports, RevenueRow } from '#kernel'

/** The sums of an hour: RevenueRow with amounts as digits. */
export interface RevenueSum {
  skill: string
  rail: string
  key: string | null
  keyName: string | null
  mode: 'live' | 'test' | null
  calls: number
  charged: string
  refunded: string
}
export interface RevenueHour {
  at: Date
  rows: readonly RevenueSum[]
}
export interface RevenueSpan {
  /** Oldest first; hours without any are left out. */
  hours: RevenueHour[]
  /** Hours of the span that are not summed yet. */
  missing: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** How long a transaction may take to commit a posting of the hour before. */
const LATE_MS = 10 * 60_000
const HOURS_KEPT = 31 * 24
/** The hours that are not over are summed again after this long. */
const FRESH_MS = 10_000
/** So many hours are summed in one statement while there is much to catch up with. */
const HOURS_AT_ONCE = 24

export class Revenue {
  readonly #reports: Pick<Reports, 'revenue'>
  readonly #db: PluginDb
  /** By the start of the hour, of those that are not over. */
  readonly #open = new Map<number, { rows: Promise<readonly RevenueSum[]>; summedAtMs: number }>()

  constructor(reports: Pick<Reports, 'revenue'>, db: PluginDb) {
    this.#reports = reports
    this.#db = db
  }

  /**
   * Sums hours that are over and not kept yet, newest first, until none is left or `stopping` fires:
   * one statement for a day.
   */
  async catchUp(now: Date, stopping: AbortSignal): Promise<void> {
    const newest = lastOver(now)
    const known = await this.#db.query<{ at: Date }>(
      'SELECT at FROM revenue_hour WHERE at > $1 ORDER BY at DESC',
      [new Date(newest - HOURS_KEPT * HOUR_MS)],
    )
    const kept = new Set(known.map(({ at }) => at.getTime()))
    let until = newest + HOUR_MS
    const oldest = newest - (HOURS_KEPT - 1) * HOUR_MS
    while (until > oldest && !stopping.aborted) {
      const hours: number[] = []
      for (let at = until - HOUR_MS; at >= oldest && hours.length < HOURS_AT_ONCE; at -= HOUR_MS)
        hours.push(at)
      until = hours.at(-1)!
      const missing = hours.filter((at) => !kept.has(at))
      if (missing.length === 0) continue
      const end = hours[0]! + HOUR_MS
      const sums = await this.#reports.revenue(new Date(until), new Date(end), HOUR_MS)
      const byHour = Map.groupBy(sums, ({ at }) => at.getTime())
      const rows = missing.map((at) => ({
        at: new Date(at),
        rows: (byHour.get(at) ?? []).map(sumOf),
      }))
      await this.#db.query(
        `INSERT INTO revenue_hour (at, rows)
         SELECT at, rows FROM jsonb_to_recordset($1::text::jsonb) AS r (at timestamptz, rows jsonb)
         ORDER BY at ON CONFLICT DO NOTHING`,
        [JSON.stringify(rows)],
      )
    }
  }

  /** The hours from `from`, which is the start of one, to the one under way. */
  async since(from: Date, now: Date): Promise<RevenueSpan> {
    const firstDue = lastOver(now) + HOUR_MS
    const kept = await this.#db.query<RevenueHour>(
      'SELECT at, rows FROM revenue_hour WHERE at >= $1 AND at < $2 ORDER BY at',
      [from, new Date(firstDue)],
    )
    // An hour that has just become due is summed as the open ones are until the next round keeps it.
    const newest = kept.at(-1)?.at.getTime()
    const firstOpen = newest === undefined ? firstDue : newest + HOUR_MS
    const wanted = Math.max(0, (firstOpen - from.getTime()) / HOUR_MS)
    const hours = kept.filter(({ rows }) => rows.length > 0)
    for (let at = Math.max(firstOpen, from.getTime()); at <= now.getTime(); at += HOUR_MS)
      hours.push({ at: new Date(at), rows: await this.#openHour(at, now.getTime()) })
    for (const at of this.#open.keys()) if (at < firstOpen) this.#open.delete(at)
    return { hours, missing: Math.max(0, wanted - kept.length) }
  }

  /** What came in since `from`, by minute: more than the kept hours know. */
  async minutes(from: Date, now: Date): Promise<RevenueSpan> {
    const until = new Date(now.getTime() + MINUTE_MS)
    const sums = await this.#reports.revenue(from, until, MINUTE_MS)
    const byMinute = Map.groupBy(sums, ({ at }) => at.getTime())
    const hours = [...byMinute].map(([at, rows]) => ({ at: new Date(at), rows: rows.map(sumOf) }))
    return { hours, missing: 0 }
  }

  #openHour(at: number, nowMs: number): Promise<readonly RevenueSum[]> {
    const known = this.#open.get(at)
    // The clock may have been set back since.
    if (known && Math.abs(nowMs - known.summedAtMs) < FRESH_MS) return known.rows
    const made = { rows: this.#sum(at), summedAtMs: nowMs }
    this.#open.set(at, made)
    made.rows.catch(() => {
      if (this.#open.get(at) === made) this.#open.delete(at)
    })
    return made.rows
  }

  async #sum(at: number): Promise<readonly RevenueSum[]> {
    return (await this.#reports.revenue(new Date(at), new Date(at + HOUR_MS))).map(sumOf)
  }
}

/** The start of the newest hour whose postings change no more. */
function lastOver(now: Date): number {
  return Math.floor((now.getTime() - LATE_MS) / HOUR_MS) * HOUR_MS - HOUR_MS
}

function sumOf(row: RevenueRow): RevenueSum {
  return {
    skill: row.skillId,
    rail: row.rail,
    key: row.keyId,
    keyName: row.keyName,
    mode: row.mode,
    calls: row.calls,
    charged: String(row.chargedAtomic),
    refunded: String(row.refundedAtomic),
  }
}

/** Rows that have `nameOf` in common, added up, the largest sum first. */
export function addedUp(
  rows: Iterable<RevenueSum>,
  nameOf: (row: RevenueSum) => string,
): { row: RevenueSum; calls: number; chargedAtomic: bigint; refundedAtomic: bigint }[] {
  const sums = new Map<
    string,
    { row: RevenueSum; calls: number; chargedAtomic: bigint; refundedAtomic: bigint }
  >()
  for (const row of rows) {
    const name = nameOf(row)
    let sum = sums.get(name)
    if (!sum) sums.set(name, (sum = { row, calls: 0, chargedAtomic: 0n, refundedAtomic: 0n }))
    sum.calls += row.calls
    sum.chargedAtomic += BigInt(row.charged)
    sum.refundedAtomic += BigInt(row.refunded)
  }
  return [...sums.values()].toSorted((a, b) =>
    a.chargedAtomic === b.chargedAtomic ? 0 : a.chargedAtomic < b.chargedAtomic ? 1 : -1,
  )
}
