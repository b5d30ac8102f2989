/**
 * Serves a `Route`: the kernel's own and those that plugins add. Credentials, body limit, request
 * id and error bodies are the same for all of them; a handler returns a Response or a Failure.
 */
import type { Authenticator, RateLimiter } from '../auth/contract.ts'
import { tooManyCalls } from '../metering/failures.ts'
import { errorResponse, fail, GatewayError, type Failure } from '../errors.ts'
import type { Logger, Route, RouteRequest } from '../plugins/contract.ts'
import type { CredentialSource } from '../rails/contract.ts'
import { parseJson } from '../schema/json.ts'
import { isRefused, readBody } from './body.ts'
import { withCors } from './cors.ts'
import { httpSource } from './source.ts'

const DEFAULT_BODY_BYTES = 1_048_576

/** One request on its way to a route. */
export interface RouteCall {
  request: Request
  params: Readonly<Record<string, string>>
  search: string
  requestId: string
  clientAddress: string
}

export interface RouteDeps {
  auth: Authenticator
  /** For routes with `rateLimited`, per address; absent: no limit. */
  rate?: { limiter: RateLimiter; limits: { rpm: number; burst: number } }
  log: Logger
}

/** The answer of `route`; never throws. */
export async function serveRoute(
  route: Route,
  call: RouteCall,
  deps: RouteDeps,
): Promise<Response> {
  const { request, requestId } = call
  try {
    if (holdsNul(call.params)) {
      const unknown = fail('INVALID_INPUT', 'There is nothing at this path', { status: 404 })
      return finish(route, request, errorResponse(unknown, requestId))
    }
    const source = httpSource(request)
    const admitted = await admit(route, source, call.clientAddress, deps.auth)
    if (!admitted.ok) return finish(route, request, errorResponse(admitted, requestId))
    if (route.rateLimited && deps.rate) {
      const { limiter, limits } = deps.rate
      const decision = await limiter.take(`address:${call.clientAddress}`, limits)
      if (!decision.allowed) {
        const refused = tooManyCalls(limits, decision.retryAfterMs)
        return finish(route, request, errorResponse(refused, requestId))
      }
    }
    const outcome = await route.handler(routeRequest(route, call, admitted.keyId))
    const response = outcome instanceof Response ? outcome : errorResponse(outcome, requestId)
    if (!response.headers.has('x-request-id')) response.headers.set('x-request-id', requestId)
    return finish(route, request, response)
  } catch (error) {
    if (error instanceof GatewayError)
      return finish(route, request, errorResponse(error.failure, requestId))
    deps.log.error({ err: error, requestId, route: route.path }, 'route failed')
    const failure = fail('INTERNAL_ERROR', 'The gateway failed to answer this request')
    return finish(route, request, errorResponse(failure, requestId))
  }
}

/** Whether a path parameter holds U+0000, which no id has and PostgreSQL refuses in a text. */
function holdsNul(params: RouteCall['params']): boolean {
  for (const name in params) if (params[name]!.includes('\0')) return true
  return false
}

function finish(route: Route, request: Request, response: Response): Response {
  return route.auth === 'admin' ? response : withCors(request, response)
}

async function admit(
  route: Route,
  source: CredentialSource,
  clientAddress: string,
  auth: Authenticator,
): Promise<{ ok: true; keyId?: string } | Failure> {
  if (route.auth === 'public') return { ok: true }
  if (route.auth === 'admin') return auth.requireAdmin(source, clientAddress) ?? { ok: true }
  const found = await auth.identify(source)
  if (!found.ok) return found
  if (found.identity) return { ok: true, keyId: found.identity.keyId }
  return fail('INVALID_INPUT', 'This route needs an API key', {
    status: 401,
    details: { reason: 'invalid_key' },
    headers: { 'www-authenticate': 'Bearer realm="coinop"' },
  })
}

function routeRequest(route: Route, call: RouteCall, keyId: string | undefined): RouteRequest {
  const { request } = call
  let read: Promise<Uint8Array | Failure> | null = null
  const bytes = (): Promise<Uint8Array | Failure> => {
    read ??= readBody(request, route.bodyBytes ?? DEFAULT_BODY_BYTES)
    return read
  }
  return {
    request,
    params: call.params,
    query: new URLSearchParams(call.search),
    requestId: call.requestId,
    clientAddress: call.clientAddress,
    signal: request.signal,
    bytes,
    json: async () => {
      const body = await bytes()
      if (isRefused(body)) return body
      return body.byteLength === 0 ? { ok: true, value: undefined } : parseJson(body)
    },
    ...(keyId !== undefined && { keyId }),
  }
}
