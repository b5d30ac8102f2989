/**
 * Sessions of wallets: one proof bought a token that spends for some minutes, for callers who would
 * else sign and make two round trips for each call. The table has a digest of it only.
 */
import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CredentialSource, PluginDb } from '#kernel'
import type { DatabaseClock } from '../shared/storage/database-clock.ts'
import type { Wallet, Wallets } from './wallets.ts'

const PREFIX = 'cw_'
const BEARER = /^bearer +(cw_\S*)$/i
const TOKEN = /^cw_[A-Za-z0-9_-]{43}$/
const MAX_SESSIONS = 10_000

interface Session {
  subject: string
  accountId: string
  expiresAt: Date
}

/** The token that a request brings, in whatever shape; null: it brings none. */
export function sessionTokenOf(source: CredentialSource): string | null {
  return BEARER.exec(source.header('authorization')?.trim() ?? '')?.[1] ?? null
}

export class Sessions {
  readonly #db: PluginDb
  readonly #wallets: Wallets
  readonly #clock: Pick<DatabaseClock, 'nowMs'>
  /** A session never changes, and a wallet that was taken from its account is looked for each time. */
  readonly #known = new LRUCache<string, Session>({ max: MAX_SESSIONS })

  constructor(db: PluginDb, wallets: Wallets, clock: Pick<DatabaseClock, 'nowMs'>) {
    this.#db = db
    this.#wallets = wallets
    this.#clock = clock
  }

  /** A new session that lasts so long. */
  async begin(
    { subject, accountId }: Wallet,
    ttlMs: number,
  ): Promise<{ token: string; expiresAt: Date }> {
    const token = PREFIX + randomBytes(32).toString('base64url')
    const [row] = await this.#db.query<{ expiresAt: Date }>(
      `INSERT INTO session (digest, account_id, subject, expires_at)
       VALUES ($1, $2, $3, now() + $4::float8 * interval '1 millisecond') RETURNING expires_at AS "expiresAt"`,
      [digestOf(token), accountId, subject, ttlMs],
    )
    return { token, expiresAt: row!.expiresAt }
  }

  /** The wallet whose session runs under this token; null: none does. */
  async walletOf(token: string): Promise<Wallet | null> {
    const session = TOKEN.test(token) ? await this.#find(token) : null
    if (session === null || session.expiresAt.getTime() <= this.#clock.nowMs()) return null
    const wallet = await this.#wallets.of(session.subject)
    return wallet?.accountId === session.accountId ? wallet : null
  }

  async #find(token: string): Promise<Session | null> {
    const digest = digestOf(token)
    const name = digest.toString('base64')
    const known = this.#known.get(name)
    if (known) return known
    const [found] = await this.#db.query<Session>(
      `SELECT subject, account_id::text AS "accountId", expires_at AS "expiresAt"
       FROM session WHERE digest = $1 AND expires_at > now()`,
      [digest],
    )
    if (found) this.#known.set(name, found)
    return found ?? null
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
