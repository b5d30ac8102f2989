/**
 * What `details.reason` of an MPP payment's failure means. Each comes with a problem type of the
 * Payment scheme, `details.type`; what x402 refuses of the payment itself keeps its own reason.
 */
import { defineReasons } from '#kernel'

const PAY_AGAIN = 'Pay one of the challenges that came with this answer.'

export const REASONS = defineReasons({
  malformed_credential: {
    code: 'PAYMENT_FAILED',
    meaning: 'The credential is not base64url of JSON, or a member is missing or malformed.',
    fix: PAY_AGAIN,
  },
  several_credentials: {
    code: 'INVALID_INPUT',
    meaning: 'The request has more than one credential of the Payment scheme; none was taken.',
    fix: 'Send one.',
  },
  invalid_challenge: {
    code: 'PAYMENT_FAILED',
    meaning:
      'The challenge was not issued here, was changed, is for another route or price, or has paid another request.',
    fix: PAY_AGAIN,
  },
  payment_expired: {
    code: 'PAYMENT_FAILED',
    meaning: 'The challenge has expired.',
    fix: PAY_AGAIN,
  },
  authorization_mismatch: {
    code: 'PAYMENT_FAILED',
    meaning: 'The payload disagrees with its challenge; `details.field` names the member.',
    fix: PAY_AGAIN,
  },
  method_unsupported: {
    code: 'INVALID_INPUT',
    meaning: 'This method or intent is not sold here.',
    fix: 'Pay by a method that the challenges name.',
  },
  mpp_unavailable: {
    code: 'UPSTREAM_FAILURE',
    meaning: 'Payments cannot be settled now; nothing was taken.',
    fix: 'Send the same request again after `Retry-After`.',
  },
})
