/** The kernel's own readiness checks and gauges. */
import type { Meter } from '../metering/meter.ts'
import type { Receipts } from '../metering/receipts.ts'
import type { Metrics } from '../log/metrics.ts'
import type { RunningPool } from '../jobs/contract.ts'
import type { Health } from '../plugins/contract.ts'
import type { ProductRegistry } from '../products/registry.ts'
import type { Database } from '../storage/contract.ts'
import { pendingMigrations } from '../storage/migrate.ts'

/** Database and migrations; the rest comes from rails, registry and plugins. */
export function databaseChecks(db: Database): Health[] {
  return [
    {
      name: 'database',
      critical: true,
      timeoutMs: 2000,
      probe: async () => {
        await db.sql`SELECT 1`
        return { state: 'ok', detail: db.kind }
      },
    },
    {
      name: 'migrations',
      critical: true,
      timeoutMs: 2000,
      probe: async () => {
        const pending = await pendingMigrations(db.sql)
        return pending.length === 0
          ? { state: 'ok' }
          : { state: 'down', detail: `missing: ${pending.join(', ')}` }
      },
    },
  ]
}

export interface GaugeDeps {
  metrics: Metrics
  db: Database
  meter: Meter
  receipts: Pick<Receipts, 'missing'>
  registry: ProductRegistry
  jobs: RunningPool
}

/** Gauges that are read when /metrics is asked for. */
export function registerGauges(deps: GaugeDeps): void {
  const { metrics, db, meter, receipts, registry, jobs } = deps
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
