/**
 * Sign-ins of customers. The browser has a random secret, the table its hash; a session ends 12 hours
 * after its last use, 30 days after it began, and with the key that it was opened by.
 */
import { newId, type PluginDb } from '#kernel'
import { hashOf, newSecret } from './secrets.ts'

export type Way = 'key' | 'wallet' | 'email' | 'passkey'

export interface SessionRow {
  hash: string
  accountId: string
  keyId: string | null
  way: Way
}

/** A session as its owner sees it in a list; `id` opens nothing. */
export interface ListedSession {
  id: string
  way: Way
  keyId: string | null
  address: string
  agent: string
  createdAt: Date
  usedAt: Date
  isCurrent: boolean
}

/** Who signed in, and from where. */
export interface NewSession {
  accountId: string
  keyId: string | null
  way: Way
  address: string
  agent: string
}

const IDLE = '12 hours'
const LONGEST = '30 days'
/** A use within this time of the one before writes nothing. */
const NOTED_AFTER = '1 minute'
const AGENT_CHARACTERS = 200
const LIST_MAX = 100

/** Sign-ins whose time is over. */
export const ENDED_SESSIONS = { table: 'session', key: 'hash', isOver: 'expires_at <= now()' }

export class Sessions {
  readonly #db: PluginDb

  constructor(db: PluginDb) {
    this.#db = db
  }

  /** Begins a session; returns its secret for the cookie. */
  async begin(order: NewSession): Promise<string> {
    const { accountId, keyId, way, address, agent } = order
    const secret = newSecret()
    await this.#db.query(
      `INSERT INTO session (hash, id, account_id, key_id, way, address, agent, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8::interval)`,
      [hashOf(secret), newId(), accountId, keyId, way, address, shortAgent(agent), IDLE],
    )
    return secret
  }

  /** The session of this secret while it runs, which counts as a use; null: none. */
  async use(secret: string): Promise<SessionRow | null> {
    const hash = hashOf(secret)
    const [found] = await this.#db.query<SessionRow & { isStale: boolean }>(
      `SELECT hash, account_id AS "accountId", key_id AS "keyId", way,
         used_at < now() - $2::interval AS "isStale"
       FROM session WHERE hash = $1 AND expires_at > now()`,
      [hash, NOTED_AFTER],
    )
    if (!found) return null
    const { isStale, ...session } = found
    if (isStale) {
      await this.#db.query(
        `UPDATE session SET used_at = now(),
           expires_at = least(now() + $2::interval, created_at + $3::interval) WHERE hash = $1`,
        [hash, IDLE, LONGEST],
      )
    }
    return session
  }

  /** Gives a running session another secret, so that one which was read before is worth nothing. */
  async renew(hash: string): Promise<string> {
    const secret = newSecret()
    await this.#db.query('UPDATE session SET hash = $2 WHERE hash = $1', [hash, hashOf(secret)])
    return secret
  }

  async end(hash: string): Promise<void> {
    await this.#db.query('DELETE FROM session WHERE hash = $1', [hash])
  }

  /** Ends one of the account's, or of one key's alone. False: there is no such. */
  async endListed(accountId: string, id: string, keyId: string | null): Promise<boolean> {
    const ended = await this.#db.query(
      `DELETE FROM session WHERE account_id = $1 AND id = $2
         AND ($3::text IS NULL OR key_id = $3) RETURNING 1`,
      [accountId, id, keyId],
    )
    return ended.length > 0
  }

  /** Ends all of the account's, or of one key's alone, but the one that asks. */
  async endOthers(accountId: string, hash: string, keyId: string | null): Promise<number> {
    const ended = await this.#db.query(
      `DELETE FROM session WHERE account_id = $1 AND hash <> $2
         AND ($3::text IS NULL OR key_id = $3) RETURNING 1`,
      [accountId, hash, keyId],
    )
    return ended.length
  }

  /** Ends those that were opened this way, but the one that asks. */
  async endOthersOfWay(
    tx: Pick<PluginDb, 'query'>,
    accountId: string,
    way: Way,
    hash: string,
  ): Promise<void> {
    await tx.query('DELETE FROM session WHERE account_id = $1 AND way = $2 AND hash <> $3', [
      accountId,
      way,
      hash,
    ])
  }

  /** Ends those that were opened this way. */
  async endOfWay(accountId: string, way: Way): Promise<void> {
    await this.#db.query('DELETE FROM session WHERE account_id = $1 AND way = $2', [accountId, way])
  }

  /** Ends those that keys opened. */
  async endOfKeys(accountId: string): Promise<void> {
    await this.#db.query('DELETE FROM session WHERE account_id = $1 AND key_id IS NOT NULL', [
      accountId,
    ])
  }

  /** Newest first; of one key alone where `keyId` says so. */
  list(accountId: string, hash: string, keyId: string | null): Promise<ListedSession[]> {
    return this.#db.query<ListedSession>(
      `SELECT id, way, key_id AS "keyId", address, agent, created_at AS "createdAt",
         used_at AS "usedAt", hash = $2 AS "isCurrent"
       FROM session
       WHERE account_id = $1 AND expires_at > now() AND ($3::text IS NULL OR key_id = $3)
       ORDER BY created_at DESC LIMIT ${LIST_MAX}`,
      [accountId, hash, keyId],
    )
  }
}

function shortAgent(agent: string): string {
  return agent.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, AGENT_CHARACTERS)
}
