/**
 * CORS: pages of any origin may use public and paid routes, where no cookie counts, and read payment
 * and rate headers; admin routes and the console stay same-origin.
 */
import type { Identifier } from '../auth/contract.ts'
import type { Identifiers } from '../auth/identifiers.ts'
import type { Route } from '../plugins/route.ts'
import type { Rail } from '../rails/contract.ts'

const EXPOSED = [
  'X-Request-Id',
  'X-Payment-Rail',
  'X-Charge-Note',
  'X-Charged-Credits',
  'X-Charged-Units',
  'X-Held-Credits',
  'X-Balance-Credits',
  'X-Price-Version',
  'Idempotency-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'Mcp-Session-Id',
  'WWW-Authenticate',
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
]

/** Whether pages of any origin may call the route. */
export function isOpen({ auth, sameOrigin = false, forOperators = false }: Route): boolean {
  return auth !== 'admin' && !sameOrigin && !forOperators
}

/** The CORS headers, with those of the rails that are mounted now. */
export class Cors {
  readonly #rails: { list(): readonly Rail[] }
  readonly #identifiers: Pick<Identifiers, 'list'> | null
  #of: readonly Rail[] | null = null
  #ofIdentifiers: readonly Identifier[] = []
  #exposed = ''
  #allowed = ''

  constructor(
    rails: { list(): readonly Rail[] },
    identifiers: Pick<Identifiers, 'list'> | null = null,
  ) {
    this.#rails = rails
    this.#identifiers = identifiers
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

  /** Makes the lists anew when a rail or an identifier came or went. */
  #follow(): void {
    const rails = this.#rails.list()
    const identifiers = this.#identifiers?.list() ?? this.#ofIdentifiers
    if (rails === this.#of && identifiers === this.#ofIdentifiers) return
    const names = (which: 'requestHeaders' | 'answerHeaders') =>
      rails.flatMap((rail) => (rail[which] ?? []).map(({ name }) => name))
    const own = identifiers.flatMap(({ requestHeaders = [] }) => requestHeaders)
    this.#of = rails
    this.#ofIdentifiers = identifiers
    this.#exposed = [...names('answerHeaders'), ...EXPOSED].join(', ')
    this.#allowed = [
      ...new Set([
        ...ALLOWED,
        ...names('requestHeaders'),
        ...own.map(({ name }) => name),
        ...ALLOWED_TOO,
      ]),
    ].join(', ')
  }
}
