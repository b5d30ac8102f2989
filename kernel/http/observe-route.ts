/** What is counted and logged of a request to a route that is never metered. */
import type { GatewayLog } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import type { Route } from '../plugins/route.ts'

export interface RouteObserver {
  metrics: Pick<Metrics, 'request'>
  log: Pick<GatewayLog, 'debug' | 'debugs'>
}

/** The same response, counted and, at that level, logged. */
export function observedRoute(
  { metrics, log }: RouteObserver,
  route: Pick<Route, 'path'>,
  { method }: Request,
  response: Response,
  startedAt: number,
): Response {
  const ms = performance.now() - startedAt
  const { status } = response
  metrics.request(method, route.path, status, ms / 1000)
  if (log.debugs) {
    const requestId = response.headers.get('x-request-id')
    const fields = { requestId, method, route: route.path, status, ms: Math.round(ms * 10) / 10 }
    log.debug(fields, 'route')
  }
  return response
}
