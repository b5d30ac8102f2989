/** Requests of clients that wait for a person's answer; known by a random id, of which a digest is kept. */
import type { PluginDb, PluginTx } from '#kernel'
import { digestOf, randomText } from '../secrets.ts'

const LIFE = '10 minutes'
const ID = /^[A-Za-z0-9_-]{43}$/
const COLUMNS = `client_id AS "clientId", redirect_uri AS "redirectUri", state, challenge, scope`

export interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  state: string | null
  /** S256 of the verifier that the token endpoint will ask for. */
  challenge: string
  scope: string
}

export class Requests {
  readonly #db: PluginDb

  constructor(db: PluginDb) {
    this.#db = db
  }

  /** Its id, which lives for ten minutes. */
  async add(request: AuthorizationRequest): Promise<string> {
    const id = randomText()
    await this.#db.query(
      `INSERT INTO oauth_request (hash, client_id, redirect_uri, state, challenge, scope, ends_at)
       VALUES ($1, $2, $3, $4, $5, $6, now() + $7::interval)`,
      [
        digestOf(id),
        request.clientId,
        request.redirectUri,
        request.state,
        request.challenge,
        request.scope,
        LIFE,
      ],
    )
    return id
  }

  /** The request for this session, which owns it if none did before; null: not there, or another's. */
  async open(id: string, sessionHash: string): Promise<AuthorizationRequest | null> {
    if (!ID.test(id)) return null
    const [row] = await this.#db.query<AuthorizationRequest>(
      `UPDATE oauth_request SET session_hash = $2
       WHERE hash = $1 AND ends_at > now() AND (session_hash IS NULL OR session_hash = $2)
       RETURNING ${COLUMNS}`,
      [digestOf(id), sessionHash],
    )
    return row ?? null
  }

  /** Takes it out: it is answered once. Null: not there, or another session's. */
  async take(id: string, sessionHash: string, tx: PluginTx): Promise<AuthorizationRequest | null> {
    if (!ID.test(id)) return null
    const [row] = await tx.query<AuthorizationRequest>(
      `DELETE FROM oauth_request WHERE hash = $1 AND session_hash = $2 AND ends_at > now()
       RETURNING ${COLUMNS}`,
      [digestOf(id), sessionHash],
    )
    return row ?? null
  }
}
