/** What the next request of a redirect looks like (Fetch standard, HTTP-redirect fetch). */
import type { GuardedRefusal } from '#kernel'
import { refuse } from './refusal.ts'

export interface Hop {
  url: string
  method: string
  headers: Record<string, string>
  body?: Uint8Array | string
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** All that may follow to another origin; anything else could be a credential of the first. */
const SAFE_HEADERS = new Set(['accept', 'accept-language', 'accept-encoding', 'content-type'])

const isBodyHeader = (name: string): boolean => name.startsWith('content-')

/**
 * The next hop, null when the answer is not a redirect that can be followed, or a refusal: leaving
 * https is allowed only for a request that carries nothing (GET and HEAD without a body).
 */
export function nextHop(
  hop: Hop,
  status: number,
  location: string | undefined,
): { ok: true; hop: Hop } | GuardedRefusal | null {
  if (!REDIRECTS.has(status) || location === undefined) return null
  if (!URL.canParse(location, hop.url))
    return refuse('protocol', 'The redirect leads to a URL that does not parse')
  const from = new URL(hop.url)
  const to = new URL(location, from)
  if (to.hash === '') to.hash = from.hash

  const rewritten =
    (status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST')
  const method = rewritten ? 'GET' : hop.method
  const body = rewritten ? undefined : hop.body
  const carries = body !== undefined || (method !== 'GET' && method !== 'HEAD')
  if (from.protocol === 'https:' && to.protocol === 'http:' && carries)
    return refuse('protocol', 'The redirect would send the body over plain http')

  const sameOrigin = from.origin === to.origin
  const headers = Object.fromEntries(
    Object.entries(hop.headers).filter(([name]) => {
      const lower = name.toLowerCase()
      if (rewritten && isBodyHeader(lower)) return false
      return sameOrigin || SAFE_HEADERS.has(lower)
    }),
  )
  return { ok: true, hop: { url: to.href, method, headers, ...(body !== undefined && { body }) } }
}
