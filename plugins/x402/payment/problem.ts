/**
 * Why a payment is not taken, in the words of the field: `reason` is a code of the reference
 * facilitator (@x402/evm `exact/facilitator/errors.ts`), `field` the member that disagreed.
 */
import { fail, type Failure } from '#kernel'
import { fixOf } from './reason-kinds.ts'
import { PERMIT2_NONCE, TEMPO_NONCE } from './nonces.ts'
import { WORDS } from './reason-codes.ts'
import { REASONS, type PaymentReason } from '../reasons.ts'
import { quotedReason } from '#kernel'

export interface Problem {
  reason: string
  field?: string
  message: string
  expected?: string
  got?: string
  /** What the client of a channel needs to go on, for its offer in the 402. */
  channel?: ChannelState & OfferOfChannel
}

/** The offer that a channel is of. */
export interface OfferOfChannel {
  /** CAIP-2. */
  network: string
  /** Address of the token. */
  asset: string
}

/** How a channel stands, in the words of scheme `batch-settlement`. */
export interface ChannelState {
  channelState: Record<string, unknown>
  /** The last voucher, which proves the sum to its own signer; absent before the first. */
  voucherState?: { signedMaxClaimable: string; signature: string }
}

export function problem(
  reason: string,
  field: string | undefined,
  message: string,
  sides: { expected?: string; got?: string } = {},
): Problem {
  return { reason, message, ...(field !== undefined && { field }), ...sides }
}

/** The member that is not what the offer says. */
export function disagree(
  reason: PaymentReason,
  field: string,
  expected: string,
  got: string,
): Problem {
  return problem(reason, field, `${field} disagrees with the offer`, { expected, got })
}

/** 402 PAYMENT_FAILED with reason, field and both sides. Nothing was taken. */
export function paymentFailed(
  cause: Problem,
  extra: { payer?: string; headers?: Record<string, string> } = {},
): Failure {
  const { reason, field, expected, got, message } = cause
  const fix = fixOf(reason)
  return fail('PAYMENT_FAILED', `Payment not accepted: ${message}`, {
    details: {
      reason: quotedReason(reason),
      ...(field !== undefined && { field }),
      ...(expected !== undefined && { expected }),
      // What an untrusted caller sent is repeated in part only.
      ...(got !== undefined && { got: got.slice(0, 128) }),
      ...(extra.payer !== undefined && { payer: extra.payer }),
      ...(fix !== undefined && { fix }),
      ...(cause.channel !== undefined && { channel: cause.channel }),
    },
    headers: { 'cache-control': 'no-store', ...extra.headers },
  })
}

/** The same payment bought another request: 402, because that one needs a payment of its own. */
export function usedForAnother({ network, nonce } = { network: '', nonce: '' }): Failure {
  const other = nonce.startsWith(PERMIT2_NONCE) ? 'permit2' : 'eip3009'
  const evm = nonce.startsWith(TEMPO_NONCE) ? 'tempo' : other
  const words = WORDS[network.startsWith('solana:') ? 'svm' : evm]
  return fail(
    'PAYMENT_FAILED',
    'Payment not accepted: this payment was already used for another request; sign a new one',
    {
      details: {
        reason: REASONS.nonce_already_used,
        field: words.nonce.field,
      },
      headers: { 'cache-control': 'no-store' },
    },
  )
}

/** The same payment for the same request while the first is running: ask again, do not pay again. */
export function stillInFlight(): Failure {
  return fail(
    'INVALID_INPUT',
    'This payment is being used by the same request right now: send the same payment again shortly',
    {
      status: 409,
      retryable: true,
      details: { reason: REASONS.payment_in_flight },
      headers: { 'retry-after': '1', 'cache-control': 'no-store' },
    },
  )
}

/** The money may be moving: 503, never 402, so that nobody pays twice. */
export function settlementUnknown(detail: string): Failure {
  return fail(
    'UPSTREAM_FAILURE',
    'The settlement of this payment is not confirmed yet: send the same payment again, do not sign a new one',
    {
      retryable: true,
      details: { reason: REASONS.settlement_pending, detail },
      headers: { 'retry-after': '2', 'cache-control': 'no-store' },
    },
  )
}

/** Bought and delivered, but the answer is no longer (or, streamed, never was) kept. */
export function answerNotKept(transaction: string | null): Failure {
  return fail(
    'INVALID_INPUT',
    'This payment was settled and its answer delivered; the answer is not kept any more',
    {
      status: 409,
      retryable: false,
      details: { reason: REASONS.answer_not_kept, ...(transaction !== null && { transaction }) },
      headers: { 'cache-control': 'no-store' },
    },
  )
}

/** The operator gave the money of an answer that never came back as credits. */
export function paymentRefunded(): Failure {
  return fail('INVALID_INPUT', 'This payment was refunded as credits; sign a new one', {
    status: 409,
    retryable: false,
    details: { reason: REASONS.payment_refunded },
    headers: { 'cache-control': 'no-store' },
  })
}

/** Nobody can be asked whether this payment is good; nothing was taken. */
export function settlementUnavailable(detail: string): Failure {
  return fail('UPSTREAM_FAILURE', 'x402 payments cannot be settled right now; nothing was taken', {
    retryable: true,
    details: { reason: REASONS.settlement_unavailable, detail },
    headers: { 'retry-after': '5', 'cache-control': 'no-store' },
  })
}
