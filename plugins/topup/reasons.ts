/** What `details.reason` of the top-up routes' own failures means. */
import { defineReasons } from '#kernel'

export const REASONS = defineReasons({
  sandbox_disabled: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning: 'The route is only open in a sandbox, and this gateway has `SANDBOX=false`.',
    fix: 'Use a gateway in sandbox mode.',
  },
  prepaid_fiat_closed: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning: 'Card and mobile top-ups are closed here (`PREPAID_FIAT`).',
    fix: 'Buy credits at `POST /v1/credits/topup/x402`.',
  },
  invalid_signature: {
    code: 'INVALID_INPUT',
    status: 401,
    meaning: "A provider's callback is not signed, or its secret is not set.",
    fix: "Set the provider's secret; nobody but the provider calls this route.",
  },
  given_by_operator: {
    code: 'INVALID_INPUT',
    status: 409,
    meaning:
      'The payment has settled. Its credits could not be given to the key, account or wallet that was named, and the operator has given them by hand.',
    fix: 'Ask the operator for the key that has them.',
  },
})
