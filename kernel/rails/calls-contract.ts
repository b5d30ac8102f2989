/** The paid calls of a rail, as the operator's lists show them. */

/** How a call ended for its payer. `charged` includes what is paid ahead of its call. */
export const CALL_OUTCOMES = ['open', 'charged', 'uncharged', 'refunded'] as const
export type CallOutcomeName = (typeof CALL_OUTCOMES)[number]

/** One paid call as the operator's lists show it. */
export interface RailCallRow {
  /** The hold, or the rail's own claim. */
  id: string
  at: Date
  rail: string
  outcome: CallOutcomeName
  /** The rail's own word for where it stands. */
  state: string
  keyId: string | null
  /** Who paid, where that is not a key. */
  payer: string | null
  requestId: string
  skillId: string
  path: string
  amountAtomic: bigint
  /** Null until the call ended. */
  chargedAtomic: bigint | null
  priceVersion: number | null
  acquisition: string | null
  /** Until when it waits for its end; null when it does not. */
  expiresAt: Date | null
  transaction: string | null
  /** Why it failed, or the last trouble of a settlement under way. */
  reason: string | null
}

export interface RailCallFilter {
  requestId?: string
  /**
   * With `requestId`: the transactions of that request's settlements in the ledger, by which a rail
   * without an index by request finds its settled calls.
   */
  transactions?: readonly string[]
  keyId?: string
  skillId?: string
  outcome?: CallOutcomeName
}

/** What a rail's table gave for one page, newest first. */
export interface RailCallSlice {
  rows: { call: RailCallRow; cursor: string }[]
  /** Where to go on; null when there is nothing further back. */
  next: string | null
  /** Everything younger than this was looked at; null with `next` null. */
  lookedBackTo: Date | null
}

/** The paid calls of a rail, for the operator's list. */
export interface RailCalls {
  /**
   * A page of the calls behind `cursor`, text of [A-Za-z0-9-] that this rail made itself; null: it
   * cannot have made this one.
   */
  list(
    filter: RailCallFilter,
    page: { cursor: string | null; limit: number },
  ): Promise<RailCallSlice | null>
  /**
   * One call by its id, a UUID, with the ids of its ledger rows, without refunds of its settlement;
   * `settlement` is shown as JSON. Null: not of this rail.
   */
  find(id: string): Promise<{
    call: RailCallRow
    entryIds: readonly string[]
    settlement: Readonly<Record<string, unknown>> | null
  } | null>
  /** Settlements that are not over, and how many of them may have moved money; of all instances. */
  pending?(): Promise<{ pending: number; uncertain: number; oldestAt: Date | null }>
  /**
   * Calls from `since` to now that ended without a charge and left no ledger row, by the minute in
   * which they began (whole minutes since 1970). Absent: all its calls leave ledger rows.
   */
  uncharged?(since: Date): Promise<readonly { minute: number; calls: number }[]>
}
