/** Counters of calls by outcome, and how fast they rose between two looks. */
import type { Metric } from '../wire/overview.ts'

export interface OutcomeRate {
  outcome: string
  count: number
  /** Null at the first look, and after the counters began anew. */
  perMinute: number | null
}

const MINUTE_MS = 60_000

export class OutcomeRates {
  #before: { atMs: number; counts: ReadonlyMap<string, number> } | null = null

  /** The outcomes, most frequent first. */
  next(metric: Metric | undefined, atMs: number): OutcomeRate[] {
    const counts = new Map<string, number>()
    for (const { labels, value } of metric?.values ?? []) {
      const outcome = labels['outcome'] ?? 'unknown'
      counts.set(outcome, (counts.get(outcome) ?? 0) + value)
    }
    const before = this.#before
    this.#before = { atMs, counts }
    const isRising =
      before !== null &&
      [...before.counts].every(([outcome, count]) => (counts.get(outcome) ?? 0) >= count)
    const perMinute = (outcome: string, count: number): number | null => {
      if (!isRising || atMs <= before.atMs) return null
      const rise = count - (before.counts.get(outcome) ?? 0)
      return Math.round((rise * MINUTE_MS * 10) / (atMs - before.atMs)) / 10
    }
    return [...counts]
      .map(([outcome, count]) => ({ outcome, count, perMinute: perMinute(outcome, count) }))
      .sort((a, b) => b.count - a.count)
  }
}
