/**
 * The filtering forward proxy for a browser. Chromium resolves nothing itself: every request,
 * tunnel and upgrade comes here, is checked like any other target and connected by address, so a
 * page cannot reach a private host by any channel that a browser has.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { once } from 'node:events'
import type { Dialed, GuardedRefusal, Outbound } from '#kernel'

/** What the proxy uses of the gateway's network; nothing else is connected to. */
export type EgressNetwork = Pick<Outbound, 'request' | 'connect'>

/** A loopback forward proxy for a browser; every connection through it is vetted and pinned. */
export interface EgressProxy {
  /** For `--proxy-server`; use with `--proxy-bypass-list=<-loopback>`. */
  url: string
  /** For `page.authenticate`: without them the proxy answers 407 (see `authenticate`). */
  credentials: { username: string; password: string }
  /** Ends every connection; the port is free when it resolves. */
  close(): Promise<void>
}

export interface EgressProxyOptions {
  /** Whether a client must send the random credentials; default true. */
  authenticate?: boolean
  allowPrivate?: boolean
  /** Called with what was refused, for the caller's report. */
  onBlocked?(blocked: { url: string; refusal: GuardedRefusal }): void
  /** Called with what could not be reached. */
  onUnreached?(unreached: { url: string; refusal: GuardedRefusal }): void
  /** Open connections at once; default 256. */
  maxConnections?: number
  /** Bytes from the network over the proxy's life; default 256 MiB. */
  maxBytes?: number
  /** A silent connection is closed after this; default 30,000. */
  idleTimeoutMs?: number
}

const MAX_CONNECTIONS = 256
const MAX_BYTES = 256 * 1024 * 1024
const IDLE_TIMEOUT_MS = 30_000
const DIAL_TIMEOUT_MS = 10_000

const HOP_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'transfer-encoding',
])

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The status a refusal becomes; the text goes in the body, where a screenshot can show it. */
const statusOf = (refusal: GuardedRefusal): number =>
  refusal.reason === 'ssrf' || refusal.reason === 'invalid_url' ? 403 : 502

/** The head of an upgrade in origin form; what follows on the connection stays with that target. */
function upgradeHead(request: IncomingMessage, url: URL): string {
  const lines = [`${request.method} ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`]
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]!
    const lower = name.toLowerCase()
    if (lower === 'host' || HOP_HEADERS.has(lower)) continue
    lines.push(`${name}: ${request.rawHeaders[index + 1]!}`)
  }
  return `${lines.join('\r\n')}\r\nConnection: Upgrade\r\n\r\n`
}

class Egress {
  readonly server = http.createServer()
  readonly #net: EgressNetwork
  readonly #options: EgressProxyOptions
  readonly #authorization: Buffer
  readonly #sockets = new Set<Socket>()
  readonly #closing = new AbortController()
  #bytesLeft: number
  #clients = 0

  constructor(net: EgressNetwork, options: EgressProxyOptions, credentials: string) {
    this.#net = net
    this.#options = options
    this.#authorization = digest(`Basic ${Buffer.from(credentials).toString('base64')}`)
    this.#bytesLeft = options.maxBytes ?? MAX_BYTES
    this.server.on('connection', (socket: Socket) => this.#accept(socket))
    this.server.on('request', (request, response) => void this.#forward(request, response))
    this.server.on('connect', (request, client: Socket, head) => {
      void this.#tunnel(request, client, head, `https://${request.url ?? ''}/`, '')
    })
    this.server.on('upgrade', (request, client: Socket, head) => {
      const url = request.url ?? ''
      if (!url.startsWith('http://') || !URL.canParse(url)) return void client.destroy()
      void this.#tunnel(request, client, head, url, upgradeHead(request, new URL(url)))
    })
    this.server.on('clientError', (_error, socket) => socket.destroy())
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const closed = new Promise((resolve) => this.server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #accept(socket: Socket): void {
    this.#clients += 1
    socket.on('close', () => (this.#clients -= 1))
    this.#track(socket)
    if (this.#clients > (this.#options.maxConnections ?? MAX_CONNECTIONS)) socket.destroy()
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket)
    socket.setTimeout(this.#options.idleTimeoutMs ?? IDLE_TIMEOUT_MS, () => socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
  }

  #isAuthorized(request: IncomingMessage): boolean {
    if (this.#options.authenticate === false) return true
    return timingSafeEqual(
      digest(request.headers['proxy-authorization'] ?? ''),
      this.#authorization,
    )
  }

  /** An open connection to the checked target of `url`, or why there is none. */
  async #open(url: string): Promise<Dialed | GuardedRefusal> {
    if (this.#bytesLeft < 0) return { ok: false, reason: 'too_large', message: 'Too many bytes' }
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(DIAL_TIMEOUT_MS)])
    const { allowPrivate } = this.#options
    const dialed = await this.#net.connect(url, { allowPrivate, signal })
    if (dialed.ok) this.#track(dialed.socket)
    else this.#report(url, dialed)
    return dialed
  }

  #report(url: string, refusal: GuardedRefusal): void {
    if (refusal.reason === 'ssrf') this.#options.onBlocked?.({ url, refusal })
    else this.#options.onUnreached?.({ url, refusal })
  }

  /** Counts what the network sends, over all connections; at the cap everything ends. */
  #count(sizeBytes: number): void {
    this.#bytesLeft -= sizeBytes
    if (this.#bytesLeft < 0) for (const open of this.#sockets) open.destroy()
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const deny = (status: number, message: string, headers = {}): void => {
      response.writeHead(status, { 'content-type': 'text/plain', connection: 'close', ...headers })
      response.end(message)
    }
    if (!this.#isAuthorized(request))
      return deny(407, 'Proxy credentials required', {
        'proxy-authenticate': 'Basic realm="egress"',
      })
    // An origin-form request means that somebody speaks to the proxy itself.
    const url = request.url ?? ''
    if (!url.startsWith('http://')) return deny(400, 'This is a forward proxy')
    if (this.#bytesLeft < 0) return deny(502, 'Too many bytes')
    const hasBody = 'content-length' in request.headers || 'transfer-encoding' in request.headers
    const answer = await this.#net.request(url, {
      method: request.method,
      headers: request.headersDistinct as Record<string, string[]>,
      ...(hasBody && { body: Readable.toWeb(request) as unknown as ReadableStream<Uint8Array> }),
      allowPrivate: this.#options.allowPrivate,
      signal: this.#closing.signal,
    })
    if (!answer.ok) {
      this.#report(url, answer)
      return deny(statusOf(answer), answer.message)
    }
    response.on('close', answer.cancel)
    const headers = answer.headers.filter(([name]) => !HOP_HEADERS.has(name.toLowerCase()))
    response.writeHead(answer.status, answer.statusText, headers.flat())
    try {
      for await (const chunk of answer.body) {
        this.#count(chunk.length)
        if (!response.write(chunk)) await once(response, 'drain', { signal: this.#closing.signal })
      }
      response.end()
    } catch {
      // Cut off: the browser must not take what it got for the whole.
      response.destroy()
    }
  }

  /** CONNECT and protocol upgrades: bytes both ways once the target is open. */
  async #tunnel(
    request: IncomingMessage,
    client: Socket,
    head: Buffer,
    url: string,
    greeting: string,
  ): Promise<void> {
    client.on('error', () => client.destroy())
    const deny = (status: number, extra = ''): void => {
      client.end(
        `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}\r\n${extra}content-length: 0\r\nconnection: close\r\n\r\n`,
      )
    }
    if (!this.#isAuthorized(request))
      return deny(407, 'proxy-authenticate: Basic realm="egress"\r\n')
    const opened = await this.#open(url)
    if (!opened.ok) return deny(statusOf(opened))
    const { socket } = opened
    if (client.destroyed) return void socket.destroy()
    if (greeting === '') client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    else socket.write(greeting)
    if (head.length > 0) socket.write(head)
    client.on('close', () => socket.destroy())
    socket.on('close', () => client.destroy())
    socket.on('data', (chunk: Buffer) => this.#count(chunk.length))
    socket.pipe(client)
    client.pipe(socket)
  }
}

/**
 * Listens on an ephemeral loopback port until `close()`. Refused targets answer 403 (tunnels too)
 * and are reported through `onBlocked`; what cannot be reached answers 502 (`onUnreached`).
 */
export async function openEgressProxy(
  net: EgressNetwork,
  options: EgressProxyOptions = {},
): Promise<EgressProxy> {
  const credentials = { username: 'coinop', password: randomBytes(24).toString('base64url') }
  const egress = new Egress(net, options, `${credentials.username}:${credentials.password}`)
  const { server } = egress
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, credentials, close: () => egress.close() }
}
