/**
 * Sign-ins of operators, in the database: every instance knows them, signing out ends them for all,
 * and another admin token leaves none. The browser has a random secret, the table only a digest.
 */
import { randomBytes } from 'node:crypto'
import type { Operator, PluginDb } from '#kernel'

/** A session ends when it was not used for this long, and after LONGEST in any case. */
const IDLE = '12 hours'
const LONGEST = '7 days'
/** A use this late extends it, so that not every use writes. */
const EXTENDED_BELOW = '11 hours'
const SECRET = /^[A-Za-z0-9_-]{43}$/

export class Sessions {
  readonly #db: PluginDb
  readonly #digest: Operator['digest']

  constructor(db: PluginDb, digest: Operator['digest']) {
    this.#db = db
    this.#digest = digest
  }

  /** Begins a session; returns its secret for the cookie. Removes those that have ended. */
  async begin(): Promise<string> {
    const secret = randomBytes(32).toString('base64url')
    await this.#db.query('DELETE FROM session WHERE expires_at <= now()')
    await this.#db.query(
      `INSERT INTO session (digest, expires_at) VALUES ($1, now() + $2::interval)`,
      [this.#digest(secret), IDLE],
    )
    return secret
  }

  /** Whether the session of this secret still runs; using it keeps it running. */
  async use(secret: string | null): Promise<boolean> {
    if (secret === null || !SECRET.test(secret)) return false
    const digest = this.#digest(secret)
    const [found] = await this.#db.query<{ isAging: boolean }>(
      `SELECT expires_at < least(now() + $2::interval, created_at + $3::interval) AS "isAging"
       FROM session WHERE digest = $1 AND expires_at > now()`,
      [digest, EXTENDED_BELOW, LONGEST],
    )
    if (found?.isAging) {
      await this.#db.query(
        `UPDATE session SET expires_at = least(now() + $2::interval, created_at + $3::interval)
         WHERE digest = $1`,
        [digest, IDLE, LONGEST],
      )
    }
    return found !== undefined
  }

  async end(secret: string | null): Promise<void> {
    if (secret === null || !SECRET.test(secret)) return
    await this.#db.query('DELETE FROM session WHERE digest = $1', [this.#digest(secret)])
  }
}
