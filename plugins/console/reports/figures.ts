/** Calls, errors, durations and revenue of the last hour, day, week or month, as rows and over time. */
import type { PluginDb } from '#kernel'
import { percentile } from '../requests/durations.ts'
import { addedUp, type Revenue, type RevenueSum } from './revenue.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The spans of time, each in steps that give 24 to 60 places on a chart. */
export const WINDOWS = {
  '1h': { spanMs: HOUR_MS, stepMs: MINUTE_MS, grain: 'minute' },
  '24h': { spanMs: 24 * HOUR_MS, stepMs: HOUR_MS, grain: 'hour' },
  '7d': { spanMs: 7 * 24 * HOUR_MS, stepMs: 6 * HOUR_MS, grain: 'hour' },
  '30d': { spanMs: 30 * 24 * HOUR_MS, stepMs: 24 * HOUR_MS, grain: 'hour' },
} as const
export type WindowName = keyof typeof WINDOWS
export const WINDOW_NAMES = Object.keys(WINDOWS) as WindowName[]
export type Mode = 'live' | 'test'

export interface SkillFigures {
  /** '' for requests to no skill: documents, admin routes, paths where nothing is. */
  skill: string
  mode: Mode
  calls: number
  /** Answered with 402: nothing was paid. */
  unpaid: number
  /** Refused with another status below 500. */
  refused: number
  /** Answered with 500 or more. */
  failed: number
  /** Of the answers below 400. */
  p50Ms: number | null
  p95Ms: number | null
  /** Requests without a row, because too many came at once. */
  notKept: number
}
export interface Earned {
  name: string
  /** Of a key. */
  id: string | null
  mode: Mode
  calls: number
  chargedAtomic: bigint
  refundedAtomic: bigint
}
export interface Step {
  at: Date
  answered: number
  unpaid: number
  refused: number
  failed: number
  earnedAtomic: bigint
}
export interface Figures {
  from: Date
  until: Date
  stepMs: number
  skills: SkillFigures[]
  earnings: { skills: Earned[]; rails: Earned[]; keys: Earned[] }
  steps: Step[]
  /** Hours whose revenue is not summed yet. */
  missingHours: number
}

interface Counted {
  at: Date
  skill: string
  mode: Mode
  status: number
  calls: number
  kept: number
}

export class FigureReports {
  readonly #db: PluginDb
  readonly #revenue: Revenue
  readonly #sandbox: boolean

  constructor(db: PluginDb, revenue: Revenue, sandbox: boolean) {
    this.#db = db
    this.#revenue = revenue
    this.#sandbox = sandbox
  }

  /** `mode` null: test and live beside each other. Whole steps, the one under way last. */
  async of(window: WindowName, mode: Mode | null, now: Date): Promise<Figures> {
    const { spanMs, stepMs, grain } = WINDOWS[window]
    const untilMs = (Math.floor(now.getTime() / stepMs) + 1) * stepMs
    const from = new Date(untilMs - spanMs)
    const [counts, durations, revenue] = await Promise.all([
      this.#db.query<Counted>(
        `SELECT date_bin($3::interval, at, $2) AS at, skill, mode, status,
           sum(calls)::float8 AS calls, sum(kept)::float8 AS kept
         FROM tally WHERE grain = $1 AND at >= $2 AND ($4::text IS NULL OR mode = $4)
         GROUP BY 1, 2, 3, 4`,
        [grain, from, `${stepMs / 1000} seconds`, mode],
      ),
      this.#db.query<{ skill: string; mode: Mode; counts: number[] }>(
        `SELECT skill, mode, array_agg(n ORDER BY step) AS counts FROM (
           SELECT skill, mode, step, sum(n)::float8 AS n
           FROM tally, unnest(durations) WITH ORDINALITY AS d (n, step)
           WHERE grain = $1 AND at >= $2 AND status < 400 AND ($3::text IS NULL OR mode = $3)
           GROUP BY skill, mode, step) s
         GROUP BY skill, mode`,
        [grain, from, mode],
      ),
      this.#earned(window, from, now),
    ])
    const rows = revenue.hours.flatMap((hour) =>
      hour.rows
        .filter((row) => mode === null || this.#modeOf(row) === mode)
        .map((row) => ({ at: hour.at, row })),
    )
    return {
      from,
      until: new Date(untilMs),
      stepMs,
      skills: skillsOf(counts, durations),
      earnings: this.#earnings(rows.map(({ row }) => row)),
      steps: stepsOf(from.getTime(), untilMs, stepMs, counts, rows),
      missingHours: revenue.missing,
    }
  }

  /** The kept sums know no minutes. */
  #earned(window: WindowName, from: Date, now: Date): ReturnType<Revenue['since']> {
    return window === '1h' ? this.#revenue.minutes(from, now) : this.#revenue.since(from, now)
  }

  #modeOf({ mode }: RevenueSum): Mode {
    return mode ?? (this.#sandbox ? 'test' : 'live')
  }

  #earnings(rows: readonly RevenueSum[]): Figures['earnings'] {
    const by = (nameOf: (row: RevenueSum) => string, idOf: (row: RevenueSum) => string | null) =>
      addedUp(rows, (row) => `${this.#modeOf(row)} ${idOf(row) ?? ''} ${nameOf(row)}`).map(
        ({ row, calls, chargedAtomic, refundedAtomic }) => ({
          name: nameOf(row),
          id: idOf(row),
          mode: this.#modeOf(row),
          calls,
          chargedAtomic,
          refundedAtomic,
        }),
      )
    return {
      skills: by(
        ({ skill }) => skill,
        () => null,
      ),
      rails: by(
        ({ rail }) => rail,
        () => null,
      ),
      keys: by(
        ({ key, keyName }) => keyName ?? (key === null ? 'no key' : key),
        ({ key }) => key,
      ).slice(0, 100),
    }
  }
}

function skillsOf(
  counts: readonly Counted[],
  durations: readonly { skill: string; mode: Mode; counts: number[] }[],
): SkillFigures[] {
  const found = new Map<string, SkillFigures>()
  for (const { skill, mode, status, calls, kept } of counts) {
    const name = `${mode} ${skill}`
    let sum = found.get(name)
    if (!sum) {
      const measured = durations.find((one) => one.skill === skill && one.mode === mode)?.counts
      sum = {
        skill,
        mode,
        calls: 0,
        unpaid: 0,
        refused: 0,
        failed: 0,
        p50Ms: measured ? percentile(measured, 0.5) : null,
        p95Ms: measured ? percentile(measured, 0.95) : null,
        notKept: 0,
      }
      found.set(name, sum)
    }
    sum.calls += calls
    const kind = kindOf(status)
    if (kind !== 'answered') sum[kind] += calls
    // Answered reads of documents have no rows in any case.
    if (skill !== '' || status >= 400) sum.notKept += calls - kept
  }
  return [...found.values()].toSorted((a, b) => b.calls - a.calls)
}

function kindOf(status: number): 'answered' | 'unpaid' | 'refused' | 'failed' {
  if (status < 400) return 'answered'
  if (status === 402) return 'unpaid'
  return status < 500 ? 'refused' : 'failed'
}

function stepsOf(
  fromMs: number,
  untilMs: number,
  stepMs: number,
  counts: readonly Counted[],
  earned: readonly { at: Date; row: RevenueSum }[],
): Step[] {
  const steps: Step[] = []
  for (let at = fromMs; at < untilMs; at += stepMs)
    steps.push({
      at: new Date(at),
      answered: 0,
      unpaid: 0,
      refused: 0,
      failed: 0,
      earnedAtomic: 0n,
    })
  const stepAt = (at: Date): Step | undefined => steps[Math.floor((at.getTime() - fromMs) / stepMs)]
  for (const { at, skill, status, calls } of counts) {
    const step = stepAt(at)
    if (step && skill !== '') step[kindOf(status)] += calls
  }
  for (const { at, row } of earned) {
    const step = stepAt(at)
    if (step) step.earnedAtomic += BigInt(row.charged) - BigInt(row.refunded)
  }
  return steps
}
