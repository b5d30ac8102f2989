/** What an access token stands for, at most a second old; the end of a grant drops it at once. */
import { FreshCache, isCredential, type KeyDirectory, type PluginDb, type Signals } from '#kernel'
import { digestOf } from '../secrets.ts'
import { ACCESS_LETTERS } from './pairs.ts'

/** Names the signal by which instances tell each other that a grant's tokens are other ones. */
const ENDED = 'ended'

export interface Access {
  /** The grant's key. */
  keyId: string
  clientId: string
  scope: string
  /** By the clock of `performance.now()`, from the time that the database says is left. */
  endsAtMs: number
}

export class AccessTokens {
  readonly #found: FreshCache<Access>
  readonly #signals: Signals

  constructor(db: PluginDb, keys: KeyDirectory, signals: Signals) {
    this.#found = new FreshCache((hash) => load(db, keys, hash))
    this.#signals = signals
  }

  /** Follows what the other instances dropped; resolves with the end of following. */
  follow(): Promise<() => Promise<void>> {
    return this.#signals.listen(ENDED, (grantId) => this.#found.forget(grantId))
  }

  /** Null: malformed, unknown, expired, or its grant has ended. */
  async find(token: string): Promise<Access | null> {
    if (!isCredential(ACCESS_LETTERS, token)) return null
    const found = await this.#found.get(digestOf(token))
    return found !== null && found.endsAtMs > performance.now() ? found : null
  }

  /** Another look at every token of the grant: here from now on, elsewhere when the signal is there. */
  async drop(grantId: string): Promise<void> {
    this.#found.forget(grantId)
    await this.#signals.notify(ENDED, grantId)
  }
}

async function load(db: PluginDb, keys: KeyDirectory, hash: string): Promise<Access | null> {
  const askedAtMs = performance.now()
  const [row] = await db.query<Omit<Access, 'endsAtMs'> & { leftMs: number }>(
    `SELECT t.grant_id AS "keyId", g.client_id AS "clientId", t.scope,
       (extract(epoch FROM t.ends_at - now()) * 1000)::float8 AS "leftMs"
     FROM oauth_token t JOIN oauth_grant g ON g.key_id = t.grant_id
     WHERE t.hash = $1 AND t.kind = 'access' AND t.ends_at > now() AND g.ended_at IS NULL`,
    [hash],
  )
  if (row === undefined) return null
  const { leftMs, ...access } = row
  const key = await keys.find(access.keyId)
  if (key === null || key.revokedAt !== null) return null
  return { ...access, endsAtMs: askedAtMs + leftMs }
}
