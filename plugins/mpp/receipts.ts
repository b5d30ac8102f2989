/** The receipt of a charge in place of x402's, for the header and for `_meta` of MCP. */
import { timeOfId, type Receipt, type StoredAnswer } from '#kernel'
import type { Charge } from './judge.ts'
import { META_RECEIPT, PAYMENT_RECEIPT } from './wire/names.ts'
import { receiptText, type PaymentReceipt } from './wire/receipt.ts'

/**
 * Headers and `_meta` of a paid answer. Neither says anything where nothing was settled, or where the
 * answer is no success: a receipt stands on 2xx alone.
 */
export function receiptOf(
  { transaction, ledgerId }: Receipt,
  { challenge, network }: Charge,
  answer: StoredAnswer | null,
): Pick<Receipt, 'headers' | 'meta'> {
  const isSuccess = answer === null || (answer.status >= 200 && answer.status < 300)
  const headers = { 'cache-control': 'private, no-store' }
  if (!transaction || !isSuccess) return { headers, meta: {} }
  const receipt: PaymentReceipt = {
    method: challenge.method,
    status: 'success',
    reference: transaction,
    // Of the ledger's entry: a receipt that is given again has to be the same.
    timestamp: ((ledgerId !== null && timeOfId(ledgerId)) || new Date()).toISOString(),
    challengeId: challenge.id,
    chainId: network.chainId,
  }
  return {
    headers: { ...headers, [PAYMENT_RECEIPT]: receiptText(receipt) },
    meta: { [META_RECEIPT]: receipt },
  }
}
