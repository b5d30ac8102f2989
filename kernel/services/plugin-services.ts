/** The services that plugins ask for by name (`Plugin.requires`); `host/plugin-services` makes them. */
import type { AccountManagement } from '../auth/account-management.ts'
import type { Authenticator } from '../auth/contract.ts'
import type { TokenService } from '../auth/token-service.ts'
import type { Config } from '../config/config.ts'
import type { OwnRequest } from '../http/incoming.ts'
import type { Ledger, LedgerRows } from '../ledger/contract.ts'
import type { Logger } from '../log/logger.ts'
import type { MeterCall, MeterOutcome } from '../metering/call.ts'
import type { Meter } from '../metering/meter.ts'
import type { AccountTerms, Quotes } from '../metering/quotes.ts'
import type { ReceiptSigners } from '../metering/receipts.ts'
import type { Route } from '../plugins/route.ts'
import type { DocumentTexts, Documents } from '../plugins/document-services.ts'
import type { KernelServices, QuoteBook } from '../plugins/services.ts'
import type { ProductRegistry } from '../products/registry.ts'
import type { AccountPages } from '../rails/credits/account-pages.ts'
import type { RailRegistry } from '../rails/registry.ts'
import type { Database } from '../storage/contract.ts'

/** The data for documents of the gateway. */
export interface PublicFacts {
  /** The gateway's own, read when somebody asks. */
  readonly routes: readonly Route[]
  readiness: Documents['readiness']
  /** The texts that a plugin makes; null before it is there. */
  texts(): DocumentTexts | null
}

/** `vault`, `outbound`, `statements` and `reports` are services as they are. */
export interface ServiceParts extends Pick<
  KernelServices,
  'outbound' | 'reports' | 'statements' | 'vault'
> {
  config: Config
  db: Database
  ledger: Ledger & LedgerRows
  management: AccountManagement
  /** Calls `listener` with the id of each key that can spend more than before; returns the end of it. */
  onFunded(listener: (keyId: string) => void): () => void
  auth: Authenticator
  tokens: TokenService
  /** Null: nobody is the operator. */
  adminToken: string | null
  metering: {
    meter: Meter
    quotes: Quotes
    rails: RailRegistry
    signers: ReceiptSigners
    accountTerms: AccountTerms
    /** The pages to which refusals link. */
    accountPages: AccountPages
  }
  /** Log line and metrics of a tool call that has ended. */
  observe(call: MeterCall, outcome: MeterOutcome, startedAt: number): void
  registry: ProductRegistry
  pricesSince: QuoteBook['pricesSince']
  shown: PublicFacts
  /** Serves a request of the gateway's own; waits until it can. */
  serveOwn(request: Request, from: OwnRequest): Promise<Response>
  log: Logger
}

/** All services of a plugin by its id; which of them it gets is decided by its `requires`. */
export type CreatePluginServices = (parts: ServiceParts) => (pluginId: string) => KernelServices
