/**
 * Short-lived service-account tokens: an API key is exchanged for a JWT that is accepted wherever
 * the key is and ends with it. `host/access-tokens` signs and verifies them.
 */
import type { JSONWebKeySet } from 'jose'
import type { Database } from '../storage/contract.ts'
import type { Vault } from './secrets.ts'

export interface TokenService {
  /** How long a token is valid. */
  readonly lifetimeS: number
  /** A token for the key, and when it ends. */
  issue(keyId: string): Promise<{ token: string; expiresAt: Date }>
  /** The key id of a valid token of this gateway, or why it is invalid (for the caller). */
  verify(token: string): Promise<{ ok: true; keyId: string } | { ok: false; message: string }>
  /** The document of /.well-known/jwks.json (RFC 7517). */
  jwks(): JSONWebKeySet
}

/**
 * Opens the service for tokens of `issuer`, signed by the key of this database. Throws if the
 * master key of this instance differs from that of the others.
 */
export type OpenTokenService = (deps: {
  db: Pick<Database, 'sql'>
  vault: Vault
  issuer: string
}) => Promise<TokenService>
