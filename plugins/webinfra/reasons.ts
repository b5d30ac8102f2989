/** What `details.reason` of the webhook relay's own failures means. */
import { defineReasons } from '#kernel'

export const REASONS = defineReasons({
  endpoint_disabled: {
    code: 'INVALID_INPUT',
    status: 409,
    meaning: 'The webhook endpoint is disabled.',
    fix: 'Ask its owner to enable it.',
  },
  invalid_signature: {
    code: 'INVALID_INPUT',
    status: 401,
    meaning: "The webhook is not signed by the endpoint's scheme and secret.",
    fix: "Sign it with the endpoint's current secret.",
  },
  too_many_parked: {
    code: 'PAYMENT_REQUIRED',
    meaning: 'Too many webhooks of the key wait for funds.',
    fix: 'Top the key up, then send it again.',
  },
})
