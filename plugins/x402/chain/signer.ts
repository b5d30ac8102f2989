/**
 * Settles by the gateway's own key: submits the payer's authorization as a transaction of its own
 * (own-transactions.ts) and reads from the receipt what the settlement comes to.
 */
import type { Address, TransactionReceipt } from 'viem'
import {
  amountOf,
  isPermit2,
  nonceTextOf,
  payerOf,
  type EvmSignedPayment,
} from '../payment/payload.ts'
import { isSameAddress } from '../payment/wire.ts'
import type { CheckOutcome, SettleOutcome, Settler } from '../settle/contract.ts'
import { FailedPayers } from '../settle/failed-payers.ts'
import { PayersUnderWay } from '../settle/payers-under-way.ts'
import { fullMessageOf, isRevert, messageOf } from './node-errors.ts'
import {
  OwnTransactions,
  type OwnTransactionsOptions,
  type OwnTransaction,
  type Sent,
} from './own-transactions.ts'
import { callData, MOST_PAYMENT_GAS, proxyCall } from './token.ts'
import type { Call, PaymentOf } from './transaction-rows.ts'

export class OwnSigner implements Settler {
  readonly name = 'own signer'
  readonly isRemote = false
  readonly #options: OwnTransactionsOptions
  readonly #transactions: OwnTransactions
  readonly #underWay = new PayersUnderWay()
  readonly #failed = new FailedPayers()

  constructor(options: OwnTransactionsOptions) {
    this.#options = options
    this.#transactions = new OwnTransactions(options)
  }

  /** Who settles; an `upto` payment names the one who may. */
  get address(): Address {
    return this.#transactions.address
  }

  takes(payment: EvmSignedPayment): boolean {
    if (!isPermit2(payment)) return true
    // Without the approval it cannot move the token.
    if (payment.sponsoring !== undefined) return false
    const { caller } = proxyCall(payment)
    return caller === null || isSameAddress(caller, this.address)
  }

  /** It needs no verification of its own before it settles. */
  hasVerified(): boolean {
    return false
  }

  check(payment: EvmSignedPayment): Promise<CheckOutcome> {
    return this.#options.chain.check(payment)
  }

  refusal(payment: EvmSignedPayment): typeof FAILED_BEFORE | null {
    return this.#failed.has(payerOf(payment)) ? FAILED_BEFORE : null
  }

  async settledBy(payment: EvmSignedPayment): Promise<string | null> {
    const sent = await this.#transactions.find(this.#keyOf(payment))
    const receipt = sent && (await this.#transactions.minedReceiptOf(sent))
    if (!receipt || (await this.#judge(payment)(receipt, sent)) !== null) return null
    this.#transactions.mined(sent)
    return receipt.transactionHash
  }

  async settle(payment: EvmSignedPayment, isAgain = false): Promise<SettleOutcome> {
    const payer = payerOf(payment)
    const key = this.#keyOf(payment)
    const judge = this.#judge(payment)
    const earlier = isAgain ? await earlierSettlement(this.#transactions, key, judge) : null
    if (earlier) return earlier
    const balance = () => this.#options.chain.balanceOf(payer)
    return this.#underWay.beside({ payer, units: amountOf(payment), balance }, async () => {
      const refusal = this.refusal(payment)
      if (refusal) return refusal
      let call: Call
      try {
        call = await this.#transactions.withGas(this.#callOf(payment), MOST_PAYMENT_GAS)
      } catch (error) {
        return this.#refusal(error, payment)
      }
      return settlementOf(this.#transactions, await this.#transactions.send(key, call), judge)
    })
  }

  #keyOf(payment: EvmSignedPayment): PaymentOf {
    const { asset } = this.#options
    return { asset: asset.address, payer: payerOf(payment), nonce: nonceTextOf(payment) }
  }

  #callOf(payment: EvmSignedPayment): Omit<Call, 'gas'> {
    if (!isPermit2(payment)) return { to: this.#options.asset.address, data: callData(payment) }
    const { to, data } = proxyCall(payment)
    return { to, data }
  }

  #judge(payment: EvmSignedPayment): Judge {
    return async (receipt, transaction) => {
      const { chain } = this.#options
      if (await chain.paysIn(receipt, payment, transaction.data)) return null
      const payer = payerOf(payment)
      if (receipt.status !== 'success' && (await chain.hasCode(payer))) this.#failed.add(payer)
      const reason =
        receipt.status === 'success'
          ? 'invalid_exact_evm_transfer_event_mismatch'
          : 'invalid_exact_evm_transaction_failed'
      return { reason, detail: receipt.transactionHash }
    }
  }

  /** Why the gas could not be estimated: the contract refuses the call, or the node is in trouble. */
  async #refusal(error: unknown, payment: EvmSignedPayment): Promise<SettleOutcome> {
    const text = fullMessageOf(error)
    // Permit2 and its proxies revert with codes; the state of payer and nonce tells the reason.
    if (isPermit2(payment) && isRevert(text)) return this.#options.chain.permit2.whyNot(payment)
    const found = REVERT_REASONS.find(([pattern]) => pattern.test(text))
    if (found) return { outcome: 'refused', reason: found[1] }
    return { outcome: 'unavailable', detail: messageOf(error) }
  }
}

/** The reason of a payment that is not sent: no transaction of it needs to be looked for. */
const FAILED_BEFORE = {
  outcome: 'refused',
  reason: 'invalid_exact_evm_transaction_simulation_failed',
  detail: 'an earlier payment of this contract wallet failed on the chain today',
} as const

/** Texts by which EIP-3009 tokens revert, with the reason code of each. */
const REVERT_REASONS: readonly [RegExp, string][] = [
  [/authorization is used|canceled/i, 'invalid_exact_evm_nonce_already_used'],
  [/authorization is expired/i, 'invalid_exact_evm_payload_authorization_valid_before'],
  [/not yet valid/i, 'invalid_exact_evm_payload_authorization_valid_after'],
  [/exceeds balance/i, 'invalid_exact_evm_insufficient_balance'],
  [/invalid signature|ECRecover/i, 'invalid_exact_evm_signature'],
  [/revert/i, 'invalid_exact_evm_transaction_simulation_failed'],
]

/** Why a mined transaction did not pay; null: it paid. */
export type Judge = (
  receipt: TransactionReceipt,
  transaction: OwnTransaction,
) => Promise<{ reason: string; detail?: string } | null>

/** Waits for the receipt of what was sent; a transaction that was sent before is carried on with. */
export async function settlementOf(
  transactions: OwnTransactions,
  sent: Sent,
  whyNot: Judge,
): Promise<SettleOutcome> {
  switch (sent.kind) {
    case 'sent': {
      const receipt = await transactions.receiptOf(sent.transaction)
      return outcomeOf(transactions, sent.transaction, receipt, whyNot)
    }
    case 'sent before':
      return resumed(transactions, sent.transaction, whyNot)
    case 'not sent':
      return { outcome: 'unavailable', detail: sent.detail }
    case 'unknown':
      return { outcome: 'unknown', detail: sent.detail }
  }
}

/** Carries on with what an earlier attempt sent for the payment; null: it sent nothing. */
export async function earlierSettlement(
  transactions: OwnTransactions,
  payment: PaymentOf,
  whyNot: Judge,
): Promise<SettleOutcome | null> {
  try {
    const found = await transactions.find(payment)
    return found && (await resumed(transactions, found, whyNot))
  } catch (error) {
    return { outcome: 'unknown', detail: messageOf(error) }
  }
}

async function resumed(
  transactions: OwnTransactions,
  transaction: OwnTransaction,
  whyNot: Judge,
): Promise<SettleOutcome> {
  const receipt =
    (await transactions.minedReceiptOf(transaction).catch(() => null)) ??
    (await transactions.receiptOf(transaction, { found: true }))
  return outcomeOf(transactions, transaction, receipt, whyNot)
}

async function outcomeOf(
  transactions: OwnTransactions,
  transaction: OwnTransaction,
  receipt: TransactionReceipt | null,
  whyNot: Judge,
): Promise<SettleOutcome> {
  if (receipt === null) {
    const newest = transaction.hashes.at(-1)!
    return { outcome: 'unknown', detail: `no receipt of ${newest} yet`, transaction: newest }
  }
  const { transactionHash, blockNumber } = receipt
  const refusal = await whyNot(receipt, transaction)
  if (refusal === null) {
    transactions.mined(transaction)
    return { outcome: 'settled', transaction: transactionHash }
  }
  try {
    await transactions.ended(transaction)
  } catch (error) {
    return { outcome: 'unknown', detail: messageOf(error), transaction: transactionHash }
  }
  return { outcome: 'refused', ...refusal, block: blockNumber }
}
