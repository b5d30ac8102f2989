/** Tells whether a request repeats a payment, as it was sent, without keeping the payment itself. */
import { createHash } from 'node:crypto'

/** Where x402 and MPP carry a payment. */
const PAYMENT_HEADERS = ['payment-signature', 'x-payment', 'payment-authorization', 'authorization']

/** SHA-256 of the payment that these headers carry, in hex; null: they carry none. */
export function digestOfPayment(headers: Headers): string | null {
  for (const name of PAYMENT_HEADERS) {
    const value = headers.get(name)
    if (value === null || (name === 'authorization' && !/^payment /i.test(value))) continue
    return createHash('sha256').update(value).digest('hex')
  }
  return null
}
