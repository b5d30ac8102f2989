/** `Payment-Receipt` (MPP httpauth-payment-00 §5.3, evm-charge-00): what was settled, for the payer. */
import { encodeBase64url } from './base64url.ts'

export interface PaymentReceipt {
  method: string
  status: 'success'
  /** The transaction. */
  reference: string
  /** RFC 3339. */
  timestamp: string
  challengeId: string
  chainId: number
}

/** The value of the header. */
export function receiptText(receipt: PaymentReceipt): string {
  return encodeBase64url(JSON.stringify(receipt))
}
