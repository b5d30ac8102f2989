/**
 * Settles a call through a channel. A voucher alone is settled when it is written down: what it is
 * worth lies in the channel already. One with a deposit brings the deposit to the chain first.
 */
import type { TransactionReceipt } from 'viem'
import { fullMessageOf, isRevert, messageOf } from '../chain/node-errors.ts'
import type { OwnTransaction, OwnTransactions } from '../chain/own-transactions.ts'
import type { Chain } from '../chain/chain.ts'
import type { SignedChannel } from '../payment/payload.ts'
import type { CheckOutcome, SettleOutcome, Settler } from '../settle/contract.ts'
import { depositData, depositOf, type ChannelChain } from './chain.ts'
import { CONTRACT, depositNonce } from './wire.ts'

export interface ChannelSettlerOptions {
  chain: Chain
  view: ChannelChain
  transactions: OwnTransactions
  /** Token, as rows of transactions name it. */
  asset: string
}

const FAILED = 'invalid_batch_settlement_evm_deposit_transaction_failed'

export class ChannelSettler implements Settler {
  readonly name = 'channels'
  readonly isRemote = false
  readonly #options: ChannelSettlerOptions

  constructor(options: ChannelSettlerOptions) {
    this.#options = options
  }

  takes(): boolean {
    return true
  }

  hasVerified(): boolean {
    return false
  }

  check(payment: SignedChannel): Promise<CheckOutcome> {
    return this.#options.view.check(payment)
  }

  async settle(payment: SignedChannel, isAgain = false): Promise<SettleOutcome> {
    const deposit = depositOf(payment)
    if (!deposit) return { outcome: 'settled', transaction: '' }
    const { transactions, chain, asset } = this.#options
    const { channelConfig, voucher } = payment.payload
    const nonce = depositNonce(voucher.channelId, deposit.salt)
    const key = { asset, payer: channelConfig.payer, nonce }
    if (isAgain) {
      try {
        const found = await transactions.find(key)
        if (found) return await this.#resume(found, payment)
      } catch (error) {
        return { outcome: 'unknown', detail: messageOf(error) }
      }
    }
    const data = depositData(payment)
    let gas: bigint
    try {
      gas = await chain.client.estimateGas({ account: transactions.address, to: CONTRACT, data })
    } catch (error) {
      const detail = messageOf(error)
      return isRevert(fullMessageOf(error))
        ? { outcome: 'refused', reason: FAILED, detail }
        : { outcome: 'unavailable', detail }
    }
    const sent = await transactions.send(key, { to: CONTRACT, data, gas: (gas * 12n) / 10n })
    switch (sent.kind) {
      case 'sent': {
        const receipt = await transactions.receiptOf(sent.transaction)
        return this.#outcomeOf(receipt, sent.transaction, payment)
      }
      case 'sent before':
        return this.#resume(sent.transaction, payment)
      case 'not sent':
        return { outcome: 'unavailable', detail: sent.detail }
      case 'unknown':
        return { outcome: 'unknown', detail: sent.detail }
    }
  }

  async #resume(transaction: OwnTransaction, payment: SignedChannel): Promise<SettleOutcome> {
    const { transactions } = this.#options
    const receipt =
      (await transactions.minedReceiptOf(transaction).catch(() => null)) ??
      (await transactions.receiptOf(transaction, { found: true }))
    return this.#outcomeOf(receipt, transaction, payment)
  }

  async #outcomeOf(
    receipt: TransactionReceipt | null,
    transaction: OwnTransaction,
    payment: SignedChannel,
  ): Promise<SettleOutcome> {
    const { transactions, view } = this.#options
    if (receipt === null) {
      const newest = transaction.hashes.at(-1)!
      return { outcome: 'unknown', detail: `no receipt of ${newest} yet`, transaction: newest }
    }
    if (receipt.status === 'success') {
      transactions.mined(transaction)
      const { channelConfig, voucher } = payment.payload
      // The next call reads the channel anew where this one could not.
      await view.sync(voucher.channelId, channelConfig).catch(() => null)
      return { outcome: 'settled', transaction: receipt.transactionHash }
    }
    try {
      await transactions.failed(transaction)
    } catch (error) {
      return { outcome: 'unknown', detail: messageOf(error), transaction: receipt.transactionHash }
    }
    return { outcome: 'refused', reason: FAILED, block: receipt.blockNumber }
  }
}
