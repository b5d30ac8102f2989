/** Instances that take payment channels, on a chain where their contract was planted. */
import type { Hex } from 'viem'
import type { ChannelSettings } from '../../../plugins/x402/terms/settings.ts'
import type { X402Timing } from '../../../plugins/x402/entries/shared.ts'
import type { X402Ground } from './ground.ts'
import type { InstanceOptions, X402Instance } from './instances.ts'
import { entryOf, QUICK } from './rail.ts'

/** Longer than any test. */
export const NEVER_MS = 3_000_000

/** Deposits of a dollar, claimed by nobody unless told. */
const CHANNELS: ChannelSettings = {
  withdrawDelayS: 86_400,
  depositAtomic: 1_000_000n,
  claimAboveAtomic: 1_000_000_000n,
  claimAfterMs: NEVER_MS,
}

export interface ChannelOptions extends InstanceOptions {
  channels?: Partial<ChannelSettings>
  timing?: X402Timing
  signerKey?: Hex
  /** Instead of the ground's node. */
  rpcUrl?: string
}

/** Opens instances with channels. They look for work when a test says so, unless `timing` says when. */
export function channelGateways(
  ground: X402Ground,
  open: (options: InstanceOptions) => Promise<X402Instance>,
) {
  return ({ channels, timing, signerKey, rpcUrl, ...options }: ChannelOptions = {}) => {
    const { chain } = ground
    const entry = entryOf({
      network: 'eip155:8453',
      asset: null,
      payTo: chain.receivingAddress,
      facilitators: [],
      rpcUrl: rpcUrl ?? chain.rpcUrl,
      signerKey: signerKey ?? chain.signerKey,
    })
    return open({
      entries: [{ ...entry, channels: { ...CHANNELS, ...channels } }],
      timing: {
        ...QUICK,
        settleTimeoutMs: 30_000,
        confirmTimeoutMs: 500,
        reconcileEveryMs: NEVER_MS,
        recheckAfterMs: NEVER_MS,
        ...timing,
      },
      ...options,
    })
  }
}
