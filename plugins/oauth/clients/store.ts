/** Clients in the plugin's tables. */
import type { PluginDb } from '#kernel'
import { databaseTime } from '../../shared/storage/database-time.ts'
import type { Client } from './client.ts'

const COLUMNS = `id, kind, name, redirect_uris AS "redirectUris", auth_method AS "authMethod",
  jwks_uri AS "jwksUri", jwks`

export interface StoredClient extends Client {
  /** False: its document is due to be fetched again. */
  isFresh: boolean
  /** Due, but not for long: good enough when the document cannot be asked for. */
  isUsable: boolean
}

export class ClientStore {
  readonly #db: PluginDb

  constructor(db: PluginDb) {
    this.#db = db
  }

  async get(id: string): Promise<StoredClient | null> {
    const [row] = await this.#db.query<StoredClient>(
      `SELECT ${COLUMNS}, kind = 'registered' OR fresh_until > now() AS "isFresh",
         kind = 'registered' OR fresh_until > now() - interval '1 day' AS "isUsable"
       FROM oauth_client WHERE id = $1`,
      [id],
    )
    return row ?? null
  }

  async register(client: Pick<Client, 'id' | 'name' | 'redirectUris'>): Promise<void> {
    await this.#db.query(
      `INSERT INTO oauth_client (id, kind, name, redirect_uris, auth_method)
       VALUES ($1, 'registered', $2, $3::text::jsonb, 'none')`,
      [client.id, client.name, JSON.stringify(client.redirectUris)],
    )
  }

  /** Keeps what a document says, for `freshS` seconds. */
  async keep(client: Client, freshS: number): Promise<void> {
    await this.#db.query(
      `INSERT INTO oauth_client (id, kind, name, redirect_uris, auth_method, jwks_uri, jwks,
         fetched_at, fresh_until)
       VALUES ($1, 'document', $2, $3::text::jsonb, $4, $5, $6::text::jsonb, now(),
         now() + $7 * interval '1 second')
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, redirect_uris = excluded.redirect_uris,
         auth_method = excluded.auth_method, jwks_uri = excluded.jwks_uri, jwks = excluded.jwks,
         fetched_at = excluded.fetched_at, fresh_until = excluded.fresh_until`,
      [
        client.id,
        client.name,
        JSON.stringify(client.redirectUris),
        client.authMethod,
        client.jwksUri,
        client.jwks === null ? null : JSON.stringify(client.jwks),
        freshS,
      ],
    )
  }

  /** By it assertions are remembered and forgotten. */
  clock(): Promise<Date> {
    return databaseTime(this.#db)
  }

  /** Remembers an assertion of a client until it ends; false: it came before. */
  async takeAssertion(clientId: string, jtiHash: string, endsAt: Date): Promise<boolean> {
    const taken = await this.#db.query(
      `INSERT INTO oauth_assertion (client_id, jti_hash, ends_at) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING RETURNING 1`,
      [clientId, jtiHash, endsAt],
    )
    return taken.length > 0
  }
}
