/** The paid calls of every key and wallet, newest first, from the tables of both rails in one list. */
import type { SqlClient } from '../../storage/contract.ts'
import type { CallFilter, CallRow, Slice } from './call-row.ts'
import { prepaidCalls } from './prepaid-calls.ts'
import { x402Calls } from '../../../plugins/x402/claims/calls-list.ts'

export type CallRail = CallRow['rail']
/** Per rail: where to go on, null from the start, 'end' when nothing is left. */
export type CallsCursor = Record<CallRail, string | null>
export interface CallsPage {
  calls: CallRow[]
  next: CallsCursor | null
  /** The page is short because so much was looked through: everything younger than this. */
  lookedBackTo: Date | null
}

export const END = 'end'
const START: CallsCursor = { credits: null, x402: null }
const NOTHING: Slice = { rows: [], next: null, lookedBackTo: null }

/** A page of calls of one or both rails. */
export async function listCalls(
  sql: SqlClient,
  filter: CallFilter & { rail?: CallRail },
  { cursor = START, limit }: { cursor?: CallsCursor; limit: number },
): Promise<CallsPage> {
  const slice = (rail: CallRail, read: typeof prepaidCalls): Promise<Slice> | Slice =>
    cursor[rail] === END || (filter.rail !== undefined && filter.rail !== rail)
      ? NOTHING
      : read(sql, filter, { cursor: cursor[rail], limit })
  const [credits, x402] = await Promise.all([
    slice('credits', prepaidCalls),
    slice('x402', x402Calls),
  ])
  return merged({ credits, x402 }, cursor, limit)
}

/**
 * The slices in one order of time. What is older than the end of the shorter look of the two waits
 * for a later page, or calls of the other rail would be missing between. Each rail gives its rows in
 * its own order, which clocks may disagree with, so that none is passed over.
 */
export function merged(
  slices: Record<CallRail, Slice>,
  from: CallsCursor,
  limit: number,
): CallsPage {
  const { credits, x402 } = slices
  const backToMs = Math.max(lookedTo(credits), lookedTo(x402))
  const taken: Record<CallRail, number> = { credits: 0, x402: 0 }
  const calls: CallRow[] = []
  const head = (rail: CallRail): CallRow | undefined => {
    const call = slices[rail].rows[taken[rail]]?.call
    return call && call.at.getTime() >= backToMs ? call : undefined
  }
  while (calls.length < limit) {
    const [prepaid, paid] = [head('credits'), head('x402')]
    const call = !paid || (prepaid && prepaid.at >= paid.at) ? prepaid : paid
    if (!call) break
    taken[call.rail] += 1
    calls.push(call)
  }
  const next = (rail: CallRail): string | null => {
    const { rows, next } = slices[rail]
    if (taken[rail] === rows.length) return next ?? END
    return rows[taken[rail] - 1]?.cursor ?? from[rail]
  }
  const cursor = { credits: next('credits'), x402: next('x402') }
  const isOver = cursor.credits === END && cursor.x402 === END
  return {
    calls,
    next: isOver ? null : cursor,
    lookedBackTo: isOver || calls.length === limit ? null : new Date(backToMs),
  }
}

function lookedTo({ lookedBackTo }: Slice): number {
  return lookedBackTo?.getTime() ?? -Infinity
}
