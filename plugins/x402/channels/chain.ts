/** What the node says of channels, and whether a payment through one is good now. Reads only. */
import {
  decodeFunctionResult,
  encodeFunctionData,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import type { Chain } from '../chain/chain.ts'
import { fullMessageOf, isFailure, isRevert, messageOf } from '../chain/node-errors.ts'
import { MOST_PAYMENT_GAS, TOKEN_ABI } from '../chain/token.ts'
import type { BootCheck } from '../chain/chain-check.ts'
import type { SignedChannel } from '../payment/payload.ts'
import type { ChainFact, ChainView, CheckOutcome } from '../settle/contract.ts'
import type { PaymentReason } from '../reasons.ts'
import { BEHIND_MS, type Channel, type ChainState, type ChannelStore } from './store.ts'
import {
  COLLECTOR,
  collectorData,
  CONFIG_TYPEHASH,
  CONTRACT,
  CONTRACT_ABI,
  depositNonce,
  multicallOf,
  type ChannelConfig,
  type ChannelDeposit,
} from '../payment/channel.ts'

/** For so long what was read of a channel counts: a withdrawal takes 15 minutes at least. */
const FRESH_MS = 60_000

const contract = { address: CONTRACT, abi: CONTRACT_ABI } as const
const READS = ['channels', 'pendingWithdrawals', 'refundNonce'] as const

type Refused = { outcome: 'refused'; reason: PaymentReason; detail?: string }

/** What is left is known when it is mined. */
const REFUNDING: Refused = {
  outcome: 'refused',
  reason: 'invalid_batch_settlement_evm_channel_busy',
  detail: 'a refund of the channel is under way',
}

export interface ChannelChainOptions {
  chain: Chain
  chainId: number
  token: Address
  store: ChannelStore
  /** Sends deposits. */
  sender: Address
}

export class ChannelChain implements ChainView {
  readonly #options: ChannelChainOptions

  constructor(options: ChannelChainOptions) {
    this.#options = options
  }

  /** The channel as the contract has it now; throws when the node is away. */
  async read(id: Hex): Promise<ChainState> {
    const { client } = this.#options.chain
    const args = [id] as const
    // One call: behind one address, two nodes may answer with two blocks.
    const calls = READS.map((functionName) =>
      encodeFunctionData({ abi: CONTRACT_ABI, functionName, args }),
    )
    const { data = '0x' } = await client.call({ to: CONTRACT, data: multicallOf(calls) })
    const abi = CONTRACT_ABI
    const results = decodeFunctionResult({ abi, functionName: 'multicall', data })
    const [channel = '0x', withdrawal = '0x', nonce = '0x'] = results
    const [balance, totalClaimed] = decodeFunctionResult({
      abi,
      functionName: 'channels',
      data: channel,
    })
    const [, withdrawRequestedAt] = decodeFunctionResult({
      abi,
      functionName: 'pendingWithdrawals',
      data: withdrawal,
    })
    const refundNonce = decodeFunctionResult({ abi, functionName: 'refundNonce', data: nonce })
    return { balance, totalClaimed, withdrawRequestedAt, refundNonce }
  }

  /** Reads it and writes it down; throws when the node is away. */
  async sync(id: Hex, config: ChannelConfig): Promise<Channel> {
    return this.#options.store.sync(id, config, await this.read(id))
  }

  /**
   * Whether what is left in the channel pays for the voucher, and its deposit would be made: asked when
   * the payment is claimed, so that no other call of the channel is between. Never throws.
   */
  async check(payment: SignedChannel): Promise<CheckOutcome> {
    const { channelConfig: config, voucher } = payment.payload
    const id = voucher.channelId
    try {
      const known = await this.#options.store.byId(id)
      const isFresh = known !== null && known.syncedAgoMs < FRESH_MS
      if (known && isFresh && !known.isRefunding && uncovered(payment, known) === null) {
        return await this.#depositWorks(payment, known)
      }
      // Nothing is refused by what was read a while ago.
      const state = await this.read(id)
      if (known?.isRefunding && state.refundNonce === known.refundNonce) return REFUNDING
      if (known && isBehind(state, known)) {
        return { outcome: 'unavailable', detail: 'the node does not show the last refund yet' }
      }
      const wrong = uncovered(payment, { ...state, charged: chargedOf(known, state) })
      if (wrong) return wrong
      const works = await this.#depositWorks(payment, state)
      if (works.outcome === 'payable') await this.#options.store.sync(id, config, state)
      return works
    } catch (error) {
      return { outcome: 'unavailable', detail: messageOf(error) }
    }
  }

  /** How the deposit of a payment stands; a voucher alone moves nothing and needs nothing. */
  async fact(payment: SignedChannel): Promise<ChainFact> {
    const deposit = depositOf(payment)
    if (!deposit) return { fact: 'paid', transaction: '' }
    const { client } = this.#options.chain
    const { channelConfig, voucher } = payment.payload
    try {
      const block = await client.getBlock({ blockTag: 'latest' })
      const args = [channelConfig.payer, depositNonce(voucher.channelId, deposit.salt)] as const
      const [state, isUsed] = await Promise.all([
        this.read(voucher.channelId),
        client.readContract({
          address: this.#options.token,
          abi: TOKEN_ABI,
          functionName: 'authorizationState',
          args,
        }),
      ])
      if (state.balance >= BigInt(voucher.maxClaimableAmount)) {
        // Whoever made it: what is known of the channel may still be that of before it.
        await this.#options.store.sync(voucher.channelId, channelConfig, state)
        return { fact: 'paid', transaction: '' }
      }
      if (isUsed) return { fact: 'void', reason: 'the deposit was used up elsewhere' }
      const expired = block.timestamp >= deposit.validBefore
      return { fact: 'unused', expired, block: block.number }
    } catch (error) {
      return { fact: 'unreachable', detail: messageOf(error) }
    }
  }

  /** Units of the token that the account has; throws when the node is away. */
  balanceOf(account: Address): Promise<bigint> {
    return this.#options.chain.balanceOf(account)
  }

  hasCode(account: Address): Promise<boolean> {
    return this.#options.chain.hasCode(account)
  }

  async confirms(transaction: string, payment: SignedChannel): Promise<boolean | null> {
    if (transaction === '') return true
    const receipt = await this.receipt(transaction)
    if (receipt === null) return null
    const { voucher } = payment.payload
    const isGood = receipt.status === 'success'
    return (
      isGood && (await this.read(voucher.channelId)).balance >= BigInt(voucher.maxClaimableAmount)
    )
  }

  async hasFailed(transaction: string): Promise<boolean> {
    return (await this.receipt(transaction))?.status === 'reverted'
  }

  /** Compares the node with the configuration. Never throws. */
  async bootCheck(): Promise<BootCheck> {
    const { chain, chainId } = this.#options
    try {
      const [found, typehash, collector] = await Promise.all([
        chain.client.getChainId(),
        chain.client
          .readContract({ ...contract, functionName: 'CHANNEL_CONFIG_TYPEHASH' })
          .catch((error: unknown) => (isMissing(error) ? null : Promise.reject(error))),
        chain.client.getCode({ address: COLLECTOR }),
      ])
      if (found !== chainId) return { state: 'wrong', reason: `the node is on chain ${found}` }
      const isThere = typehash === CONFIG_TYPEHASH && collector !== undefined && collector !== '0x'
      if (isThere) return { state: 'ok' }
      const reason = `the batch settlement contract of x402 (${CONTRACT}) is not on this network`
      return { state: 'wrong', reason }
    } catch (error) {
      return { state: 'unreachable', reason: messageOf(error) }
    }
  }

  /** Whether the deposit of a payment would be made, where the channel does not cover it without. */
  async #depositWorks(
    payment: SignedChannel,
    { balance }: Pick<ChainState, 'balance'>,
  ): Promise<CheckOutcome> {
    const isCovered = balance >= BigInt(payment.payload.voucher.maxClaimableAmount)
    if (!depositOf(payment) || isCovered) return { outcome: 'payable' }
    const { chain, sender } = this.#options
    try {
      const data = depositData(payment)
      await chain.client.call({ account: sender, to: CONTRACT, data, gas: MOST_PAYMENT_GAS })
      return { outcome: 'payable' }
    } catch (error) {
      const text = fullMessageOf(error)
      if (!isFailure(text)) return { outcome: 'unavailable', detail: messageOf(error) }
      return {
        outcome: 'refused',
        reason: 'invalid_batch_settlement_evm_deposit_simulation_failed',
        detail: messageOf(error),
      }
    }
  }

  /** Null for a transaction that is not on the chain, and for what is none. */
  async receipt(transaction: string): Promise<TransactionReceipt | null> {
    return /^0x[0-9a-fA-F]{64}$/.test(transaction)
      ? this.#options.chain.receipt(transaction as Hex)
      : null
  }
}

/** Whether the node shows a channel as it was before a refund that was mined just now. */
function isBehind(state: ChainState, known: Channel): boolean {
  return state.refundNonce < known.refundNonce && known.syncedAgoMs < BEHIND_MS
}

/** Units bought of a channel: at least what was claimed, also where the record of it is lost. */
export function chargedOf(known: Pick<Channel, 'charged'> | null, state: ChainState): bigint {
  const charged = known?.charged ?? 0n
  return charged > state.totalClaimed ? charged : state.totalClaimed
}

/** Why a channel does not cover the voucher; null when it does. */
export function uncovered(
  payment: SignedChannel,
  channel: ChainState & { charged: bigint },
): Refused | null {
  const { voucher } = payment.payload
  const ceiling = BigInt(voucher.maxClaimableAmount)
  if (channel.withdrawRequestedAt > 0) return { outcome: 'refused', reason: 'channel_is_withdrawn' }
  const deposited = depositOf(payment)?.amount ?? 0n
  if (channel.balance === 0n && deposited === 0n) {
    return { outcome: 'refused', reason: 'invalid_batch_settlement_evm_channel_not_found' }
  }
  if (ceiling > channel.balance + deposited) {
    const detail = `${channel.balance + deposited} units were deposited`
    const reason = 'invalid_batch_settlement_evm_cumulative_exceeds_balance'
    return { outcome: 'refused', reason, detail }
  }
  if (ceiling - BigInt(payment.requirements.amount) !== channel.charged) {
    const reason = 'invalid_batch_settlement_evm_cumulative_amount_mismatch'
    return { outcome: 'refused', reason }
  }
  return null
}

/** The deposit that a payment brings; null when it brings none. */
export function depositOf({ payload }: SignedChannel): ChannelDeposit | null {
  if (!payload.deposit) return null
  const { amount, validAfter, validBefore, salt, signature } = payload.deposit
  return {
    amount: BigInt(amount),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    salt,
    signature,
  }
}

/** The call of the contract that makes the deposit. */
export function depositData(payment: SignedChannel): Hex {
  const deposit = depositOf(payment)!
  const { channelConfig } = payment.payload
  return encodeFunctionData({
    abi: CONTRACT_ABI,
    functionName: 'deposit',
    args: [channelConfig, deposit.amount, COLLECTOR, collectorData(deposit)],
  })
}

/** Whether a read failed because there is no such contract. */
function isMissing(error: unknown): boolean {
  return isRevert(fullMessageOf(error)) || /returned no data/i.test(fullMessageOf(error))
}
