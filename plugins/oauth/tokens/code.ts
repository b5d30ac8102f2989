/** A code for the first pair of tokens: once, for the client and the address that it was given to. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { PluginDb } from '#kernel'
import type { Client } from '../clients/client.ts'
import type { Grants } from '../grants/grants.ts'
import { refuse, type Refusal } from '../oauth-error.ts'
import { isOurs, type Places } from '../places.ts'
import { digestOf } from '../secrets.ts'
import { issuePair, type Lives, type Pair } from './pairs.ts'

const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/

export interface CodeDeps {
  db: PluginDb
  places: Places
  grants: Grants
  lives: Lives
}

interface CodeRow {
  clientId: string
  redirectUri: string
  challenge: string
  grantId: string
  isUsed: boolean
  isOver: boolean
}

/** The first pair of the grant. A code that comes again ends the grant, whoever brings it. */
export async function redeemCode(
  deps: CodeDeps,
  client: Client,
  form: URLSearchParams,
): Promise<{ ok: true; pair: Pair; grantId: string } | Refusal> {
  const code = form.get('code')
  if (code === null) return refuse('invalid_request', 'code is missing')
  const verifier = form.get('code_verifier')
  if (verifier === null) return refuse('invalid_request', 'code_verifier is missing')
  if (!form.getAll('resource').every((resource) => isOurs(resource, deps.places)))
    return refuse('invalid_target', `resource must be ${deps.places.issuer}`)
  const hash = digestOf(code)
  const [row] = await deps.db.query<CodeRow>(
    `SELECT client_id AS "clientId", redirect_uri AS "redirectUri", challenge,
       grant_id AS "grantId", used_at IS NOT NULL AS "isUsed", ends_at <= now() AS "isOver"
     FROM oauth_code WHERE hash = $1`,
    [hash],
  )
  if (row === undefined) return NOT_GOOD
  const { grantId } = row
  if (row.isUsed) return reused(deps, grantId)
  if (row.isOver || row.clientId !== client.id) return NOT_GOOD
  // OAuth 2.1 (section 10.2) leaves it out: the verifier, without which nothing is given, binds the code.
  if ((form.get('redirect_uri') ?? row.redirectUri) !== row.redirectUri)
    return refuse('invalid_grant', 'redirect_uri is not the one that the code was sent to')
  if (!VERIFIER.test(verifier) || !isVerifier(verifier, row.challenge))
    return refuse('invalid_grant', 'code_verifier does not fit the code_challenge')
  const pair = await deps.db.transaction(async (tx) => {
    const taken = await tx.query(
      `UPDATE oauth_code SET used_at = now()
       WHERE hash = $1 AND used_at IS NULL AND ends_at > now() RETURNING 1`,
      [hash],
    )
    if (taken.length === 0) return null
    const [grant] = await tx.query<{ mode: 'live' | 'test'; scope: string }>(
      'SELECT mode, scope FROM oauth_grant WHERE key_id = $1 AND ended_at IS NULL FOR SHARE',
      [grantId],
    )
    if (grant === undefined) return 'ended'
    const { mode, scope } = grant
    const order = { grantId, mode, scope, granted: scope, familyEndsAt: null }
    return issuePair(tx, deps.lives, order)
  })
  if (pair === null) return reused(deps, grantId)
  return pair === 'ended' ? NOT_GOOD : { ok: true, pair, grantId }
}

const NOT_GOOD = refuse(
  'invalid_grant',
  'The code is unknown, has expired or is not of this client',
)

async function reused({ grants }: CodeDeps, grantId: string): Promise<Refusal> {
  await grants.end(grantId, 'code_reused')
  return refuse('invalid_grant', 'The code was used before; what it gave has ended')
}

/** RFC 7636 section 4.6, in the same time for every wrong one. */
function isVerifier(verifier: string, challenge: string): boolean {
  const digest = createHash('sha256').update(verifier).digest()
  const wanted = Buffer.from(challenge, 'base64url')
  return wanted.length === digest.length && timingSafeEqual(wanted, digest)
}
