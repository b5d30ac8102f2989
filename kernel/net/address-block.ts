/** Normalised addresses of callers, and the address block that counts as one caller. */
import { isIPv6 } from 'node:net'
import { dottedQuad, ipv6Groups } from './address.ts'

/**
 * The address as others compare it: an IPv4 one that is written as IPv6 (`::ffff:192.0.2.1`) as
 * itself, IPv6 in lower case without its zone. Any other text comes back as it is.
 */
export function plainAddress(address: string): string {
  const bare = address.split('%', 1)[0]!
  if (!isIPv6(bare)) return address
  const groups = ipv6Groups(bare)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return isMapped ? dottedQuad(groups[6]!, groups[7]!) : bare.toLowerCase()
}

/**
 * The block that counts as one caller: an IPv4 address, or the /64 of an IPv6 one, since each
 * subscriber has at least so many. Any other text ('unknown') comes back as it is.
 */
export function addressBlock(address: string): string {
  const plain = plainAddress(address)
  if (!isIPv6(plain)) return plain
  const prefix = ipv6Groups(plain).slice(0, 4)
  return `${prefix.map((group) => group.toString(16)).join(':')}::/64`
}
