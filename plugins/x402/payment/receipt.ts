/** PAYMENT-RESPONSE and its siblings: the receipt of a settlement, for both versions and for MCP. */
import type { Receipt } from '#kernel'
import type { Asset } from '../offers/asset.ts'
import {
  encodeHeader,
  META_RESPONSE,
  META_RESPONSE_V1,
  PAYMENT_RESPONSE,
  PAYMENT_RESPONSE_V1,
  type SettleResponse,
} from './wire.ts'

export interface Settled {
  transaction: string
  payer: string
  amountAtomic: bigint
  ledgerId: string | null
  version: 1 | 2
}

/** What was taken, with the headers and `_meta` that the payer's version reads. */
export function receiptOf(asset: Asset, settled: Settled): Receipt {
  const { transaction, payer, amountAtomic, ledgerId, version } = settled
  const response: SettleResponse = {
    success: true,
    transaction,
    network: asset.network,
    payer,
    amount: amountAtomic.toString(),
  }
  const encoded = encodeHeader(version === 1 ? { ...response, network: asset.networkV1 } : response)
  return {
    rail: 'x402',
    chargedAtomic: amountAtomic,
    ledgerId,
    headers: {
      [version === 1 ? PAYMENT_RESPONSE_V1 : PAYMENT_RESPONSE]: encoded,
      'cache-control': 'private, no-store',
    },
    meta: { [META_RESPONSE]: response, ...(version === 1 && { [META_RESPONSE_V1]: encoded }) },
    transaction,
  }
}

/** The header of a settlement that was refused (x402 v2 §6: sent with the 402). */
export function refusalHeaders(
  asset: Asset,
  refused: { reason: string; payer: string; version: 1 | 2 },
): Record<string, string> {
  const response: SettleResponse = {
    success: false,
    errorReason: refused.reason,
    transaction: '',
    network: refused.version === 1 ? (asset.networkV1 as `${string}:${string}`) : asset.network,
    payer: refused.payer,
  }
  return {
    [refused.version === 1 ? PAYMENT_RESPONSE_V1 : PAYMENT_RESPONSE]: encodeHeader(response),
  }
}
