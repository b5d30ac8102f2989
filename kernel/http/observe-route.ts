/** What is counted, logged and told of a request that is never metered. */
import type { GatewayLog } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import type { Failure } from '../errors.ts'
import { EndedPlain, lengthOf, type RequestObservers } from '../metering/request-observers.ts'
import type { Route } from '../plugins/route.ts'
import type { Incoming } from './incoming.ts'

export interface RouteObserver {
  metrics: Pick<Metrics, 'request'>
  log: Pick<GatewayLog, 'debug' | 'debugs'>
  observers: RequestObservers
}

/** The same response, counted and, at that level, logged. */
export function observedRoute(
  { metrics, log, observers }: RouteObserver,
  route: Pick<Route, 'path' | 'forOperators'>,
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
  if (observers.isOn) {
    const { path, forOperators = false } = route
    const { seen } = incoming
    tell(observers, incoming, response, {
      route: path,
      isForOperators: forOperators,
      failure: seen.failure,
      durationMs: ms,
    })
  }
  return response
}

/** The same response, which refuses a request before any route or skill had it. */
export function observedRefusal(
  { observers }: Pick<RouteObserver, 'observers'>,
  incoming: Incoming,
  failure: Failure,
  response: Response,
): Response {
  if (observers.isOn) {
    const facts = { route: null, isForOperators: false, failure, durationMs: 0 }
    tell(observers, incoming, response, facts)
  }
  return response
}

function tell(
  observers: RequestObservers,
  incoming: Incoming,
  { status, headers }: Response,
  facts: {
    route: string | null
    isForOperators: boolean
    failure: Failure | null
    durationMs: number
  },
): void {
  const { seen } = incoming
  observers.ended(
    new EndedPlain(incoming, {
      ...facts,
      method: incoming.request.method,
      status,
      identity: seen.identity,
      operator: seen.operator?.name ?? null,
      requestBytes: lengthOf(incoming.headers.get('content-length')),
      responseBytes: lengthOf(headers.get('content-length')),
    }),
  )
}
