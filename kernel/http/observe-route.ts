/** What is counted, logged and told of a request that is never metered. */
import type { GatewayLog } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import { lengthOf, type RequestObservers } from '../metering/observe-call.ts'
import type { Route } from '../plugins/route.ts'
import type { Incoming } from './incoming.ts'

export interface RouteObserver {
  metrics: Pick<Metrics, 'request'>
  log: Pick<GatewayLog, 'debug' | 'debugs'>
  observers: RequestObservers
}

type Served = Pick<Route, 'path' | 'forOperators'>

/** The same response, counted, told to observers and, at that level, logged. */
export function observedRoute(
  { metrics, log, observers }: RouteObserver,
  route: Served,
  incoming: Incoming,
  response: Response,
  startedAt: number,
): Response {
  const { method } = incoming.request
  const ms = performance.now() - startedAt
  const { status } = response
  metrics.request(method, route.path, status, ms / 1000)
  if (log.debugs) {
    const requestId = response.headers.get('x-request-id')
    const fields = { requestId, method, route: route.path, status, ms: Math.round(ms * 10) / 10 }
    log.debug(fields, 'route')
  }
  return toldRequest(observers, incoming, response, route, ms)
}

/**
 * The same response, of which observers are told and nothing is counted: what the gateway asks itself,
 * and what was refused before any route or skill had it (`route` null).
 */
export function toldRequest(
  observers: RequestObservers,
  incoming: Incoming,
  response: Response,
  route: Served | null,
  durationMs: number,
): Response {
  const { seen } = incoming
  if (!observers.isOn || seen.isLook) return response
  observers.ended({
    requestId: incoming.requestId,
    method: incoming.request.method,
    route: route?.path ?? null,
    get path() {
      return incoming.pathname
    },
    get clientAddress() {
      return incoming.clientAddress
    },
    product: null,
    skillId: null,
    status: response.status,
    outcome: null,
    failure: seen.failure,
    upstreamStatus: null,
    identity: seen.identity,
    payer: null,
    operator: seen.operator?.name ?? null,
    isForOperators: route?.forOperators ?? false,
    rail: null,
    chargedAtomic: 0n,
    durationMs,
    requestBytes: lengthOf(incoming.headers.get('content-length')),
    responseBytes: lengthOf(response.headers.get('content-length')),
  })
  return response
}
