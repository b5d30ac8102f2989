/** What is counted, logged and told of a request that is never metered. */
import type { GatewayLog } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import type { Failure } from '../errors.ts'
import type { Identity } from '../auth/contract.ts'
import { lengthOf, type RequestObservers } from '../metering/observe-call.ts'
import type { EndedRequest } from '../plugins/observers.ts'
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
  tell(observers, incoming, response, { route, failure: incoming.seen.failure, durationMs: ms })
  return response
}

/** The same response to a request that the gateway makes to itself: told, and counted as another one. */
export function toldRoute(
  { observers }: Pick<RouteObserver, 'observers'>,
  route: Pick<Route, 'path' | 'forOperators'>,
  incoming: Incoming,
  response: Response,
  startedAt: number,
): Response {
  const { failure } = incoming.seen
  const durationMs = performance.now() - startedAt
  tell(observers, incoming, response, { route, failure, durationMs })
  return response
}

/** The same response, which refuses a request before any route or skill had it. */
export function observedRefusal(
  { observers }: Pick<RouteObserver, 'observers'>,
  incoming: Incoming,
  failure: Failure,
  response: Response,
): Response {
  tell(observers, incoming, response, { route: null, failure, durationMs: 0 })
  return response
}

interface Told {
  route: Pick<Route, 'path' | 'forOperators'> | null
  failure: Failure | null
  durationMs: number
}

function tell(
  observers: RequestObservers,
  incoming: Incoming,
  response: Response,
  told: Told,
): void {
  if (!observers.isOn || incoming.seen.isLook) return
  observers.ended(new EndedPlain(incoming, response, told))
}

/** A request to a route, or to nothing; what observers seldom ask for is found when they do. */
class EndedPlain implements EndedRequest {
  readonly route: string | null
  readonly isForOperators: boolean
  readonly failure: Failure | null
  readonly durationMs: number
  readonly product = null
  readonly skillId = null
  readonly outcome = null
  readonly payer = null
  readonly rail = null
  readonly chargedAtomic = 0n
  readonly upstreamStatus = null
  readonly #incoming: Incoming
  readonly #response: Response

  constructor(incoming: Incoming, response: Response, { route, failure, durationMs }: Told) {
    this.route = route?.path ?? null
    this.isForOperators = route?.forOperators ?? false
    this.failure = failure
    this.durationMs = durationMs
    this.#incoming = incoming
    this.#response = response
  }

  get requestId(): string {
    return this.#incoming.requestId
  }
  get path(): string {
    return this.#incoming.pathname
  }
  get clientAddress(): string {
    return this.#incoming.clientAddress
  }
  get method(): string {
    return this.#incoming.request.method
  }
  get status(): number {
    return this.#response.status
  }
  get identity(): Identity | null {
    return this.#incoming.seen.identity
  }
  get operator(): string | null {
    return this.#incoming.seen.operator?.name ?? null
  }
  get requestBytes(): number | null {
    return lengthOf(this.#incoming.headers.get('content-length'))
  }
  get responseBytes(): number | null {
    return lengthOf(this.#response.headers.get('content-length'))
  }
}
