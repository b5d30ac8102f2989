/** What `details.reason` of the routes of plans means. */
import { defineReasons } from '#kernel'

export const REASONS = defineReasons({
  plan_exists: {
    code: 'INVALID_INPUT',
    status: 409,
    meaning: 'The account has a plan that has not ended.',
    fix: 'End it first; another can begin when its month is over.',
  },
  plan_given_by_hand: {
    code: 'INVALID_INPUT',
    status: 409,
    meaning:
      'The payment for the plan has settled, and the operator has given its credits by hand. The plan did not begin.',
    fix: 'Ask the operator for the key that has the credits.',
  },
  plan_not_allowed: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning:
      'The budgets of the key do not cover the first month (of a plan from the balance), or it may not buy and end plans.',
    fix: 'Take another key of the account, or ask who set the limits of this one.',
  },
  plan_not_for_sale: {
    code: 'INVALID_INPUT',
    status: 403,
    meaning: 'The plan has no price: only the operator gives it.',
    fix: 'Ask the operator, or take another plan of `GET /v1/plans`.',
  },
  plan_unpaid: {
    code: 'PAYMENT_REQUIRED',
    status: 402,
    meaning: 'The balance does not cover the first month of the plan.',
    fix: 'Buy credits, or the plan itself at `POST /v1/plans/x402`.',
  },
})
