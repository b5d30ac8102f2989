/**
 * Decides whether a voucher is good for a quote: a channel with us, for our token, signed by its
 * authorizer, and for exactly what was charged so far plus the price. Codes are those of @x402/evm
 * `batch-settlement`. What the chain must say is asked once the payment is claimed (chain.ts).
 */
import { zeroAddress, type Hex } from 'viem'
import type { Quote } from '#kernel'
import type { Asset } from '../terms/asset.ts'
import {
  isPaidBy,
  olderPrice,
  type AcceptedPrice,
  type OlderPrices,
  type Prices,
  unitsOf,
} from '../terms/prices.ts'
import { SETTLE_MARGIN_S } from '../terms/window.ts'
import { disagree, problem, type ChannelState, type Problem } from '../payment/problem.ts'
import { WORDS } from '../payment/reason-codes.ts'
import { domainSeparator } from '../payment/digests.ts'
import type { Examined, Verified } from '../payment/verified.ts'
import { windowProblem } from '../payment/window-problem.ts'
import { isSameAddress, type ChannelPayment } from '../payment/wire.ts'
import { recoverSigner } from '../../shared/signing/ethereum.ts'
import { chargedOf, type ChannelChain } from './chain.ts'
import type { ChannelOffers } from './offers.ts'
import type { Channel, ChainState, ChannelStore } from './store.ts'
import {
  channelIdOf,
  contractSeparator,
  depositDigest,
  SCHEME,
  voucherDigest,
  type SignedVoucher,
} from '../payment/channel.ts'

export interface ChannelVerifierOptions {
  asset: Asset
  offers: ChannelOffers
  prices: Prices
  store: ChannelStore
  view: ChannelChain
  olderPrices?: OlderPrices
}

const MISMATCH = 'invalid_batch_settlement_evm_cumulative_amount_mismatch'
const CEILING = 'payload.voucher.maxClaimableAmount'

/** A channel as it stood when a payment through it was judged. */
export type Seen = ChainState & Pick<Channel, 'charged' | 'voucher'>

export class ChannelVerifier {
  readonly #options: ChannelVerifierOptions
  readonly #separator: Hex
  readonly #tokenSeparator: Hex
  readonly #seen = new WeakMap<ChannelPayment, Seen>()

  constructor(options: ChannelVerifierOptions) {
    this.#options = options
    this.#separator = contractSeparator(options.asset.chainId)
    this.#tokenSeparator = domainSeparator(options.asset)
  }

  /** What was seen of the channel of a payment that was verified. */
  seen(payment: ChannelPayment): Seen | null {
    return this.#seen.get(payment) ?? null
  }

  /** Judges it by itself; work must be over by `deadline`. */
  async examine(
    payment: ChannelPayment,
    quote: Quote,
    deadline: Date,
    now: Date,
  ): Promise<Examined> {
    if (payment.kind === 'refund') {
      const text = 'a refund buys nothing: send it to GET /v1/x402/channels'
      return refused(problem('invalid_batch_settlement_evm_payload_type', 'payload.type', text))
    }
    const foreign = this.foreign(payment)
    if (foreign) return refused(foreign)
    const amount = amountOf(payment)
    const wrong = amountProblem(payment, amount) ?? channelWindowProblem(payment, deadline, now)
    const signature = await this.signatureProblem(payment)
    if (signature) return refused(signature)
    if (wrong) return { kind: 'signed', problem: wrong }
    const price = this.#priceOf(quote, amount!)
    return price ? { kind: 'good', price } : { kind: 'signed', problem: null }
  }

  /** Whether a payment that was examined pays `quote`, as far as the channel is known. */
  async verify(payment: ChannelPayment, quote: Quote, examined: Examined): Promise<Verified> {
    if (examined.kind === 'refused') {
      return { ok: false, problem: examined.problem, signed: false }
    }
    const wrong = examined.kind === 'signed' ? examined.problem : null
    if (wrong) return { ok: false, problem: wrong, signed: true }
    const amount = amountOf(payment)!
    const price =
      (examined.kind === 'good' ? examined.price : null) ??
      (await olderPrice(this.#options.olderPrices, quote, this.#isPaidBy(amount)))
    if (!price) return { ok: false, problem: this.#priceProblem(quote, amount), signed: true }
    const seen = await this.look(payment, payment.ceiling - amount)
    if (!seen) return { ok: false, unavailable: true }
    if (payment.ceiling - amount !== seen.charged) {
      return {
        ok: false,
        problem: this.mismatch(payment, seen.charged + amount, seen),
        signed: true,
      }
    }
    this.#seen.set(payment, seen)
    return { ok: true, price, owner: `eip155:${payment.channel.payerAuthorizer}` }
  }

  /**
   * The channel as it is known, or as the chain has it; null while the node is away. One of which the
   * payer says that more is `charged` is read again: after a restore the chain has claims that the
   * database does not, and no client takes a sum below them.
   */
  async look({ channelId }: Pick<SignedVoucher, 'channelId'>, charged = 0n): Promise<Seen | null> {
    const { store, view } = this.#options
    const known = await store.byId(channelId)
    if (known && charged <= known.charged) return known
    try {
      if (known) return await view.sync(channelId, known.config)
      const state = await view.read(channelId)
      return { ...state, charged: chargedOf(null, state), voucher: null }
    } catch {
      return null
    }
  }

  /** What makes the channel none of ours. */
  foreign(payment: ChannelPayment): Problem | null {
    const { asset, offers } = this.#options
    const { token, terms } = offers
    const { scheme, network, accepted, channel, channelId } = payment
    if (scheme !== SCHEME) {
      return disagree('invalid_batch_settlement_evm_scheme', 'accepted.scheme', SCHEME, scheme)
    }
    if (network !== asset.network) {
      const reason = 'invalid_batch_settlement_evm_network_mismatch'
      return disagree(reason, 'accepted.network', asset.network, network)
    }
    const place = 'payload.channelConfig'
    const asked = [
      ['accepted.asset', token.asset, accepted?.asset ?? '', 'token'],
      ['accepted.payTo', token.payTo, accepted?.payTo ?? '', 'receiver'],
      [`${place}.token`, token.asset, channel.token, 'token'],
      [`${place}.receiver`, token.payTo, channel.receiver, 'receiver'],
      [
        `${place}.receiverAuthorizer`,
        terms.receiverAuthorizer,
        channel.receiverAuthorizer,
        'receiver_authorizer',
      ],
    ] as const
    for (const [field, expected, got, word] of asked) {
      if (isSameAddress(expected, got)) continue
      return disagree(`invalid_batch_settlement_evm_${word}_mismatch`, field, expected, got)
    }
    if (channel.withdrawDelay !== terms.withdrawDelay) {
      const [expected, got] = [String(terms.withdrawDelay), String(channel.withdrawDelay)]
      const reason = 'invalid_batch_settlement_evm_withdraw_delay_mismatch'
      return disagree(reason, `${place}.withdrawDelay`, expected, got)
    }
    const id = channelIdOf(this.#separator, channel)
    if (id === channelId) return null
    const reason = 'invalid_batch_settlement_evm_channel_id_mismatch'
    return disagree(reason, 'payload.voucher.channelId', id, channelId)
  }

  /** Whose signatures the voucher and its deposit must carry; null where they do. */
  async signatureProblem(payment: ChannelPayment): Promise<Problem | null> {
    const { channel, channelId, ceiling, signature, deposit } = payment
    const digest = voucherDigest(this.#separator, channelId, ceiling)
    const isVoucher = await isSignedBy(channel.payerAuthorizer, digest, signature)
    if (!isVoucher) {
      const reason = 'invalid_batch_settlement_evm_voucher_signature'
      const text = `the voucher is not signed by ${channel.payerAuthorizer}, a key's own account`
      return problem(reason, 'payload.voucher.signature', text)
    }
    if (!deposit) return null
    const deposited = depositDigest(this.#tokenSeparator, { channel, channelId, deposit })
    if (await isSignedBy(channel.payer, deposited, deposit.signature)) return null
    const reason = 'invalid_batch_settlement_evm_receive_authorization_signature'
    const field = 'payload.deposit.authorization.erc3009Authorization.signature'
    const { name, version } = this.#options.asset
    const domain = `"${name}" version "${version}"`
    return problem(reason, field, `the deposit is not signed by ${channel.payer} under ${domain}`)
  }

  /** The voucher is not for the sum that the channel stands at: with what its client needs to go on. */
  mismatch(
    { ceiling, channelId }: Pick<SignedVoucher, 'ceiling' | 'channelId'>,
    expected: bigint,
    seen: Seen,
  ): Problem {
    const wrong = disagree(MISMATCH, CEILING, expected.toString(), ceiling.toString())
    return this.#corrected(wrong, channelId, seen)
  }

  /** The same where another voucher has bought what this one would have: what it says is not known here. */
  stale(channelId: string, seen: Seen): Problem {
    const text = `${seen.charged} units of the channel are charged by now`
    return this.#corrected(problem(MISMATCH, CEILING, text), channelId, seen)
  }

  #corrected(wrong: Problem, channelId: string, seen: Seen): Problem {
    const { network, asset } = this.#options.offers.token
    return { ...wrong, channel: { network, asset, ...channelState(channelId, seen) } }
  }

  #priceOf(quote: Quote, amount: bigint): AcceptedPrice | null {
    const { prices } = this.#options
    return prices.of(quote).find(this.#isPaidBy(amount)) ?? null
  }

  #isPaidBy(amount: bigint): (price: AcceptedPrice) => boolean {
    return isPaidBy(amount, this.#options.asset.decimals)
  }

  #priceProblem(quote: Quote, amount: bigint): Problem {
    const units = unitsOf(this.#options.asset.decimals, quote.amountAtomic)
    return disagree(MISMATCH, 'accepted.amount', units.toString(), amount.toString())
  }
}

/** A channel in the words of the scheme. */
export function channelState(channelId: string, seen: Seen): ChannelState {
  const { voucher } = seen
  return {
    channelState: {
      channelId,
      balance: seen.balance.toString(),
      totalClaimed: seen.totalClaimed.toString(),
      withdrawRequestedAt: seen.withdrawRequestedAt,
      refundNonce: seen.refundNonce.toString(),
      chargedCumulativeAmount: seen.charged.toString(),
    },
    // One that does not reach the sum is of before a restore; without it a client asks the chain.
    ...(voucher &&
      voucher.ceiling >= seen.charged && {
        voucherState: {
          signedMaxClaimable: voucher.ceiling.toString(),
          signature: voucher.signature,
        },
      }),
  }
}

/** What the payer says a call costs, in units; null for what is no amount. */
export function amountOf({ accepted }: ChannelPayment): bigint | null {
  const text = accepted?.amount ?? ''
  return /^[1-9]\d{0,38}$/.test(text) ? BigInt(text) : null
}

function amountProblem({ ceiling }: ChannelPayment, amount: bigint | null): Problem | null {
  if (amount === null) return problem(MISMATCH, 'accepted.amount', 'accepted.amount is no amount')
  if (ceiling >= amount) return null
  return disagree(MISMATCH, CEILING, `at least ${amount}`, ceiling.toString())
}

/** Why a deposit is not valid until it can be made; null for one that is, and for a voucher alone. */
export function channelWindowProblem(
  { deposit }: ChannelPayment,
  deadline: Date,
  now: Date,
): Problem | null {
  if (!deposit) return null
  return windowProblem(deposit, { deadline, marginS: SETTLE_MARGIN_S, now }, WORDS.channel)
}

/** By the account's own key, in the form that the contract's ecrecover takes. */
async function isSignedBy(account: string, digest: Hex, signature: Hex): Promise<boolean> {
  if (account === zeroAddress || /0[01]$/.test(signature)) return false
  return (await recoverSigner(digest, signature)) === account
}

function refused(wrong: Problem): Examined {
  return { kind: 'refused', problem: wrong }
}
