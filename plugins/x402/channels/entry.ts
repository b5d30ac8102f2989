/**
 * Payment channels beside an EVM entry: its token, its node and its signer, paid by vouchers of scheme
 * `batch-settlement`. A call is claimed and settled as on every entry; what is due goes to the chain in
 * the background (claimer.ts).
 */
import { getAddress, type Hex } from 'viem'
import { sign } from 'viem/accounts'
import { assert, type Failure, type Quote, type StoredAnswer } from '#kernel'
import type { Availability } from '../availability.ts'
import { Chain } from '../chain/chain.ts'
import { OwnTransactions } from '../chain/own-transactions.ts'
import { ReorgCheck } from '../settle/reorg-check.ts'
import type { SettleOptions } from '../settle/settle-claim.ts'
import type { Claim, PaymentKey, SettleOrder } from '../claims/claim.ts'
import type { Entry } from '../entries/contract.ts'
import type { Token } from '../terms/token.ts'
import type { ChannelSettings } from '../terms/settings.ts'
import type { EntryShared } from '../entries/shared.ts'
import { EntrySettlement } from '../entries/settlement.ts'
import { unitsOf, type AcceptedPrice } from '../terms/prices.ts'
import { tokenOf, type Asset } from '../terms/asset.ts'
import type { SignedChannel, SignedPayment } from '../payment/payload.ts'
import { paymentFailed, problem, type Problem } from '../payment/problem.ts'
import type { Examined, Verified } from '../payment/verified.ts'
import type { ChannelPayment, Payment } from '../payment/wire.ts'
import type { CheckOutcome } from '../settle/contract.ts'
import type { SettlerState } from '../settle/settlers.ts'
import { ChannelChain, depositOf } from './chain.ts'
import { ChannelClaimer } from './claimer.ts'
import { ChannelOffers } from './offers.ts'
import { ChannelRefunds } from './refund.ts'
import { ChannelSettler } from './settler.ts'
import { ChannelStore, type ChannelSums } from './store.ts'
import { amountOf, ChannelVerifier, channelWindowProblem } from './verify.ts'
import { placeNonce } from '../payment/channel.ts'

export interface ChannelEntryOptions {
  asset: Asset
  payTo: string
  channels: ChannelSettings
  rpcUrl: string
  signerKey: Hex
}

/** A voucher has no end of its own; a claim of it that came to nothing is forgotten after this. */
const KEPT_S = 86_400n

export class ChannelEntry implements Entry {
  readonly token: Token
  readonly name: string
  readonly chainRef = null
  readonly isChannels = true
  readonly offers: ChannelOffers
  readonly verifier: ChannelVerifier
  readonly store: ChannelStore
  readonly view: ChannelChain
  readonly claimer: ChannelClaimer
  readonly refunds: ChannelRefunds
  readonly #clock: EntryShared['clock']
  readonly #settlement: EntrySettlement
  #troubles: string[] = []

  constructor(options: ChannelEntryOptions, shared: EntryShared) {
    const { asset, payTo, channels, rpcUrl, signerKey } = options
    const { clock, timing, prices, olderPrices, db, log, claims } = shared
    this.#clock = clock
    const { network, address, name, version } = asset
    this.token = tokenOf(asset, payTo)
    this.name = `channels ${network} ${address}`
    const { rpcTimeoutMs, settleTimeoutMs, receiptPollMs, raiseAfterMs, recheckAfterMs } = timing
    const chain = new Chain({
      rpcUrl,
      asset,
      ...(rpcTimeoutMs !== undefined && { timeoutMs: rpcTimeoutMs }),
    })
    const transactions = new OwnTransactions({
      chain,
      asset,
      key: signerKey,
      db,
      chainRef: null,
      ...(settleTimeoutMs !== undefined && { receiptTimeoutMs: settleTimeoutMs }),
      ...(receiptPollMs !== undefined && { pollMs: receiptPollMs }),
      ...(raiseAfterMs !== undefined && { raiseAfterMs }),
    })
    const receiverAuthorizer = getAddress(transactions.address)
    const { withdrawDelayS: withdrawDelay, depositAtomic } = channels
    const terms = { receiverAuthorizer, withdrawDelay, name, version }
    this.offers = new ChannelOffers(this.token, terms, depositAtomic)
    this.store = new ChannelStore(db, {
      network,
      asset: address,
      receiver: payTo.toLowerCase(),
      authorizer: receiverAuthorizer.toLowerCase(),
    })
    const { store } = this
    this.view = new ChannelChain({
      chain,
      chainId: asset.chainId,
      token: address,
      store,
      sender: transactions.address,
    })
    const { view } = this
    const place = { network, asset: address, chainRef: null, isChannels: true } as const
    this.verifier = new ChannelVerifier({
      asset,
      offers: this.offers,
      prices,
      store,
      view,
      ...(olderPrices && { olderPrices }),
    })
    this.#settlement = new EntrySettlement(
      {
        place,
        settlers: [new ChannelSettler({ view, transactions, asset: address })],
        chain: view,
        bootCheck: () => view.bootCheck(),
        needsNode: true,
        // Of a deposit that a reorganisation undid.
        watchOf: (settlers) =>
          new ReorgCheck({
            chain: view,
            place,
            settlers,
            claims,
            log,
            ...(recheckAfterMs !== undefined && { afterMs: recheckAfterMs }),
          }),
      },
      shared,
    )
    this.claimer = new ChannelClaimer({
      view,
      store,
      transactions,
      token: address,
      payTo: getAddress(payTo),
      aboveUnits: unitsOf(asset.decimals, channels.claimAboveAtomic),
      afterMs: channels.claimAfterMs,
      log,
      looked: (sums) => {
        this.#troubles = troublesOf(sums)
      },
      ...(timing.reconcileEveryMs !== undefined && { everyMs: timing.reconcileEveryMs }),
    })
    const { verifier, claimer } = this
    const ground = { view, store, verifier, claimer, transactions, claims }
    this.refunds = new ChannelRefunds({
      ...ground,
      sign: (hash) => sign({ hash, privateKey: signerKey, to: 'hex' }),
      chainId: asset.chainId,
      network,
      asset: address,
    })
  }

  available(): Availability {
    return this.#settlement.gate.available()
  }

  settlerStates(): SettlerState[] {
    return this.#settlement.settlers.states()
  }

  troubles(): string[] {
    return this.#troubles
  }

  /**
   * Whose key signed: of `payer` a voucher proves nothing, because anybody may fill a channel in the
   * name of another account.
   */
  payerOf(payment: Payment): string | null {
    return payment.method === 'channel' ? payment.channel.payerAuthorizer : null
  }

  keyOf(payment: Payment): PaymentKey {
    const voucher = channel(payment)
    const { network, asset } = this.token
    const place = voucher.ceiling - (amountOf(voucher) ?? 0n)
    const payer = voucher.channel.payerAuthorizer
    return { network, asset, payer, nonce: placeNonce(voucher.channelId, place) }
  }

  validBefore(payment: Payment): bigint {
    const { deposit } = channel(payment)
    return deposit?.validBefore ?? BigInt(Math.floor(this.#clock.nowMs() / 1000)) + KEPT_S
  }

  windowProblem(payment: Payment, deadline: Date, now: Date): Problem | null {
    return channelWindowProblem(channel(payment), deadline, now)
  }

  async examine(payment: Payment, quote: Quote, deadline: Date, now: Date): Promise<Examined> {
    if (payment.method === 'channel') return this.verifier.examine(payment, quote, deadline, now)
    const text = 'a channel is paid by vouchers'
    const wrong = problem('unsupported_payload_type', 'payload', text)
    return { kind: 'refused', problem: wrong }
  }

  verify(payment: Payment, quote: Quote, examined: Examined): Promise<Verified> {
    return this.verifier.verify(channel(payment), quote, examined)
  }

  signed(payment: Payment, quote: Quote, { amountAtomic }: AcceptedPrice): SignedChannel {
    const voucher = channel(payment)
    const { channelId, ceiling, signature, deposit } = voucher
    const seen = this.verifier.seen(voucher)
    assert(seen !== null, 'a voucher that was verified')
    return {
      version: payment.version,
      requirements: this.offers.requirementsOf(quote, amountAtomic),
      payer: voucher.channel.payerAuthorizer,
      payload: {
        channelConfig: voucher.channel,
        voucher: { channelId, maxClaimableAmount: ceiling.toString(), signature },
        ...(deposit && {
          deposit: {
            amount: deposit.amount.toString(),
            validAfter: deposit.validAfter.toString(),
            validBefore: deposit.validBefore.toString(),
            salt: deposit.salt,
            signature: deposit.signature,
          },
        }),
      },
      before: {
        balance: seen.balance.toString(),
        totalClaimed: seen.totalClaimed.toString(),
        withdrawRequestedAt: seen.withdrawRequestedAt,
        refundNonce: seen.refundNonce.toString(),
      },
    }
  }

  check(payment: SignedPayment): Promise<CheckOutcome> {
    return this.#settlement.settlers.check(payment)
  }

  /**
   * Brings the deposit to the chain before the work: until it lies in the channel its payer can spend
   * it elsewhere, also on other channels.
   */
  async secure(payment: SignedPayment): Promise<CheckOutcome> {
    if (depositOf(payment as SignedChannel) === null) return { outcome: 'payable' }
    const made = await this.#settlement.settlers.settle(payment, false)
    if (made.outcome === 'settled') return { outcome: 'payable' }
    if (made.outcome === 'refused') return made
    // It may be made all the same: then the same payment finds it in the channel.
    return { outcome: 'unavailable', detail: made.detail }
  }

  settle(order: SettleOrder, answer: StoredAnswer | null, options?: SettleOptions) {
    return this.#settlement.claimSettler.settle(order, answer, options)
  }

  resolve(claimId: string): Promise<void> {
    return this.#settlement.reconciler.resolve(claimId)
  }

  /**
   * Why a voucher buys nothing when another request has its place in the channel: that one runs still,
   * or it is over and the sum has moved on, which the 402 says.
   */
  async taken({ state, payment }: Claim): Promise<Failure> {
    const isRunning = state === 'working' || state === 'abandoned' || state === 'settling'
    const signed = payment as SignedChannel | null
    const id = signed?.payload.voucher.channelId
    const seen = isRunning || !signed || !id ? null : await this.verifier.look({ channelId: id })
    if (!signed || !id || !seen) {
      const reason = 'invalid_batch_settlement_evm_channel_busy'
      const text =
        'another call of this channel is running; send it again when that one is answered'
      return paymentFailed(problem(reason, 'payload.voucher', text), { headers: RETRY })
    }
    return paymentFailed(this.verifier.stale(id, seen))
  }

  async start(): Promise<void> {
    await this.#settlement.gate.check()
    this.#settlement.reconciler.start()
    this.claimer.start()
  }

  async stop(): Promise<void> {
    this.#settlement.gate.stop()
    await this.#settlement.reconciler.stop()
    await this.claimer.stop()
  }
}

const RETRY = { 'retry-after': '1' }

function channel(payment: Payment): ChannelPayment {
  assert(payment.method === 'channel', 'a payment that was read for a channel')
  return payment
}

function troublesOf({ foreign, lost, withdrawing }: ChannelSums): string[] {
  return [
    ...(foreign > 0 ? [`${foreign} channels are for another signer or receiver`] : []),
    ...(withdrawing > 0 ? [`${withdrawing} channels with charges are being withdrawn`] : []),
    ...(lost > 0n ? [`${lost} units were withdrawn before they were claimed`] : []),
  ]
}
