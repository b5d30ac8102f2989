/**
 * What the kernel is handed: the address of a caller behind trusted proxies. A header is believed only as
 * far as such proxies wrote it, so it is read from its end, where the nearest proxy wrote. A caller
 * whose address the headers hide is never taken for a proxy: a key may be good from its network alone.
 */
import { isIPv4, isIPv6, type BlockList } from 'node:net'
import { blockListOf, plainAddress, PROXY_WORDS, type CallerAddressOf } from '#kernel/host'

/** In place of an address, and in no network: the kernel's word where it cannot tell. */
const UNKNOWN = 'unknown'

export const callerAddress: CallerAddressOf = (entries) => {
  if (entries.length === 0) return plainAddress
  const trusted = blockListOf(entries.flatMap((entry) => PROXY_WORDS[entry] ?? [entry]))
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
    return found.every((address) => address === found[0]) ? found[0]! : UNKNOWN
  }
}

/** From the last hop to the first: the nearest address that is not a trusted proxy, or the farthest proxy. */
function firstUntrusted(
  hops: readonly (string | null)[],
  nearest: string,
  trusted: BlockList,
): string {
  let known = nearest
  for (const hop of hops.toReversed()) {
    const address = hop === null ? null : addressIn(hop)
    if (address === null) return UNKNOWN
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
