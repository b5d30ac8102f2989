/**
 * Serves a `Route`: the kernel's own and those that plugins add. Credentials, body limit, request
 * id and error bodies are the same for all of them; a handler returns a Response or a Failure.
 */
import { roleRefusal, type OperatorIdentity } from '../auth/operators.ts'
import type {
  Authenticator,
  CallLimits,
  CredentialSource,
  Identity,
  RateLimiter,
} from '../auth/contract.ts'
import { keyMissing } from '../auth/unauthorized.ts'
import { tooManyCalls } from '../metering/failures.ts'
import type { AccountTerms } from '../metering/quotes.ts'
import { callLimits, endingLimits, rateHeaders, shareOf } from '../metering/shares.ts'
import { errorResponse, fail, GatewayError, type Failure } from '../errors.ts'
import type { Route, RouteRequest } from '../plugins/route.ts'
import { productRefusal } from '../rails/credits/budget-refusals.ts'
import type { Logger } from '../log/logger.ts'
import { readJson, type ReadLongJson } from '../schema/json.ts'
import { BodyReader, BUDGETS, refusalOfText } from './body.ts'
import { isOpen, type Cors } from './cors.ts'
import type { OperatorChanges } from './operator-changes.ts'
import { httpSource, type Answering, type RouteCall } from './incoming.ts'

/** The largest body of a route that names no size. */
export const DEFAULT_BODY_BYTES = 1_048_576

export interface RouteDeps {
  auth: Authenticator
  /** Absent: pages of other origins cannot read answers. */
  cors?: Cors
  /** For routes with `rateLimited`; absent: no limit. */
  rate?: { limiter: RateLimiter; limits: CallLimits; terms?: Pick<AccountTerms, 'limitsOf'> }
  log: Logger
  /** Absent: operators' changes are not reported. */
  changes?: OperatorChanges
  /** Absent: long bodies are parsed in one go, which delays other requests. */
  readLongJson?: ReadLongJson
}

/** The answer of `route`, synchronous if possible; never throws or rejects. */
export function serveRoute(route: Route, call: RouteCall, deps: RouteDeps): Answering {
  if (holdsNul(call.params)) {
    const unknown = fail('INVALID_INPUT', 'There is nothing at this path', { status: 404 })
    return refuse(route, call, deps, unknown)
  }
  if (route.auth !== 'public' || (route.rateLimited && deps.rate)) return guard(route, call, deps)
  return handle(route, call, null, deps)
}

/** Credentials and rate limit, then the handler. */
async function guard(route: Route, call: RouteCall, deps: RouteDeps): Promise<Response> {
  try {
    const source = httpSource(call.request.headers, call, route.rateLimited === 'ends_hold')
    const admitted = await admit(route, source, call, deps.auth)
    if (!admitted.ok) return refuse(route, call, deps, admitted)
    const { identity } = admitted
    if (call.seen) call.seen.identity = identity
    const counted = await count(route, call, identity, deps.rate)
    const answered = counted.refused
      ? refuse(route, call, deps, counted.refused)
      : await changing(route, call, deps, () => handle(route, call, identity, deps))
    for (const [name, value] of counted.headers) answered.headers.set(name, value)
    return answered
  } catch (error) {
    return failed(route, call, deps, error)
  }
}

/** Does the work of a route; a change by an operator is reported to observers. */
function changing(
  route: Route,
  call: RouteCall,
  deps: RouteDeps,
  work: () => Answering,
): Answering {
  const { changes } = deps
  const isLook = route.method === 'GET' || route.role === 'read'
  if (route.auth !== 'admin' || isLook || !changes?.isOn) return work()
  return changes.around(route, call, work)
}

interface Counted {
  refused: Failure | null
  /** RateLimit and RateLimit-Policy, as for calls; none for a route without a limit. */
  headers: readonly [name: string, value: string][]
}

/** Counts the request against its key or address; 429 if the limit is reached. */
async function count(
  route: Route,
  call: RouteCall,
  identity: Identity | null,
  rate: RouteDeps['rate'],
): Promise<Counted> {
  // A first-party upstream bills for calls that were already counted.
  const isBilling = identity?.via === 'service'
  if (!route.rateLimited || !rate || isBilling) return { refused: null, headers: [] }
  // The same as for calls: a key has one count, which changing limits would make worthless.
  const own = identity && rate.terms?.limitsOf(identity.accountId)
  const calls = callLimits(identity, own ?? rate.limits)
  const limits = route.rateLimited === 'ends_hold' ? endingLimits(calls) : calls
  const who = shareOf(identity, null, call)
  const subject = route.rateLimited === 'ends_hold' ? `${who}:ends` : who
  const decision = await rate.limiter.take(subject, limits)
  const refused = decision.allowed ? null : tooManyCalls(limits, decision.retryAfterMs)
  return { refused, headers: Object.entries(rateHeaders(limits, decision)) }
}

function handle(
  route: Route,
  call: RouteCall,
  identity: Identity | null,
  deps: RouteDeps,
): Answering {
  try {
    const served = new ServedRequest(route, call, identity, deps.readLongJson)
    const outcome = route.handler(served)
    if (!(outcome instanceof Promise)) return answer(route, call, deps, outcome)
    return outcome
      .then(
        (settled) => answer(route, call, deps, settled),
        (error: unknown) => failed(route, call, deps, error),
      )
      .finally(() => served.done())
  } catch (error) {
    return failed(route, call, deps, error)
  }
}

function answer(
  route: Route,
  call: RouteCall,
  deps: RouteDeps,
  outcome: Response | Failure,
): Response {
  if (!(outcome instanceof Response)) return refuse(route, call, deps, outcome)
  const { headers } = outcome
  if (!headers.has('x-request-id')) headers.set('x-request-id', call.requestId)
  // Without Cache-Control, shared caches could store the answer.
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  return finish(route, call.request, deps, outcome)
}

function failed(route: Route, call: RouteCall, deps: RouteDeps, error: unknown): Response {
  if (error instanceof GatewayError) return refuse(route, call, deps, error.failure)
  deps.log.error({ err: error, requestId: call.requestId, route: route.path }, 'route failed')
  const failure = fail('INTERNAL_ERROR', 'The gateway failed to answer this request')
  return refuse(route, call, deps, failure)
}

function refuse(route: Route, call: RouteCall, deps: RouteDeps, failure: Failure): Response {
  const { request, requestId } = call
  if (call.seen) call.seen.failure = failure
  const bringsKey = deps.auth.presents(httpSource(request.headers))
  return finish(route, request, deps, errorResponse(failure, requestId, { bringsKey }))
}

/** Whether a path parameter holds U+0000, which no id has and PostgreSQL refuses in a text. */
function holdsNul(params: RouteCall['params']): boolean {
  for (const name in params) if (params[name]!.includes('\0')) return true
  return false
}

function finish(route: Route, request: Request, { cors }: RouteDeps, response: Response): Response {
  return cors && isOpen(route) ? cors.add(request, response) : response
}

async function admit(
  route: Route,
  source: CredentialSource,
  call: RouteCall,
  auth: Authenticator,
): Promise<{ ok: true; identity: Identity | null } | Failure> {
  const nobody = { ok: true, identity: null } as const
  if (route.auth === 'public') return nobody
  if (route.auth === 'admin') return (await admitOperator(route, source, call, auth)) ?? nobody
  // Without a place: plugins' credentials pay for single calls, not for what these routes start.
  const found = await auth.identify(source)
  if (!found.ok) return found
  const { identity } = found
  if (!identity) return keyMissing('This route needs an API key')
  return (route.privateTo && productRefusal(identity, route.privateTo)) ?? { ok: true, identity }
}

/** Why the operator may not use the route; null if they may. */
async function admitOperator(
  { role, method }: Route,
  source: CredentialSource,
  call: RouteCall,
  auth: Authenticator,
): Promise<Failure | null> {
  let operator = call.seen?.operator ?? null
  if (operator === null) {
    const found = await auth.operators.identify(source, call.clientAddress)
    if (!found.ok) return found
    operator = found.operator
    if (call.seen) call.seen.operator = operator
  }
  return roleRefusal(operator, role ?? (method === 'GET' ? 'read' : 'operate'))
}

/** The request as the handler sees it; rarely read parts are made on demand. */
class ServedRequest implements RouteRequest {
  readonly request: Request
  readonly params: RouteCall['params']
  readonly requestId: string
  declare readonly keyId?: string
  declare readonly accountId?: string
  declare readonly isService?: boolean
  declare readonly operator?: OperatorIdentity
  readonly #route: Route
  readonly #readLong: ReadLongJson | undefined
  readonly #call: RouteCall
  #query: URLSearchParams | null = null
  #reader: BodyReader | null = null
  #bytes: Promise<Uint8Array | Failure> | null = null

  constructor(
    route: Route,
    call: RouteCall,
    identity: Identity | null,
    readLong: ReadLongJson | undefined,
  ) {
    this.request = call.request
    this.params = call.params
    this.requestId = call.requestId
    if (identity) {
      this.keyId = identity.keyId
      this.accountId = identity.accountId
      this.isService = identity.via === 'service'
    }
    if (call.seen?.operator) this.operator = call.seen.operator
    this.#route = route
    this.#readLong = readLong
    this.#call = call
  }

  get query(): URLSearchParams {
    return (this.#query ??= new URLSearchParams(this.#call.search))
  }

  get clientAddress(): string {
    return this.#call.clientAddress
  }

  get signal(): AbortSignal {
    return this.request.signal
  }

  /** The share that the body counts against. */
  get #share(): string {
    const { keyId } = this
    return shareOf(keyId === undefined ? null : { keyId }, null, this.#call)
  }

  readonly bytes = (): Promise<Uint8Array | Failure> => {
    if (this.#bytes) return this.#bytes
    const limitBytes = this.#route.bodyBytes ?? DEFAULT_BODY_BYTES
    // A public route checks credentials after reading the body, if at all.
    const budget = this.#route.auth === 'public' ? BUDGETS.keyless : BUDGETS.keyed
    this.#reader = new BodyReader(this.request, { limitBytes, budget, share: this.#share })
    return (this.#bytes = this.#reader.read())
  }

  /** Releases the memory of the body once the handler has answered. */
  done(): void {
    this.#reader?.done()
  }

  readonly json = async (): ReturnType<RouteRequest['json']> => {
    const body = await this.bytes()
    if ('ok' in body) return body
    if (body.byteLength === 0) return { ok: true, value: undefined }
    const parsed = await readJson(body, this.#share, this.#readLong)
    const { headers } = this.request
    if (!parsed.ok) return refusalOfText(parsed, { body, headers }, this.#route.input)
    const { seen } = this.#call
    if (seen?.operator) seen.input = parsed.value
    return parsed
  }
}
