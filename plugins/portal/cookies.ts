/**
 * The two cookies: the session's, and before sign-in one that only tells which browser asked for a
 * nonce or a link. `__Host-` ties them to this host over HTTPS; plain http is for loopback alone.
 */
import type { Site } from './site.ts'

export type CookieKind = 'session' | 'visitor'

const NAMES: Readonly<Record<CookieKind, string>> = {
  session: 'coinop_account',
  visitor: 'coinop_visitor',
}
const SECRET = /^[A-Za-z0-9_-]{43}$/
/** The longest life of a session; its row ends it earlier. A visitor's lasts until the browser ends. */
const SESSION_SECONDS = 30 * 86_400

/** The secret of that kind in the request's Cookie header; null: none that was made here. */
export function secretOf(request: Request, kind: CookieKind, site: Site): string | null {
  const wanted = nameOf(kind, site)
  const found = (request.headers.get('cookie') ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at !== -1 && pair.slice(0, at).trim() === wanted ? [pair.slice(at + 1).trim()] : []
  })
  // Two of one name mean that somebody else planted one.
  const [secret, other] = found
  return secret !== undefined && other === undefined && SECRET.test(secret) ? secret : null
}

/** Set-Cookie that keeps `secret`, or, when it is null, forgets it. */
export function cookieOf(kind: CookieKind, secret: string | null, site: Site): string {
  const parts = [`${nameOf(kind, site)}=${secret ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
  if (site.isHttps) parts.push('Secure')
  if (secret === null) parts.push('Max-Age=0')
  else if (kind === 'session') parts.push(`Max-Age=${SESSION_SECONDS}`)
  return parts.join('; ')
}

function nameOf(kind: CookieKind, site: Site): string {
  return site.isHttps ? `__Host-${NAMES[kind]}` : NAMES[kind]
}
