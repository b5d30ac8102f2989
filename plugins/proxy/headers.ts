/**
 * Which headers cross the proxy. To the upstream: an allow-list, what the operator added, and
 * forwarding headers made anew. To the caller: everything but connection headers and the names of
 * our receipts; what speaks for the gateway's own origin is withheld by the kernel.
 */
import { neverPasses } from '#kernel'
import { callerLinks } from './path.ts'

/** What every upstream may see. Idempotency-Key is not here: two payers may use the same one. */
const PASSED = [
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-digest',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-md5',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'last-event-id',
  'prefer',
  'range',
  'traceparent',
  'tracestate',
  'user-agent',
]

/**
 * A 304 would be work that nobody pays for, so paid routes are asked unconditionally, but for methods
 * that write: without its condition a request would replace what its caller wants to keep.
 */
const CONDITIONAL = new Set(['if-modified-since', 'if-none-match'])
const WRITES = new Set(['PUT', 'PATCH', 'DELETE'])

/** RFC 9110 section 7.6.1, and the framing that node:http writes itself. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]
const CREDENTIALS = [
  'authorization',
  'cookie',
  'x-api-key',
  'payment-signature',
  'x-payment',
  'x-kernel-service-token',
  'x-kernel-api-key-id',
]
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-real-ip',
]
const FRAMING = ['host', 'content-length', 'expect', 'x-request-id']
const NEVER_FORWARDED = new Set([...HOP_BY_HOP, ...CREDENTIALS, ...FORWARDING, ...FRAMING])
const NEVER_ADDED = new Set([...HOP_BY_HOP, 'host', 'content-length', 'expect'])

/** How often a request may have passed gateways of this kind: an upstream that is itself a mount. */
const MAX_HOPS = 4
const VIA = '1.1 coinop'

/** Whether no product can have a caller's header of this name passed on. */
export function neverForwarded(name: string): boolean {
  // CGI and its heirs read `_` as `-`.
  return NEVER_FORWARDED.has(name.toLowerCase().replaceAll('_', '-'))
}

/** Whether every upstream sees a caller's header of this name. */
export function alwaysForwarded(name: string): boolean {
  return PASSED.includes(name.toLowerCase())
}

export interface HeaderRules {
  /** Lower-case names that may pass. */
  allowed: ReadonlySet<string>
  /** Lower-case; set on each request over what the caller sent. */
  added: Readonly<Record<string, string>>
  serviceToken: string | null
  /** Of the gateway's public URL. */
  publicHost: string
  publicProtocol: 'http' | 'https'
  /** What callers have before the path that the upstream sees; '' for nothing. */
  strippedPrefix: string
}

/** The rules of a spec; throws with what an operator must change. */
export function headerRules(options: {
  forwardHeaders: readonly string[]
  headers: Readonly<Record<string, string>>
  serviceToken: string | null
  publicUrl: string
  strippedPrefix: string
}): HeaderRules {
  for (const name of options.forwardHeaders) {
    if (neverForwarded(name))
      throw new Error(
        `upstream.forward_headers names ${name}, which never leaves the gateway; what the upstream needs for itself stands in upstream.headers`,
      )
  }
  for (const name of Object.keys(options.headers)) {
    if (NEVER_ADDED.has(name.toLowerCase()))
      throw new Error(`upstream.headers sets ${name}, which the connection itself decides`)
  }
  const { host, protocol } = new URL(options.publicUrl)
  return {
    allowed: new Set([...PASSED, ...options.forwardHeaders.map((name) => name.toLowerCase())]),
    added: Object.fromEntries(
      Object.entries(options.headers)
        // `${NAME:-}`: an optional secret that is not set.
        .filter(([, value]) => value !== '')
        .map(([name, value]) => [name.toLowerCase(), value]),
    ),
    serviceToken: options.serviceToken,
    publicHost: host,
    publicProtocol: protocol === 'https:' ? 'https' : 'http',
    strippedPrefix: options.strippedPrefix,
  }
}

export interface CallFacts {
  requestId: string
  /** Id of the API key that pays; told to upstreams that hold the service token. */
  keyId?: string
  /** Null when it is not known. */
  clientAddress: string | null
  method: string
  metered: boolean
}

/** The headers of an upstream request without framing; null when the request goes in circles. */
export function requestHeaders(
  rules: HeaderRules,
  caller: Headers,
  facts: CallFacts,
): Record<string, string> | null {
  const via = caller.get('via')
  if (via !== null && via.split(VIA).length > MAX_HOPS) return null
  const headers: Record<string, string> = {}
  const isUnconditional = facts.metered && !WRITES.has(facts.method)
  for (const [name, value] of caller) {
    if (rules.allowed.has(name) && !(isUnconditional && CONDITIONAL.has(name)))
      headers[name] = value
  }
  headers['via'] = via === null ? VIA : `${via}, ${VIA}`
  headers['x-request-id'] = facts.requestId
  if (facts.clientAddress !== null) headers['x-forwarded-for'] = facts.clientAddress
  headers['x-forwarded-host'] = rules.publicHost
  headers['x-forwarded-proto'] = rules.publicProtocol
  if (rules.strippedPrefix !== '') headers['x-forwarded-prefix'] = rules.strippedPrefix
  if (rules.serviceToken !== null) {
    headers['x-kernel-service-token'] = rules.serviceToken
    if (facts.keyId !== undefined) headers['x-kernel-api-key-id'] = facts.keyId
  }
  return Object.assign(headers, rules.added)
}

/** The headers for the caller, of name and value pairs as they came; repeats are kept. */
export function responseHeaders(
  rawHeaders: readonly string[],
  locationOf: (location: string) => string | null,
): Headers {
  const nominated = new Set<string>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() !== 'connection') continue
    for (const name of rawHeaders[index + 1]!.split(',')) nominated.add(name.trim().toLowerCase())
  }
  const headers = new Headers()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase()
    const value = rawHeaders[index + 1]!
    if (neverPasses(name) || nominated.has(name)) continue
    const shown = shownValue(name, value, locationOf)
    if (shown !== null) headers.append(name, shown)
  }
  return headers
}

/** A header's value for the caller: addresses in it as the caller can follow them, or null. */
function shownValue(
  name: string,
  value: string,
  locationOf: (location: string) => string | null,
): string | null {
  if (name === 'location' || name === 'content-location') return locationOf(value)
  return name === 'link' ? callerLinks(value, locationOf) : value
}
