/** Networks that requests may come from: CIDRs of IPv4 and IPv6, and addresses tested against them. */
import { isIPv4, isIPv6 } from 'node:net'
import { blockListOf, parseRange } from './address.ts'
import { plainAddress } from './address-block.ts'

/** Whether a request of this client address may pass. */
export type OriginTest = (clientAddress: string) => boolean

/**
 * Whether a text is a CIDR or a single address. IPv4 written as IPv6 (`::ffff:192.0.2.0/120`) is
 * refused, since callers are compared by their IPv4 address.
 */
export function isNetwork(text: string): boolean {
  const address = text.split('/', 1)[0]!
  return plainAddress(address) === address.toLowerCase() && parseRange(text) !== null
}

/** A test of addresses against the networks; throws a RangeError if one is not a network. */
export function originTest(networks: readonly string[]): OriginTest {
  // A list of its own for each family: `::/0` would have every IPv4 address as a mapped one.
  const ipv4 = blockListOf(networks.filter((network) => !network.includes(':')))
  const ipv6 = blockListOf(networks.filter((network) => network.includes(':')))
  return (clientAddress) => {
    if (isIPv4(clientAddress)) return ipv4.check(clientAddress, 'ipv4')
    return isIPv6(clientAddress) && ipv6.check(clientAddress, 'ipv6')
  }
}
