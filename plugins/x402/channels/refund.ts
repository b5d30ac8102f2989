/**
 * Gives a payer back what is left in a channel, at the payer's wish: what was charged is claimed and
 * the rest returned by one transaction. A refund takes the channel's next place as a call does, so
 * that none is bought meanwhile.
 *
 * A refund is signed for its number (`refundNonce` of the contract, which counts them), so that of all
 * transactions under one number one returns something, whenever nodes bring them to a block. A request
 * that comes later has another number, so it must not be made before the last one is known: a refund is
 * one transaction even if its worker stops for longer than its lease, or dies. The lease only says when
 * the next request may try; it proves nothing about the worker before. What decides is the order of
 * three statements:
 *
 *   1. `claim` gives the place to a request, under a new claim id. Whoever takes a place over changes
 *      that id, and waits for a reservation that is being written under it.
 *   2. The transaction is reserved (a row with an account nonce) only while the claim still has this
 *      request's id, which the same statement checks and locks. A worker that wakes up too late finds
 *      another id and sends nothing.
 *   3. So nobody can reserve for an earlier owner of the place once it is claimed. What such an owner
 *      has reserved is looked for then, and that transaction is carried on, whether it was never sent,
 *      waits in a node or is mined. It is the answer; a second one is not made.
 *
 * A transaction that was reserved and never sent, because its worker was killed between, is signed
 * again from its row with the same account nonce. Two workers that send it both send it once. Nor does
 * a worker that wakes up and is refused by the node make another one, if any other worker has touched
 * the row meanwhile (`TransactionRows.withdraw`). One that a gap in the nonces dropped may still come back
 * from a node that has it: the same call takes its place at once, so that the channel buys nothing until
 * one of them is mined. Mined rows are deleted by any worker of the account,
 * so a payer who asks for a part again long after a lost answer may get another part: a refund has no
 * name on the wire.
 */
import { encodeFunctionData, parseEventLogs, type Hex, type TransactionReceipt } from 'viem'
import { newId, type Failure } from '#kernel'
import { fullMessageOf, isRevert, messageOf } from '../chain/node-errors.ts'
import type { OwnTransaction, OwnTransactions, Sent } from '../chain/own-transactions.ts'
import type { Call, PaymentOf } from '../chain/transaction-rows.ts'
import type { Claims } from '../claims/claims.ts'
import type { ClaimOrder } from '../claims/claim.ts'
import {
  paymentFailed,
  problem,
  settlementUnavailable,
  settlementUnknown,
} from '../payment/problem.ts'
import type { ChannelPayment, SettleResponse } from '../payment/wire.ts'
import type { PaymentReason } from '../reasons.ts'
import type { ChannelChain } from './chain.ts'
import { claimableOf, type ChannelClaimer } from './claimer.ts'
import { refundNonce, type Channel, type ChannelStore } from './store.ts'
import { channelState, type ChannelVerifier } from './verify.ts'
import {
  contractSeparator,
  CONTRACT,
  CONTRACT_ABI,
  multicallOf,
  placeNonce,
  refundDigest,
} from '../payment/channel.ts'

export interface ChannelRefundsOptions {
  view: ChannelChain
  store: ChannelStore
  verifier: ChannelVerifier
  claimer: ChannelClaimer
  transactions: OwnTransactions
  /** Signs a digest as the authorizer of the receiver, who is the account of `transactions`. */
  sign(digest: Hex): Promise<Hex>
  claims: Pick<Claims, 'claim' | 'release'>
  chainId: number
  network: `${string}:${string}`
  asset: string
}

export type Refunded = { ok: true; response: SettleResponse } | Failure
/** `isOpen`: it may be mined later. */
type Sending = Refunded | { isOpen: true; failure: Failure }

const PATH = '/v1/x402/channels'
/** Longer than the transaction is waited for. A takeover that comes sooner does no harm. */
const LEASE_MS = 120_000
const KEPT_S = 86_400
/** Refunds since the last charge. Each costs us gas and a payer nothing. */
const MOST_REFUNDS = { parts: 2, wholes: 3 }

export class ChannelRefunds {
  readonly #options: ChannelRefundsOptions
  readonly #separator: Hex

  constructor(options: ChannelRefundsOptions) {
    this.#options = options
    this.#separator = contractSeparator(options.chainId)
  }

  /** The settlement response of a refund, or why there is none; 503 while its outcome is not known. */
  async refund(payment: ChannelPayment, requestId: string): Promise<Refunded> {
    const { verifier, claims } = this.#options
    const { channel, channelId, ceiling, kind } = payment
    if (kind !== 'refund') {
      const text = 'only a refund is taken here'
      const reason = 'invalid_batch_settlement_evm_payload_type'
      return paymentFailed(problem(reason, 'payload.type', text))
    }
    const wrong = verifier.foreign(payment) ?? (await verifier.signatureProblem(payment))
    if (wrong) return paymentFailed(wrong)
    const seen = await verifier.look(payment, ceiling)
    if (!seen) return settlementUnavailable('the channel could not be looked up')
    if (ceiling !== seen.charged)
      return paymentFailed(verifier.mismatch(payment, seen.charged, seen))
    const order = this.#placeOf(payment, requestId)
    const claimed = await claims.claim(order)
    if (claimed.outcome === 'known') {
      const isBusy = claimed.claim.state !== 'settled'
      if (!isBusy) return paymentFailed(verifier.stale(channelId, seen))
      const reason = 'invalid_batch_settlement_evm_channel_busy'
      return paymentFailed(problem(reason, undefined, 'a call of this channel is running'))
    }
    let isKept = false
    try {
      const current = await this.#options.view.sync(channelId, channel)
      if (current.charged !== ceiling)
        return paymentFailed(verifier.mismatch(payment, current.charged, current))
      const sent = (await this.#resume(current)) ?? (await this.#send(current, payment, order.id))
      isKept = 'isOpen' in sent
      return 'isOpen' in sent ? sent.failure : sent
    } catch (error) {
      return settlementUnavailable(messageOf(error))
    } finally {
      if (!isKept) await claims.release(order.id, 'refund')
    }
  }

  /** Carries on what an earlier request for this place has reserved; null without such a one. */
  async #resume(current: Channel): Promise<Sending | null> {
    const { transactions, store } = this.#options
    const refundNonce = await store.reservedRefund(current)
    if (refundNonce === null) return null
    const before = { ...current, refundNonce }
    const transaction = await transactions.find(this.#keyOf(before))
    return transaction && this.#end(transaction, before, { found: true })
  }

  async #send(
    current: Channel,
    { channel, refund }: ChannelPayment,
    claimId: string,
  ): Promise<Sending> {
    const { transactions, claimer } = this.#options
    const { balance, charged, totalClaimed, voucher } = current
    const left = balance > charged ? balance - charged : 0n
    const amount = refund ?? left
    if (left === 0n) return refusal('refund_no_balance', 'nothing is left in the channel')
    if (amount === 0n || amount > left) {
      return refusal('refund_amount_invalid', `${left} units are left in the channel`)
    }
    if (current.refunds >= MOST_REFUNDS[amount === left ? 'wholes' : 'parts']) {
      const text = `${current.refunds} refunds were made since the last call: take all, or withdraw on the chain`
      return refusal('refund_amount_invalid', text)
    }
    const calls = [await this.#callOf(current, channel, amount)]
    if (charged > totalClaimed && voucher) calls.unshift(claimer.callData([current]))
    const data = multicallOf(calls)
    let call: Call
    let sent: Sent
    try {
      call = await transactions.withGas({ to: CONTRACT, data })
      sent = await transactions.send(this.#keyOf(current), call, claimId)
    } catch (error) {
      const detail = isRevert(fullMessageOf(error)) ? 'the refund would fail' : messageOf(error)
      return settlementUnavailable(detail)
    }
    if (sent.kind === 'not sent') return settlementUnavailable(sent.detail)
    if (sent.kind === 'unknown') return { isOpen: true, failure: settlementUnknown(sent.detail) }
    const found = sent.kind === 'sent before'
    const ended = await this.#end(sent.transaction, current, { found })
    if ('isOpen' in ended && !found) await this.#replaceDropped(current, call, claimId)
    return ended
  }

  /** The call that returns `amount` under the channel's present number. */
  async #callOf(
    { id, refundNonce: number }: Channel,
    channel: ChannelPayment['channel'],
    amount: bigint,
  ): Promise<Hex> {
    const digest = refundDigest(this.#separator, id, { number, amount })
    const args = [channel, amount, number, await this.#options.sign(digest)] as const
    return encodeFunctionData({ abi: CONTRACT_ABI, functionName: 'refundWithSignature', args })
  }

  /**
   * Reserves the call anew where its transaction was given up. Its outcome stays open: the next request
   * waits for it.
   */
  async #replaceDropped(current: Channel, call: Call, claimId: string): Promise<void> {
    const { transactions } = this.#options
    const key = this.#keyOf(current)
    try {
      if ((await transactions.find(key)) === null) await transactions.send(key, call, claimId)
    } catch {
      // Without the database nothing is bought either; what is dropped can be mined only once.
    }
  }

  /** Waits for the receipt of a refund of the channel as it was `before`. */
  async #end(
    transaction: OwnTransaction,
    before: Channel,
    options: { found: boolean },
  ): Promise<Sending> {
    const { transactions } = this.#options
    const receipt = await transactions.receiptOf(transaction, options)
    if (!receipt)
      return { isOpen: true, failure: settlementUnknown('no receipt of the refund yet') }
    return this.#response(receipt, before, () => transactions.ended(transaction))
  }

  #keyOf({ id, config, refundNonce: number }: Channel): PaymentOf {
    const nonce = refundNonce(id, { refundNonce: number })
    return { asset: this.#options.asset, payer: config.payer, nonce }
  }

  async #response(
    receipt: TransactionReceipt,
    before: Channel,
    ended: () => Promise<void>,
  ): Promise<Refunded> {
    const { view, store, network } = this.#options
    if (receipt.status !== 'success') {
      await ended()
      await view.sync(before.id, before.config)
      return settlementUnavailable('the refund failed on the chain')
    }
    const events = parseEventLogs({ abi: CONTRACT_ABI, eventName: 'Refunded', logs: receipt.logs })
    const amount = events.reduce((sum, { args }) => sum + args.amount, 0n)
    const after = await store.refunded(before, amount, claimableOf(before))
    // Not sooner: while its row is there, what is known of the channel counts as that of before it.
    // Nor in the background: the next request would find it and get this answer once more.
    await ended()
    return {
      ok: true,
      response: {
        success: true,
        transaction: receipt.transactionHash,
        network,
        payer: before.config.payer,
        amount: amount.toString(),
        extra: { channelState: channelState(before.id, after).channelState },
      },
    }
  }

  /** The next place of the channel, under which nothing is ever settled. */
  #placeOf({ channel, channelId, ceiling }: ChannelPayment, requestId: string): ClaimOrder {
    const { network, asset } = this.#options
    return {
      id: newId(),
      network,
      asset,
      payer: channel.payerAuthorizer,
      nonce: placeNonce(channelId, ceiling),
      fingerprint: 'refund',
      requestId,
      keyId: null,
      skillId: 'x402.refund',
      path: PATH,
      amountAtomic: 1n,
      units: 1n,
      priceVersion: 0,
      acquisition: null,
      payment: null,
      validBefore: BigInt(Math.floor(Date.now() / 1000) + KEPT_S),
      chainRef: null,
      leaseMs: LEASE_MS,
    }
  }
}

function refusal(name: 'refund_no_balance' | 'refund_amount_invalid', text: string): Failure {
  const reason: PaymentReason = `invalid_batch_settlement_evm_${name}`
  return paymentFailed(problem(reason, 'payload.amount', text))
}
