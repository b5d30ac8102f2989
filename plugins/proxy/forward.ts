/** The HTTP side of a proxied skill: the caller's request goes to the upstream, its answer comes back. */
import { isIP } from 'node:net'
import {
  fail,
  invalid,
  type Failure,
  type ForwardRequest,
  type ForwardSuccess,
  type SkillContext,
} from '#kernel'
import { noAnswer, notFulfilled } from './failures.ts'
import { requestHeaders, responseHeaders, type HeaderRules } from './headers.ts'
import { partnerFailure } from './partner.ts'
import { callerLocation, upstreamPath, type Mount } from './path.ts'
import { upstreamSearch, type QueryRules } from './query.ts'
import type { Upstream } from './upstream.ts'
import type { Answer } from './answer.ts'

export interface Proxy {
  upstream: Upstream
  mount: Mount
  rules: HeaderRules
  query: QueryRules
}

/** What is sent for one call, whichever way it came in. */
export interface Outgoing {
  method: string
  path: string
  search: string
  callerHeaders: Headers
  body: ReadableStream<Uint8Array> | Uint8Array | null
  clientAddress: string | null
  metered: boolean
}

/** Methods whose requests say that they have no body. */
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])

/** HTTP has no other class of status above it; some sites answer 999. */
const HIGHEST_STATUS = 599

/** Sends a call to the upstream: its answer, or the failure that the caller gets. */
export async function ask(
  { upstream, mount, rules, query }: Proxy,
  ctx: SkillContext,
  out: Outgoing,
): Promise<{ answer: Answer; path: string } | Failure> {
  const path = upstreamPath(mount, out.path)
  if (path === null) {
    return invalid([{ path: '', message: 'names a path that cannot be forwarded' }])
  }
  const headers = requestHeaders(rules, out.callerHeaders, {
    requestId: ctx.requestId,
    clientAddress: out.clientAddress,
    method: out.method,
    metered: out.metered,
    ...(ctx.caller.keyId !== undefined && { keyId: ctx.caller.keyId }),
  })
  if (headers === null)
    return fail('UPSTREAM_FAILURE', 'The request goes in circles', { retryable: false })
  const length = lengthOf(out)
  if (length !== null) headers['content-length'] = length
  const outcome = await upstream.send({
    method: out.method,
    target: path + upstreamSearch(query, out.search),
    headers,
    body: out.body,
    signal: ctx.signal,
  })
  return outcome.ok ? { answer: outcome, path } : noAnswer(outcome)
}

function lengthOf({ method, body, callerHeaders }: Outgoing): string | null {
  if (body instanceof Uint8Array) return String(body.byteLength)
  if (body === null) return WITH_BODY.has(method) ? '0' : null
  return callerHeaders.get('content-length')
}

/**
 * The `forward` of a skill. A paid route passes 2xx answers through and turns everything else into
 * a failure without a charge; a free one passes every answer as it is. `isRead`: its price is read in
 * the answer's JSON, so the upstream is asked not to compress it, and for all of it: in a part there
 * is nothing to read, and the parts together would be the whole answer.
 */
export function forwarder(proxy: Proxy, metered: boolean, isRead: boolean) {
  return async (ctx: SkillContext, request: ForwardRequest): Promise<ForwardSuccess | Failure> => {
    const { clientAddress } = request
    const callerHeaders = isRead ? new Headers(request.headers) : request.headers
    if (isRead) {
      callerHeaders.set('accept-encoding', 'identity')
      callerHeaders.delete('range')
    }
    const asked = await ask(proxy, ctx, {
      method: request.method,
      path: request.path,
      search: request.search,
      callerHeaders,
      body: request.body,
      clientAddress: isIP(clientAddress) === 0 ? null : clientAddress,
      metered,
    })
    if ('ok' in asked) return asked
    const { answer, path } = asked
    if ((metered && !isFulfilled(answer)) || answer.status > HIGHEST_STATUS) {
      return unfulfilled(proxy, answer)
    }
    const headers = responseHeaders(answer.rawHeaders, (location) =>
      callerLocation(proxy.mount, location, path),
    )
    const isLengthUnsaid = request.method === 'HEAD' && !headers.has('content-length')
    const body = isLengthUnsaid && answer.status === 200 ? nothing() : answer.body
    const init = { status: answer.status, headers }
    return { ok: true, response: new Response(body as BodyInit | null, init) }
  }
}

/** A body of HEAD: without one the server says that GET would have none, by a length of 0. */
function nothing(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() })
}

export function isFulfilled({ status }: Answer): boolean {
  return status >= 200 && status < 300
}

/** Why an answer is not a result, for the caller; gives up its body. */
export function unfulfilled({ rules }: Proxy, answer: Answer): Failure {
  discard(answer)
  const retryAfter = rawHeader(answer, 'retry-after')
  const told = notFulfilled(answer.status, retryAfter)
  const own = rules.serviceToken === null ? null : partnerFailure(answer)
  return own === null ? told : { ...own, ...(told.headers && { headers: told.headers }) }
}

/** Gives up a body that nobody will read. */
export function discard({ body }: Answer): void {
  if (body instanceof ReadableStream) void body.cancel().catch(() => {})
}

/** The first header of this lower-case name. */
export function rawHeader({ rawHeaders }: Answer, name: string): string | null {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() === name) return rawHeaders[index + 1]!
  }
  return null
}
