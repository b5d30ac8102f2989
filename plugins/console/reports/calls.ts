/** The paid calls of every key and payer, newest first: the lists of all rails as one. */
import type { RailCallFilter, RailCallRow, RailCalls, RailCallSlice } from '#kernel'
import { END, type CallsCursor } from './cursor.ts'

/** A rail that keeps a list of its calls. */
export interface ListedRail {
  id: string
  calls: RailCalls
}
export interface CallsPage {
  calls: RailCallRow[]
  next: CallsCursor | null
  /** The page is short because so much was looked through: everything younger than this. */
  lookedBackTo: Date | null
}

const NOTHING: RailCallSlice = { rows: [], next: null, lookedBackTo: null }

/**
 * A page of the calls of `rails`; null when one of them cannot have made its part of the cursor. A
 * rail that the cursor does not name was mounted since and is listed from its newest call.
 */
export async function listCalls(
  rails: readonly ListedRail[],
  filter: RailCallFilter,
  { cursor = new Map(), limit }: { cursor?: CallsCursor; limit: number },
): Promise<CallsPage | null> {
  const lists = rails.map(({ id, calls }) => {
    const from = cursor.get(id) ?? null
    return from === END ? NOTHING : calls.list(filter, { cursor: from, limit })
  })
  const slices = new Map<string, RailCallSlice>()
  // In the order of the rails, not of their answers: it decides between calls of one moment.
  for (const [at, slice] of (await Promise.all(lists)).entries()) {
    if (slice === null) return null
    slices.set(rails[at]!.id, slice)
  }
  return merged(slices, cursor, limit)
}

/**
 * The slices in one order of time. What is older than the end of the shortest look waits for a later
 * page, or calls of that rail would be missing between. Each rail gives its rows in its own order,
 * which clocks may disagree with, so that none is passed over. The cursor keeps what it says of
 * rails that gave no slice: they were not asked for, or are not mounted now.
 */
export function merged(
  slices: ReadonlyMap<string, RailCallSlice>,
  from: CallsCursor,
  limit: number,
): CallsPage {
  const lists = [...slices].map(([rail, slice]) => ({ rail, slice, taken: 0 }))
  const backToMs = Math.max(
    -Infinity,
    ...lists.map(({ slice }) => slice.lookedBackTo?.getTime() ?? -Infinity),
  )
  const calls: RailCallRow[] = []
  while (calls.length < limit) {
    let newest: { list: (typeof lists)[number]; call: RailCallRow } | null = null
    for (const list of lists) {
      const call = list.slice.rows[list.taken]?.call
      if (!call || call.at.getTime() < backToMs) continue
      if (newest === null || call.at > newest.call.at) newest = { list, call }
    }
    if (newest === null) break
    newest.list.taken += 1
    calls.push(newest.call)
  }
  const next = new Map(from)
  for (const { rail, slice, taken } of lists) {
    const isTaken = taken === slice.rows.length
    next.set(
      rail,
      isTaken ? (slice.next ?? END) : (slice.rows[taken - 1]?.cursor ?? from.get(rail) ?? null),
    )
  }
  const isOver = lists.every(({ rail }) => next.get(rail) === END)
  return {
    calls,
    next: isOver ? null : next,
    lookedBackTo: isOver || calls.length === limit ? null : new Date(backToMs),
  }
}
