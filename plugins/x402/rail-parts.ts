/** The parts of the rail, built once from its options and shared by the rail and its routes. */
import { type Address, type Hex } from 'viem'
import type { Logger, PluginDb, Settlements as SettlementRecords, Signals } from '#kernel'
import { SupportedKinds } from './offers/supported-kinds.ts'
import { resolveAsset, type Asset } from './offers/asset.ts'
import type { SandboxChain } from './sandbox/sandbox.ts'
import { settlementAddress } from './chain/chain-check.ts'
import { Claims } from './claims/claims.ts'
import { SANDBOX_NAME } from './offers/challenge.ts'
import { ChallengeCache, type OlderPrice } from './offers/challenge-cache.ts'
import { Chain } from './chain/chain.ts'
import type { Settler } from './settle/contract.ts'
import { Facilitator } from './settle/facilitator.ts'
import { facilitatorAuth } from './settle/facilitator-auth.ts'
import { ReorgCheck } from './chain/reorg-check.ts'
import { Leases } from './settle/leases.ts'
import { ClaimSettler } from './settle/settle-claim.ts'
import { Reconciler } from './settle/reconciler.ts'
import { Settlers } from './settle/settlers.ts'
import { OwnSigner } from './chain/signer.ts'
import { Supported } from './settle/supported.ts'
import { Verifier } from './payment/verify.ts'

export interface X402Options {
  db: PluginDb
  records: SettlementRecords
  signals: Signals
  log: Logger
  /** CAIP-2: 'eip155:8453'. */
  network: string
  /** Token address; null = the network's USDC. */
  asset: string | null
  /** Settlement address; null leaves the rail closed. */
  payTo: string | null
  /** Facilitator URLs in order of preference. */
  facilitators: readonly string[]
  /** Their credentials in the same order, as X402_FACILITATOR_AUTH has them; '-' or missing: none. */
  facilitatorAuth?: readonly string[]
  rpcUrl: string | null
  /** Settles by itself through `rpcUrl`, after the facilitators. */
  signerKey: string | null
  /** Name of the service in challenges, printable ASCII of at most 32 characters. */
  serviceName?: string
  /** Opens the sandbox's own chain, which gives what is null of the settings above; null: there is none. */
  sandboxChain?: () => Promise<SandboxChain | null>
  /** Mark of the sandbox chain (`SandboxChain.ref`); null on real networks. */
  chainRef?: string | null
  /** Prices of a skill valid since a moment, for quotes that other instances gave. */
  olderPrices?: (skillId: string, since: Date) => Promise<readonly OlderPrice[]>
  timing?: X402Timing
}

/** Waiting times, all in milliseconds; the defaults suit public networks. */
export interface X402Timing {
  settleTimeoutMs?: number
  verifyTimeoutMs?: number
  /** How long a facilitator's settlement may take to show on our own node. */
  confirmTimeoutMs?: number
  /** How long all ways of settling together may take while a caller waits. */
  attemptTimeoutMs?: number
  /** One question to the node. */
  rpcTimeoutMs?: number
  receiptPollMs?: number
  /** When an own transaction without a receipt is sent again with higher fees. */
  raiseAfterMs?: number
  reconcileEveryMs?: number
  /** How often facilitators are asked what they support. */
  refreshEveryMs?: number
  /** How long the start waits for what they answer first. */
  firstLookMs?: number
  /** When a settlement is looked at again, should the chain have undone it. */
  recheckAfterMs?: number
  breaker?: { failures: number; resetMs: number }
}

export interface RailParts {
  asset: Asset
  payTo: Address
  offers: ChallengeCache
  claims: Claims
  verifier: Verifier
  settlers: Settlers
  leases: Leases
  claimSettler: ClaimSettler
  reconciler: Reconciler
  supportedKinds: SupportedKinds
  /** Payments go to them with what their payers' clients put into them. */
  hasFacilitators: boolean
  chain: Chain | null
  chainRef: string | null
  log: Logger
}

/** The parts, or why x402 is closed: the reason names the setting. */
export function buildRailParts(
  options: X402Options,
): { ok: true; core: RailParts } | { ok: false; reason: string } {
  const resolved = resolveAsset(options.network, options.asset)
  if (!resolved.ok) return resolved
  if (options.payTo === null) return { ok: false, reason: 'SETTLEMENT_ADDRESS is not set' }
  const receiver = settlementAddress(options.payTo)
  if (!receiver.ok) return receiver
  const { asset } = resolved
  const { log, timing = {}, chainRef = null } = options
  const chain =
    options.rpcUrl === null
      ? null
      : new Chain({
          rpcUrl: options.rpcUrl,
          asset,
          ...(timing.rpcTimeoutMs !== undefined && { timeoutMs: timing.rpcTimeoutMs }),
        })
  const remote = options.facilitators.map((url, index) => {
    const auth = facilitatorAuth(options.facilitatorAuth?.[index] ?? '-')
    const isPermit2Only = asset.method === 'permit2'
    const supported = new Supported({ url, auth, network: asset.network, isPermit2Only })
    return { url, auth, supported }
  })
  const allSettlers: Settler[] = remote.map(
    ({ url, auth, supported }) =>
      new Facilitator({
        url,
        auth,
        supports: (payment) => supported.takes(payment),
        ...(timing.settleTimeoutMs !== undefined && { settleTimeoutMs: timing.settleTimeoutMs }),
        ...(timing.verifyTimeoutMs !== undefined && { verifyTimeoutMs: timing.verifyTimeoutMs }),
      }),
  )
  const own =
    options.signerKey !== null && chain
      ? new OwnSigner({
          chain,
          asset,
          key: options.signerKey as Hex,
          db: options.db,
          chainRef,
          ...(timing.settleTimeoutMs !== undefined && { receiptTimeoutMs: timing.settleTimeoutMs }),
          ...(timing.receiptPollMs !== undefined && { pollMs: timing.receiptPollMs }),
          ...(timing.raiseAfterMs !== undefined && { raiseAfterMs: timing.raiseAfterMs }),
        })
      : null
  if (own) allSettlers.push(own)
  if (allSettlers.length === 0) {
    return {
      ok: false,
      reason: 'neither X402_FACILITATOR_URL nor X402_RPC_URL with X402_SIGNER_KEY is set',
    }
  }
  const offers = new ChallengeCache(
    asset,
    receiver.address,
    options.serviceName ?? (chainRef === null ? 'Coinop' : SANDBOX_NAME),
  )
  const claims = new Claims(options.db, options.records)
  const settlers = new Settlers({
    settlers: allSettlers,
    chain,
    log,
    ...(timing.breaker && { breaker: timing.breaker }),
    ...(timing.confirmTimeoutMs !== undefined && { confirmTimeoutMs: timing.confirmTimeoutMs }),
    ...(timing.attemptTimeoutMs !== undefined && { attemptTimeoutMs: timing.attemptTimeoutMs }),
  })
  const reorgCheck =
    chain &&
    new ReorgCheck({
      chain,
      chainRef,
      settlers,
      claims,
      log,
      ...(timing.recheckAfterMs !== undefined && { afterMs: timing.recheckAfterMs }),
    })
  const leases = new Leases(claims)
  const hasChain = chain !== null
  const claimSettler = new ClaimSettler({ claims, settlers, leases, hasChain, reorgCheck })
  const reconciler = new Reconciler({
    claims,
    claimSettler,
    leases,
    chainRef,
    reorgCheck,
    log,
    ...(timing.reconcileEveryMs !== undefined && { intervalMs: timing.reconcileEveryMs }),
  })
  const supportedKinds = new SupportedKinds({
    asset,
    offers,
    facilitators: remote.map(({ supported }) => supported),
    own,
    chain,
    log,
    ...(timing.refreshEveryMs !== undefined && { refreshEveryMs: timing.refreshEveryMs }),
    ...(timing.firstLookMs !== undefined && { firstLookMs: timing.firstLookMs }),
  })
  const verifier = new Verifier({
    asset,
    payTo: receiver.address,
    offers,
    contractSigned: chain
      ? (payer, digest, signature) => chain.contractSigned(payer, digest, signature)
      : null,
    ...(options.olderPrices && { olderPrices: options.olderPrices }),
  })
  return {
    ok: true,
    core: {
      asset,
      payTo: receiver.address,
      offers,
      claims,
      verifier,
      settlers,
      leases,
      claimSettler,
      reconciler,
      supportedKinds,
      hasFacilitators: remote.length > 0,
      chain,
      chainRef,
      log,
    },
  }
}
