/**
 * Operators with tokens of their own. Every instance keeps those in force in memory, so that a
 * wrong bearer asks no database; another instance's change is known here within FRESH_MS.
 */
import { createHash } from 'node:crypto'
import {
  generateCredential,
  isCredential,
  newId,
  OWNER,
  type OperatorDirectory,
  type OperatorIdentity,
  type OperatorRole,
  type PluginDb,
} from '#kernel'

/** The first letters of an operator's token, in the grammar of API keys: 'ca_live_…'. */
const LETTERS = 'ca'
const FRESH_MS = 1000

export interface Admin {
  id: string
  name: string
  role: OperatorRole
  madeBy: string
  createdAt: Date
  revokedAt: Date | null
  revokedBy: string | null
}

const COLUMNS = `id, name, role, made_by AS "madeBy", created_at AS "createdAt",
  revoked_at AS "revokedAt", revoked_by AS "revokedBy"`

export class Admins implements OperatorDirectory {
  readonly #db: PluginDb
  readonly #mode: 'live' | 'test'
  #known: { byDigest: Promise<ReadonlyMap<string, Admin>>; untilMs: number } | null = null

  constructor(db: PluginDb, sandbox: boolean) {
    this.#db = db
    this.#mode = sandbox ? 'test' : 'live'
  }

  async identify(bearer: string): Promise<(OperatorIdentity & { id: string }) | null> {
    if (!isCredential(LETTERS, bearer)) return null
    const found = (await this.#inForce()).get(digestOf(bearer))
    return found ? { id: found.id, name: found.name, role: found.role } : null
  }

  /** One in force; null: unknown or revoked. */
  async get(id: string): Promise<Admin | null> {
    for (const admin of (await this.#inForce()).values()) if (admin.id === id) return admin
    return null
  }

  list(): Promise<Admin[]> {
    return this.#db.query<Admin>(
      `SELECT ${COLUMNS} FROM admin ORDER BY revoked_at IS NOT NULL, created_at DESC LIMIT 500`,
    )
  }

  /** The token is returned once. 'taken': one in force has the name, or it is the admin token's. */
  async make(
    order: { name: string; role: OperatorRole },
    by: string,
  ): Promise<{ admin: Admin; token: string } | 'taken'> {
    if (order.name.toUpperCase() === OWNER.name) return 'taken'
    const token = generateCredential(LETTERS, this.#mode)
    const [admin] = await this.#db.query<Admin>(
      `INSERT INTO admin (id, name, role, digest, made_by) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
      [newId(), order.name, order.role, digestOf(token), by],
    )
    this.#known = null
    return admin ? { admin, token } : 'taken'
  }

  /** Ends the token, its sign-ins and its links. Null: unknown or revoked before. */
  async revoke(id: string, by: string): Promise<Admin | null> {
    const [admin] = await this.#db.transaction(async (tx) => {
      await tx.query('DELETE FROM session WHERE admin_id = $1', [id])
      await tx.query('DELETE FROM link WHERE admin_id = $1', [id])
      return tx.query<Admin>(
        `UPDATE admin SET revoked_at = now(), revoked_by = $2
         WHERE id = $1 AND revoked_at IS NULL RETURNING ${COLUMNS}`,
        [id, by],
      )
    })
    this.#known = null
    return admin ?? null
  }

  #inForce(): Promise<ReadonlyMap<string, Admin>> {
    const nowMs = performance.now()
    if (this.#known === null || nowMs > this.#known.untilMs) {
      const known = { byDigest: this.#read(), untilMs: nowMs + FRESH_MS }
      this.#known = known
      known.byDigest.catch(() => {
        if (this.#known === known) this.#known = null
      })
    }
    return this.#known.byDigest
  }

  async #read(): Promise<ReadonlyMap<string, Admin>> {
    const rows = await this.#db.query<Admin & { digest: string }>(
      `SELECT digest, ${COLUMNS} FROM admin WHERE revoked_at IS NULL`,
    )
    return new Map(rows.map(({ digest, ...admin }) => [digest, admin]))
  }
}

/** Tokens have 256 random bits, so a plain hash is enough. */
function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
