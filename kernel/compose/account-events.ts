/** Events of accounts: their delivery, and the gauges of what waits and who runs low. */
import type { Config } from '../config/config.ts'
import type { GatewayLog } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import type { Outbound } from '../net/contract.ts'
import type { EventDelivery, StartEventDelivery } from '../services/event-delivery.ts'
import type { Database } from '../storage/contract.ts'

export interface AccountEventDeps {
  config: Pick<Config, 'eventsWebhookUrl' | 'eventsWebhookSecret'>
  start: StartEventDelivery
  db: Database
  outbound: Pick<Outbound, 'request'>
  metrics: Metrics
  log: GatewayLog
}

/** Starts the delivery to the webhook of the configuration, where there is one. */
export function startAccountEvents({
  config,
  start,
  db,
  outbound,
  metrics,
  log,
}: AccountEventDeps): EventDelivery {
  const count = async (read: Promise<{ count: number }[]>) => (await read)[0]!.count
  metrics.gauge('gateway_events_pending', 'Events that are not delivered yet', () =>
    count(db.sql`SELECT count(*)::int AS count FROM coinop.outbox WHERE done_at IS NULL`),
  )
  metrics.gauge('gateway_accounts_low', 'Open accounts below their low mark', () =>
    count(db.sql`
      SELECT count(*)::int AS count FROM coinop.account
      WHERE low_mark IS NOT NULL AND available + held < low_mark AND closed_at IS NULL`),
  )
  const { eventsWebhookUrl: url, eventsWebhookSecret: secret } = config
  const webhook = url !== null && secret !== null ? { url, secret } : null
  return start({ sql: db.sql, outbound, webhook, metrics, log })
}
