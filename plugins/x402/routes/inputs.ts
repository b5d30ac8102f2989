/** What several routes take. */
import { Type } from 'typebox'

export const RequestId = Type.String({
  pattern: '^[A-Za-z0-9._:-]{1,128}$',
  description: 'The X-Request-Id of the call that is paid for; it is the caller’s own',
})
export const PaymentText = Type.String({
  minLength: 1,
  maxLength: 16_384,
  description: 'Base64 payment as in PAYMENT-SIGNATURE, or the hash of a plain USDC transfer',
})
