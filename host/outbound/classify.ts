/**
 * Tells public addresses from all others. IPv4 is refused by the IANA special-purpose registry;
 * IPv6 must lie in global unicast space (2000::/3) outside its special blocks, and an IPv4 address
 * hidden in an IPv6 one is judged as itself.
 */
import { blockListOf, dottedQuad, ipv6Groups } from '#kernel/host'
import { isIPv4, isIPv6, type BlockList } from 'node:net'

/** `range` names the special-purpose block an address is in, or 'public'. */
export interface AddressClass {
  public: boolean
  range: string
}

const IPV4_RANGES: readonly (readonly [range: string, ...cidrs: string[]])[] = [
  ['this network', '0.0.0.0/8'],
  ['private', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  ['shared address space', '100.64.0.0/10'],
  ['loopback', '127.0.0.0/8'],
  ['link-local', '169.254.0.0/16'],
  ['IETF protocol assignments', '192.0.0.0/24'],
  ['documentation', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'],
  ['AS112', '192.31.196.0/24', '192.175.48.0/24'],
  ['AMT', '192.52.193.0/24'],
  ['6to4 relay', '192.88.99.0/24'],
  ['benchmarking', '198.18.0.0/15'],
  ['multicast', '224.0.0.0/4'],
  ['reserved', '240.0.0.0/4'],
  // A public address by the registry, but inside Azure it is the platform's own wire server.
  ['cloud platform', '168.63.129.16/32'],
]

const IPV6_RANGES: typeof IPV4_RANGES = [
  ['IETF protocol assignments', '2001::/23'],
  ['documentation', '2001:db8::/32', '3fff::/20'],
  ['AS112', '2620:4f:8000::/48'],
]

const ipv4Lists = IPV4_RANGES.map(([range, ...cidrs]) => ({ range, list: blockListOf(cidrs) }))
const ipv6Lists = IPV6_RANGES.map(([range, ...cidrs]) => ({ range, list: blockListOf(cidrs) }))

const PUBLIC: AddressClass = { public: true, range: 'public' }
const OWN: AddressClass = { public: false, range: 'this host' }

function classifyIPv4(address: string, own: BlockList | undefined): AddressClass {
  const found = ipv4Lists.find(({ list }) => list.check(address, 'ipv4'))
  if (found) return { public: false, range: found.range }
  return own?.check(address, 'ipv4') ? OWN : PUBLIC
}

/** The IPv4 address that an IPv6 one stands for (RFC 4291, 6052, 3056), or null. */
function embeddedIPv4(groups: readonly number[]): string | null {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  const zeros = (...values: number[]): boolean => values.every((value) => value === 0)
  if (zeros(a, b, c, d, e) && f === 0xffff) return dottedQuad(g, h)
  if (a === 0x64 && b === 0xff9b && zeros(c, d, e, f)) return dottedQuad(g, h)
  if (a === 0x2002) return dottedQuad(b, c)
  return null
}

function classifyIPv6(address: string, own: BlockList | undefined): AddressClass {
  const groups = ipv6Groups(address)
  const embedded = embeddedIPv4(groups)
  if (embedded !== null) return classifyIPv4(embedded, own)
  // Teredo, local-use NAT64 (64:ff9b:1::/48), IPv4-compatible and translated forms all fall out
  // here or below: none of them is a way to a public server.
  if ((groups[0]! & 0xe000) !== 0x2000) return { public: false, range: 'not global unicast' }
  const found = ipv6Lists.find(({ list }) => list.check(address, 'ipv6'))
  if (found) return { public: false, range: found.range }
  // ISATAP carries an IPv4 address in its interface identifier under any prefix (RFC 5214).
  if ((groups[4] === 0 || groups[4] === 0x200) && groups[5] === 0x5efe)
    return classifyIPv4(dottedQuad(groups[6]!, groups[7]!), own)
  return own?.check(address, 'ipv6') ? OWN : PUBLIC
}

/**
 * Whether the gateway may connect to an address on behalf of an untrusted caller (IANA IPv4
 * and IPv6 special-purpose registries). Text that is not an address, or carries a zone id, is not
 * public, and neither are the addresses in `own`: those of this host's interfaces.
 */
export function classifyAddress(address: string, own?: BlockList): AddressClass {
  if (isIPv4(address)) return classifyIPv4(address, own)
  if (isIPv6(address) && !address.includes('%')) return classifyIPv6(address, own)
  return { public: false, range: 'not an address' }
}
