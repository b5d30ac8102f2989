/** Metrics, log lines and observer reports of requests that are not metered. */
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

/** Counts the response, tells observers and logs it at debug level; returns it unchanged. */
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
 * Tells observers of the response without counting it; returns it unchanged. For the gateway's own
 * requests, and those refused before any route or skill (`route` null).
 */
export function toldRequest(
  observers: RequestObservers,
  incoming: Incoming,
  response: Response,
  route: Served | null,
  durationMs: number,
): Response {
  if (!observers.isOn || incoming.seen.isLook) return response
  const { request, headers, requestId, seen } = incoming
  observers.ended({
    requestId,
    method: request.method,
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
    requestBytes: lengthOf(headers.get('content-length')),
    responseBytes: lengthOf(response.headers.get('content-length')),
  })
  return response
}
