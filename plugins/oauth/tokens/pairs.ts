/** Access and refresh tokens: opaque, in the grammar of API keys, SHA-256 at rest. */
import { generateCredential, type PluginTx } from '#kernel'
import { digestOf } from '../secrets.ts'

export const ACCESS_LETTERS = 'ct'
export const REFRESH_LETTERS = 'cr'
/** A sign-in lasts at most this long, however often it is refreshed. */
const FAMILY_LIFE = '365 days'

export interface Lives {
  accessTtlMs: number
  refreshTtlMs: number
}

/** A new pair in plain: shown once to the client, and sealed for the grace of the token before. */
export interface Pair {
  access: string
  refresh: string
  scope: string
  /** Unix seconds by the database's clock, as is what it showed when this pair was given. */
  accessEndsAt: number
  givenAt: number
}

/**
 * Makes a pair for the grant. `scope` is that of the access token; the refresh token keeps what was
 * `granted`, so that a refresh for less gives nothing up (RFC 6749 section 6). `familyEndsAt` null: it is the
 * first of its family, which ends in a year.
 */
export async function issuePair(
  tx: PluginTx,
  lives: Lives,
  order: {
    grantId: string
    mode: 'live' | 'test'
    scope: string
    granted: string
    familyEndsAt: Date | null
  },
): Promise<Pair> {
  const { grantId, mode, scope, granted, familyEndsAt } = order
  const access = generateCredential(ACCESS_LETTERS, mode)
  const refresh = generateCredential(REFRESH_LETTERS, mode)
  const [row] = await tx.query<Pick<Pair, 'accessEndsAt' | 'givenAt'>>(
    `WITH f AS (SELECT COALESCE($5::timestamptz, now() + interval '${FAMILY_LIFE}') AS ends_at),
     added AS (
       INSERT INTO oauth_token (hash, kind, grant_id, pair, scope, ends_at, family_ends_at)
       SELECT v.hash, v.kind, $1, $2, v.scope,
         least(now() + v.ttl_ms * interval '1 millisecond', f.ends_at), f.ends_at
       FROM f, (VALUES ($4, 'access', $3, $7::float8), ($6, 'refresh', $9, $8::float8))
         AS v(hash, kind, scope, ttl_ms)
       RETURNING kind, ends_at)
     SELECT extract(epoch FROM ends_at)::float8 AS "accessEndsAt",
       extract(epoch FROM now())::float8 AS "givenAt" FROM added WHERE kind = 'access'`,
    [
      grantId,
      crypto.randomUUID(),
      scope,
      digestOf(access),
      familyEndsAt,
      digestOf(refresh),
      lives.accessTtlMs,
      lives.refreshTtlMs,
      granted,
    ],
  )
  if (row === undefined) throw new Error('a pair of tokens was not written')
  return { access, refresh, scope, ...row }
}

/** The body of a token answer (RFC 6749 section 5.1). */
export function pairBody({ access, refresh, scope, accessEndsAt, givenAt }: Pair): object {
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: Math.max(0, Math.round(accessEndsAt - givenAt)),
    refresh_token: refresh,
    scope,
  }
}
