/** ALLOW_PRIVATE_TARGETS, to look addresses up in. */
import { isIPv6, type BlockList } from 'node:net'
import { parseEndpoint, parseRange } from '#kernel/host'

export interface AllowList {
  /** `host:port` as in a URL, IPv6 in brackets; such a target skips every address check. */
  hasEndpoint(host: string, port: number): boolean
  /** Whether a CIDR entry covers the address. */
  hasAddress(address: string): boolean
  /** False when no CIDR is listed, so a reserved name need not be resolved at all. */
  readonly hasRanges: boolean
}

/** The list of the given entries; throws a RangeError that names a bad one. */
export function allowList(entries: readonly string[]): AllowList {
  const endpoints = new Set<string>()
  const ranges: BlockList[] = []
  for (const entry of entries) {
    const endpoint = parseEndpoint(entry)
    const range = endpoint === null ? parseRange(entry) : null
    if (endpoint !== null) endpoints.add(endpoint)
    else if (range !== null) ranges.push(range)
    else throw new RangeError(`Neither host:port nor CIDR: ${entry}`)
  }
  return {
    hasEndpoint: (host, port) => endpoints.has(`${host}:${port}`),
    hasAddress: (address) =>
      ranges.some((range) => range.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')),
    hasRanges: ranges.length > 0,
  }
}
