/** How often something may happen, counted for all instances together (GCRA, one statement). */
import type { PluginDb } from '#kernel'

export interface Rate {
  /** At once after a pause. */
  burst: number
  /** Over time. */
  perMinute: number
}

export class Rates {
  readonly #db: PluginDb

  constructor(db: PluginDb) {
    this.#db = db
  }

  /** Takes one of `subject`'s; returns the seconds to wait when there is none left, else null. */
  async take(subject: string, { burst, perMinute }: Rate): Promise<number | null> {
    const stepS = 60 / perMinute
    const [taken] = await this.#db.query<{ waitS: number | null }>(
      `WITH taken AS (
         INSERT INTO oauth_rate AS r (subject, full_at) VALUES ($1, now() + $2 * interval '1 second')
         ON CONFLICT (subject) DO UPDATE
           SET full_at = greatest(r.full_at, now()) + $2 * interval '1 second'
           WHERE greatest(r.full_at, now()) + $2 * interval '1 second' <= now() + $3 * interval '1 second'
         RETURNING 1)
       SELECT CASE WHEN EXISTS (SELECT FROM taken) THEN NULL ELSE
         COALESCE(ceil(extract(epoch FROM (SELECT full_at FROM oauth_rate WHERE subject = $1) - now())
           + $2 - $3)::int, 1)
       END AS "waitS"`,
      [subject, stepS, burst * stepS],
    )
    return taken?.waitS === null || taken === undefined ? null : Math.max(1, taken.waitS)
  }
}
