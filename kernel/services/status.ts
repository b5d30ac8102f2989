/** What the gateway tells of its own state at /health, /ready and /metrics; `host/status` tells it. */
import type { Operators } from '../auth/operators.ts'
import type { RunningPool } from '../jobs/contract.ts'
import type { Logger } from '../log/logger.ts'
import type { Metrics } from '../log/metrics.ts'
import type { Meter } from '../metering/meter.ts'
import type { Receipts } from '../metering/receipts.ts'
import type { Route } from '../plugins/route.ts'
import type { PublicReadiness } from '../plugins/services.ts'
import type { ProductRegistry } from '../products/registry.ts'
import type { Database } from '../storage/contract.ts'

export interface StatusParts {
  startedAt: Date
  db: Database
  jobs: RunningPool
  metrics: Metrics
  meter: Pick<Meter, 'running'>
  receipts: Pick<Receipts, 'missing'>
  registry: ProductRegistry
  operators: Operators
  /** METRICS_TOKEN: whoever brings it sees all, as an operator does. */
  metricsToken: string | null
  /** All of the gateway's own, read when somebody asks. */
  routes: readonly Route[]
  stopping(): boolean
  log: Logger
}

export interface Status {
  readonly routes: readonly Route[]
  /** What everybody may see of /ready; those who ask in the same half second share the checks. */
  readiness(): Promise<PublicReadiness>
  /** Ends following the products that are mounted. */
  close(): void
}

/** /metrics has the gateway's own gauges, those of mounted plugins, and no series of what is gone. */
export type OpenStatus = (parts: StatusParts) => Status
