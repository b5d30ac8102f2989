/**
 * An HTTP request with what is derived from it on demand: for a short answer, reading the socket's
 * address or splitting the URL would cost as much as everything else.
 */
import { requestIdFrom } from '../ids.ts'
import { splitUrl } from './host.ts'
import type { CallerAddress } from '../net/trusted-proxies.ts'

/** Bun's server, as far as it tells who is calling. */
export type Server = { requestIP(request: Request): { address: string } | null } | null | undefined

type Params = Readonly<Record<string, string>>

const NO_PARAMS: Params = Object.freeze({})

export class Incoming {
  readonly request: Request
  readonly headers: Headers
  readonly requestId: string
  /** Decoded path parameters of the route pattern; its router sets them. */
  params: Params
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
