/** Incoming HTTP requests: the check of their Host, and values derived from them on demand. */
import { requestIdFrom } from '../ids.ts'
import { withheldHeaders } from '../net/reserved-headers.ts'
import type { Logger } from '../log/logger.ts'
import type { CallerAddress } from '../net/trusted-proxies.ts'
import type { CallPlace, CredentialSource, Identity } from '../auth/contract.ts'
import { errorResponse, fail, type Failure } from '../errors.ts'
import type { OperatorIdentity } from '../auth/operators.ts'

const SLASH = 0x2f
const PORT = String.raw`[0-5]?\d{1,4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5]`
const AUTHORITY = new RegExp(
  String.raw`^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._~-]{1,255})(:(?:${PORT}))?$`,
)

/** Scheme and authority of the last URL that passed: nearly every request has the same. */
let passed = '-'

/**
 * Start of the path in an absolute request URL, or -1 when the Host must be refused. Elysia looks
 * for the path from the 11th character of the URL on, so a Host shorter than four characters steers
 * its router to another path than the one every other reader of the URL sees. Such a Host, and one
 * that does not parse, is refused before any route.
 */
export function pathStart(url: string): number {
  if (url.startsWith(passed) && url.charCodeAt(passed.length) === SLASH) return passed.length
  const authorityStart = url.indexOf('://') + 3
  const slash = url.indexOf('/', authorityStart)
  if (slash === -1 || slash - authorityStart < 4 || slash < 11) return -1
  if (!AUTHORITY.test(url.slice(authorityStart, slash))) return -1
  passed = url.slice(0, slash)
  return slash
}

/** Path and query of a request URL whose Host was accepted. */
function splitUrl(url: string): { pathname: string; search: string } {
  const start = pathStart(url)
  const question = url.indexOf('?', start)
  return question === -1
    ? { pathname: url.slice(start), search: '' }
    : { pathname: url.slice(start, question), search: url.slice(question) }
}

/** The part of Bun's server that knows the caller's address. */
export type Server = { requestIP(request: Request): { address: string } | null } | null | undefined

type Params = Readonly<Record<string, string>>

/** Facts about a request, collected while it is served. */
export interface Seen {
  identity: Identity | null
  operator: OperatorIdentity | null
  failure: Failure | null
  /** An internal request to see what an operator changes, which is not reported to observers. */
  isLook?: boolean
  /** The JSON that an operator sent. */
  input?: unknown
}

/** One request on its way to a route, which an `Incoming` is. */
export interface RouteCall {
  request: Request
  params: Params
  search: string
  requestId: string
  clientAddress: string
  /** Collects facts about the request. */
  seen?: Seen
}

/** On whose behalf the gateway makes a request to itself. */
export interface OwnRequest {
  clientAddress: string
  /** Null: the operator by the request's own credential. */
  operator: OperatorIdentity | null
  /** See `Seen.isLook`. */
  isLook?: boolean
}

const NO_PARAMS: Params = Object.freeze({})

/**
 * A request. Reading the socket's address or splitting the URL would cost as much as the rest of a
 * short answer, so both are done on demand.
 */
export class Incoming {
  readonly request: Request
  readonly headers: Headers
  readonly requestId: string
  /** Decoded path parameters of the route pattern; its router sets them. */
  params: Params
  readonly seen: Seen = { identity: null, operator: null, failure: null }
  readonly #server: Server
  readonly #callerOf: CallerAddress
  #clientAddress: string | null = null
  #place: { pathname: string; search: string } | null = null

  constructor(
    request: Request,
    server: Server,
    params: Params | undefined,
    callerOf: CallerAddress,
  ) {
    this.request = request
    this.headers = request.headers
    this.requestId = requestIdFrom(this.headers.get('x-request-id'))
    this.params = params ?? NO_PARAMS
    this.#server = server
    this.#callerOf = callerOf
  }

  /** The caller, behind trusted proxies if there are any; 'unknown' once the connection is closed. */
  get clientAddress(): string {
    return (this.#clientAddress ??= this.#findCaller())
  }

  #findCaller(): string {
    const peer = this.#server?.requestIP(this.request)?.address
    return peer === undefined ? 'unknown' : this.#callerOf(peer, this.headers)
  }

  get pathname(): string {
    return this.#split().pathname
  }

  /** '' or '?…'. */
  get search(): string {
    return this.#split().search
  }

  #split(): { pathname: string; search: string } {
    return (this.#place ??= splitUrl(this.request.url))
  }
}

export type Answering = Response | Promise<Response>

/** Answers requests, synchronously if possible; never throws or rejects. */
export interface Serving {
  serve(request: Request, server: Server, params?: Params): Answering
  /** The same for Elysia. */
  handler(asked: { request: Request; server?: Server; params?: Params }): Answering
}

/**
 * Refuses an invalid Host before anything else, and several, which Bun joins by a comma; errors that
 * `answer` throws become an answer. Here, because a hook of Elysia would cost every request a context.
 */
export function serving(
  { callerOf, log }: { callerOf: CallerAddress; log: Pick<Logger, 'error'> },
  answer: (incoming: Incoming) => Answering,
): Serving {
  const serve: Serving['serve'] = (request, server, params) => {
    if (pathStart(request.url) === -1 || request.headers.get('host')?.includes(',')) {
      const failure = fail('INVALID_INPUT', 'The Host header is missing, repeated or malformed')
      return errorResponse(failure, requestIdFrom(request.headers.get('x-request-id')))
    }
    try {
      const answering = answer(new Incoming(request, server, params, callerOf))
      if (!(answering instanceof Promise)) return answering
      return answering.catch((error: unknown) => failedRequest(log, request, error))
    } catch (error) {
      return failedRequest(log, request, error)
    }
  }
  return { serve, handler: ({ request, server, params }) => serve(request, server, params) }
}

/** The answer to a request that failed unexpectedly; the error goes only into the log. */
export function failedRequest(
  log: Pick<Logger, 'error'>,
  request: Request,
  err: unknown,
): Response {
  const requestId = requestIdFrom(request.headers.get('x-request-id'))
  log.error({ err, requestId }, 'request failed')
  const failure = fail('INTERNAL_ERROR', 'The gateway failed to answer this request')
  return errorResponse(failure, requestId)
}

/** Where a request goes. */
export function placeOf({ method, url }: Pick<Request, 'method' | 'url'>): CallPlace {
  const { pathname, search } = splitUrl(url)
  return { transport: 'http', method, target: `${pathname}${search}` }
}

/** The credential headers of a request, and the address of its caller as the gateway sees it. */
export function httpSource(
  headers: Headers,
  from?: { readonly clientAddress: string },
  endsHold = false,
): CredentialSource {
  return {
    endsHold,
    header: (name) => headers.get(name),
    // Determined on demand: few keys are bound to networks.
    get clientAddress() {
      return from?.clientAddress
    },
  }
}

/** X-Kernel-Acquisition as stored: at most 128 printable characters; null if none are left. */
export function acquisitionOf(header: string | null): string | null {
  if (header === null) return null
  const printable = header
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 128)
  return printable === '' ? null : printable
}

/** Framing headers, kept even if Connection nominates them, because the body is read by them. */
const FRAMING = new Set(['content-length', 'content-encoding', 'host'])

/** The caller's headers without credentials, connection headers and those these nominate. */
export function withoutCredentials(headers: Headers): Headers {
  const copy = new Headers(headers)
  for (const named of headers.get('connection')?.split(',') ?? []) {
    const name = named.trim().toLowerCase()
    if (/^[a-z0-9-]+$/.test(name) && !FRAMING.has(name)) copy.delete(name)
  }
  for (const name of withheldHeaders()) copy.delete(name)
  return copy
}
