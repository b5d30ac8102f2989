/** What every outbound part of the kernel is made with. */
import type { AllowList } from './allow-list.ts'
import type { OwnAddresses } from './own-addresses.ts'
import type { Resolver } from './target.ts'

export interface NetOptions {
  /** ALLOW_PRIVATE_TARGETS. */
  allowPrivate: AllowList
  userAgent: string
  /** Default: the system's resolver. */
  resolver?: Resolver
  /** Default: the addresses of this host's interfaces. */
  own?: OwnAddresses
  /** PEM roots instead of the system's, for targets behind a private authority. */
  ca?: string
}
