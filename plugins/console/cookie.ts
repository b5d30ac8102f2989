/**
 * The cookie of a sign-in. Without a Path attribute it belongs to the folder of the request that set
 * it, which is the console's as the browser sees it, also behind a proxy that adds a prefix.
 */

const NAME = 'coinop-console'
/** Browsers take this name over HTTPS alone, so that nothing in plain HTTP can replace the cookie. */
const SECURE_NAME = `__Secure-${NAME}`

/** Secret of the sign-in that a Cookie header holds, or null. */
export function secretOf(cookies: string | null): string | null {
  const found = new Map<string, string>()
  for (const pair of cookies?.split(';') ?? []) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    // The first one has the longest path.
    if (at !== -1 && !found.has(name)) found.set(name, pair.slice(at + 1).trim())
  }
  return found.get(SECURE_NAME) ?? found.get(NAME) ?? null
}

/** Set-Cookie that keeps `secret` until the browser is closed, or, when it is null, forgets it. */
export function cookieOf(secret: string | null, isHttps: boolean): string {
  const name = isHttps ? SECURE_NAME : NAME
  const parts = [`${name}=${secret ?? ''}`, 'HttpOnly', 'SameSite=Strict']
  if (isHttps) parts.push('Secure')
  if (secret === null) parts.push('Max-Age=0')
  return parts.join('; ')
}
