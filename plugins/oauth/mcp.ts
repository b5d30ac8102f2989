/** POST /mcp/oauth: the MCP endpoint for callers with an access token, and for nobody else. */
import { fail, type Failure, type RouteRequest } from '#kernel'
import type { McpEndpoint } from '../shared/mcp/contract.ts'
import type { Places } from './places.ts'
import { ALL_SCOPES, maySpend } from './scope.ts'
import type { AccessTokens, Access } from './tokens/access.ts'

const BEARER = /^Bearer +([\x21-\x7e]{1,512})$/i

export interface McpDeps {
  places: Places
  tokens: AccessTokens
  mcp(): McpEndpoint | null
}

/** 401 with where tokens are got, also for lists and `initialize`: on that, hosts start the sign-in. */
export async function serveMcp(deps: McpDeps, asked: RouteRequest): Promise<Response | Failure> {
  const access = await identify(deps, asked)
  if (access instanceof Response) return access
  const mcp = deps.mcp()
  if (mcp === null)
    return fail('UPSTREAM_FAILURE', 'The MCP endpoint is not mounted at this moment')
  const answer = await mcp.serve(asked, {
    as: { keyId: access.keyId, via: 'oauth' },
    // Assistants that sign in (claude.ai, Claude Desktop) drop all tools of a server over one dot.
    defaultNames: 'underscore',
    ...(!maySpend(access.scope) && { refusePaid: () => lacksSpend(deps.places) }),
  })
  // The grant's key ended between the two looks at it.
  return answer.status === 401 ? unauthorized(deps.places, 'invalid_token') : answer
}

/** GET has no stream to offer; who asks without a token is told where tokens are got. */
export async function refuseGet(deps: McpDeps, asked: RouteRequest): Promise<Response | Failure> {
  const access = await identify(deps, asked)
  if (access instanceof Response) return access
  return fail('INVALID_INPUT', 'This path answers POST', {
    status: 405,
    headers: { allow: 'POST, OPTIONS' },
  })
}

/** Only the header counts: no API key, no other token, nothing in the query. */
async function identify(deps: McpDeps, asked: RouteRequest): Promise<Access | Response> {
  const header = asked.request.headers.get('authorization')
  if (header === null) return unauthorized(deps.places, null)
  const token = BEARER.exec(header.trim())?.[1]
  const access = token === undefined ? null : await deps.tokens.find(token)
  return access ?? unauthorized(deps.places, 'invalid_token')
}

/** RFC 6750 section 3 and RFC 9728 section 5.1; clients ignore a URL that is not absolute. */
function unauthorized(places: Places, error: 'invalid_token' | null): Response {
  const message = error === null ? 'An access token is needed' : 'The access token is not valid'
  return refused(401, places, error, message)
}

/** One challenge with everything that is needed, so that a person is asked once. */
function lacksSpend(places: Places): Response {
  return refused(
    403,
    places,
    'insufficient_scope',
    'This tool costs credits: scope spend is needed',
  )
}

function refused(status: number, places: Places, error: string | null, message: string): Response {
  const parts = [
    ...(error === null ? [] : [`error="${error}"`, `error_description="${message}"`]),
    `resource_metadata="${places.resourceDocument}"`,
    `scope="${ALL_SCOPES}"`,
  ]
  const body = {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32001, message, data: { error: error ?? 'unauthorized' } },
  }
  return Response.json(body, {
    status,
    headers: { 'www-authenticate': `Bearer ${parts.join(', ')}`, 'cache-control': 'no-store' },
  })
}
