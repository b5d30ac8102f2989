/**
 * Everything that is no static kernel route: looks the path up in the snapshot of mounted products
 * and takes it through the meter, a plugin's own route, a preflight, 405 or 404.
 */
import { errorResponse, fail, GatewayError, type Failure } from '../errors.ts'
import { requestIdFrom } from '../ids.ts'
import type { MeterCall, ReadOutcome } from '../metering/call.ts'
import type { MountedSkill } from '../metering/contract.ts'
import type { Meter } from '../metering/meter.ts'
import type { Quotes } from '../metering/quotes.ts'
import type { CallLog } from '../ops/log.ts'
import type { Metrics } from '../ops/metrics.ts'
import type { Tracer } from '../ops/trace.ts'
import type { HttpParts, Logger } from '../plugins/contract.ts'
import type { Match } from '../products/snapshot.ts'
import type { RailRegistry } from '../rails/registry.ts'
import { fingerprintOf } from '../schema/json.ts'
import { answerOf } from './answer.ts'
import { isRefused, readBody, tooLarge } from './body.ts'
import { preflight, withCors } from './cors.ts'
import { splitUrl } from './host.ts'
import { inputOf, withoutCredentials } from './input.ts'
import type { KernelRoutes } from './kernel-routes.ts'
import { serveRoute, type RouteDeps } from './route-adapter.ts'
import { acquisitionOf, httpSource } from './source.ts'
import { watched } from './watched.ts'
import { observeCall } from './observe.ts'

export interface GatewayDeps extends RouteDeps {
  /** Looks up and, for a hit, counts the call as in flight until `leave()`. */
  match(method: string, pathname: string): Match
  kernelRoutes: KernelRoutes
  meter: Meter
  quotes: Quotes
  rails: RailRegistry
  metrics: Metrics
  tracer: Tracer
  log: Logger & CallLog
}

/** Streamed bodies up to this size are buffered, so that a payment is bound to their bytes. */
const FINGERPRINT_BYTES = 1_048_576
/** The largest Idempotency-Key. */
const MAX_KEY_CHARACTERS = 255

export class Gateway {
  readonly #deps: GatewayDeps

  constructor(deps: GatewayDeps) {
    this.#deps = deps
  }

  /** The answer to a request that no static route took. */
  async handle(request: Request, clientAddress: string): Promise<Response> {
    const { pathname, search } = splitUrl(request.url)
    const requestId = requestIdFrom(request.headers.get('x-request-id'))
    const { method } = request
    if (method === 'OPTIONS') return this.#options(request, pathname, requestId)
    const match = this.#deps.match(method === 'HEAD' ? 'GET' : method, pathname)
    switch (match.kind) {
      case 'skill':
        return this.#skill(match, { request, search, requestId, clientAddress, pathname })
      case 'route':
        try {
          return await serveRoute(
            match.route,
            { request, params: match.params, search, requestId, clientAddress },
            this.#deps,
          )
        } finally {
          match.leave()
        }
      case 'method_not_allowed':
        return withCors(request, errorResponse(methodNotAllowed(match.allow), requestId))
      case 'bad_path':
        return withCors(request, errorResponse(fail('INVALID_INPUT', match.message), requestId))
      case 'not_found':
        return withCors(request, errorResponse(this.#missing(pathname), requestId))
      case 'unavailable':
        return withCors(request, errorResponse(notStarted(match), requestId))
    }
  }

  #missing(pathname: string): Failure {
    const kernel = this.#deps.kernelRoutes.at(pathname)
    if (kernel.length > 0) return methodNotAllowed(kernel.map((route) => route.method))
    return fail('INVALID_INPUT', 'There is nothing at this path', {
      status: 404,
      details: { path: pathname.slice(0, 200) },
    })
  }

  #options(request: Request, pathname: string, requestId: string): Response {
    const kernel = this.#deps.kernelRoutes.at(pathname)
    if (kernel.length > 0) {
      return preflight(
        request,
        withHead(kernel.map((route) => route.method)),
        kernel.every((route) => route.auth !== 'admin'),
      )
    }
    const methods: string[] = []
    let open = true
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const match = this.#deps.match(method, pathname)
      if (match.kind !== 'skill' && match.kind !== 'route') continue
      match.leave()
      methods.push(method)
      if (match.kind === 'route' && match.route.auth === 'admin') open = false
    }
    if (methods.length === 0) return errorResponse(this.#missing(pathname), requestId)
    return preflight(request, withHead(methods), open)
  }

  async #skill(
    match: Extract<Match, { kind: 'skill' }>,
    http: {
      request: Request
      search: string
      requestId: string
      clientAddress: string
      pathname: string
    },
  ): Promise<Response> {
    const startedAt = performance.now()
    const { mounted } = match
    const { request, requestId } = http
    let left = false
    const leave = (): void => {
      if (!left) match.leave()
      left = true
    }
    try {
      const key = request.headers.get('idempotency-key')
      if (key !== null && !isKey(key)) {
        leave()
        return withCors(request, errorResponse(badKey(), requestId, mounted.metered))
      }
      const call = this.#call(match, http, key)
      const outcome = await this.#deps.meter.run(call)
      const response = answerOf(outcome, {
        requestId,
        priceVersion: mounted.priceVersion,
        paidRoute: mounted.metered,
      })
      observeCall(this.#deps, call, outcome, startedAt, request.method)
      // A stream is in flight until its last byte: the old revision's drain must wait for it.
      if (outcome.kind === 'stream' && response.body) {
        const body = watched(response.body, (end, error) => {
          leave()
          if (end !== 'broken') return
          const { log } = this.#deps
          log.warn({ err: error, requestId, skill: mounted.skill.id }, 'stream broke off')
          outcome
            .onBroken()
            .catch((err: unknown) => log.error({ err, requestId }, 'a charge was not given back'))
        })
        return withCors(request, new Response(body, response))
      }
      leave()
      return withCors(request, response)
    } catch (error) {
      leave()
      throw error
    }
  }

  #call(
    match: Extract<Match, { kind: 'skill' }>,
    http: {
      request: Request
      search: string
      requestId: string
      clientAddress: string
      pathname: string
    },
    idempotencyKey: string | null,
  ): MeterCall {
    const { mounted, params } = match
    const { request } = http
    let parts: Promise<HttpParts | Failure> | null = null
    const readParts = (): Promise<HttpParts | Failure> => {
      parts ??= this.#parts(request, mounted, params, http.search)
      return parts
    }
    // HEAD asks what a call would cost and never pays for an answer it cannot carry.
    const probe = request.method === 'HEAD' && mounted.metered
    return {
      mounted,
      quote: this.#deps.quotes.http(mounted),
      requestId: http.requestId,
      source: probe ? { header: () => null } : httpSource(request),
      idempotencyKey,
      acquisition: acquisitionOf(request.headers.get('x-kernel-acquisition')),
      clientAddress: http.clientAddress,
      signal: request.signal,
      parts: readParts,
      read: async () => {
        if (mounted.skill.forward) return readForward(request, mounted, match.subPath, http)
        const read = await readParts()
        return 'ok' in read ? read : inputOf(mounted.skill, read)
      },
    }
  }

  async #parts(
    request: Request,
    mounted: MountedSkill,
    params: Readonly<Record<string, string>>,
    search: string,
  ): Promise<HttpParts | Failure> {
    const body = await readBody(request, mounted.limits.bodyBytes)
    if (isRefused(body)) return body
    return {
      method: request.method,
      params,
      query: new URLSearchParams(search),
      headers: withoutCredentials(request.headers),
      body,
    }
  }
}

/** The request as a forwarding skill streams it; small bodies are buffered and fingerprinted. */
async function readForward(
  request: Request,
  mounted: MountedSkill,
  subPath: string,
  http: { search: string; clientAddress: string; pathname: string },
): Promise<ReadOutcome> {
  const declared = request.headers.get('content-length')
  const limitBytes = mounted.limits.bodyBytes
  if (declared !== null && Number(declared) > limitBytes) return tooLarge(limitBytes)
  let body = request.body
  let digest: Uint8Array | string = `stream:${declared ?? 'chunked'}`
  if (body && declared !== null && Number(declared) <= FINGERPRINT_BYTES) {
    const bytes = await request.bytes()
    digest = bytes
    body = new Response(bytes).body
  }
  return {
    ok: true,
    forward: {
      method: request.method,
      path: subPath,
      search: http.search,
      headers: withoutCredentials(request.headers),
      body: body && declared === null ? body.pipeThrough(limited(limitBytes)) : body,
      clientAddress: http.clientAddress,
    },
    fingerprint: fingerprintOf(
      mounted.skill.id,
      request.method,
      http.pathname,
      http.search,
      digest,
    ),
  }
}

function limited(limitBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let sizeBytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      sizeBytes += chunk.byteLength
      if (sizeBytes > limitBytes) controller.error(new GatewayError(tooLarge(limitBytes)))
      else controller.enqueue(chunk)
    },
  })
}

function withHead(methods: readonly string[]): string[] {
  return methods.includes('GET') ? [...methods, 'HEAD'] : [...methods]
}

function isKey(key: string): boolean {
  return key.length <= MAX_KEY_CHARACTERS && /^[\x21-\x7e]+$/.test(key)
}

function badKey(): Failure {
  return fail(
    'INVALID_INPUT',
    `Idempotency-Key must be 1 to ${MAX_KEY_CHARACTERS} printable characters without spaces`,
    {
      details: { issues: [{ path: '/headers/idempotency-key', message: 'is malformed' }] },
    },
  )
}

function notStarted({ retryAfterMs }: Extract<Match, { kind: 'unavailable' }>): Failure {
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
