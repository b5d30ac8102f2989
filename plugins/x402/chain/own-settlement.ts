/** What a settlement comes to that is a transaction of the gateway's own, by its receipt. */
import type { TransactionReceipt } from 'viem'
import type { SettleOutcome } from '../settle/contract.ts'
import { messageOf } from './node-errors.ts'
import type { OwnTransaction, OwnTransactions, Sent } from './own-transactions.ts'
import type { PaymentOf } from './transaction-rows.ts'

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
    await transactions.failed(transaction)
  } catch (error) {
    return { outcome: 'unknown', detail: messageOf(error), transaction: transactionHash }
  }
  return { outcome: 'refused', ...refusal, block: blockNumber }
}
