/** What one x402 call carries from its claim to its end, and the outcomes it can have. */
import type { AuthorizeOutcome, CaptureOutcome, Failure, RailCall } from '#kernel'
import type { Claim, ClaimOrder, SignedPayment } from './claim.ts'
import { taking } from '../payment/payload.ts'
import { settlementUnknown, stillInFlight } from '../payment/problem.ts'

/** The rail's part of an Authorization. */
export interface State {
  claim: Pick<Claim, 'id' | 'payer' | 'amountAtomic'>
  version: 1 | 2
  /** Null when the money is here already (prepaid). */
  settle: { order: ClaimOrder; payment: SignedPayment } | null
  transaction: string | null
  ledgerId: string | null
  /** Runs again for a payment that was charged before: nothing is charged now. */
  isAgain: boolean
  /** Ends the lease of an answer that is streamed. */
  letGo?: () => void
}

/** After the skill's deadline: time to write the answer before the claim counts as abandoned. */
const CLAIM_GRACE_MS = 10_000

/** What is settled for a call: all of the price, or with `upto` what the skill billed of it. */
export function billed(
  settle: NonNullable<State['settle']>,
  amountAtomic: bigint,
): NonNullable<State['settle']> {
  const { order, payment } = settle
  if (payment.requirements.scheme !== 'upto') return settle
  return { ...settle, order: { ...order, amountAtomic }, payment: taking(payment, amountAtomic) }
}

/** The state of a call whose money is here already. */
export function paidState(claim: Claim, version: 1 | 2, isAgain: boolean): State {
  const { transaction, ledgerId } = claim
  return { claim, version, settle: null, transaction, ledgerId, isAgain }
}

export function authorized(amountAtomic: bigint, state: State): AuthorizeOutcome {
  return { outcome: 'authorized', authorization: { railId: 'x402', amountAtomic, state } }
}

export function refused(failure: Failure, offer: boolean): AuthorizeOutcome {
  return { outcome: 'refused', failure, offer }
}

/** The claim went to a later call of the same payment; this answer is not given. */
export function lost(): CaptureOutcome {
  return { outcome: 'failed', failure: stillInFlight(), offer: false }
}

export function unknown(detail: string): CaptureOutcome {
  return { outcome: 'failed', failure: settlementUnknown(detail), offer: false, pending: true }
}

/** Until when the claim of a call is not taken over. */
export function leaseUntil(call: RailCall): Date {
  return new Date(call.deadline.getTime() + CLAIM_GRACE_MS)
}
