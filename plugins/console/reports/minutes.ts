/** Paid calls of the last hour by minute, over all instances: charged, and failed without a charge. */
import type { Reports } from '#kernel'

export interface Minute {
  at: Date
  charged: number
  uncharged: number
}

const MINUTES = 60
const MINUTE_MS = 60_000
const FRESH_MS = 5000

export class Minutes {
  readonly #reports: Pick<Reports, 'minutes' | 'rails'>
  #kept: { atMs: number; minutes: Promise<Minute[]> } | null = null

  constructor(reports: Pick<Reports, 'minutes' | 'rails'>) {
    this.#reports = reports
  }

  /** Sixty minutes, the one under way last. Rejects when they cannot be read. */
  of(now: Date): Promise<Minute[]> {
    const atMs = now.getTime()
    // The clock may have been set back since.
    if (this.#kept === null || Math.abs(atMs - this.#kept.atMs) > FRESH_MS) {
      const kept = { atMs, minutes: this.#count(now) }
      this.#kept = kept
      kept.minutes.catch(() => {
        if (this.#kept === kept) this.#kept = null
      })
    }
    return this.#kept.minutes
  }

  async #count(now: Date): Promise<Minute[]> {
    const newest = Math.floor(now.getTime() / MINUTE_MS)
    const oldest = newest - MINUTES + 1
    const since = new Date(oldest * MINUTE_MS)
    const [inLedger, ...others] = await Promise.all([
      this.#reports.minutes(since),
      ...this.#reports.rails().map(({ calls }) => calls?.uncharged?.(since) ?? []),
    ])
    const counted = Array.from({ length: MINUTES }, (_, index) => ({
      at: new Date((oldest + index) * MINUTE_MS),
      charged: 0,
      uncharged: 0,
    }))
    const add = (minute: number, charged: number, uncharged: number): void => {
      const sum = counted[minute - oldest]
      if (!sum) return
      sum.charged += charged
      sum.uncharged += uncharged
    }
    for (const { minute, charged, uncharged } of inLedger) add(minute, charged, uncharged)
    for (const { minute, calls } of others.flat()) add(minute, 0, calls)
    return counted
  }
}
