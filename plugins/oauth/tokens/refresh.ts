/**
 * A refresh token for the next pair. For a short grace the same old token gives the same new pair
 * again, because hosts refresh from several processes at once; after it, an old token is a theft, and
 * the whole family ends.
 */
import { isCredential, isObject, type PluginDb, type Vault } from '#kernel'
import type { Client } from '../clients/client.ts'
import type { Grants } from '../grants/grants.ts'
import { refuse, type Refusal } from '../oauth-error.ts'
import { isOurs, type Places } from '../places.ts'
import { narrowed } from '../scope.ts'
import { digestOf } from '../secrets.ts'
import { issuePair, REFRESH_LETTERS, type Lives, type Pair } from './pairs.ts'

export interface RefreshDeps {
  db: PluginDb
  places: Places
  grants: Grants
  vault: Vault
  lives: Lives
  graceMs: number
}

interface RefreshRow {
  grantId: string
  scope: string
  mode: 'live' | 'test'
  clientId: string
  isOver: boolean
  familyEndsAt: Date
  isRotated: boolean
  isInGrace: boolean
  successor: string | null
  askedAt: number
}
type Refreshed =
  | { outcome: 'pair'; pair: Pair; grantId: string }
  | { outcome: 'refused'; refusal: Refusal }
  | { outcome: 'reused'; grantId: string }

/** The next pair, or the successor that this token already has. */
export async function refresh(
  deps: RefreshDeps,
  client: Client,
  form: URLSearchParams,
): Promise<{ ok: true; pair: Pair; grantId: string } | Refusal> {
  const token = form.get('refresh_token')
  if (token === null) return refuse('invalid_request', 'refresh_token is missing')
  if (!form.getAll('resource').every((resource) => isOurs(resource, deps.places)))
    return refuse('invalid_target', `resource must be ${deps.places.issuer}`)
  if (!isCredential(REFRESH_LETTERS, token)) return NOT_GOOD
  const refreshed = await rotate(deps, client, digestOf(token), form.get('scope'))
  switch (refreshed.outcome) {
    case 'pair':
      break
    case 'refused':
      return refreshed.refusal
    case 'reused':
      await deps.grants.end(refreshed.grantId, 'token_reused')
      return refuse('invalid_grant', 'The refresh token was used before; sign in again')
  }
  const { pair, grantId } = refreshed
  return { ok: true, pair, grantId }
}

const NOT_GOOD = refuse(
  'invalid_grant',
  'The refresh token is unknown, has expired or is not of this client',
)

/** Under the lock of the token's row: of ten at once, one makes the pair and the others get it. */
async function rotate(
  { db, vault, lives, graceMs }: RefreshDeps,
  client: Client,
  hash: string,
  asked: string | null,
): Promise<Refreshed> {
  return db.transaction(async (tx): Promise<Refreshed> => {
    const [row] = await tx.query<RefreshRow>(
      `SELECT t.grant_id AS "grantId", t.scope, g.mode, g.client_id AS "clientId",
         t.ends_at <= now() AS "isOver", t.family_ends_at AS "familyEndsAt",
         t.rotated_at IS NOT NULL AS "isRotated",
         t.rotated_at > clock_timestamp() - $2 * interval '1 millisecond' AS "isInGrace", t.successor,
         extract(epoch FROM now())::float8 AS "askedAt"
       FROM oauth_token t JOIN oauth_grant g ON g.key_id = t.grant_id
       WHERE t.hash = $1 AND t.kind = 'refresh' AND g.ended_at IS NULL FOR UPDATE OF t`,
      [hash, graceMs],
    )
    if (row === undefined || row.clientId !== client.id)
      return { outcome: 'refused', refusal: NOT_GOOD }
    const { grantId, mode, familyEndsAt } = row
    if (row.isRotated) {
      if (!row.isInGrace || row.successor === null) return { outcome: 'reused', grantId }
      const pair = { ...pairIn(await vault.open(row.successor)), givenAt: row.askedAt }
      return { outcome: 'pair', pair, grantId }
    }
    if (row.isOver) return { outcome: 'refused', refusal: NOT_GOOD }
    const { scope: granted } = row
    const scope = narrowed(granted, asked)
    if (scope === null) {
      const refusal = refuse('invalid_scope', 'A refresh cannot give more than was granted')
      return { outcome: 'refused', refusal }
    }
    const pair = await issuePair(tx, lives, { grantId, mode, scope, granted, familyEndsAt })
    await tx.query(
      'UPDATE oauth_token SET rotated_at = clock_timestamp(), successor = $2 WHERE hash = $1',
      [hash, await vault.seal(JSON.stringify(pair))],
    )
    return { outcome: 'pair', pair, grantId }
  })
}

function pairIn(text: string): Pair {
  const pair: unknown = JSON.parse(text)
  if (!isObject(pair)) throw new Error('a sealed pair of tokens is none')
  return pair as unknown as Pair
}
