/** The parts of the plugin, made once for a product. */
import type { PluginEnv } from '#kernel'
import type { McpEndpoint } from '../shared/mcp/contract.ts'
import type { PortalSessions } from '../shared/portal/contract.ts'
import type { AuthorizeDeps } from './authorize/authorize.ts'
import type { ConsentDeps } from './authorize/consent.ts'
import { Requests } from './grants/requests.ts'
import { Clients } from './clients/clients.ts'
import { KeySets } from './clients/key-sets.ts'
import type { RegisterDeps } from './clients/register.ts'
import { ClientStore } from './clients/store.ts'
import type { DocumentDeps } from './documents.ts'
import { Grants } from './grants/grants.ts'
import type { McpDeps } from './mcp.ts'
import { placesOf } from './places.ts'
import { Rates } from './rates.ts'
import type { RoundDeps } from './rounds.ts'
import { AccessTokens } from './tokens/access.ts'
import type { TokenDeps } from './tokens/endpoint.ts'
import {
  MCP_OAUTH_URL,
  OAUTH_ACCESS_TTL,
  OAUTH_CODE_TTL,
  OAUTH_DEFAULT_DAY,
  OAUTH_REDIRECT_SCHEMES,
  OAUTH_REFRESH_GRACE,
  OAUTH_REFRESH_TTL,
  schemesIn,
} from './variables.ts'

export type Parts = Omit<TokenDeps, 'clients'> &
  Omit<AuthorizeDeps, 'clients'> &
  Omit<ConsentDeps, 'clients'> &
  DocumentDeps &
  RegisterDeps &
  McpDeps &
  RoundDeps & { clients: Clients }

export interface Surroundings {
  /** PUBLIC_URL or MCP_OAUTH_URL, without a slash at its end. */
  base: string
  portal(): PortalSessions | null
  mcp(): McpEndpoint | null
}

export function makeParts(env: PluginEnv, { base, portal, mcp }: Surroundings): Parts {
  const { db, log, publicUrl } = env
  const places = placesOf(base, publicUrl)
  const schemes = schemesIn(env.variable(OAUTH_REDIRECT_SCHEMES))
  const codeTtlMs = env.variable(OAUTH_CODE_TTL)
  const rates = new Rates(db)
  const fetching = { fetch: env.fetch, rates, schemes }
  const store = new ClientStore(db)
  const requests = new Requests(db)
  const accountKeys = env.service('accountKeys')
  const keys = env.service('keys')
  const tokens = new AccessTokens(db, keys, env.service('signals'))
  const grants = new Grants({ db, accountKeys, requests, tokens, codeTtlMs, log })
  const ownUrl = env.variable(MCP_OAUTH_URL)
  return {
    db,
    log,
    publicUrl,
    places,
    schemes,
    rates,
    store,
    requests,
    accountKeys,
    keys,
    grants,
    portal,
    mcp,
    ownHost: ownUrl === null ? null : new URL(ownUrl).host,
    operator: () => env.service('documents').operator,
    clients: new Clients(store, fetching),
    keySets: new KeySets(fetching),
    accounts: env.service('accounts'),
    catalog: env.service('catalog'),
    vault: env.service('vault'),
    tokens,
    lives: {
      accessTtlMs: env.variable(OAUTH_ACCESS_TTL),
      refreshTtlMs: env.variable(OAUTH_REFRESH_TTL),
    },
    graceMs: env.variable(OAUTH_REFRESH_GRACE),
    defaultDay: env.variable(OAUTH_DEFAULT_DAY),
  }
}
