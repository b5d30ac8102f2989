/**
 * The time by the database's clock, by which all instances agree on when something was offered and
 * when it ends, whatever their own clocks say.
 */
import { repeat, type Background, type Logger, type PluginDb } from '#kernel'

const LOOK_EVERY_MS = 10_000
/** An answer that took longer tells too little of when the clock was read. */
const ANSWER_MAX_MS = 1000

export class DatabaseClock {
  readonly #db: Pick<PluginDb, 'query'>
  /** What is added to `performance.now()`; null before the first look, when this machine's clock has to do. */
  #offsetMs: number | null = null

  constructor(db: Pick<PluginDb, 'query'>) {
    this.#db = db
  }

  /** Whole milliseconds since 1970. */
  nowMs(): number {
    return this.#offsetMs === null ? Date.now() : Math.round(performance.now() + this.#offsetMs)
  }

  now(): Date {
    return new Date(this.nowMs())
  }

  /** That clock's time at a moment of this machine's. */
  timeOf(moment: Date): Date {
    return new Date(moment.getTime() + this.nowMs() - Date.now())
  }

  /** Compares the clocks at once and then every few seconds; `name` says for whom. */
  follow(name: string, log: Logger): Background {
    const options = { name, everyMs: LOOK_EVERY_MS, atOnce: true, log }
    return repeat(options, () => this.look())
  }

  async look(): Promise<void> {
    const sentMs = performance.now()
    const [row] = await this.#db.query<{ nowMs: number }>(
      'SELECT (extract(epoch FROM now()) * 1000)::float8 AS "nowMs"',
    )
    const heardMs = performance.now()
    if (this.#offsetMs !== null && heardMs - sentMs > ANSWER_MAX_MS) return
    this.#offsetMs = row!.nowMs - (sentMs + heardMs) / 2
  }
}
