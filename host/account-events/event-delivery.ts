/**
 * The background side of events: notes budgets that come near their end, and sends what the outbox
 * holds to the operator's webhook. Any number of instances may run it; each event is sent at least
 * once, and its id tells a repetition.
 */
import { repeat } from '#kernel'
import type { EventDeliveryDeps, StartEventDelivery } from '#kernel/host'
import { noteBudgetsNear } from './budget-watch.ts'
import { sendEvent } from './event-sender.ts'
import {
  claimEvents,
  endEvent,
  pullBackEvents,
  purgeEvents,
  retryEvent,
  type ClaimedEvent,
} from './outbox-claims.ts'

const ROUND_EVERY_MS = 5000
/** It reads the counters of every key that has a budget. */
const WATCH_EVERY_MS = 10_000
const PURGE_EVERY_MS = 3_600_000
const AT_ONCE = 8
/** Longer than an attempt can last. */
const LEASE_MS = 30_000
/** The pause after each failed attempt; the last one repeats. */
const SCHEDULE_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000]
/** Longer than any pause. */
const PUT_OFF_MS = 2 * SCHEDULE_MS.at(-1)!
const GIVEN_UP_AFTER_MS = 7 * 86_400_000
const KEPT_DAYS = 70
/** An event that was tried has an instance with a webhook, which sends it or gives it up. */
const LEFT_TO_OTHERS = { untriedMs: 600_000, triedMs: GIVEN_UP_AFTER_MS }

/** Starts it, on any number of instances. */
export const startEventDelivery: StartEventDelivery = (deps) => {
  const { sql, metrics, log } = deps
  metrics.gauge('gateway_events_pending', 'Events that are not delivered yet', () =>
    countPending(deps),
  )
  metrics.gauge('gateway_accounts_low', 'Open accounts below their low mark', async () => {
    const [row] = await sql<[{ count: number }]>`
      SELECT count(*)::int AS count FROM coinop.account
      WHERE low_mark IS NOT NULL AND available + held < low_mark AND closed_at IS NULL`
    return row.count
  })
  const rounds = repeat({ name: 'account events', everyMs: ROUND_EVERY_MS, log }, (signal) =>
    deliverDue(deps, signal),
  )
  const watch = repeat({ name: 'budget watch', everyMs: WATCH_EVERY_MS, log }, async () => {
    if ((await noteBudgetsNear(sql)) > 0) rounds.wake()
  })
  const purge = repeat({ name: 'event purge', everyMs: PURGE_EVERY_MS, log }, (stopping) =>
    purgeEvents(sql, KEPT_DAYS, stopping),
  )
  return {
    stop: async () => {
      await Promise.all([rounds.stop(), watch.stop(), purge.stop()])
    },
  }
}

/**
 * Events that wait for a webhook. Without one of its own an instance counts those that were tried: the
 * others may have no webhook anywhere, and are `unsent` when nobody took them.
 */
export async function countPending({
  sql,
  webhook,
}: Pick<EventDeliveryDeps, 'sql' | 'webhook'>): Promise<number> {
  const triedAtLeast = webhook === null ? 1 : 0
  const [row] = await sql<[{ count: number }]>`
    SELECT count(*)::int AS count FROM coinop.outbox
    WHERE done_at IS NULL AND attempts >= ${triedAtLeast}`
  return row.count
}

/** Sends everything that is due now, a few at a time. */
export async function deliverDue(deps: EventDeliveryDeps, signal: AbortSignal): Promise<void> {
  await pullBackEvents(deps.sql, PUT_OFF_MS)
  for (;;) {
    if (signal.aborted) return
    const claimed = await claimDue(deps)
    await Promise.all(claimed.map((event) => deliver(deps, event, signal)))
    if (claimed.length < AT_ONCE) return
  }
}

function claimDue({ sql, webhook }: EventDeliveryDeps): Promise<ClaimedEvent[]> {
  return claimEvents(sql, AT_ONCE, LEASE_MS, webhook === null ? LEFT_TO_OTHERS : null)
}

async function deliver(
  { sql, outbound, webhook, metrics, log }: EventDeliveryDeps,
  event: ClaimedEvent,
  signal: AbortSignal,
): Promise<void> {
  const { id, type, accountId, attempts } = event
  const facts = { event: id, type, accountId, attempts }
  if (webhook === null) {
    log.info({ ...facts, body: event.body }, 'event; no webhook is configured')
    metrics.event(type, 'unsent')
    return endEvent(sql, event, 'unsent')
  }
  const undelivered = await sendEvent(outbound, webhook, event, signal)
  if (undelivered === null) {
    log.info(facts, 'event delivered')
    metrics.event(type, 'delivered')
    return endEvent(sql, event, 'delivered')
  }
  const { error, retryAfterMs } = undelivered
  // Cut off by the end of this gateway, not refused: whoever looks next sends it.
  if (signal.aborted) return retryEvent(sql, event, 0, error)
  if (event.ageMs > GIVEN_UP_AFTER_MS) {
    log.error({ ...facts, error }, 'event given up')
    metrics.event(type, 'given_up')
    return endEvent(sql, event, 'given_up', error)
  }
  log.warn({ ...facts, error }, 'event not delivered')
  metrics.event(type, 'failed')
  return retryEvent(sql, event, Math.max(delayMs(attempts), retryAfterMs ?? 0), error)
}

/** The pause before the attempt after `made` ones, half of it more or less. */
function delayMs(made: number): number {
  const step = SCHEDULE_MS[Math.min(made, SCHEDULE_MS.length) - 1]!
  return Math.round(step * (0.5 + Math.random()))
}
