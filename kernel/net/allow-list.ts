/** ALLOW_PRIVATE_TARGETS: what an operator lets the gateway reach although it is not public. */
import type { BlockList } from 'node:net'
import { isIPv6 } from 'node:net'
import { blockListOf } from './address.ts'

export interface AllowList {
  /** `host:port` as in a URL, IPv6 in brackets; such a target skips every address check. */
  hasEndpoint(host: string, port: number): boolean
  /** Whether a CIDR entry covers the address. */
  hasAddress(address: string): boolean
  /** False when no CIDR is listed, so a reserved name need not be resolved at all. */
  readonly hasRanges: boolean
}

const ENDPOINT = /^(\[[0-9a-f:.]+\]|[^\s/:@?#[\]]+):(\d{1,5})$/i

function parseEndpoint(entry: string): string | null {
  const match = ENDPOINT.exec(entry)
  const port = Number(match?.[2])
  if (!match || port < 1 || port > 65_535 || !URL.canParse(`http://${match[1]}/`)) return null
  return `${bareHost(new URL(`http://${match[1]}/`).hostname)}:${port}`
}

function parseRange(entry: string): BlockList | null {
  try {
    return blockListOf([entry])
  } catch {
    return null
  }
}

/** Lower-case host without the brackets of IPv6 and without a trailing dot. */
export function bareHost(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
}

/** Whether ALLOW_PRIVATE_TARGETS may hold this entry: `host:port`, a CIDR or a single address. */
export function isAllowEntry(entry: string): boolean {
  return parseEndpoint(entry) !== null || parseRange(entry) !== null
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
