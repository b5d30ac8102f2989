/** What every part is made with. */
import type { PinnedAddress } from '#kernel'
import type { OutboundOptions } from '#kernel/host'
import type { AllowList } from './allow-list.ts'
import type { OwnAddresses } from './own-addresses.ts'

/** All addresses (A and AAAA) of a name; rejects when it has none. */
export type Resolver = (host: string) => Promise<PinnedAddress[]>

export interface NetOptions extends Omit<OutboundOptions, 'allowPrivate'> {
  allowPrivate: AllowList
  /** Default: the system's resolver. */
  resolver?: Resolver
  /** Default: the addresses of this host's interfaces. */
  own?: OwnAddresses
  /** PEM roots instead of the system's, for targets behind a private authority. */
  ca?: string
}
