/**
 * Sign-ins of operators, in the database: every instance knows them, signing out ends them for all,
 * and another admin token leaves none. The browser has a random secret, the table only a digest.
 */
import { randomBytes } from 'node:crypto'
import {
  fail,
  OWNER,
  type Failure,
  type Operator,
  type OperatorIdentity,
  type OperatorRole,
  type PluginDb,
} from '#kernel'
import { REASONS } from './reasons.ts'

/** A session ends when it was not used for this long, and after LONGEST in any case. */
const IDLE = '12 hours'
const LONGEST = '7 days'
/** A use this late extends it, so that not every use writes. */
const EXTENDED_BELOW = '11 hours'
const SECRET = /^[A-Za-z0-9_-]{43}$/

/** Whether it is the holder of the admin token; nobody else has that name. */
export function isHolder(operator: OperatorIdentity | undefined): boolean {
  return operator?.name === OWNER.name
}

/** For an operator whom the console does not know: another plugin's, or one made or revoked just now. */
export function notOfConsole({ name }: OperatorIdentity): Failure {
  return fail('INVALID_INPUT', `The console knows no operator ${name} in force`, {
    status: 403,
    details: { reason: REASONS.not_of_console },
  })
}

export class Sessions {
  readonly #db: PluginDb
  readonly #digest: Operator['digest']

  constructor(db: PluginDb, digest: Operator['digest']) {
    this.#db = db
    this.#digest = digest
  }

  /**
   * Begins a session of an operator (null: the holder of the admin token); returns its secret for
   * the cookie. Removes those that have ended.
   */
  async begin(adminId: string | null): Promise<string> {
    const secret = randomBytes(32).toString('base64url')
    await this.#db.query('DELETE FROM session WHERE expires_at <= now()')
    await this.#db.query(
      `INSERT INTO session (digest, expires_at, admin_id) VALUES ($1, now() + $2::interval, $3)`,
      [this.#digest(secret), IDLE, adminId],
    )
    return secret
  }

  /** Whose session this secret is of; null: of none that still runs. Using it keeps it running. */
  async use(secret: string | null): Promise<(OperatorIdentity & { id: string | null }) | null> {
    if (secret === null || !SECRET.test(secret)) return null
    const digest = this.#digest(secret)
    const [found] = await this.#db.query<{
      isAging: boolean
      adminId: string | null
      name: string | null
      role: OperatorRole | null
    }>(
      `SELECT s.expires_at < least(now() + $2::interval, s.created_at + $3::interval) AS "isAging",
         s.admin_id AS "adminId", a.name, a.role
       FROM session s LEFT JOIN admin a ON a.id = s.admin_id AND a.revoked_at IS NULL
       WHERE s.digest = $1 AND s.expires_at > now() AND (s.admin_id IS NULL OR a.id IS NOT NULL)`,
      [digest, EXTENDED_BELOW, LONGEST],
    )
    if (found?.isAging) {
      await this.#db.query(
        `UPDATE session SET expires_at = least(now() + $2::interval, created_at + $3::interval)
         WHERE digest = $1`,
        [digest, IDLE, LONGEST],
      )
    }
    if (!found) return null
    const { adminId, name, role } = found
    if (adminId === null || name === null || role === null) return { id: null, ...OWNER }
    return { id: adminId, name, role }
  }

  async end(secret: string | null): Promise<void> {
    if (secret === null || !SECRET.test(secret)) return
    await this.#db.query('DELETE FROM session WHERE digest = $1', [this.#digest(secret)])
  }
}
