/**
 * The problem types of the Payment scheme (MPP httpauth-payment-00 §8, RFC 9457) and the failures
 * that carry them. A 402 says the type in its body; a 400 in `details.type`.
 */
import { fail, type Failure } from '#kernel'
import { REASONS } from './reasons.ts'

const BASE = 'https://paymentauth.org/problems/'

const TITLES = {
  'payment-required': 'Payment Required',
  'malformed-credential': 'Malformed Credential',
  'invalid-challenge': 'Invalid Challenge',
  'payment-expired': 'Payment Expired',
  'verification-failed': 'Verification Failed',
  'payment-insufficient': 'Payment Insufficient',
  'method-unsupported': 'Method Unsupported',
} as const

export type ProblemType = keyof typeof TITLES

/** Members of the body of a 402 (RFC 9457). */
export type ProblemMembers = {
  type: string
  title: string
  status: number
  detail: string
  challengeId: string
}

/**
 * What x402 says of a payment, as this scheme says it; every other reason is verification-failed.
 * Named by x402's codes, which are those of its reference facilitator.
 */
const TYPES: Readonly<Record<string, ProblemType>> = {
  [REASONS.malformed_credential]: 'malformed-credential',
  [REASONS.invalid_challenge]: 'invalid-challenge',
  [REASONS.payment_expired]: 'payment-expired',
  [REASONS.authorization_mismatch]: 'verification-failed',
  nonce_already_used: 'invalid-challenge',
  // The payload pays what its challenge asks, so the price is what has changed.
  invalid_exact_evm_payload_authorization_value_mismatch: 'invalid-challenge',
  invalid_exact_evm_payload_authorization_valid_before: 'payment-expired',
  invalid_exact_evm_insufficient_balance: 'payment-insufficient',
  tempo_amount_mismatch: 'invalid-challenge',
  tempo_valid_before: 'payment-expired',
  tempo_simulation_failed: 'payment-insufficient',
}

/** The type that a 402 has: of the refusal of what was presented, or that nothing was. */
export function problemTypeOf(refusal: Failure | undefined): ProblemType {
  if (refusal?.code !== 'PAYMENT_FAILED') return 'payment-required'
  const reason = refusal.details?.reason
  return (reason !== undefined && TYPES[reason]) || 'verification-failed'
}

/** The JSON-RPC error code of a problem (payment-transport-mcp-00 §4). */
export function mcpCodeOf(type: ProblemType): number {
  if (type === 'payment-required') return -32042
  return type === 'malformed-credential' ? -32602 : -32043
}

/** The members of the body of a 402. */
export function problemOf(
  type: ProblemType,
  { detail, challengeId }: { detail: string; challengeId: string },
): ProblemMembers {
  return { type: BASE + type, title: TITLES[type], status: 402, detail, challengeId }
}

/** 402 for a credential that is not taken; nothing was taken from the payer. */
export function refused(
  reason: typeof REASONS.malformed_credential | typeof REASONS.invalid_challenge,
  what: string,
): Failure {
  return paymentFailed(what, { reason })
}

/** 402 for a payload that disagrees with its challenge. */
export function mismatch(field: string, expected: string, got: string): Failure {
  return paymentFailed(`payload.${field} disagrees with its challenge`, {
    reason: REASONS.authorization_mismatch,
    field: `payload.${field}`,
    expected,
    got: got.slice(0, 128),
  })
}

export function expired(expires: string): Failure {
  return paymentFailed(`the challenge expired at ${expires}`, { reason: REASONS.payment_expired })
}

/** 400: which of them should count is not known, and none is taken. */
export function severalCredentials(): Failure {
  return fail('INVALID_INPUT', 'The request has more than one credential of the Payment scheme', {
    details: { reason: REASONS.several_credentials, type: `${BASE}malformed-credential` },
    headers: NO_STORE,
  })
}

/** 400 for a method that is not sold here. */
export function methodUnsupported(method: string, intent: string): Failure {
  return fail('INVALID_INPUT', `The payment method ${method}/${intent} is not sold here`, {
    details: { reason: REASONS.method_unsupported, type: `${BASE}method-unsupported` },
    headers: NO_STORE,
  })
}

/** 503: never a 402, on which clients pay again. */
export function unavailable(detail: string): Failure {
  return fail('UPSTREAM_FAILURE', 'Payments cannot be settled right now; nothing was taken', {
    retryable: true,
    details: { reason: REASONS.mpp_unavailable, detail },
    headers: { 'retry-after': '5', ...NO_STORE },
  })
}

/**
 * A failure of the payment in x402's hands, without the headers of that dialect. A payment that has
 * paid another request is a challenge that is used.
 */
export function translated(failure: Failure): Failure {
  const { headers = {}, ...rest } = failure
  const retryAfter = headers['retry-after']
  const kept = { ...(retryAfter !== undefined && { 'retry-after': retryAfter }), ...NO_STORE }
  return { ...rest, headers: kept }
}

const NO_STORE = { 'cache-control': 'no-store' } as const

function paymentFailed(
  what: string,
  details: {
    reason:
      | typeof REASONS.malformed_credential
      | typeof REASONS.invalid_challenge
      | typeof REASONS.payment_expired
      | typeof REASONS.authorization_mismatch
    field?: string
    expected?: string
    got?: string
  },
): Failure {
  return fail('PAYMENT_FAILED', `Payment not accepted: ${what}`, { details, headers: NO_STORE })
}
