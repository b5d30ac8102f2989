/** What one x402 call carries from its claim to its end, and the outcomes it can have. */
import type { AuthorizeOutcome, CaptureOutcome, Failure, RailCall } from '#kernel'
import { settlementUnknown, stillInFlight } from '../payment/problem.ts'
import type { Claim, SettleOrder } from './claim.ts'

/** The rail's part of an Authorization. */
export type CallState = UnpaidCall | PaidCall

interface Common {
  /** Of x402, as the payer's client speaks it. */
  version: 1 | 2
  /** Ends the lease of an answer that is streamed. */
  letGo?: () => void
}

/** Its payment is settled after the work. */
export interface UnpaidCall extends Common {
  kind: 'unpaid'
  claim: SettleOrder
}

/** The money is here already. */
export interface PaidCall extends Common {
  kind: 'paid'
  claim: Claim
  /** Its work runs again for a payment that was charged before: nothing is charged now. */
  isAgain: boolean
}

/** After the skill's deadline: time to write the answer before the claim counts as abandoned. */
const CLAIM_GRACE_MS = 10_000

/** What is settled for a call: all of the price, or with `upto` what the skill billed of it. */
export function billed(order: SettleOrder, amountAtomic: bigint): SettleOrder {
  return order.payment.requirements.scheme === 'upto' ? { ...order, amountAtomic } : order
}

export function authorized(state: CallState): AuthorizeOutcome {
  const { amountAtomic } = state.claim
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

/** Until when no other call takes the claim of this one over. */
export function leaseUntil(call: RailCall): Date {
  return new Date(call.deadline.getTime() + CLAIM_GRACE_MS)
}
