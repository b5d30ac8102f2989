/**
 * Revocation (RFC 7009): either token of a pair ends the pair, and the pair in use is all that the
 * grant has, so the grant ends with it. The access token of an older pair ends alone.
 */
import { isCredential, type PluginDb } from '#kernel'
import type { Client } from '../clients/client.ts'
import type { Grants } from '../grants/grants.ts'
import { digestOf } from '../secrets.ts'
import type { AccessTokens } from './access.ts'
import { ACCESS_LETTERS, REFRESH_LETTERS } from './pairs.ts'

export interface RevokeDeps {
  db: PluginDb
  grants: Grants
  tokens: Pick<AccessTokens, 'drop'>
}

/** Whether a token of this client was there or not makes no difference to the answer. */
export async function revoke(deps: RevokeDeps, client: Client, token: string): Promise<void> {
  const isToken = isCredential(ACCESS_LETTERS, token) || isCredential(REFRESH_LETTERS, token)
  if (!isToken) return
  const hash = digestOf(token)
  const [row] = await deps.db.query<{ grantId: string; isOld: boolean }>(
    `SELECT t.grant_id AS "grantId", t.kind = 'access' AND EXISTS (
         SELECT FROM oauth_token r WHERE r.grant_id = t.grant_id AND r.pair = t.pair
           AND r.kind = 'refresh' AND r.rotated_at IS NOT NULL) AS "isOld"
     FROM oauth_token t JOIN oauth_grant g ON g.key_id = t.grant_id
     WHERE t.hash = $1 AND g.client_id = $2`,
    [hash, client.id],
  )
  if (row === undefined) return
  if (!row.isOld) return deps.grants.end(row.grantId, 'revoked')
  await deps.db.query('DELETE FROM oauth_token WHERE hash = $1', [hash])
  await deps.tokens.drop(row.grantId)
}
