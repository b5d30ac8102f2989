/** Where a browser may be sent back to with a code. */

const URI_MAX = 2000
/** What a URI is made of (RFC 3986), without '*' and '#': no wildcard, no fragment, no backslash, no blank. */
const CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?((?:[/?].*)?)$/

/** Whether a client may have it: https, loopback http, or the scheme of a known app. */
export function isAcceptableRedirect(uri: unknown, schemes: readonly string[]): uri is string {
  if (typeof uri !== 'string' || uri.length > URI_MAX) return false
  if (!CHARACTERS.test(uri) || !URL.canParse(uri)) return false
  const { protocol, username, password, hostname } = new URL(uri)
  if (username !== '' || password !== '' || authorityOf(uri).includes('@')) return false
  if (protocol === 'https:') return hostname !== '' && uri.startsWith('https://')
  if (protocol === 'http:') return LOOPBACK.test(uri)
  const scheme = protocol.slice(0, -1)
  return schemes.includes(scheme) && uri.startsWith(`${scheme}://`)
}

/**
 * Whether `presented` is one of the registered addresses: the same string, or on loopback the same but
 * for the port, which a program on somebody's computer does not know before (RFC 8252 section 7.3).
 */
export function isRegistered(presented: string, registered: readonly string[]): boolean {
  if (registered.includes(presented)) return true
  const wanted = LOOPBACK.exec(presented)
  if (!wanted || !CHARACTERS.test(presented) || !URL.canParse(presented)) return false
  return registered.some((one) => {
    const known = LOOPBACK.exec(one)
    return known !== null && known[1] === wanted[1] && known[2] === wanted[2]
  })
}

export function isLoopback(uri: string): boolean {
  return LOOPBACK.test(uri)
}

/** What a person is shown of it: host and port; of an app's scheme the scheme too. */
export function shownHost(uri: string): string {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//${host}`
}

/** The address with parameters added; the rest of it stays as it was registered. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string>>): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(parameters).toString()}`
}

function authorityOf(uri: string): string {
  return /^[^:]+:\/\/([^/?]*)/.exec(uri)?.[1] ?? ''
}
