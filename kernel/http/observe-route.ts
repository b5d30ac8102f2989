/** Metrics, log lines and observer reports of requests that are not metered. */
import type { Identity } from '../auth/contract.ts'
import type { Failure } from '../errors.ts'
import type { GatewayLog } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import { lengthOf, type RequestObservers } from '../metering/observe-call.ts'
import type { EndedRequest } from '../plugins/observers.ts'
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
  if (observers.isOn && !incoming.seen.isLook)
    observers.ended(new EndedPlain(incoming, response, route, durationMs))
  return response
}

/** A request to a route or to nothing; rarely used members are computed on demand. */
class EndedPlain implements EndedRequest {
  readonly route: string | null
  readonly isForOperators: boolean
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

  constructor(incoming: Incoming, response: Response, route: Served | null, durationMs: number) {
    this.route = route?.path ?? null
    this.isForOperators = route?.forOperators ?? false
    this.durationMs = durationMs
    this.#incoming = incoming
    this.#response = response
  }

  get failure(): Failure | null {
    return this.#incoming.seen.failure
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
