/**
 * CORS: pages of any origin may use public and paid routes, which ignore cookies, send any header
 * and read any (clients, tracers and upstreams have names of their own: `*`); admin routes and the
 * console stay same-origin.
 */
import type { Route } from '../plugins/route.ts'

const EXPOSED = [
  'X-Request-Id',
  'X-Payment-Rail',
  'X-Charge-Note',
  'X-Charged-Credits',
  'X-Charged-Units',
  'X-Held-Credits',
  'X-Balance-Credits',
  'X-Price-Capped',
  'X-Price-Version',
  'X-Usage',
  'Idempotency-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'WWW-Authenticate',
  '*',
]
const ALLOWED = ['Content-Type', 'Accept', 'Authorization', 'X-Api-Key']
const ALLOWED_TOO = [
  'X-Request-Id',
  'Idempotency-Key',
  'X-Kernel-Acquisition',
  'If-None-Match',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
  '*',
]

/** Whether pages of any origin may call the route. */
export function isOpen({ auth, sameOrigin = false, forOperators = false }: Route): boolean {
  return auth !== 'admin' && !sameOrigin && !forOperators
}

/** Something with request and answer headers of its own, such as a rail. */
export interface Declares {
  requestHeaders?: readonly { name: string }[]
  answerHeaders?: readonly { name: string }[]
}

/** The mounted ones; the same array until one comes or goes. */
interface Declaring {
  list(): readonly Declares[]
}

/** Makes the CORS headers, including the headers that rails and others declare. */
export class Cors {
  readonly #sources: readonly Declaring[]
  #of: readonly (readonly Declares[])[] = []
  #exposed = ''
  #allowed = ''

  constructor(...sources: Declaring[]) {
    this.#sources = sources
  }

  /** Adds the headers that let a page of any origin read `response`. */
  add(request: Request, response: Response): Response {
    if (request.headers.get('origin') === null) return response
    this.#follow()
    response.headers.set('access-control-allow-origin', '*')
    response.headers.set('access-control-expose-headers', this.#exposed)
    return response
  }

  /** The answer to OPTIONS; `open` routes let any origin call them. */
  preflight(request: Request, methods: readonly string[], open: boolean): Response {
    const allow = [...new Set([...methods, 'OPTIONS'])].join(', ')
    const headers = new Headers({ allow })
    if (open && request.headers.get('origin') !== null) {
      this.#follow()
      headers.set('access-control-allow-origin', '*')
      headers.set('access-control-allow-methods', allow)
      headers.set('access-control-allow-headers', this.#allowed)
      headers.set('access-control-max-age', '86400')
    }
    return new Response(null, { status: 204, headers })
  }

  /** Rebuilds the lists if something that declares headers came or went. */
  #follow(): void {
    const isSame = this.#sources.every((source, at) => source.list() === this.#of[at])
    if (isSame && this.#exposed !== '') return
    this.#of = this.#sources.map((source) => source.list())
    const declared = (which: keyof Declares) =>
      this.#of.flat().flatMap((one) => (one[which] ?? []).map(({ name }) => name))
    this.#exposed = joined([...declared('answerHeaders'), ...EXPOSED])
    this.#allowed = joined([...ALLOWED, ...declared('requestHeaders'), ...ALLOWED_TOO])
  }
}

/** The names, without duplicates regardless of case. */
function joined(names: readonly string[]): string {
  const lower = names.map((name) => name.toLowerCase())
  return names.filter((_, at) => lower.indexOf(lower[at]!) === at).join(', ')
}
