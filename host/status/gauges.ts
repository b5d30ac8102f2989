/** The gateway's own gauges. */
import type { StatusParts } from '#kernel/host'
import type { CheckReport, ReadyReport } from './readiness.ts'

const CHECK_STATES: Readonly<Record<CheckReport['state'], number>> = { ok: 0, degraded: 1, down: 2 }

/** Gauges that are read when /metrics is asked for. */
export function registerGauges(
  {
    metrics,
    db,
    meter,
    receipts,
    registry,
    jobs,
  }: Pick<StatusParts, 'metrics' | 'db' | 'meter' | 'receipts' | 'registry' | 'jobs'>,
  readiness: () => Promise<ReadyReport>,
): void {
  metrics.labelled(
    {
      name: 'gateway_check_state',
      help: 'Checks of /ready: 0 ok, 1 degraded, 2 down',
      label: 'check',
    },
    async () => {
      const checks = Object.entries((await readiness()).checks)
      return new Map(checks.map(([name, { state }]) => [name, CHECK_STATES[state]]))
    },
  )
  metrics.gauge('gateway_calls_running', 'Skills running now', () => meter.running())
  metrics.gauge('gateway_holds_open', 'Holds authorized and not ended', async () => {
    const rows = await db.sql<
      { open: number }[]
    >`SELECT count(*)::int AS open FROM coinop.hold WHERE state = 'authorized'`
    return rows[0]!.open
  })
  metrics.labelled(
    {
      name: 'gateway_receipts_missing_total',
      help: 'Charged answers that went out without the signed receipt that was due',
      label: 'rail',
      kind: 'counter',
    },
    () => receipts.missing,
  )
  metrics.gauge(
    'gateway_products_mounted',
    'Products serving',
    () => registry.current().products.size,
  )
  metrics.gauge(
    'gateway_product_problems',
    'Specs or plugins that could not be loaded',
    () => registry.problems().length,
  )
  metrics.gauge(
    'gateway_jobs_queued',
    'Jobs waiting for a child process',
    () => jobs.stats().queued,
  )
}
