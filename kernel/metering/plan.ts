/** What is to be done for a metered call, decided before its work begins. */
import type { Authorization, Rail } from '../rails/contract.ts'
import type { MeterOutcome } from './call.ts'
import type { Claim } from './idempotency.ts'

/** What is to be done for a call, and who pays it. */
export type Plan =
  /** No work: it was refused, or answered and charged before. */
  | { kind: 'ended'; outcome: MeterOutcome }
  /** Work that is not metered. */
  | { kind: 'free' }
  /** Work that charges by itself, through the `billing` service, a key of this rail. */
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
