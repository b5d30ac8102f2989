/** What is known of the apps behind grants, for the portal's page of apps. */

/** The name under which it is provided. */
export const OAUTH_CLIENTS = 'oauth-clients'

export interface OauthClient {
  clientId: string
  /** What the client calls itself: nobody has checked it. */
  clientName: string
  /** Host of the document that names it; null: it registered itself. */
  documentHost: string | null
  /** Where people are sent back to. */
  redirectHost: string
  scopes: readonly string[]
}

export interface OauthClients {
  /** By the key ids of grants; those that are none of its own are left out. */
  ofGrants(grantKeyIds: readonly string[]): Promise<ReadonlyMap<string, OauthClient>>
}
