/** One request to an upstream over its kept connections, from the call to the last byte. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { codeOf, CallerEnded } from '#kernel'
import { RefusedTarget, type PinnedAgent } from './agent.ts'
import { bodyStream, sendBody, type BodyEnd } from './body.ts'
import { Handover } from './handover.ts'
import { Silence } from './silence.ts'

export interface UpstreamRequest {
  method: string
  /** Path and query as they go on the wire. */
  target: string
  /** Lower-case names; Content-Length when a streamed body has a known length. */
  headers: Readonly<Record<string, string>>
  body: ReadableStream<Uint8Array> | Uint8Array | null
  /** Ends the exchange at any time, also while the body is read. */
  signal: AbortSignal
}

export interface Head {
  ok: true
  status: number
  /** Names and values in turn, as they came. */
  rawHeaders: readonly string[]
  /** Null when there is none to come (HEAD, 204, 205, 304). */
  body: ReadableStream<Uint8Array> | null
  /** Content-Length of the body to come, when announced. */
  announcedBytes: number | null
  /** How the body ended. Never rejects. */
  ended: Promise<BodyEnd>
  /** The caller had kept the upstream waiting for the rest of its body when this came. */
  afterSlowCaller: boolean
}

export interface NoHead {
  ok: false
  reason:
    | 'refused'
    | 'dns'
    | 'connect'
    | 'tls'
    | 'timeout'
    | 'reset'
    | 'protocol'
    | 'aborted'
    | 'request_head'
    | 'request_body'
  /** For the operator's log. */
  message: string
  cause?: unknown
  /** It happened on a kept connection, which the upstream may have closed before it read us. */
  onKept: boolean
  /** Says nothing about the upstream: the caller left, was slow, or its time was up. */
  isBlameless: boolean
}

export interface ExchangeLimits {
  connectMs: number
  /** Longest silence of the upstream. */
  silenceMs: number
}

const MAX_HEAD_BYTES = 32 * 1024
/** A caller whose next bytes are this late may make an upstream answer that it gave up. */
const SLOW_CALLER_MS = 1000
/** The part of a call's time that the upstream must have had for a deadline to be held against it. */
const UPSTREAMS_SHARE = 0.9
const WITHOUT_BODY = new Set([204, 205, 304])

/** The head of the upstream's answer with its body to be read, or why there is none. Never rejects. */
export async function exchange(
  { agent, request: makeRequest, admit, streaming }: PinnedAgent,
  base: URL,
  call: UpstreamRequest,
  limits: ExchangeLimits,
): Promise<Head | NoHead> {
  const handover = new Handover()
  const refusal = await admit()
  if (refusal) return noHead(new RefusedTarget(refusal), { onKept: false })
  return new Promise((resolve) => {
    const { signal } = call
    let request: ClientRequest
    try {
      request = makeRequest({
        agent,
        host: base.hostname.replace(/^\[(.*)\]$/, '$1'),
        port: base.port === '' ? (base.protocol === 'https:' ? 443 : 80) : Number(base.port),
        method: call.method,
        path: call.target,
        headers: { host: base.host, ...call.headers },
        setHost: false,
        maxHeaderSize: MAX_HEAD_BYTES,
      })
    } catch (error) {
      return resolve(noHead(new UnsendableHead(error), { onKept: false }))
    }
    let failBody: ((error: Error) => void) | null = null
    const give = (outcome: Head | NoHead): void => {
      clearTimeout(connectTimer)
      silence.end()
      resolve(outcome)
    }
    const breakOff = (error: unknown): void => {
      if (failBody) return failBody(blamed(error, handover))
      signal.removeEventListener('abort', onAbort)
      const facts = { onKept: request.reusedSocket, isCallersTurn: handover.isCallersTurn }
      request.destroy()
      give(noHead(error, facts))
    }
    const onAbort = (): void => {
      const isDeadline = isTimeout(signal.reason)
      breakOff(new CallEnded(isDeadline && handover.upstreamShare >= UPSTREAMS_SHARE))
    }
    const tooLong = (what: string) => () => breakOff(new DOMException(what, 'TimeoutError'))
    const silence = new Silence(
      limits.silenceMs,
      tooLong(`The upstream was silent for ${limits.silenceMs} ms`),
    )
    const connectTimer = setTimeout(
      tooLong(`No connection within ${limits.connectMs} ms`),
      limits.connectMs,
    )
    request.on('socket', (socket) => {
      if (request.reusedSocket || !socket.connecting) return clearTimeout(connectTimer)
      const event = base.protocol === 'https:' ? 'secureConnect' : 'connect'
      socket.once(event, () => clearTimeout(connectTimer))
    })
    request.on('error', breakOff)
    request.on('upgrade', (_message, socket) => {
      socket.destroy()
      breakOff(new Error('The upstream switched protocols unasked'))
    })
    request.on('close', () => breakOff(new Error('The upstream closed the connection')))
    request.on('response', (message) => {
      const { socket } = message
      streaming.add(socket)
      const done = (): void => {
        streaming.delete(socket)
        signal.removeEventListener('abort', onAbort)
        // Answered before all of the request was taken: the connection cannot be kept.
        if (!request.writableFinished) request.destroy()
      }
      const { head, fail } = headOf(message, call.method, limits.silenceMs, handover, done)
      failBody = fail
      give(head)
    })
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) return onAbort()
    handover.watch(silence)
    silence.wait()
    sendBody(request, call.body, handover).catch((error: unknown) =>
      breakOff(new CallerEnded('The request body broke off', { cause: error })),
    )
  })
}

/** What the caller sent cannot be written as HTTP, so the upstream was not asked. */
class UnsendableHead extends Error {
  constructor(cause: unknown) {
    super('The request cannot be sent on', { cause })
  }
}

/** The call is over while the upstream still works: its caller left, or its deadline has come. */
class CallEnded extends Error {
  /** The deadline was spent waiting for an upstream that had the whole request. */
  readonly isUpstreams: boolean
  constructor(isUpstreams: boolean) {
    super('The call has ended')
    this.isUpstreams = isUpstreams
  }
}

function headOf(
  message: IncomingMessage,
  method: string,
  silenceMs: number,
  handover: Handover,
  done: () => void,
): { head: Head; fail(error: Error): void } {
  const status = message.statusCode ?? 0
  const { rawHeaders } = message
  const announced = message.headers['content-length']
  const head = {
    ok: true,
    status,
    rawHeaders,
    announcedBytes: announced === undefined ? null : Number(announced),
    afterSlowCaller: handover.callerWaitMs >= SLOW_CALLER_MS,
  } as const
  if (method === 'HEAD' || WITHOUT_BODY.has(status)) {
    message.on('error', () => {})
    message.on('close', done)
    message.resume()
    return {
      head: { ...head, body: null, ended: Promise.resolve(null) },
      fail: () => message.destroy(),
    }
  }
  const { promise: ended, resolve } = Promise.withResolvers<BodyEnd>()
  const silence = new Silence(silenceMs, () =>
    body.fail(new DOMException(`The upstream was silent for ${silenceMs} ms`, 'TimeoutError')),
  )
  handover.watch(silence)
  const blame = (problem: Error): Error => blamed(problem, handover)
  const body = bodyStream(message, silence, blame, (end) => {
    done()
    resolve(end)
  })
  return { head: { ...head, body: body.stream, ended }, fail: body.fail }
}

/** What an answer breaks off with: its caller is the reason while the rest of its body is waited for. */
function blamed(problem: unknown, { isCallersTurn }: Handover): Error {
  if (isCallersTurn && !(problem instanceof CallerEnded))
    return new CallerEnded('The request body was not whole yet', { cause: problem })
  return problem instanceof Error ? problem : new Error(String(problem))
}

const TLS_CODE =
  /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/
const PROTOCOL_CODE = /^(HPE_|ERR_HTTP|ERR_INVALID|ERR_UNESCAPED)/
const CONNECT_CODE = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL|EACCES)$/

/** Why there is no answer; `isCallersTurn`: the caller's body was waited for when it happened. */
export function noHead(
  error: unknown,
  { onKept, isCallersTurn = false }: { onKept: boolean; isCallersTurn?: boolean },
): NoHead {
  const reason = reasonOf(error)
  return {
    ok: false,
    reason,
    message: error instanceof Error ? error.message : String(error),
    onKept,
    isBlameless:
      reason === 'aborted' ||
      reason === 'request_head' ||
      reason === 'request_body' ||
      (reason === 'reset' && isCallersTurn),
    ...(error instanceof CallerEnded && { cause: error.cause }),
  }
}

function reasonOf(error: unknown): NoHead['reason'] {
  if (error instanceof RefusedTarget) return error.refusal.reason === 'dns' ? 'dns' : 'refused'
  if (error instanceof UnsendableHead) return 'request_head'
  if (error instanceof CallerEnded) return 'request_body'
  if (error instanceof CallEnded) return error.isUpstreams ? 'timeout' : 'aborted'
  if (isTimeout(error)) return 'timeout'
  const code = codeOf(error)
  if (TLS_CODE.test(code)) return 'tls'
  if (PROTOCOL_CODE.test(code)) return 'protocol'
  if (CONNECT_CODE.test(code)) return 'connect'
  return 'reset'
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}
