/** Guarded outbound HTTP (specs/contract.md, Outbound requests): the only way a skill reaches the network. */
import type { Socket } from 'node:net'

/** Times are in milliseconds, sizes in bytes. */
export interface GuardedFetchInit {
  method?: string
  headers?: Record<string, string>
  body?: Uint8Array | string
  signal?: AbortSignal
  /** Redirects followed by hand, each hop checked from the start; default 5; 0 returns the 3xx. */
  maxRedirects?: number
  /** Largest body after decompression; default 10 MiB. */
  maxBytes?: number
  /** Whole exchange, connect to last byte; default 15,000. */
  timeoutMs?: number
  /** Ask robots.txt first (RFC 9309); default false. */
  robots?: boolean
  /** The origin of `url` may be private for this call (an operator's upstream), no other. */
  allowPrivate?: boolean
}

/** A whole answer of any status: a 404 or a 500 is one too. */
export interface GuardedResponse {
  status: number
  headers: Headers
  /** The whole body, decompressed, at most maxBytes. */
  body: Uint8Array
  /** The URL that answered, after redirects. */
  url: string
}

/** `reason` 'ssrf' and 'robots' are answered as 403. */
export type GuardedRefusal = {
  ok: false
  reason:
    | 'ssrf'
    | 'robots'
    | 'invalid_url'
    | 'dns'
    | 'connect'
    | 'tls'
    | 'timeout'
    | 'too_large'
    | 'too_many_redirects'
    | 'aborted'
    | 'protocol'
  message: string
}

/** One request and its whole answer. What a target or a server does wrong is a value. */
export type GuardedFetch = (
  url: string,
  init?: GuardedFetchInit,
) => Promise<({ ok: true } & GuardedResponse) | GuardedRefusal>

/** One request without redirects, decoding or robots.txt; for proxies and webhook delivery. */
export interface GuardedRequestInit {
  method?: string
  /** Sent as given, apart from Host, Connection, framing and the user agent's default. */
  headers?: Record<string, string | string[]>
  /** A stream is sent as it arrives (chunked unless `content-length` is given). */
  body?: Uint8Array | string | ReadableStream<Uint8Array>
  signal?: AbortSignal
  /** From the call to the answer's head; default 15,000. */
  headersTimeoutMs?: number
  /** From the call to the answer's last byte; default none. */
  timeoutMs?: number
  /** The host may be private for this call, beyond ALLOW_PRIVATE_TARGETS. */
  allowPrivate?: boolean
  /** The operator named this URL: its port may be one where other services usually listen. */
  anyPort?: boolean
}

/** An answer whose head has come; its body is read as it arrives. */
export interface GuardedExchange {
  ok: true
  status: number
  statusText: string
  /** Name and value pairs as they came: order, case and repeats kept. */
  headers: [string, string][]
  /** Raw bytes, still encoded. Errors when the answer was cut off, timed out or was aborted. */
  body: ReadableStream<Uint8Array>
  /** Resolves with what ended the exchange early, or null after the last byte. Never rejects. */
  ended: Promise<GuardedRefusal | null>
  /** Drops the connection; calling it late or twice does nothing. */
  cancel(): void
}

/** One request and its streamed answer. What a target or a server does wrong is a value. */
export type GuardedRequest = (
  url: string,
  init?: GuardedRequestInit,
) => Promise<GuardedExchange | GuardedRefusal>

export interface PinnedAddress {
  address: string
  family: 4 | 6
}

/** A URL that passed every check, with the only addresses that may be connected to. */
export interface CheckedTarget {
  ok: true
  url: URL
  /** Host without brackets and trailing dot. */
  host: string
  port: number
  addresses: PinnedAddress[]
}

/** An open TCP connection to a checked target; whoever gets it ends it. */
export interface Dialed {
  ok: true
  socket: Socket
}

/** The kernel's outbound network, one instance per gateway; a service for plugins that need it. */
export interface Outbound {
  fetch: GuardedFetch
  request: GuardedRequest
  /** Every check of an outbound request without connecting: for targets that a user registers. */
  check(
    url: string,
    options?: { allowPrivate?: boolean; anyPort?: boolean; signal?: AbortSignal },
  ): Promise<CheckedTarget | GuardedRefusal>
  /** Whether robots.txt lets this gateway visit the URL; for a browser, which fetches by itself. */
  robots(
    url: string,
    options?: { allowPrivate?: boolean; signal?: AbortSignal },
  ): Promise<{ ok: true } | GuardedRefusal>
  /** A connection to one of the addresses of a target that passed every check; for tunnels. */
  connect(
    url: string,
    options: { allowPrivate?: boolean; signal: AbortSignal },
  ): Promise<Dialed | GuardedRefusal>
}

/** What an outbound network is made with. */
export interface OutboundOptions {
  /** ALLOW_PRIVATE_TARGETS. */
  allowPrivate: readonly string[]
  userAgent: string
}
