/** An entry on an EVM network: EIP-3009 or Permit2, by facilitators or the gateway's own key. */
import type { Address, Hex } from 'viem'
import { assert, type Quote, type StoredAnswer } from '#kernel'
import type { Availability } from '../availability.ts'
import { Chain } from '../chain/chain.ts'
import { checkChain, settlementAddress } from '../chain/chain-check.ts'
import { ReorgCheck } from '../settle/reorg-check.ts'
import type { SettleOptions } from '../settle/settle-claim.ts'
import { OwnSigner } from '../chain/signer.ts'
import type { PaymentKey, SettleOrder } from '../claims/claim.ts'
import { assetOf, type Asset } from '../terms/asset.ts'
import { EvmOffers, wayOf } from './offers.ts'
import type { AcceptedPrice } from '../terms/prices.ts'
import { SupportedKinds } from './supported-kinds.ts'
import { signedOf, type EvmSignedPayment } from '../payment/payload.ts'
import { claimNonceOf } from '../payment/nonces.ts'
import { disagree, problem, type Problem } from '../payment/problem.ts'
import { sponsoringIn } from '../payment/sponsoring.ts'
import { sentText, type ShownInChallenge } from '../payment/sent-text.ts'
import type { Examined, Verified } from '../payment/verified.ts'
import { transferWindowProblem, Verifier } from './verify.ts'
import { isEvm, type EvmPayment, type Payment } from '../payment/wire.ts'
import type { CheckOptions, CheckOutcome, Settler } from '../settle/contract.ts'
import { facilitatorAuth } from '../settle/facilitator-auth.ts'
import { Facilitator } from '../settle/facilitator.ts'
import type { SettlerState, Settlers } from '../settle/settlers.ts'
import { Supported } from '../settle/supported.ts'
import type { Entry } from '../entries/contract.ts'
import type { Token } from '../terms/token.ts'
import { EntrySettlement } from '../entries/settlement.ts'
import type { EvmSettings } from '../terms/settings.ts'
import type { EntryShared } from '../entries/shared.ts'

/** Whose settings were found to make an entry. */
export interface EvmEntryOptions {
  asset: Asset
  payTo: Address
  settings: EvmSettings
  /** Mark of the sandbox chain (`SandboxChain.ref`); null on real networks. */
  chainRef: string | null
}

/** The entry, or why its settings make none: the reason names the setting. */
export function evmEntry(
  settings: EvmSettings,
  chainRef: string | null,
  shared: EntryShared,
): { ok: true; entry: EvmEntry } | { ok: false; reason: string } {
  const resolved = assetOf(settings)
  if (!resolved.ok) return resolved
  if (settings.payTo === null) return { ok: false, reason: `${settings.names.payTo} is not set` }
  const receiver = settlementAddress(settings.payTo, settings.names.payTo)
  if (!receiver.ok) return receiver
  const settlesItself = settings.signerKey !== null && settings.rpcUrl !== null
  if (settings.facilitators.length === 0 && !settlesItself) {
    return { ok: false, reason: settings.names.settlers }
  }
  const options = { asset: resolved.asset, payTo: receiver.address, settings, chainRef }
  return { ok: true, entry: new EvmEntry(options, shared) }
}

export class EvmEntry implements Entry {
  readonly kind = 'evm'
  readonly token: Token
  readonly name: string
  readonly chainRef: string | null
  readonly offers: EvmOffers
  readonly asset: Asset
  readonly payTo: Address
  /** Null without a node of our own. */
  readonly chain: Chain | null
  readonly verifier: Verifier
  readonly supportedKinds: SupportedKinds
  readonly #settlement: EntrySettlement
  /** Payments go to them with what their payers' clients put into them. */
  readonly #hasFacilitators: boolean

  constructor({ asset, payTo, settings, chainRef }: EvmEntryOptions, shared: EntryShared) {
    const { log, timing, claims } = shared
    this.asset = asset
    this.payTo = payTo
    this.chainRef = chainRef
    const { isUpfront } = settings
    this.offers = new EvmOffers(asset, payTo, () => shared.changed(), isUpfront)
    this.token = this.offers.token
    this.name = `${asset.network} ${asset.address}`
    const chain = chainOf(settings, asset, timing.rpcTimeoutMs)
    this.chain = chain
    const remote = settings.facilitators.map(({ url, auth: text }) => {
      const auth = facilitatorAuth(text)
      const isPermit2Only = asset.method === 'permit2'
      const supported = new Supported({ url, auth, network: asset.network, isPermit2Only })
      return { url, auth, supported }
    })
    this.#hasFacilitators = remote.length > 0
    const own = ownSigner(settings, { chain, asset, chainRef }, shared)
    const facilitators: Settler[] = remote.map(
      ({ url, auth, supported }) =>
        new Facilitator({
          url,
          auth,
          supports: (payment) => supported.takes(payment),
          ...(timing.settleTimeoutMs !== undefined && { settleTimeoutMs: timing.settleTimeoutMs }),
          ...(timing.verifyTimeoutMs !== undefined && { verifyTimeoutMs: timing.verifyTimeoutMs }),
        }),
    )
    const place = { network: asset.network, asset: asset.address, chainRef }
    const afterMs = timing.recheckAfterMs
    this.#settlement = new EntrySettlement(
      {
        place,
        settlers: own ? [...facilitators, own] : facilitators,
        chain,
        bootCheck: chain && (() => checkChain(chain, asset, settings.names)),
        watchOf:
          chain &&
          ((settlers) =>
            new ReorgCheck({
              chain,
              place,
              settlers,
              claims,
              log,
              ...(afterMs !== undefined && { afterMs }),
            })),
      },
      shared,
    )
    this.supportedKinds = new SupportedKinds({
      asset,
      offers: this.offers,
      facilitators: remote.map(({ supported }) => supported),
      own,
      chain,
      log,
      ...(timing.refreshEveryMs !== undefined && { refreshEveryMs: timing.refreshEveryMs }),
      ...(timing.firstLookMs !== undefined && { firstLookMs: timing.firstLookMs }),
    })
    this.verifier = new Verifier({
      asset,
      payTo,
      offers: this.offers,
      prices: shared.prices,
      contractSigned:
        chain && ((payer, digest, signature) => chain.contractSigned(payer, digest, signature)),
      ...(shared.olderPrices && { olderPrices: shared.olderPrices }),
    })
  }

  get settlers(): Settlers {
    return this.#settlement.settlers
  }

  available(): Availability {
    return this.#settlement.gate.available()
  }

  settlerStates(): SettlerState[] {
    return this.settlers.states()
  }

  troubles(): string[] {
    return [...this.supportedKinds.troubles(), ...this.settlers.troubles()]
  }

  payerOf(payment: Payment): string | null {
    return isEvm(payment) ? payment.authorization.from : null
  }

  keyOf(payment: Payment): PaymentKey {
    const { method, authorization } = evm(payment)
    return {
      network: this.asset.network,
      asset: this.asset.address,
      payer: authorization.from,
      nonce: claimNonceOf(method, authorization.nonce),
    }
  }

  validBefore(payment: Payment): bigint {
    return evm(payment).authorization.validBefore
  }

  windowProblem(payment: Payment, deadline: Date, now: Date): Problem | null {
    return transferWindowProblem(evm(payment), deadline, now)
  }

  async examine(payment: Payment, quote: Quote, deadline: Date, now: Date): Promise<Examined> {
    if (payment.method === 'channel') {
      const wrong = problem('unsupported_scheme', 'accepted.scheme', 'no channels are taken here')
      return { kind: 'refused', problem: wrong }
    }
    return isEvm(payment)
      ? this.verifier.examine(payment, quote, deadline, now)
      : { kind: 'refused', problem: this.#otherNetwork(payment) }
  }

  verify(payment: Payment, quote: Quote, examined: Examined): Promise<Verified> {
    return this.verifier.verify(evm(payment), quote, examined)
  }

  signed(
    payment: Payment,
    quote: Quote,
    { amountAtomic }: AcceptedPrice,
    shown: () => ShownInChallenge,
  ): EvmSignedPayment {
    const made = evm(payment)
    const requirements = this.offers.requirementsOf(quote, wayOf(made), amountAtomic)
    const sponsoring =
      made.method === 'permit2'
        ? sponsoringIn(made.echoed.extensions, made.authorization, this.offers.sponsorings)
        : null
    const signed = { ...signedOf(made, requirements), ...(sponsoring && { sponsoring }) }
    return this.#hasFacilitators ? { ...signed, sent: sentText(payment, signed, shown) } : signed
  }

  check(payment: EvmSignedPayment, options?: CheckOptions): Promise<CheckOutcome> {
    return this.settlers.check(payment, options)
  }

  async balanceOf(payer: string): Promise<bigint | null> {
    return this.chain && this.chain.balanceOf(payer as Address)
  }

  settle(order: SettleOrder, answer: StoredAnswer | null, options?: SettleOptions) {
    return this.#settlement.claimSettler.settle(order, answer, options)
  }

  resolve(claimId: string): Promise<void> {
    return this.#settlement.reconciler.resolve(claimId)
  }

  async start(): Promise<void> {
    await Promise.all([this.#settlement.gate.check(), this.supportedKinds.start()])
    this.#settlement.reconciler.start()
  }

  async stop(): Promise<void> {
    this.#settlement.gate.stop()
    await Promise.all([this.#settlement.reconciler.stop(), this.supportedKinds.stop()])
  }

  #otherNetwork(payment: Payment): Problem {
    const reason = 'invalid_exact_evm_network_mismatch'
    return disagree(reason, 'accepted.network', this.asset.network, payment.network)
  }
}

function evm(payment: Payment): EvmPayment {
  assert(isEvm(payment), 'a payment that was read for an EVM network')
  return payment
}

function chainOf({ rpcUrl }: EvmSettings, asset: Asset, timeoutMs?: number): Chain | null {
  if (rpcUrl === null) return null
  return new Chain({ rpcUrl, asset, ...(timeoutMs !== undefined && { timeoutMs }) })
}

function ownSigner(
  { signerKey }: EvmSettings,
  { chain, asset, chainRef }: { chain: Chain | null; asset: Asset; chainRef: string | null },
  { db, timing }: EntryShared,
): OwnSigner | null {
  if (signerKey === null || chain === null) return null
  const { settleTimeoutMs, receiptPollMs, raiseAfterMs } = timing
  return new OwnSigner({
    chain,
    asset,
    key: signerKey as Hex,
    db,
    chainRef,
    ...(settleTimeoutMs !== undefined && { receiptTimeoutMs: settleTimeoutMs }),
    ...(receiptPollMs !== undefined && { pollMs: receiptPollMs }),
    ...(raiseAfterMs !== undefined && { raiseAfterMs }),
  })
}
