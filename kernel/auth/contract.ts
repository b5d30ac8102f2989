/** Keys and credentials as the rest of the kernel sees them. */
import type { Failure } from '../errors.ts'
import type { Logger } from '../log/logger.ts'
import type { SqlClient } from '../storage/contract.ts'
import type { KeyTerms } from './key-terms.ts'
import type { Operators } from './operators.ts'

/** Where a rail looks for its credential. */
export interface CredentialSource {
  header(name: string): string | null
  /**
   * The address of the caller as the gateway sees it (TRUSTED_PROXIES); absent where whoever asks does
   * not know it, and then a key that is bound to networks is refused.
   */
  readonly clientAddress?: string | undefined
  /** MCP `params._meta`, or undefined on HTTP. */
  meta?: Readonly<Record<string, unknown>>
}

export interface KeyRecord extends KeyTerms {
  id: string
  /** The account whose balance it spends; never another. */
  accountId: string
  name: string
  mode: 'live' | 'test'
  /** A grant is a key without a secret: another credential stands for it. */
  kind: 'key' | 'grant'
  /** 'operator', or the id of the plugin that made it. */
  madeBy: string
  /** The key in whose session a grant was made: with it the grant ends. */
  parentKeyId: string | null
  /** The shown start of the newest credential: 'ck_live_AbCdEfGhIjKl'; null for a grant. */
  prefix: string | null
  createdAt: Date
  revokedAt: Date | null
  /** Ids of the products that the key may buy; null: all of them. */
  products: readonly string[] | null
  rpmLimit: number | null
  burstLimit: number | null
}

/** Why a credential is not taken. */
export type IdentityRefusal = Failure & {
  /** The failure is a 402, and the ways to pay belong to it. */
  offer?: true
}

export interface Authenticator {
  /**
   * Identity of the presented API key, JWT or service token (`X-Api-Key`, `Authorization: Bearer`,
   * `X-Kernel-Service-Token` + `X-Kernel-Api-Key-Id`); without any of these, of a credential that a
   * plugin's identifier reads. Null when none is presented; 401 `invalid_key` for a malformed,
   * unknown or revoked one, 401 `key_expired`, 403 `origin_not_allowed`. `place` absent: nothing is called yet, so credentials of
   * identifiers, which may be good for one place only, are left unread. Rows are cached ≤ 1 s and
   * dropped at once by NOTIFY.
   */
  identify(
    source: CredentialSource,
    place?: CallPlace,
  ): Promise<{ ok: true; identity: Identity | null } | IdentityRefusal>
  /** Whether there is anything to identify: false means that `identify` would find nobody. */
  presents(source: CredentialSource): boolean
  /**
   * Identity of a key that the gateway itself acts for, whatever address asked it to (skill
   * credentials); null when unknown, revoked or expired.
   */
  identityOf(keyId: string, via: Identity['via']): Promise<Identity | null>
  /**
   * Identity of a key that a credential of a plugin stands for, in a request of `clientAddress`; null:
   * whoever asks stands above the key, and its networks are not for them.
   */
  identifyAs(
    keyId: string,
    via: Identity['via'],
    clientAddress: string | null,
  ): Promise<{ ok: true; identity: Identity } | Failure>
  /** Who may use admin routes, by name and role. */
  readonly operators: Operators
}

export interface CallLimits {
  /** Calls per minute, over time. */
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
  /** Until the next call would be allowed; 0 when allowed. */
  retryAfterMs: number
}
/** Counts calls against limits; `host/rate-limits` does it. */
export interface RateLimiter {
  /** One token of `subject` (key id, payer or address), exact across instances. */
  take(subject: string, limits: CallLimits): Promise<RateDecision>
}

export interface SharedRateLimiter extends RateLimiter {
  /** Ends the background sweep. */
  close(): void
}

/** A limiter over the shared buckets of this database; it logs when it has to limit alone. */
export type CreateRateLimiter = (sql: SqlClient, log: Logger) => SharedRateLimiter

/** The identified API key of a caller, or the key that another credential stands for. */
export interface Identity {
  keyId: string
  accountId: string
  name: string
  mode: 'live' | 'test'
  rpmLimit: number | null
  burstLimit: number | null
  /** The account was opened by whoever pays with it: free calls and tiers are not for it. */
  isPayersOwn?: boolean
  /** Ids of the products that the key may buy; absent or null: all of them. */
  products?: readonly string[] | null
  /** Ids of the skills that the key may buy; absent: all of them. */
  skills?: readonly string[]
  /** 'key', 'jwt', 'service', 'skill', or what a plugin's identifier calls its credentials. */
  via: string
  /**
   * The credential pays for one call: takes it when the call is about to be authorized, and says why
   * it was refused when another call has had it. Absent: the credential may come again.
   */
  takeOnce?(): Promise<Failure | null>
}

/**
 * A way of a plugin to say who calls, beside API keys: its credential stands for a key of the gateway,
 * mostly one without a secret of its own.
 */
export interface Identifier {
  /**
   * Headers that carry its credential: CORS allows them, and no skill and no upstream sees them. Where
   * it names some, it is asked about requests that bring one of them, Authorization, Cookie or `_meta`
   * of MCP.
   */
  requestHeaders?: readonly { name: string; description: string }[]
  /** What its callers are shown as; default 'plugin'. */
  via?: Identity['via']
  /** Whether the caller presents its credential. */
  presents(source: CredentialSource): boolean
  /** `found` null: it is not a credential of this way after all. Never throws for what a caller sends. */
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
        /** The refusal is a 402 with fresh offers. */
        offer: boolean
      }
  >
}

/** Where a call goes, as its caller addressed it. */
export interface CallPlace {
  transport: 'http' | 'mcp'
  /** 'POST'; of a tool call always 'POST'. */
  method: string
  /** Path with query, below PUBLIC_URL; `mcp://tool/<name>` for a tool. */
  target: string
  /**
   * SHA-256 in base64 of the body as received, of a tool call that of the canonical JSON of its
   * arguments; null: there is none, or it is long. Absent while no rail wants it (`Rail.bindsBody`).
   */
  bodyDigest?: string | null
}
