/**
 * Handles requests that match no static kernel route: looks up the path in the snapshot of mounted
 * products, then runs the metered skill or the plugin's route, or answers a preflight, 405 or 404.
 */
import { errorResponse, fail, type Failure } from '../errors.ts'
import { IDEMPOTENCY_KEY_FORM, isIdempotencyKey } from '../ids.ts'
import type { MeterOutcome } from '../metering/call.ts'
import type { Meter } from '../metering/meter.ts'
import type { Quotes } from '../metering/quotes.ts'
import type { GatewayLog } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import type { Tracer } from '../log/trace.ts'
import type { GatewayPart } from '../plugins/contract.ts'
import type { ProductRegistry } from '../products/registry.ts'
import type { Match } from '../products/snapshot.ts'
import { isElsewhere } from './admin-origin.ts'
import { answerOf, HttpCall, type SkillMatch } from './http-call.ts'
import { isOpen, type Cors } from './cors.ts'
import { Incoming, type Answering, type OwnRequest } from './incoming.ts'
import type { KernelRoutes } from './kernel-routes.ts'
import { observeCall, type RequestObservers } from '../metering/observe-call.ts'
import { observedRoute, toldRequest } from './observe-route.ts'
import { serveRoute, type RouteDeps } from './route-adapter.ts'
import { watched, type StreamEnd } from '../net/stream-end.ts'
import { REASONS } from '../reasons.ts'
import type { ReadLongJson } from '../schema/json.ts'
import { andThen } from '../work/at-once.ts'

export interface GatewayDeps extends RouteDeps {
  products: Pick<ProductRegistry, 'serving' | 'waitingAt'>
  kernelRoutes: KernelRoutes
  notFound: GatewayPart['notFound']
  /** Host of ADMIN_URL; null if operators have no separate origin. */
  adminHost: string | null
  cors: Cors
  meter: Meter
  quotes: Quotes
  metrics: Metrics
  tracer: Tracer
  log: GatewayLog
  observers: RequestObservers
  readLongJson: ReadLongJson
}

export class Gateway {
  readonly #deps: GatewayDeps

  constructor(deps: GatewayDeps) {
    this.#deps = deps
  }

  /** The answer to a request that no static route matched; synchronous if possible. */
  readonly handle = (incoming: Incoming): Answering => this.#handle(incoming, this.#deps.adminHost)

  /** The answer to a request that the gateway makes to itself for its operator, on any origin. */
  handleOwn(request: Request, { clientAddress, operator, isLook = false }: OwnRequest): Answering {
    const { kernelRoutes } = this.#deps
    const peer = { requestIP: () => ({ address: clientAddress }) }
    // The address was determined when the original request came in.
    const incoming = new Incoming(request, peer, undefined, (address) => address)
    Object.assign(incoming.seen, { operator, isLook })
    const found = kernelRoutes.find(incoming.request.method, incoming.pathname)
    if (!found) return this.#handle(incoming, null)
    incoming.params = found.params
    const startedAt = performance.now()
    return andThen(serveRoute(found.route, incoming, this.#deps), (response) => {
      const durationMs = performance.now() - startedAt
      return toldRequest(this.#deps.observers, incoming, response, found.route, durationMs)
    })
  }

  #handle(incoming: Incoming, adminHost: string | null): Answering {
    const { request, requestId, pathname } = incoming
    const { method } = request
    if (method === 'OPTIONS') return this.#options(request, pathname, requestId)
    const { snapshot } = this.#deps.products.serving
    let match = snapshot.match(method === 'HEAD' ? 'GET' : method, pathname)
    if (adminHost !== null && isElsewhere(match, request.url, adminHost)) {
      if ('leave' in match) match.leave()
      match = { kind: 'not_found' }
    }
    switch (match.kind) {
      case 'route':
        return this.#route(match, incoming)
      case 'skill':
        return this.#toAnyOrigin(request, this.#skill(match, incoming))
      default:
        return this.#toAnyOrigin(request, this.#refused(incoming, this.#unmatched(match, pathname)))
    }
  }

  #unmatched(match: Exclude<Match, { kind: 'skill' | 'route' }>, pathname: string): Failure {
    switch (match.kind) {
      case 'method_not_allowed':
        return methodNotAllowed(match.allow)
      case 'bad_path':
        return fail('INVALID_INPUT', match.message)
      case 'not_found': {
        const waiting = this.#deps.products.waitingAt(pathname)
        return waiting ? notStarted(waiting.retryAfterMs) : this.#missing(pathname)
      }
    }
  }

  /** Adds CORS headers for pages of any origin; other callers get the answer unchanged. */
  #toAnyOrigin(request: Request, answering: Answering): Answering {
    if (request.headers.get('origin') === null) return answering
    return andThen(answering, (answer) => this.#deps.cors.add(request, answer))
  }

  async #route(match: Extract<Match, { kind: 'route' }>, incoming: Incoming): Promise<Response> {
    const startedAt = performance.now()
    try {
      incoming.params = match.params
      const response = await serveRoute(match.route, incoming, this.#deps)
      return observedRoute(this.#deps, match.route, incoming, response, startedAt)
    } finally {
      match.leave()
    }
  }

  #missing(pathname: string): Failure {
    const kernel = this.#deps.kernelRoutes.at(pathname)
    if (kernel.length > 0) return methodNotAllowed(kernel.map((route) => route.method))
    const slash = pathname.endsWith('/') ? '; try it without the slash at its end' : ''
    const details = { path: pathname.slice(0, 200) }
    const facts = { status: 404, headers: { vary: 'accept' }, details }
    return fail('INVALID_INPUT', `There is nothing at this path${slash}`, facts)
  }

  #options(request: Request, pathname: string, requestId: string): Response {
    const kernel = this.#deps.kernelRoutes.at(pathname)
    if (kernel.length > 0) {
      const methods = withHead(kernel.map((route) => route.method))
      return this.#deps.cors.preflight(request, methods, kernel.every(isOpen))
    }
    const methods: string[] = []
    let open = true
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const match = this.#deps.products.serving.snapshot.match(method, pathname)
      if (match.kind !== 'skill' && match.kind !== 'route') continue
      match.leave()
      methods.push(method)
      if (match.kind === 'route' && !isOpen(match.route)) open = false
    }
    if (methods.length === 0) return errorResponse(this.#missing(pathname), requestId)
    return this.#deps.cors.preflight(request, withHead(methods), open)
  }

  #skill(match: SkillMatch, incoming: Incoming): Answering {
    const startedAt = performance.now()
    const { mounted } = match
    if (mounted.skill.forward && incoming.headers.get('service-worker') !== null) {
      match.leave()
      return this.#refused(incoming, noServiceWorker(), mounted.metered)
    }
    try {
      const key = incoming.headers.get('idempotency-key')
      if (key !== null && !isIdempotencyKey(key)) {
        match.leave()
        return this.#refused(incoming, badKey(), mounted.metered)
      }
      const { quotes, readLongJson, meter } = this.#deps
      const call = new HttpCall(match, incoming, quotes.http(mounted), key, readLongJson)
      return andThen(meter.run(call), (outcome) => this.#answer(match, call, outcome, startedAt))
    } catch (error) {
      match.leave()
      throw error
    }
  }

  #refused(incoming: Incoming, failure: Failure, paidRoute = false): Response {
    incoming.seen.failure = failure
    const page = failure.status === 404 ? this.#deps.notFound?.(incoming.request) : null
    page?.headers.set('x-request-id', incoming.requestId)
    const answer = page ?? errorResponse(failure, incoming.requestId, { paidRoute })
    return toldRequest(this.#deps.observers, incoming, answer, null, 0)
  }

  /** Ends the count of the call as running, which for a stream is after its last byte. */
  #answer(match: SkillMatch, call: HttpCall, outcome: MeterOutcome, startedAt: number): Response {
    const { request, requestId, mounted } = call
    let isStreaming = false
    call.done()
    try {
      const shown =
        outcome.kind === 'answer' && mounted.skill.content
          ? { ...outcome, answer: call.shown(outcome.answer) }
          : outcome
      const response = answerOf(shown, {
        requestId,
        priceVersion: mounted.priceVersion,
        paidRoute: mounted.metered,
        isIdentified: call.seen?.identity != null,
        ...(mounted.skill.forward && {
          foreign: { passHeaders: mounted.skill.passHeaders ?? [] },
        }),
      })
      const endedAt = performance.now()
      const observe = (ended: MeterOutcome): void =>
        observeCall(this.#deps, call, ended, startedAt, request.method, endedAt)
      if (outcome.kind !== 'stream') {
        observe(outcome)
        return response
      }
      // A stream charged at its end is observed then, and the call counts as running until then.
      const charging = outcome.charging?.then((receipt) => observe({ ...outcome, receipt }))
      if (charging === undefined) observe(outcome)
      if (!response.body) return response
      const onEnd = (end: StreamEnd, error?: unknown): void => {
        if (charging === undefined) match.leave()
        else void charging.finally(match.leave)
        const { log } = this.#deps
        const facts = { err: error, requestId, skill: mounted.skill.id }
        if (end === 'given_up') log.debug(facts, 'stream given up because of its caller')
        if (end !== 'broken') return
        log.warn(facts, 'stream broke off')
        outcome
          .onBroken()
          .catch((err: unknown) => log.error({ err, requestId }, 'a charge was not given back'))
      }
      const { ending } = this.#deps.meter
      const body = watched(response.body, onEnd, { ending })
      isStreaming = true
      return new Response(body, response)
    } finally {
      if (!isStreaming) match.leave()
    }
  }
}

/** Refuses service workers, which would intercept a browser's later requests to this origin. */
function noServiceWorker(): Failure {
  return fail('INVALID_INPUT', 'What an upstream answers is not a service worker of the gateway', {
    status: 403,
    details: { reason: REASONS.service_worker },
  })
}

function withHead(methods: readonly string[]): string[] {
  return methods.includes('GET') ? [...methods, 'HEAD'] : [...methods]
}

function badKey(): Failure {
  return fail('INVALID_INPUT', `Idempotency-Key must be ${IDEMPOTENCY_KEY_FORM}`, {
    details: { issues: [{ path: '/headers/idempotency-key', message: 'is malformed' }] },
  })
}

function notStarted(retryAfterMs: number): Failure {
  return fail('UPSTREAM_FAILURE', 'This product could not be started yet; it is tried again', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
  })
}

function methodNotAllowed(allow: readonly string[]): Failure {
  const methods = [...new Set(withHead(allow))].join(', ')
  return fail('INVALID_INPUT', `This path answers ${methods}`, {
    status: 405,
    headers: { allow: methods },
  })
}
