/**
 * Settles a call through a channel. A voucher alone is settled when it is written down: what it is
 * worth lies in the channel already. One with a deposit brings the deposit to the chain first.
 */
import { fullMessageOf, isRevert, messageOf } from '../chain/node-errors.ts'
import { earlierSettlement, settlementOf, type Judge } from '../chain/signer.ts'
import type { OwnTransactions } from '../chain/own-transactions.ts'
import { MOST_PAYMENT_GAS } from '../chain/token.ts'
import type { Call } from '../chain/transaction-rows.ts'
import type { SignedChannel } from '../payment/payload.ts'
import type { CheckOutcome, SettleOutcome, Settler } from '../settle/contract.ts'
import { FailedPayers } from '../settle/failed-payers.ts'
import { PayersUnderWay } from '../settle/payers-under-way.ts'
import { depositData, depositOf, type ChannelChain } from './chain.ts'
import { CONTRACT, depositNonce } from '../payment/channel.ts'

export interface ChannelSettlerOptions {
  view: ChannelChain
  transactions: OwnTransactions
  /** Token, as rows of transactions name it. */
  asset: string
}

const FAILED = 'invalid_batch_settlement_evm_deposit_transaction_failed'
/** The reason of a deposit that is not sent: no transaction of it needs to be looked for. */
const FAILED_BEFORE = {
  outcome: 'refused',
  reason: 'invalid_batch_settlement_evm_deposit_simulation_failed',
  detail: 'an earlier deposit of this contract wallet failed on the chain today',
} as const

export class ChannelSettler implements Settler {
  readonly name = 'channels'
  readonly isRemote = false
  readonly #options: ChannelSettlerOptions
  readonly #underWay = new PayersUnderWay()
  readonly #failed = new FailedPayers()

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

  /** A voucher alone costs no gas. */
  refusal(payment: SignedChannel): typeof FAILED_BEFORE | null {
    const isRefused = depositOf(payment) && this.#failed.has(payment.payload.channelConfig.payer)
    return isRefused ? FAILED_BEFORE : null
  }

  async settle(payment: SignedChannel, isAgain = false): Promise<SettleOutcome> {
    const deposit = depositOf(payment)
    if (!deposit) return { outcome: 'settled', transaction: '' }
    const { transactions, asset } = this.#options
    const { channelConfig, voucher } = payment.payload
    const nonce = depositNonce(voucher.channelId, deposit.salt)
    const key = { asset, payer: channelConfig.payer, nonce }
    const judge = this.#judge(payment)
    const earlier = isAgain ? await earlierSettlement(transactions, key, judge) : null
    if (earlier) return earlier
    const { payer } = channelConfig
    const balance = () => this.#options.view.balanceOf(payer)
    return this.#underWay.beside({ payer, units: deposit.amount, balance }, async () => {
      const refusal = this.refusal(payment)
      if (refusal) return refusal
      const data = depositData(payment)
      let call: Call
      try {
        call = await transactions.withGas({ to: CONTRACT, data }, MOST_PAYMENT_GAS)
      } catch (error) {
        const detail = messageOf(error)
        return isRevert(fullMessageOf(error))
          ? { outcome: 'refused', reason: FAILED, detail }
          : { outcome: 'unavailable', detail }
      }
      return settlementOf(transactions, await transactions.send(key, call), judge)
    })
  }

  #judge({ payload }: SignedChannel): Judge {
    return async ({ status }) => {
      const { channelConfig, voucher } = payload
      const { view } = this.#options
      if (status !== 'success') {
        if (await view.hasCode(channelConfig.payer)) this.#failed.add(channelConfig.payer)
        return { reason: FAILED }
      }
      // The next call reads the channel anew where this one could not.
      await view.sync(voucher.channelId, channelConfig).catch(() => null)
      return null
    }
  }
}
