/**
 * The Host check. Elysia looks for the path from the 11th character of the URL on, so a Host
 * shorter than four characters steers its router to another path than the one every other reader
 * of the URL sees. Such a Host, and one that does not parse, is refused before any route.
 */

const SLASH = 0x2f
const PORT = String.raw`[0-5]?\d{1,4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5]`
const AUTHORITY = new RegExp(
  String.raw`^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._~-]{1,255})(:(?:${PORT}))?$`,
)

/** Scheme and authority of the last URL that passed: nearly every request has the same. */
let passed = '-'

/** Start of the path in an absolute request URL, or -1 when the Host must be refused. */
export function pathStart(url: string): number {
  if (url.startsWith(passed) && url.charCodeAt(passed.length) === SLASH) return passed.length
  const authorityStart = url.indexOf('://') + 3
  const slash = url.indexOf('/', authorityStart)
  if (slash === -1 || slash - authorityStart < 4 || slash < 11) return -1
  if (!AUTHORITY.test(url.slice(authorityStart, slash))) return -1
  passed = url.slice(0, slash)
  return slash
}

/** Path and query of a request URL whose Host was accepted. */
export function splitUrl(url: string): { pathname: string; search: string } {
  const start = pathStart(url)
  const question = url.indexOf('?', start)
  return question === -1
    ? { pathname: url.slice(start), search: '' }
    : { pathname: url.slice(start, question), search: url.slice(question) }
}
