/** The implementations of the kernel's contracts, in the folders of `host/`; set by `bin/main.ts`. */
import type { CreateAccountManagement } from '../auth/account-management.ts'
import type { CreateRateLimiter } from '../auth/contract.ts'
import type { SecretStore } from '../auth/secrets.ts'
import type { OpenTokenService } from '../auth/token-service.ts'
import type { CreateOperatorChanges } from '../http/operator-changes.ts'
import type { PoolOptions, RunningPool } from '../jobs/contract.ts'
import type { GatewayLog, LogOptions } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import type { CreateTracer } from '../log/trace.ts'
import type { OpenGiveBackJournal } from '../metering/give-back-contract.ts'
import type { Outbound, OutboundOptions } from '../net/contract.ts'
import type { CallerAddressOf } from '../net/trusted-proxies.ts'
import type { PriceHistory } from '../pricing/registry.ts'
import type { ProductReader } from '../products/reader.ts'
import type { ProductRevisions } from '../products/revisions.ts'
import type { ReadLongJson } from '../schema/json.ts'
import type { OpenCreditNotifications } from '../services/credit-notifications.ts'
import type { CreatePluginServices } from '../services/plugin-services.ts'
import type { StartEventDelivery } from '../services/event-delivery.ts'
import type { Reporting } from '../services/reporting.ts'
import type { OpenStatus } from '../services/status.ts'
import type { DatabaseConnector, EmbeddedPostgres } from '../storage/contract.ts'

export interface Machinery {
  createLog(options: LogOptions): GatewayLog
  createMetrics(): Metrics
  readonly createTracer: CreateTracer
  readonly connector: DatabaseConnector
  /** The database server if the configuration names none. */
  readonly embedded: EmbeddedPostgres
  /** The guarded outbound network; it opens no connection by itself. */
  createOutbound(options: OutboundOptions): Outbound
  createDocumentPool(options: PoolOptions): RunningPool
  readonly priceHistory: PriceHistory
  readonly productReader: ProductReader
  readonly productRevisions: ProductRevisions
  readonly reporting: Reporting
  readonly createOperatorChanges: CreateOperatorChanges
  readonly callerAddress: CallerAddressOf
  readonly openStatus: OpenStatus
  readonly startEventDelivery: StartEventDelivery
  readonly readLongJson: ReadLongJson
  readonly secrets: SecretStore
  readonly createAccountManagement: CreateAccountManagement
  readonly openCreditNotifications: OpenCreditNotifications
  readonly createRateLimiter: CreateRateLimiter
  readonly openTokenService: OpenTokenService
  readonly createPluginServices: CreatePluginServices
  readonly openGiveBackJournal: OpenGiveBackJournal
}
