/**
 * How an entry of any kind settles: its settlers with their breakers, its claims from the stored
 * answer to their end, its reconciler, and whether it may take money at all.
 */
import { AvailabilityCheck } from '../availability.ts'
import type { BootCheck } from '../chain/chain-check.ts'
import type { EntryPlace } from '../claims/claim.ts'
import type { ChainView, Settler } from '../settle/contract.ts'
import { Reconciler } from '../settle/reconciler.ts'
import type { SettlementWatch } from '../settle/reorg-check.ts'
import { ClaimSettler } from '../settle/settle-claim.ts'
import { Settlers } from '../settle/settlers.ts'
import type { EntryShared } from './shared.ts'

export interface EntrySettlementOptions {
  place: EntryPlace
  /** In order of preference. */
  settlers: readonly Settler[]
  /** Null without a node of our own. */
  chain: ChainView | null
  /** Compares the settings with the network; null without a node. */
  bootCheck: (() => Promise<BootCheck>) | null
  /** The node is asked about each payment, whoever settles and pays: closed while it is silent. */
  needsNode?: true
  /** Looks at settlements again later; null where a settlement is final. */
  watchOf: ((settlers: Settlers) => SettlementWatch) | null
}

export class EntrySettlement {
  readonly settlers: Settlers
  readonly claimSettler: ClaimSettler
  readonly reconciler: Reconciler
  readonly gate: AvailabilityCheck

  constructor(options: EntrySettlementOptions, shared: EntryShared) {
    const { place, chain, bootCheck, watchOf } = options
    const { claims, clock, leases, log, timing } = shared
    this.settlers = new Settlers({
      settlers: options.settlers,
      chain,
      log,
      asksAlways: options.needsNode === true,
      ...(timing.breaker && { breaker: timing.breaker }),
      ...(timing.confirmTimeoutMs !== undefined && { confirmTimeoutMs: timing.confirmTimeoutMs }),
      ...(timing.attemptTimeoutMs !== undefined && { attemptTimeoutMs: timing.attemptTimeoutMs }),
    })
    const { settlers } = this
    const reorgCheck = watchOf?.(settlers) ?? null
    const hasChain = chain !== null
    const order = { claims, settlers, leases, clock, hasChain, reorgCheck, log }
    this.claimSettler = new ClaimSettler(order)
    this.reconciler = new Reconciler({
      claims,
      claimSettler: this.claimSettler,
      place,
      reorgCheck,
      log,
      ...(timing.reconcileEveryMs !== undefined && { intervalMs: timing.reconcileEveryMs }),
    })
    this.gate = new AvailabilityCheck({
      network: place.network,
      bootCheck,
      hasFacilitators:
        options.needsNode !== true && options.settlers.some(({ isRemote }) => isRemote),
      settlers,
      log,
    })
  }
}
