/**
 * The composition root: combines the command line, the shipped plugins and the implementations of
 * the kernel's contracts (`Machinery`). The only file that imports all of these.
 */
import { runToEnd } from '../cli/run.ts'
import type { Machinery } from '../kernel/compose/machinery.ts'
import * as contract from '../kernel/index.ts'
import { openTokenService } from '../host/access-tokens/index.ts'
import { createAccountManagement } from '../host/account-management/index.ts'
import { openCreditNotifications, startEventDelivery } from '../host/account-events/index.ts'
import { databaseConnector } from '../host/database/index.ts'
import { createDocumentPool } from '../host/document-jobs/index.ts'
import { embeddedPostgres } from '../host/embedded-postgres/index.ts'
import { openGiveBackJournal } from '../host/give-back-journal/index.ts'
import { readLongJson } from '../host/json-slices/index.ts'
import { createOperatorChanges } from '../host/operator-changes/index.ts'
import { openOutbound } from '../host/outbound/index.ts'
import { loadPlugins, provideContract } from '../host/plugin-loading/index.ts'
import { priceHistory } from '../host/price-history/index.ts'
import { productReader } from '../host/product-files/index.ts'
import { productRevisions } from '../host/product-revisions/index.ts'
import { createPluginServices } from '../host/plugin-services/index.ts'
import { createRateLimiter } from '../host/rate-limits/index.ts'
import * as skillkit from '../plugins/shared/skillkit/index.ts'
import { reporting } from '../host/reporting/index.ts'
import { openStatus } from '../host/status/index.ts'
import { secrets } from '../host/secrets/index.ts'
import { callerAddress } from '../host/trusted-proxies/index.ts'
import { createLog, createMetrics, createTracer } from '../host/telemetry/index.ts'
import { SHIPPED_PLUGINS, SHIPPED_PRODUCTS } from '../plugins/shipped.ts'

const machinery: Machinery = {
  connector: databaseConnector,
  embedded: embeddedPostgres,
  createLog,
  createMetrics,
  createTracer,
  createOutbound: openOutbound,
  createDocumentPool,
  priceHistory,
  productReader,
  productRevisions,
  reporting,
  startEventDelivery,
  readLongJson,
  secrets,
  openStatus,
  callerAddress,
  createOperatorChanges,
  createAccountManagement,
  openCreditNotifications,
  createPluginServices,
  createRateLimiter,
  openTokenService,
  openGiveBackJournal,
}

provideContract(contract, skillkit)
void runToEnd(process.argv.slice(2), {
  env: process.env,
  machinery,
  shippedProducts: SHIPPED_PRODUCTS,
  loadPlugins: (from) => loadPlugins({ builtins: SHIPPED_PLUGINS, ...from }),
})
