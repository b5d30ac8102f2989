/** One HTTP/1.1 exchange over a fresh connection to a checked target; no redirects, no decoding. */
import type { CheckedTarget, GuardedRefusal } from '#kernel'
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { dial } from './connect.ts'
import { refusalOf, refuse } from './refusal.ts'

export interface ExchangeInit {
  method: string
  headers: Record<string, string | string[]>
  body?: Uint8Array | string | ReadableStream<Uint8Array>
  userAgent: string
  ca?: string
}

export interface Answer {
  ok: true
  message: IncomingMessage
}

const MAX_HEAD_BYTES = 32 * 1024
const METHOD = /^[A-Z][A-Z-]{0,31}$/

/** Framing, hop-by-hop and proxy headers are ours to set (RFC 9110 section 7.6.1). */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
])

/** Hands the one connected socket to node:http; a closed one is never dialled again. */
class SocketAgent extends http.Agent {
  readonly #socket: Socket
  constructor(socket: Socket) {
    super({ keepAlive: false })
    this.#socket = socket
  }
  override createConnection(): Socket {
    return this.#socket
  }
}

function outgoingHeaders(target: CheckedTarget, init: ExchangeInit): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { host: target.url.host, 'user-agent': init.userAgent }
  for (const [name, value] of Object.entries(init.headers)) {
    const lower = name.toLowerCase()
    if (!OWN_HEADERS.has(lower)) headers[lower] = value
  }
  const { body } = init
  if (typeof body === 'string' || body instanceof Uint8Array)
    headers['content-length'] = Buffer.byteLength(body)
  else if (body === undefined) delete headers['content-length']
  if (body === undefined && ['POST', 'PUT', 'PATCH'].includes(init.method))
    headers['content-length'] = 0
  return headers
}

function sendBody(request: http.ClientRequest, body: ExchangeInit['body']): void {
  if (!(body instanceof ReadableStream)) {
    request.end(body)
    return
  }
  const source = Readable.from(body as AsyncIterable<Uint8Array>)
  source.on('error', (error) => request.destroy(error))
  request.on('close', () => source.destroy())
  source.pipe(request)
}

/**
 * The head of the target's answer with its body still to be read, or why there is none. `signal`
 * ends the exchange at any time, also while the body is read; then reading fails.
 */
export async function exchange(
  target: CheckedTarget,
  init: ExchangeInit,
  signal: AbortSignal,
): Promise<Answer | GuardedRefusal> {
  if (!METHOD.test(init.method)) return refuse('protocol', 'The method is not valid')
  const dialed = await dial(target, signal, init.ca)
  if (!dialed.ok) return dialed
  const { socket } = dialed
  return new Promise((done) => {
    const fail = (refusal: GuardedRefusal): void => {
      socket.destroy()
      done(refusal)
    }
    const onAbort = (): void => {
      socket.destroy()
      done(refuse('aborted', 'The request was aborted'))
    }
    signal.addEventListener('abort', onAbort, { once: true })
    socket.once('close', () => signal.removeEventListener('abort', onAbort))
    if (signal.aborted) return onAbort()
    let request: http.ClientRequest
    try {
      request = http.request({
        agent: new SocketAgent(socket),
        host: target.host,
        port: target.port,
        method: init.method,
        path: `${target.url.pathname}${target.url.search}`,
        headers: outgoingHeaders(target, init),
        setHost: false,
        maxHeaderSize: MAX_HEAD_BYTES,
      })
    } catch (error) {
      return fail(refusalOf(error, target.host))
    }
    request.on('error', (error) => fail(refusalOf(error, target.host)))
    request.on('upgrade', () =>
      fail(refuse('protocol', `${target.host} switched protocols unasked`)),
    )
    request.on('close', () =>
      done(refuse('connect', `${target.host} closed the connection without an answer`)),
    )
    request.on('response', (message) => {
      // Reading reports the error again; without a listener it would end the process.
      message.on('error', () => {})
      done({ ok: true, message })
    })
    sendBody(request, init.body)
  })
}
