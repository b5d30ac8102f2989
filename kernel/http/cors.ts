/**
 * CORS (decisions 7): any origin on public and paid routes, where no cookie counts, with payment
 * and rate headers exposed; admin routes and the console stay same-origin.
 */
import type { Route } from '../plugins/contract.ts'

const EXPOSED = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
  'X-Request-Id',
  'X-Payment-Rail',
  'X-Charged-Credits',
  'X-Balance-Credits',
  'X-Price-Version',
  'Idempotency-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'ETag',
  'Mcp-Session-Id',
  'WWW-Authenticate',
].join(', ')
const ALLOWED = [
  'Content-Type',
  'Accept',
  'Authorization',
  'X-Api-Key',
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'X-Request-Id',
  'Idempotency-Key',
  'X-Kernel-Acquisition',
  'If-None-Match',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
].join(', ')

/** Whether pages of any origin may call the route. */
export function isOpen({ auth, sameOrigin = false, forOperators = false }: Route): boolean {
  return auth !== 'admin' && !sameOrigin && !forOperators
}

/** Adds the headers that let a page of any origin read `response`. */
export function withCors(request: Request, response: Response): Response {
  if (request.headers.get('origin') === null) return response
  response.headers.set('access-control-allow-origin', '*')
  response.headers.set('access-control-expose-headers', EXPOSED)
  return response
}

/** The answer to OPTIONS; `open` routes let any origin call them. */
export function preflight(request: Request, methods: readonly string[], open: boolean): Response {
  const allow = [...new Set([...methods, 'OPTIONS'])].join(', ')
  const headers = new Headers({ allow })
  if (open && request.headers.get('origin') !== null) {
    headers.set('access-control-allow-origin', '*')
    headers.set('access-control-allow-methods', allow)
    headers.set('access-control-allow-headers', ALLOWED)
    headers.set('access-control-max-age', '86400')
  }
  return new Response(null, { status: 204, headers })
}
