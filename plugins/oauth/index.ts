/**
 * OAuth 2.1 for MCP at an address of its own, /mcp/oauth: assistants that take no API key sign in for
 * a person, who allows them a budget at /account/consent. README.md names settings and rules.
 */
import { Type } from 'typebox'
import { definePlugin, isLoopbackHost, type Health } from '#kernel'
import { MCP_ENDPOINT, type McpEndpoint } from '../shared/mcp/contract.ts'
import { OAUTH_CLIENTS } from '../shared/portal/clients.ts'
import { PORTAL_SESSIONS, type PortalSessions } from '../shared/portal/contract.ts'
import { clientsOfGrants } from './clients/of-grants.ts'
import { MIGRATIONS } from './migrations.ts'
import { mappingCheck } from './mapping.ts'
import { makeParts } from './parts.ts'
import {
  CONSENT_PATH,
  ENDPOINT_PATH,
  RESOURCE_DOCUMENT_PATH,
  ROOT_RESOURCE_DOCUMENT_PATH,
  ROOT_SERVER_DOCUMENT_PATHS,
  SERVER_DOCUMENT_PATHS,
} from './places.ts'
import { startRounds } from './rounds.ts'
import { oauthRoutes } from './routes.ts'
import { MCP_OAUTH, MCP_OAUTH_URL, VARIABLES } from './variables.ts'

const OAuthConfig = Type.Object(
  {
    enabled: Type.Optional(
      Type.Boolean({
        description: 'Whether OAuth is open; MCP_OAUTH says it before this. Default no',
      }),
    ),
  },
  { additionalProperties: false },
)

export default definePlugin({
  id: 'oauth',
  version: '1.0.0',
  kernel: '^1.1.0',
  config: OAuthConfig,
  variables: VARIABLES,
  reservedPaths: [
    ENDPOINT_PATH,
    CONSENT_PATH,
    RESOURCE_DOCUMENT_PATH,
    ROOT_RESOURCE_DOCUMENT_PATH,
    ...ROOT_SERVER_DOCUMENT_PATHS,
    ...SERVER_DOCUMENT_PATHS,
  ],
  requires: ['accountKeys', 'accounts', 'catalog', 'documents', 'keys', 'signals', 'vault'],
  migrations: MIGRATIONS,
  setup(env) {
    const isWanted = env.variable(MCP_OAUTH) ?? env.config.enabled ?? false
    if (!isWanted) return {}
    const base = (env.variable(MCP_OAUTH_URL) ?? env.publicUrl).replace(/\/$/, '')
    const closed = env.sandbox ? null : insecure([base, env.publicUrl])
    const portal = (): PortalSessions | null => env.provided<PortalSessions>(PORTAL_SESSIONS)
    const mcp = (): McpEndpoint | null => env.provided<McpEndpoint>(MCP_ENDPOINT)
    const unmapped = mappingCheck({ fetch: env.fetch, base, now: Date.now })
    const health: Health = {
      name: 'oauth',
      critical: false,
      timeoutMs: 1000,
      async probe() {
        if (closed !== null) return { state: 'down', detail: closed }
        if (mcp() === null) return { state: 'degraded', detail: 'no product serves MCP' }
        if (portal() === null)
          return {
            state: 'degraded',
            detail: 'no product signs people in: nobody can allow an app',
          }
        const missing = await unmapped()
        if (missing !== null) return { state: 'degraded', detail: missing }
        return { state: 'ok' }
      },
    }
    if (closed !== null) {
      env.log.error({ reason: closed }, 'oauth is closed')
      return { health: [health] }
    }
    const parts = makeParts(env, { base, portal, mcp })
    let unlisten: (() => Promise<void>) | null = null
    let rounds: ReturnType<typeof startRounds> | null = null
    return {
      health: [health],
      provides: { [OAUTH_CLIENTS]: clientsOfGrants(env.db) },
      routes: oauthRoutes(parts),
      async ready() {
        unlisten = await parts.tokens.follow()
        rounds = startRounds(parts)
      },
      async stop() {
        await unlisten?.()
        await rounds?.stop()
      },
    }
  },
})

/** Why these URLs cannot carry tokens of live accounts; null: they can. */
function insecure(urls: readonly string[]): string | null {
  for (const url of urls) {
    const { protocol, hostname } = new URL(url)
    if (protocol === 'https:' || isLoopbackHost(hostname)) continue
    return `${url} is plain http: set PUBLIC_URL to the https address, or MCP_OAUTH=false`
  }
  return null
}
