/** One paid call as the operator's lists show it, whatever rail paid it. */

/** How a call ended for its payer. `charged` includes what is settled ahead of its call. */
export const CALL_OUTCOMES = ['open', 'charged', 'uncharged', 'refunded'] as const
export type CallOutcomeName = (typeof CALL_OUTCOMES)[number]

export interface CallRow {
  id: string
  at: Date
  rail: 'credits' | 'x402'
  /** The state of the hold or of the payment claim. */
  state: string
  keyId: string | null
  /** The wallet that signed; null for prepaid calls. */
  payer: string | null
  requestId: string
  skillId: string
  path: string
  amountAtomic: bigint
  /** Null until the call ended. */
  chargedAtomic: bigint | null
  priceVersion: number | null
  acquisition: string | null
  /** Until when a hold waits for its end. */
  expiresAt: Date | null
  transaction: string | null
  /** Why it failed, or the last trouble of a settlement under way. */
  reason: string | null
}

export interface CallFilter {
  requestId?: string
  keyId?: string
  skillId?: string
  outcome?: CallOutcomeName
}

/** What one table gave for a page. */
export interface Slice {
  rows: { call: CallRow; cursor: string }[]
  /** Where to go on; null when there is nothing further back. */
  next: string | null
  /** Everything younger than this was looked at; null with `next` null. */
  lookedBackTo: Date | null
}

/** States of holds and of payment claims, by what they mean to the payer. */
export const STATES: Record<CallOutcomeName, { hold: string[]; claim: string[] }> = {
  open: { hold: ['authorized'], claim: ['claimed', 'settling'] },
  charged: { hold: ['captured'], claim: ['settled', 'prepaid'] },
  uncharged: { hold: ['released', 'expired'], claim: ['released', 'failed'] },
  refunded: { hold: ['refunded'], claim: [] },
}

export function outcomeOf({ rail, state }: Pick<CallRow, 'rail' | 'state'>): CallOutcomeName {
  const side = rail === 'credits' ? 'hold' : 'claim'
  return CALL_OUTCOMES.find((outcome) => STATES[outcome][side].includes(state)) ?? 'open'
}

/** Rows looked at for one page when no index answers the filter: a few tens of milliseconds. */
export const SCAN_ROWS = 10_000
