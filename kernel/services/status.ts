/** The contract of /health, /ready and /metrics; implemented by `host/status`. */
import type { Operators } from '../auth/operators.ts'
import type { RunningPool } from '../jobs/contract.ts'
import type { Logger } from '../log/logger.ts'
import type { Gauge, Metrics } from '../log/metrics.ts'
import type { Meter } from '../metering/meter.ts'
import type { Receipts } from '../metering/receipts.ts'
import type { Route } from '../plugins/route.ts'
import type { PublicReadiness } from '../plugins/document-services.ts'
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
  /** METRICS_TOKEN: its holder sees everything, like an operator. */
  metricsToken: readonly string[]
  /** All of the gateway's own, read when somebody asks. */
  routes: readonly Route[]
  stopping(): boolean
  log: Logger
}

export interface Status {
  readonly routes: readonly Route[]
  /** The public part of /ready; requests within the same half second share the checks. */
  readiness(): Promise<PublicReadiness>
  /** Shows the gauges of parts of the gateway in /metrics; one whose name is taken is left out. */
  showGauges(gauges: readonly Gauge[]): void
  /** Stops following the mounted products. */
  close(): void
}

/** /metrics has the gateway's own gauges, those of mounted plugins, and no series of what is gone. */
export type OpenStatus = (parts: StatusParts) => Status
