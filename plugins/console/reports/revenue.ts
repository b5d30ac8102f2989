/** What calls brought in, by UTC day, skill and rail: sums of the ledger's postings. */
import type { Reports, RevenueRow } from '#kernel'

export interface RevenueDay {
  /** UTC, such as 2026-01-31. */
  day: string
  rows: readonly RevenueRow[]
}

const DAY_MS = 86_400_000
const DAYS = 7
/** How long a transaction may take to commit a posting of the day before. */
const LATE_MS = 10 * 60_000
/** The sums are shared by everybody who asks while they are made and for this long. */
const FRESH_MS = 10_000

/** Keeps the sums of days that are over: their postings do not change. */
export class Revenue {
  readonly #reports: Pick<Reports, 'revenue'>
  readonly #over = new Map<string, readonly RevenueRow[]>()
  #kept: { days: Promise<RevenueDay[]>; freshUntilMs: number } | null = null

  constructor(reports: Pick<Reports, 'revenue'>) {
    this.#reports = reports
  }

  /**
   * The last seven UTC days, today first. Rejects when the database does not sum one of them in
   * time; what was summed by then is kept for the next who asks.
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
      days.push({ day, rows: await this.#of(day, now) })
    }
    for (const kept of this.#over.keys()) if (kept < days.at(-1)!.day) this.#over.delete(kept)
    return days
  }

  async #of(day: string, now: Date): Promise<readonly RevenueRow[]> {
    const known = this.#over.get(day)
    if (known) return known
    const from = new Date(day)
    const until = new Date(from.getTime() + DAY_MS)
    const rows = await this.#reports.revenue(from, until)
    if (now.getTime() > until.getTime() + LATE_MS) this.#over.set(day, rows)
    return rows
  }
}
