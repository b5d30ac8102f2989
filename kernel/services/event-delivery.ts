/** Sends the events of accounts to the operator's webhook; `host/account-events` does it. */
import type { Metrics } from '../log/metrics.ts'
import type { Logger } from '../log/logger.ts'
import type { Outbound } from '../net/contract.ts'
import type { SqlClient } from '../storage/contract.ts'

/**
 * Starts it, on any number of instances; it also notes budgets that come near their end, and shows in
 * the metrics what waits and who runs low.
 */
export type StartEventDelivery = (
  deps: EventDeliveryDeps & { metrics: Pick<Metrics, 'gauge'> },
) => EventDelivery

export interface EventWebhook {
  url: string
  /** Standard Webhooks: `whsec_` and base64, or a text. */
  secret: string
}

export interface EventDeliveryDeps {
  sql: SqlClient
  outbound: Pick<Outbound, 'request'>
  /** Null: events are counted, logged and shown, and sent nowhere. */
  webhook: EventWebhook | null
  metrics: Pick<Metrics, 'event'>
  log: Logger
}

export interface EventDelivery {
  /** Ends it after the attempts under way. */
  stop(): Promise<void>
}
