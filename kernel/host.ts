/**
 * What the folders of `host/` import from the kernel in addition to `index.ts`, as `#kernel/host`:
 * the contracts that they implement for `Machinery`, and shared helpers of the kernel. The
 * published package has no such entry, and plugins may not import it.
 */
export type { Environment } from './config/variable.ts'
export { compareClocks, databaseClock, type ReadClock } from './storage/clock.ts'
export type {
  Backup,
  ClientSettings,
  EmbeddedOptions,
  EmbeddedPostgres,
  OpenedServer,
  ConnectOptions,
  Database,
  DatabaseConnector,
  SqlClient,
  SqlTransaction,
} from './storage/contract.ts'
export { StorageError } from './storage/errors.ts'
// Also in index.ts, which takes four times as long to load; child processes need a fast start.
export { assert, codeOf } from './errors.ts'
export { isAlive } from './work/process.ts'
export {
  KEYS_CHANNEL,
  type AccountDirectory,
  type CreateAccountManagement,
  type GrantOrder,
  type KeyOrder,
  type Keys,
  type Owners,
} from './auth/account-management.ts'
export type {
  Authenticator,
  CallLimits,
  KeyLimits,
  RateDecision,
  SharedRateLimiter,
} from './auth/contract.ts'
export { Gcra } from './auth/gcra.ts'
export type {
  GiveBackJournal,
  GiveBackOrder,
  KeptOrder,
  OpenGiveBackJournal,
} from './metering/give-back-contract.ts'
export { endWithin } from './work/timeout.ts'
export type { LoadedPlugin, LoadedPlugins, PluginProblem } from './plugins/loaded.ts'
export type { OpenTokenService, TokenService } from './auth/token-service.ts'
export { VaultError, type AdminToken, type SecretStore } from './auth/secrets.ts'
export { generate, hashSecret, randomBase62, type KeyMode } from './auth/key-format.ts'
export { transactionOf } from './storage/plugin-db.ts'
export { adminHostOf, isAtOperators } from './http/admin-origin.ts'
export { homesOf } from './products/homes.ts'
export type { CreatePluginServices, ServiceParts } from './services/plugin-services.ts'
export type { CallFacts, GatewayLog, LogOptions } from './log/log.ts'
export type { Gauge, Metrics, ShownMetrics } from './log/metrics.ts'
export type { CreateTracer, SpanFacts } from './log/trace.ts'
export type {
  EventDeliveryDeps,
  EventWebhook,
  StartEventDelivery,
} from './services/event-delivery.ts'
export { blockListOf, dottedQuad, ipv6Groups, parseRange } from './net/address.ts'
export { plainAddress } from './net/address-block.ts'
export { PROXY_WORDS, type CallerAddressOf } from './net/trusted-proxies.ts'
export { bareHost, parseEndpoint } from './net/allow-list.ts'
export { isWithin } from './products/path.ts'
export { placeless as placelessProblem } from './products/problem.ts'
export type {
  BrokenProduct,
  FileDocument,
  FolderOptions,
  MountFailure,
  ParsedProduct,
  ParseOptions,
  ProductFolder,
  ProductReader,
  ReportProblem,
  Scan,
  SpecPath,
} from './products/reader.ts'
export type {
  OpenRevisions,
  ProductChanging,
  ProductRevisions,
  RevisionDeps,
} from './products/revisions.ts'
export type {
  Applied,
  Conditions,
  InvalidSpec,
  ProductRow,
  RevisionRow,
  Stale,
  StoredProducts,
  UnknownProduct,
} from './plugins/product-desk.ts'
export { isMisspelt } from './config/misspelt.ts'
export { whyClosed as whyClosedToProducts } from './config/product-env.ts'
export type { PastPrice, PriceHistory, PriceRegistry } from './pricing/registry.ts'
export type { PriceList } from './pricing/table.ts'
export { mostExpensive, flatPrice } from './pricing/rule.ts'
export { parseDurationMs, parseQuantity } from './units.ts'
export { escapePointer, pointerTokens } from './schema/issues.ts'
export { nextTurn, runSliced, type Sliced } from './schema/slices.ts'
export {
  FINITE_DIGITS,
  jsonRefusal,
  MAX_JSON_DEPTH,
  MAX_NAME_CHARACTERS,
  overflowIn,
  type JsonFault,
  type ParsedJson,
  type ReadLongJson,
} from './schema/json.ts'
export { SCHEMA_TYPES, schemaParts, type SchemaPart } from './schema/parts.ts'
export type { Invariant, ReportDeps, Reporting, StatementDeps } from './services/reporting.ts'
export { FREE_USE_KEPT_SINCE } from './ledger/free-use.ts'
export { NO_ACCOUNT } from './ledger/sql/money.ts'
export { NEW_ID } from './ledger/sql/fragments.ts'
export type { Accounts as LedgerAccounts } from './ledger/accounts-contract.ts'
export type { CreditNotifications } from './services/credit-notifications.ts'
export {
  ENTRY_KINDS,
  WHOLE_KEY,
  type Ledger,
  type LedgerRows,
  type VerifyReport,
} from './ledger/contract.ts'
export { isIndexable } from './ledger/holds.ts'
export { SPEND } from './ledger/sql/read.ts'
export { ID_SLOT, LOWEST_ID } from './ledger/id-bounds.ts'
export type { AccountPages } from './rails/credits/account-pages.ts'
export { refusalOf as creditsRefusal } from './rails/credits/refusals.ts'
export type { MeterCall, MeterOutcome, ReadOutcome } from './metering/call.ts'
export { badInput } from './metering/failures.ts'
export type { Meter } from './metering/meter.ts'
export type { FreshPart } from './rails/fresh.ts'
export { Quotes } from './metering/quotes.ts'
export type { OpenStatus, StatusParts } from './services/status.ts'
export { bearerOf, secretTester } from './auth/tokens.ts'
export { pendingMigrations } from './storage/migrate.ts'
export { formatProductProblem, type ProductRegistry } from './products/registry.ts'
export type { MountedProduct } from './products/mounted-product.ts'
export { documentedRoutes } from './products/snapshot.ts'
export type { CreateOperatorChanges, OperatorChanges } from './http/operator-changes.ts'
export type { OwnRequest, RouteCall } from './http/incoming.ts'
export { VERSION } from './version.ts'
export { answerOf } from './http/http-call.ts'
export { placeOf } from './http/incoming.ts'
export type { EventPage } from './ledger/events.ts'
export { CREDITS_RAIL_ID, RAIL_ID } from './rails/registry.ts'
export type { PoolOptions, RunningPool } from './jobs/contract.ts'
export type { OutboundOptions } from './net/contract.ts'
export { requestIdFrom } from './ids.ts'
export { fingerprintOf } from './schema/json-pieces.ts'
