/** The plan of a metered call, made before its work begins. */
import type { Authorization, Rail } from '../rails/contract.ts'
import type { MeterOutcome } from './call.ts'
import type { Claim } from './idempotency.ts'

/** Whether a call's work runs, and how it is paid for. */
export type Plan =
  /** No work: the call was refused, or is answered from an earlier one. */
  | { kind: 'ended'; outcome: MeterOutcome }
  /** Work that is not metered. */
  | { kind: 'free' }
  /** Work that charges a key of this rail itself, through the `billing` service. */
  | ({ kind: 'self_billed' } & Paid)
  /** Work whose price the rail holds until it is done. */
  | ({ kind: 'held'; holdId: string; authorization: Authorization } & Paid)

export interface Paid {
  rail: Rail
  /** The call's Idempotency-Key; null when it has none. */
  claim: Claim | null
  /** When the work must be done. */
  deadline: Date
}
/** A call whose price is held while its work runs. */
export type Held = Extract<Plan, { kind: 'held' }>
