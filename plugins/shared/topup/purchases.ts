/** How credits that a payment of another rail bought are named in the ledger, whichever plugin sold them. */

export const CREDITS_SKILL = 'topup.x402'
export const PLAN_SKILL = 'topup.plan'

/** The debited account. */
export const PURCHASE_SOURCE = 'topup:x402'

/** The reference under which the credits of a purchase are given, once. */
export const purchaseReference = (requestId: string): string => `x402:${requestId}`
