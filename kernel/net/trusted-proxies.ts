/**
 * TRUSTED_PROXIES: whose word about the caller's address is taken. A header is believed only as far
 * as trusted proxies wrote it, so it is read from its end, where the nearest proxy wrote.
 */
import { isIPv4, isIPv6, type BlockList } from 'node:net'
import { blockListOf } from './address.ts'
import { plainAddress } from './address-block.ts'

const WORDS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** The address of the caller behind `peer`, the other end of the connection. */
export type CallerAddress = (peer: string, headers: Headers) => string

/** Whether TRUSTED_PROXIES may hold this entry: an address, a CIDR, `loopback` or `private`. */
export function isProxyEntry(entry: string): boolean {
  if (Object.hasOwn(WORDS, entry)) return true
  try {
    blockListOf([entry])
    // Who trusts every address believes every caller.
    return !/\/0+$/.test(entry)
  } catch {
    return false
  }
}

/**
 * Finds callers behind the given proxies; without any, the peer is the caller. Throws a RangeError
 * for an entry that `isProxyEntry` refuses.
 */
export function callerAddress(entries: readonly string[]): CallerAddress {
  if (entries.length === 0) return plainAddress
  const trusted = blockListOf(entries.flatMap((entry) => WORDS[entry] ?? [entry]))
  return (peer, headers) => {
    const nearest = plainAddress(peer)
    if (!isIn(trusted, nearest)) return nearest
    const xff = headers.get('x-forwarded-for')
    const forwarded = headers.get('forwarded')
    if (xff === null && forwarded === null) return nearest
    const found: string[] = []
    if (xff !== null) found.push(firstUntrusted(xff.split(','), nearest, trusted))
    if (forwarded !== null) found.push(firstUntrusted(forParts(forwarded), nearest, trusted))
    // A proxy writes one of the two and may pass the other on as its caller wrote it.
    return found.every((address) => address === found[0]) ? found[0]! : nearest
  }
}

/** From the last hop to the first: the nearest address that is no trusted proxy, or the last known. */
function firstUntrusted(
  hops: readonly (string | null)[],
  nearest: string,
  trusted: BlockList,
): string {
  let known = nearest
  for (const hop of hops.toReversed()) {
    const address = hop === null ? null : addressIn(hop)
    if (address === null) return known
    if (!isIn(trusted, address)) return address
    known = address
  }
  return known
}

/** The address in `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`; else null. */
function addressIn(hop: string): string | null {
  const text = hop.trim()
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1]
  if (bracketed !== undefined) return isIPv6(bracketed) ? plainAddress(bracketed) : null
  const bare = text.replace(/^([\d.]+):\d{1,5}$/, '$1')
  return isIPv4(bare) || isIPv6(bare) ? plainAddress(bare) : null
}

const PART = /(?:"(?:[^"\\]|\\.)*"|[^",;])*/y

/** The `for` of each element of a Forwarded header (RFC 7239); null for one that does not say. */
function forParts(header: string): readonly (string | null)[] {
  const elements: (string | null)[] = []
  let current: string | null = null
  for (let at = 0; at <= header.length; at++) {
    PART.lastIndex = at
    const part = PART.exec(header)?.[0] ?? ''
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)=(.*)$/s.exec(part) ?? []
    if (name?.toLowerCase() === 'for' && value !== undefined) current = unquoted(value.trim())
    at += part.length
    const end = header[at]
    // An open quotation mark: what is whose can no longer be told.
    if (end === '"') return [null]
    if (end === ';') continue
    elements.push(current)
    current = null
  }
  return elements
}

function unquoted(value: string): string {
  return /^".*"$/s.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : value
}

function isIn(list: BlockList, address: string): boolean {
  if (isIPv4(address)) return list.check(address, 'ipv4')
  return isIPv6(address) && list.check(address, 'ipv6')
}
