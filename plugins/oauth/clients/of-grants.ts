/** Which client stands behind a grant, for the portal's page of apps. */
import type { PluginDb } from '#kernel'
import type { OauthClient, OauthClients } from '../../shared/portal/clients.ts'
import { isDocumentUrl } from './document.ts'

interface GrantRow {
  keyId: string
  clientId: string
  clientName: string
  redirectHost: string
  scope: string
}

export function clientsOfGrants(db: PluginDb): OauthClients {
  return {
    async ofGrants(grantKeyIds) {
      if (grantKeyIds.length === 0) return new Map()
      const rows = await db.query<GrantRow>(
        `SELECT key_id AS "keyId", client_id AS "clientId", client_name AS "clientName",
           redirect_host AS "redirectHost", scope
         FROM oauth_grant WHERE key_id = ANY ($1::text[])`,
        [grantKeyIds],
      )
      return new Map(rows.map((row) => [row.keyId, clientOf(row)]))
    },
  }
}

function clientOf({ clientId, clientName, redirectHost, scope }: GrantRow): OauthClient {
  return {
    clientId,
    clientName,
    documentHost: isDocumentUrl(clientId) ? new URL(clientId).host : null,
    redirectHost,
    scopes: scope.split(' '),
  }
}
