/**
 * Short-lived service-account tokens: an API key exchanged for a JWT that is accepted wherever the key is
 * and dies with it. `host/access-tokens` signs and verifies them.
 */
import type { JSONWebKeySet } from 'jose'
import type { Database } from '../storage/contract.ts'
import type { Vault } from './secrets.ts'

export interface TokenService {
  /** How long a token is valid. */
  readonly lifetimeS: number
  /** A token for the key, and when it ends. */
  issue(keyId: string): Promise<{ token: string; expiresAt: Date }>
  /** The key id of a token that is ours and valid now, or why not (fit for the caller). */
  verify(token: string): Promise<{ ok: true; keyId: string } | { ok: false; message: string }>
  /** The document of /.well-known/jwks.json (RFC 7517). */
  jwks(): JSONWebKeySet
}

/**
 * Tokens of `issuer`, signed by the key of this database. Throws when the master key of this instance
 * is not that of the others.
 */
export type OpenTokenService = (deps: {
  db: Pick<Database, 'sql'>
  vault: Vault
  issuer: string
}) => Promise<TokenService>
