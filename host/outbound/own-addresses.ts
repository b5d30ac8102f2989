/**
 * The addresses of this host's own interfaces. A public one leads to the gateway's own services,
 * past a firewall that stands in front of the host, so it counts as private.
 */
import { BlockList } from 'node:net'
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'

/** The addresses as they are now; may be called for every target. */
export type OwnAddresses = () => BlockList

/** What `os.networkInterfaces` tells, as far as it is read here. */
export type Interfaces = Readonly<
  Record<string, readonly Pick<NetworkInterfaceInfo, 'address' | 'family'>[] | undefined>
>

/** Interfaces come and go, and reading them is a system call. */
const FRESH_MS = 10_000

/** The addresses that `interfaces` names, read anew when they are ten seconds old. */
export function createOwnAddresses(
  interfaces: () => Interfaces = networkInterfaces,
  nowMs: () => number = () => performance.now(),
): OwnAddresses {
  let known = new BlockList()
  let readAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (nowMs() - readAtMs < FRESH_MS) return known
    readAtMs = nowMs()
    try {
      known = listOf(interfaces())
    } catch {
      // A sandbox may forbid the look; what was known then is still the best answer.
    }
    return known
  }
}

function listOf(interfaces: Interfaces): BlockList {
  const list = new BlockList()
  for (const { address, family } of Object.values(interfaces).flatMap((found) => found ?? [])) {
    const bare = address.replace(/%.*$/, '')
    list.addAddress(bare, family === 'IPv6' ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Of the machine that this process runs on. */
export const ownAddresses: OwnAddresses = createOwnAddresses()
