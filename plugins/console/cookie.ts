/**
 * The cookie of a sign-in. Over HTTPS its name ties it to this host: another host of the domain could
 * plant its own sign-in otherwise, and an operator would work in it. Over plain HTTP it has no Path
 * attribute and belongs to the folder of the request that set it, the console's as the browser sees it.
 */

const NAME = 'coinop-console'
/** Browsers take this name over HTTPS alone, from the host itself, for all its paths. */
const HOST_NAME = `__Host-${NAME}`

/** Secret of the sign-in that a Cookie header holds, or null. `isHttps`: over HTTPS for certain. */
export function secretOf(cookies: string | null, isHttps: boolean): string | null {
  const found = new Map<string, string[]>()
  for (const pair of cookies?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at === -1) continue
    const name = pair.slice(0, at).trim()
    found.set(name, [...(found.get(name) ?? []), pair.slice(at + 1).trim()])
  }
  const [secret, another] = found.get(HOST_NAME) ?? (isHttps ? [] : (found.get(NAME) ?? []))
  // Two of one name mean that somebody else planted one.
  return secret !== undefined && another === undefined ? secret : null
}

/** Set-Cookie that keeps `secret` until the browser is closed, or, when it is null, forgets it. */
export function cookieOf(secret: string | null, isHttps: boolean): string {
  const name = isHttps ? HOST_NAME : NAME
  const parts = [`${name}=${secret ?? ''}`, 'HttpOnly', 'SameSite=Strict']
  if (isHttps) parts.push('Secure', 'Path=/')
  if (secret === null) parts.push('Max-Age=0')
  return parts.join('; ')
}
