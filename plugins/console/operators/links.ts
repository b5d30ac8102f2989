/** One-time links that sign a browser in: single use, ten minutes, of which only a digest is kept. */
import { randomBytes } from 'node:crypto'
import type { Operator, PluginDb } from '#kernel'

const LASTS = '10 minutes'
const SECRET = /^[A-Za-z0-9_-]{43}$/

export class Links {
  readonly #db: PluginDb
  readonly #digest: Operator['digest']

  constructor(db: PluginDb, digest: Operator['digest']) {
    this.#db = db
    this.#digest = digest
  }

  /** The secret of a new link for this operator; null: the holder of the admin token. */
  async make(adminId: string | null): Promise<string> {
    const secret = randomBytes(32).toString('base64url')
    await this.#db.query('DELETE FROM link WHERE expires_at <= now()')
    await this.#db.query(
      'INSERT INTO link (digest, admin_id, expires_at) VALUES ($1, $2, now() + $3::interval)',
      [this.#digest(secret), adminId, LASTS],
    )
    return secret
  }

  /** Uses a link up; whose it was, or undefined when there is none (any more). */
  async redeem(secret: string): Promise<{ adminId: string | null } | undefined> {
    if (!SECRET.test(secret)) return undefined
    const [found] = await this.#db.query<{ adminId: string | null; isFresh: boolean }>(
      `DELETE FROM link WHERE digest = $1 RETURNING admin_id AS "adminId", expires_at > now() AS "isFresh"`,
      [this.#digest(secret)],
    )
    return found?.isFresh ? { adminId: found.adminId } : undefined
  }
}

/** The link itself. The secret stands behind '#', which no server, proxy or log sees. */
export function linkUrl(origin: string, basePath: string, secret: string): string {
  return `${origin}${basePath}#/sign-in/${secret}`
}
