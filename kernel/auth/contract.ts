/** The contract of keys and credentials for the rest of the kernel. */
import type { Failure } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import type { SqlClient } from '../storage/contract.ts'
import type { CredentialSource } from './credential-source.ts'
import type { KeyTerms } from './key-terms.ts'
import type { Operators } from './operators.ts'

export type { CredentialSource } from './credential-source.ts'

export interface KeyLimits {
  rpmLimit: number | null
  burstLimit: number | null
  /** Ids of the products that the key may buy; null: all products. */
  products: readonly string[] | null
}

export interface KeyRecord extends KeyTerms, KeyLimits {
  id: string
  /** The account whose balance the key spends; it never changes. */
  accountId: string
  name: string
  mode: 'live' | 'test'
  /** A grant is a key without a secret, used through another credential that stands for it. */
  kind: 'key' | 'grant'
  /** 'operator', or the id of the plugin that made the key. */
  madeBy: string
  /** The key in whose session a grant was made; the grant ends with it. */
  parentKeyId: string | null
  /** The public prefix of the newest credential: 'ck_live_AbCdEfGhIjKl'; null for a grant. */
  prefix: string | null
  createdAt: Date
  revokedAt: Date | null
}

/** Why a credential was rejected. */
export type IdentityRefusal = Failure & {
  /** The failure is a 402 and is answered with offers. */
  offer?: true
}

export interface Authenticator {
  /**
   * Identity of the presented API key, JWT or service token (`X-Api-Key`, `Authorization: Bearer`,
   * `X-Kernel-Service-Token` + `X-Kernel-Api-Key-Id`); without any of these, of a credential that a
   * plugin's identifier reads. Null if none is presented; 401 `invalid_key` for a malformed,
   * unknown or revoked one, 401 `key_expired`, 403 `origin_not_allowed`. `place` absent: nothing is
   * called yet, so credentials of identifiers, which may be valid for one place only, are not read.
   * Rows are cached ≤ 1 s and dropped at once by NOTIFY.
   */
  identify(
    source: CredentialSource,
    place?: CallPlace,
  ): Promise<{ ok: true; identity: Identity | null } | IdentityRefusal>
  /** Whether there is a credential; if not, `identify` would return null. */
  presents(source: CredentialSource): boolean
  /**
   * Identity of a key that the gateway itself acts for, without a check of the caller's address
   * (skill credentials); null if unknown, revoked or expired.
   */
  identityOf(keyId: string, via: Identity['via']): Promise<Identity | null>
  /**
   * Identity of a key that a plugin's credential stands for, in a request from `clientAddress`;
   * with null, the caller has authority over the key and is not bound to its networks.
   */
  identifyAs(
    keyId: string,
    via: Identity['via'],
    clientAddress: string | null,
  ): Promise<{ ok: true; identity: Identity } | Failure>
  /** Identifies who may use admin routes, by name and role. */
  readonly operators: Operators
}

export interface CallLimits {
  /** Calls per minute, sustained. */
  rpm: number
  /** Calls at once after a pause. */
  burst: number
}
export interface RateDecision {
  allowed: boolean
  limit: number
  burst: number
  /** Calls left in the burst at this moment. */
  remaining: number
  /** Time until the next call would be allowed; 0 if this one was. */
  retryAfterMs: number
}
/** Counts calls against limits; implemented by `host/rate-limits`. */
export interface RateLimiter {
  /** Takes one token of `subject` (key id, payer or address), exactly across instances. */
  take(subject: string, limits: CallLimits): Promise<RateDecision>
}

export interface SharedRateLimiter extends RateLimiter {
  /** Ends the background sweep; resolves when its last statement has ended. */
  close(): Promise<void>
}

/** A limiter over the shared buckets of this database; logs when it must limit on its own. */
export type CreateRateLimiter = (sql: SqlClient, log: Logger) => SharedRateLimiter

/** The identified API key of a caller, or the key that its credential stands for. */
export interface Identity {
  keyId: string
  accountId: string
  name: string
  mode: 'live' | 'test'
  rpmLimit: number | null
  burstLimit: number | null
  /** The account was opened on behalf of a payer: free calls and tiers do not apply to it. */
  isPayersOwn?: boolean
  /** Ids of the products that the key may buy; absent or null: all products. */
  products?: readonly string[] | null
  /** Ids of the skills that the key may buy; absent: all skills. */
  skills?: readonly string[]
  /** 'key', 'jwt', 'service', 'skill', or the `via` of a plugin's identifier. */
  via: string
  /**
   * Uses up a one-time credential when the call is about to be authorized; returns the refusal if
   * another call has used it. Absent: the credential can be used repeatedly.
   */
  takeOnce?(): Promise<Failure | null>
}

/**
 * A plugin's way to identify callers, besides API keys: its credential stands for a key of the
 * gateway, mostly one without a secret of its own.
 */
export interface Identifier {
  /**
   * Headers that carry its credential: CORS allows them, and skills and upstreams never see them.
   * If it lists some, it is asked only about requests with one of them, Authorization, Cookie or
   * MCP `_meta`.
   */
  requestHeaders?: readonly { name: string; description: string }[]
  /** The `via` of its callers' identities; default 'plugin'. */
  via?: Identity['via']
  /** Whether the request carries its credential. */
  presents(source: CredentialSource): boolean
  /** `found` is null if the credential is not this identifier's. Never throws for bad input. */
  identify(
    source: CredentialSource,
    place: CallPlace,
  ): Promise<
    | {
        ok: true
        found: { keyId: string; takeOnce?: Identity['takeOnce'] } | null
      }
    | {
        ok: false
        failure: Failure
        /** Whether the refusal is a 402 with fresh offers. */
        offer: boolean
      }
  >
}

/** Where a call goes, as its caller addressed it. */
export interface CallPlace {
  transport: 'http' | 'mcp'
  /** 'GET', 'POST' and so on; always 'POST' for a tool call. */
  method: string
  /** Path with query, below PUBLIC_URL; `mcp://tool/<name>` for a tool. */
  target: string
  /**
   * SHA-256 in base64 of the body as received, or of a tool call's arguments as canonical JSON;
   * null if there is no body or it is long. Absent if no rail needs it (`Rail.bindsBody`).
   */
  bodyDigest?: string | null
}
