/** Forward states, and the delivery status that follows from them (never stored). */

export type ForwardState =
  | 'pending'
  | 'in_flight'
  | 'succeeded'
  | 'retrying'
  | 'dead'
  | 'cancelled'
  | 'blocked_destination'
  | 'awaiting_funds'

export const DELIVERY_STATUSES = ['accepted', 'retrying', 'forwarded', 'partial', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

const WAITING: ReadonlySet<ForwardState> = new Set(['pending', 'in_flight', 'awaiting_funds'])

/** States in which a forward of this cycle may still be sent. */
export const LIVE_STATES = ['pending', 'in_flight', 'retrying', 'awaiting_funds'] as const

/**
 * The status of a delivery from the states of its forwards (the newest cycle of each destination):
 * `retrying` while any is retried, `accepted` while any waits for its turn or there is none, then
 * `forwarded` when all succeeded, `failed` when none did, `partial` otherwise.
 */
export function deliveryStatus(states: readonly ForwardState[]): DeliveryStatus {
  if (states.includes('retrying')) return 'retrying'
  if (states.length === 0 || states.some((state) => WAITING.has(state))) return 'accepted'
  const succeeded = states.filter((state) => state === 'succeeded').length
  if (succeeded === states.length) return 'forwarded'
  return succeeded === 0 ? 'failed' : 'partial'
}

/** The same as `deliveryStatus` in SQL, over the forwards `of` (a table with a column state). */
export const statusSql = (of: string): string => `(SELECT CASE
  WHEN bool_or(s.state = 'retrying') THEN 'retrying'
  WHEN count(*) = 0 OR bool_or(s.state IN ('pending', 'in_flight', 'awaiting_funds')) THEN 'accepted'
  WHEN bool_and(s.state = 'succeeded') THEN 'forwarded'
  WHEN bool_or(s.state = 'succeeded') THEN 'partial'
  ELSE 'failed' END
  FROM ${of} AS s)`
