/**
 * From a URL to the only addresses that may be connected to: scheme, userinfo, port and name are
 * checked, the name is resolved once, and every address must be public or allowed.
 */
import { unlessAborted, type CheckedTarget, type GuardedRefusal, type PinnedAddress } from '#kernel'
import { bareHost } from '#kernel/host'
import type { AllowList } from './allow-list.ts'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { classifyAddress } from './classify.ts'
import type { NetOptions, Resolver } from './options.ts'
import { ownAddresses, type OwnAddresses } from './own-addresses.ts'
import { isBadPort, isServicePort } from './ports.ts'
import { refuse } from './refusal.ts'

export interface TargetPolicy {
  allow: AllowList
  /** The host may be private, whatever the list says. */
  allowPrivate?: boolean
  /** The operator named the port: only the Fetch standard's bad ports are refused. */
  anyPort?: boolean
  resolver?: Resolver
  /** Default: the addresses of this host. */
  own?: OwnAddresses
  signal?: AbortSignal
}

/** The policy of one check by a gateway with these options. */
export function targetPolicy(
  { allowPrivate: allow, resolver, own }: NetOptions,
  check: Pick<TargetPolicy, 'allowPrivate' | 'anyPort' | 'signal'> = {},
): TargetPolicy {
  return { ...check, allow, ...(resolver && { resolver }), ...(own && { own }) }
}

const MAX_URL_CHARACTERS = 8192

/** Names that never mean a public host: RFC 6761, 6762, 8375, 9476, ICANN's .internal, and habits. */
const RESERVED_SUFFIXES = new Set([
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'test',
  'invalid',
  'example',
  'onion',
  'alt',
  'arpa',
])

/** The system's resolver, which also reads the hosts file; one look-up serves one connection. */
const systemResolver: Resolver = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/** A name without a dot resolves only through the local search list (a container, a machine). */
function isReservedName(host: string): boolean {
  const last = host.slice(host.lastIndexOf('.') + 1)
  return !host.includes('.') || RESERVED_SUFFIXES.has(last)
}

async function resolve(
  host: string,
  policy: TargetPolicy,
): Promise<{ ok: true; addresses: PinnedAddress[] } | GuardedRefusal> {
  const { resolver = systemResolver, signal } = policy
  try {
    const addresses = await unlessAborted(resolver(host), signal, () => null)
    if (addresses === null) return refuse('aborted', 'The request was aborted')
    if (addresses.length === 0) return refuse('dns', `${host} has no address`)
    return { ok: true, addresses }
  } catch {
    return refuse('dns', `${host} could not be resolved`)
  }
}

function parseTarget(text: string): URL | GuardedRefusal {
  if (text.length > MAX_URL_CHARACTERS)
    return refuse('invalid_url', `The URL is longer than ${MAX_URL_CHARACTERS} characters`)
  if (!URL.canParse(text))
    return refuse('invalid_url', 'The URL must be a whole one, as https://example.com/ is')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refuse('ssrf', 'Only http and https URLs may be fetched')
  if (url.username !== '' || url.password !== '')
    return refuse('ssrf', 'A URL may not carry a user name or password')
  return url
}

/**
 * The checked target of an absolute URL, or why it may not be fetched: 'invalid_url' when it does
 * not parse, 'ssrf' when it is refused, 'dns' when the name has no address, 'aborted'. One address
 * that is not public refuses the whole name, so a mixed answer cannot be retried into luck. Messages
 * never say what a name resolved to.
 */
export async function checkTarget(
  text: string,
  policy: TargetPolicy,
): Promise<CheckedTarget | GuardedRefusal> {
  const url = parseTarget(text)
  if (!(url instanceof URL)) return url
  const host = bareHost(url.hostname)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const { allow, own = ownAddresses } = policy
  const trusted = policy.allowPrivate === true || allow.hasEndpoint(host, port)

  if (url.port === '0' || (!trusted && isBadPort(port))) return refusePort(url)
  const portIsFree = trusted || policy.anyPort === true || !isServicePort(port)
  // A range that the operator opened is open at every port of it.
  if (!portIsFree && !allow.hasRanges) return refusePort(url)

  const family = isIP(host)
  if (family !== 0) {
    const { public: isPublic, range } = classifyAddress(host, own())
    const allowed = trusted || allow.hasAddress(host)
    if (!allowed && !isPublic) return refuse('ssrf', `The address ${host} is not public (${range})`)
    if (!allowed && !portIsFree) return refusePort(url)
    return { ok: true, url, host, port, addresses: [{ address: host, family: family as 4 | 6 }] }
  }

  if (host === '' || host.length > 253 || host.split('.').some((l) => l === '' || l.length > 63))
    return refuse('invalid_url', 'The host name is not valid')
  const reserved = isReservedName(host)
  if (!trusted && reserved && !allow.hasRanges)
    return refuse('ssrf', `${host} is not a public host name`)
  const resolved = await resolve(host, policy)
  if (!resolved.ok) return resolved
  const isAllowed = ({ address }: PinnedAddress): boolean => trusted || allow.hasAddress(address)
  const isOpen = (pinned: PinnedAddress): boolean =>
    isAllowed(pinned) || (!reserved && classifyAddress(pinned.address, own()).public)
  if (!resolved.addresses.every(isOpen))
    return refuse('ssrf', `${host} does not resolve to public addresses only`)
  if (!portIsFree && !resolved.addresses.every(isAllowed)) return refusePort(url)
  return { ok: true, url, host, port, addresses: resolved.addresses }
}

function refusePort(url: URL): GuardedRefusal {
  return refuse('ssrf', `Port ${url.port} may not be fetched: it is another service's`)
}
