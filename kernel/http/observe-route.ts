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

function tell(
  observers: RequestObservers,
  incoming: Incoming,
  { status, headers }: Response,
  {
    route,
    failure,
    durationMs,
  }: {
    route: Pick<Route, 'path' | 'forOperators'> | null
    failure: Failure | null
    durationMs: number
  },
): void {
  const { seen } = incoming
  if (!observers.isOn || seen.isLook) return
  observers.ended(
    new EndedPlain(incoming, {
      route: route?.path ?? null,
      isForOperators: route?.forOperators ?? false,
      failure,
      durationMs,
      method: incoming.request.method,
      status,
      identity: seen.identity,
      operator: seen.operator?.name ?? null,
      requestBytes: lengthOf(incoming.headers.get('content-length')),
      responseBytes: lengthOf(headers.get('content-length')),
    }),
  )
}

/** What a request to something else than a skill came to. */
export interface PlainFacts {
  method: string
  route: string | null
  status: number
  failure: Failure | null
  identity: Identity | null
  operator: string | null
  isForOperators: boolean
  durationMs: number
  requestBytes: number | null
  responseBytes: number | null
}

interface Place {
  readonly requestId: string
  readonly pathname: string
  readonly clientAddress: string
}

/** A request to a route, or to nothing. */
class EndedPlain implements EndedRequest {
  readonly #place: Place
  readonly #facts: PlainFacts
  readonly product = null
  readonly skillId = null
  readonly outcome = null
  readonly payer = null
  readonly rail = null
  readonly chargedAtomic = 0n
  readonly upstreamStatus = null

  constructor(place: Place, facts: PlainFacts) {
    this.#place = place
    this.#facts = facts
  }

  get requestId(): string {
    return this.#place.requestId
  }
  get path(): string {
    return this.#place.pathname
  }
  get clientAddress(): string {
    return this.#place.clientAddress
  }
  get method(): string {
    return this.#facts.method
  }
  get route(): string | null {
    return this.#facts.route
  }
  get status(): number {
    return this.#facts.status
  }
  get failure(): Failure | null {
    return this.#facts.failure
  }
  get identity(): Identity | null {
    return this.#facts.identity
  }
  get operator(): string | null {
    return this.#facts.operator
  }
  get isForOperators(): boolean {
    return this.#facts.isForOperators
  }
  get durationMs(): number {
    return this.#facts.durationMs
  }
  get requestBytes(): number | null {
    return this.#facts.requestBytes
  }
  get responseBytes(): number | null {
    return this.#facts.responseBytes
  }
}
