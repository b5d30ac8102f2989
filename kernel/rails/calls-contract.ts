/** The paid calls of a rail, as the operator's lists show them. */

/** How a call ended for its payer. `charged` includes calls that were paid in advance. */
export const CALL_OUTCOMES = ['open', 'charged', 'uncharged', 'refunded'] as const
export type CallOutcomeName = (typeof CALL_OUTCOMES)[number]

/** One paid call as the operator's lists show it. */
export interface RailCallRow {
  /** Id of the hold, or of the rail's own claim. */
  id: string
  at: Date
  rail: string
  outcome: CallOutcomeName
  /** The rail's own name for the state of the call. */
  state: string
  keyId: string | null
  /** The payer, if it is not a key. */
  payer: string | null
  requestId: string
  skillId: string
  path: string
  amountAtomic: bigint
  /** Null until the call ended. */
  chargedAtomic: bigint | null
  priceVersion: number | null
  acquisition: string | null
  /** When an open call expires; null if it cannot. */
  expiresAt: Date | null
  transaction: string | null
  /** Why it failed, or the last error of a pending settlement. */
  reason: string | null
}

export interface RailCallFilter {
  requestId?: string
  /**
   * With `requestId`: the on-chain transactions of that request's settlements in the ledger, so
   * that a rail without an index by request can find its settled calls.
   */
  transactions?: readonly string[]
  keyId?: string
  skillId?: string
  outcome?: CallOutcomeName
}

/** One page of a rail's calls, newest first. */
export interface RailCallSlice {
  rows: { call: RailCallRow; cursor: string }[]
  /** The cursor of the next page; null if there are no older calls. */
  next: string | null
  /** All calls after this time were examined; null if `next` is null. */
  lookedBackTo: Date | null
}

/** Reads the paid calls of a rail for the operator's list. */
export interface RailCalls {
  /** The calls after `cursor`, a text of [A-Za-z0-9-]; null if this rail cannot have made it. */
  list(
    filter: RailCallFilter,
    page: { cursor: string | null; limit: number },
  ): Promise<RailCallSlice | null>
  /**
   * One call by its id, a UUID, with the ids of its ledger rows except refunds of its settlement;
   * `settlement` is shown as JSON. Null if the call is not of this rail.
   */
  find(id: string): Promise<{
    call: RailCallRow
    entryIds: readonly string[]
    settlement: Readonly<Record<string, unknown>> | null
  } | null>
  /** Unfinished settlements of all instances, and how many of them may have moved money. */
  pending?(): Promise<{ pending: number; uncertain: number; oldestAt: Date | null }>
  /**
   * Calls since `since` that ended without a charge and left no ledger row, counted by the minute
   * in which they began (whole minutes since 1970). Absent: all calls of the rail leave ledger
   * rows.
   */
  uncharged?(since: Date): Promise<readonly { minute: number; calls: number }[]>
}
