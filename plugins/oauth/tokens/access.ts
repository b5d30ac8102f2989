/** What an access token stands for, at most a second old; the end of a grant drops it at once. */
import { FreshCache, isCredential, type KeyDirectory, type PluginDb } from '#kernel'
import { digestOf } from '../secrets.ts'
import { ACCESS_LETTERS } from './pairs.ts'

export interface Access {
  /** The grant's key. */
  keyId: string
  clientId: string
  scope: string
  endsAt: Date
}

export class AccessTokens {
  readonly #found: FreshCache<Access>

  constructor(db: PluginDb, keys: KeyDirectory) {
    this.#found = new FreshCache((hash) => load(db, keys, hash))
  }

  /** Null: malformed, unknown, expired, or its grant has ended. */
  async find(token: string): Promise<Access | null> {
    if (!isCredential(ACCESS_LETTERS, token)) return null
    const found = await this.#found.get(digestOf(token))
    return found !== null && found.endsAt.getTime() > Date.now() ? found : null
  }

  /** Another look at every token of the grant. */
  forget(grantId: string): void {
    this.#found.forget(grantId)
  }
}

async function load(db: PluginDb, keys: KeyDirectory, hash: string): Promise<Access | null> {
  const [row] = await db.query<Access>(
    `SELECT t.grant_id AS "keyId", g.client_id AS "clientId", t.scope, t.ends_at AS "endsAt"
     FROM oauth_token t JOIN oauth_grant g ON g.key_id = t.grant_id
     WHERE t.hash = $1 AND t.kind = 'access' AND t.ends_at > now() AND g.ended_at IS NULL`,
    [hash],
  )
  if (row === undefined) return null
  const key = await keys.find(row.keyId)
  return key !== null && key.revokedAt === null ? row : null
}
