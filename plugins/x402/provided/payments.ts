/** What other plugins get as 'payments': the rail's entries, and payments that came in their dialect. */
import type { EarlyRailCall, RailCall } from '#kernel'
import type {
  ForeignPayment,
  PaymentNetwork,
  Payments,
  SignedBy,
} from '../../shared/payments/contract.ts'
import { signerOfMessage } from '../chain/signed-message.ts'
import type { Entry } from '../entries/contract.ts'
import { EvmEntry } from '../evm/entry.ts'
import { unitsOf } from '../terms/prices.ts'
import { maxTimeoutSeconds } from '../terms/window.ts'
import type { X402Rail } from '../rail.ts'

/** The rail as a service: over its claims, its verification and its settlement. */
export function paymentsOf(rail: X402Rail): Payments {
  return {
    rail,
    networks: networksOf(rail),
    closedBy: ({ network, asset }) => {
      const entry = rail.core?.entryAt({ network, asset, nonce: '' })
      const open = entry ? entry.available() : rail.available()
      return open.ok ? null : open.reason
    },
    amountOn: ({ decimals }: PaymentNetwork, amountAtomic: bigint) =>
      unitsOf(decimals, amountAtomic),
    nowMs: () => rail.core?.clock.nowMs() ?? Date.now(),
    validForSeconds: ({ timeoutMs }) => maxTimeoutSeconds(timeoutMs),
    precheck: (call: EarlyRailCall, payment: ForeignPayment) => rail.precheck(call, payment),
    isClaimed: (call: EarlyRailCall, payment: ForeignPayment) => rail.isClaimed(call, payment),
    inspect: (call: EarlyRailCall, payment: ForeignPayment) => rail.inspect(call, payment),
    authorize: (call: RailCall, payment: ForeignPayment, soldBy: string) =>
      rail.authorize(call, payment, soldBy),
    callsOf: (railId: string) => rail.callsOf(railId),
    signedBy: ({ chainId, ...signed }): Promise<SignedBy> =>
      signerOfMessage(signed, chainOf(rail, chainId)),
  }
}

/** The entries as networks: the same list until one of them opens or closes. Each 402 asks for it. */
function networksOf(rail: X402Rail): Payments['networks'] {
  let all: readonly Entry[] = []
  let entries: readonly Entry[] = []
  let known: ReturnType<Payments['networks']> = []
  return () => {
    const now = rail.core?.all ?? []
    const isKnown =
      now === all && entries.every((entry, at) => entry.available().ok === known[at]!.isOpen)
    if (isKnown) return known
    all = now
    entries = now.filter(({ isChannels }) => isChannels !== true)
    return (known = entries.map((entry) => ({ ...entry.token, isOpen: entry.available().ok })))
  }
}

/** A node of that chain, of whichever entry has one. */
function chainOf({ core }: X402Rail, chainId: number): EvmEntry['chain'] {
  const there = core?.entries.find(
    (entry) => entry instanceof EvmEntry && entry.asset.chainId === chainId && entry.chain !== null,
  )
  return there instanceof EvmEntry ? there.chain : null
}
