/** The public contract of the kernel: everything that plugins and rails import from it. */
export {
  definePlugin,
  KERNEL_CONTRACT_VERSION,
  type GatewayEnv,
  type GatewayPart,
  type Health,
  type Instance,
  type Plugin,
  type PluginEnv,
} from './plugins/contract.ts'
export type { Route, RouteRequest } from './plugins/route.ts'
export {
  OPERATOR_ROLES,
  OWNER,
  type OperatorDirectory,
  type OperatorIdentity,
  type OperatorRole,
} from './auth/operators.ts'
export type {
  ChangeObserver,
  EndedRequest,
  OperatorChange,
  RequestObserver,
} from './plugins/observers.ts'
export {
  defineSkill,
  PURE,
  type Annotations,
  type AnswerSource,
  type Billed,
  type CallerView,
  type ForwardRequest,
  type ForwardSuccess,
  type HttpParts,
  type Result,
  type SaidUnits,
  type Skill,
  type SkillContext,
  type SkillEnv,
  type SkillIdentity,
  type SkillTool,
  type Success,
} from './plugins/skill.ts'
export {
  isMeasured,
  type MeasureSource,
  type PriceRule,
  type Tier,
  type UnitPrice,
} from './pricing/rule.ts'
export type { OwnLimits, Terms } from './pricing/terms.ts'
export { pricePhrase } from './pricing/phrase.ts'
export {
  amountView,
  type AmountView,
  costsOneSum,
  flatPriceView,
  isFlat as isFlatPrice,
  leastAtomic,
  priceView,
  priceWithExample,
  type PriceView,
} from './pricing/view.ts'
export type { TierView, UnitView } from './pricing/view.ts'
export type { PastPrice } from './pricing/registry.ts'
export { PEG, type PriceRow, type PriceTable } from './pricing/table.ts'
export { atMostAtomic, estimateAtomic, type UnitCounts, unknownUnits } from './pricing/estimate.ts'
export { isMeasuredByHead } from './metering/measure.ts'
export { mostUnitsOf } from './metering/most-units.ts'
export { isCeiling } from './metering/quotes.ts'
export { DEFAULT_BODY_BYTES } from './http/route-adapter.ts'
export type { Parsed as ParsedVariable, SetupFinding, Variable } from './config/variable.ts'
export type { VariableProblem, VariableValues } from './config/variable.ts'
export type { ConfigLine } from './config/config.ts'
export {
  duration,
  flag,
  integer,
  isHttpUrl,
  list,
  oneOf,
  optional,
  optionalUrl,
  text,
} from './config/fields.ts'
export {
  EXIT,
  type CommandLine,
  type PluginCommand,
  type PluginCommandContext,
  type SandboxGateway,
} from './plugins/command.ts'
export type { Migration, PluginDb, PluginTx, SqlTransaction } from './storage/contract.ts'
export type { Logger } from './log/logger.ts'
export type { Gauge, GaugeReading } from './log/metrics.ts'
export {
  INPUT_REQUIRED,
  inputRequired,
  type ClientView,
  type ContentBlock,
  type InputRequest,
  type LogLevel,
  type ProgressReport,
  type Prompt,
  type PromptArgument,
  type PromptMessage,
  type Resource,
  type ResourceContents,
} from './plugins/mcp-contract.ts'
export type {
  AccountKey,
  AccountKeyChanges,
  AccountKeys,
  AccountMove,
  Accounts,
  SpendLimits,
  StatementCall,
  Statements,
} from './plugins/account-services.ts'
export type { Alert, Alerts } from './plugins/alerts.ts'
export type {
  DocumentedRail,
  Documents,
  DocumentTexts,
  OperatorFacts,
  PublicReadiness,
} from './plugins/document-services.ts'
export type {
  Billing,
  Funds,
  OpenHold,
  Settlement,
  Settlements,
  OneOffSale,
  OneOffSales,
} from './plugins/money-services.ts'
export type {
  KernelServices,
  KeyDirectory,
  Offered,
  Operator,
  QuoteBook,
  Reports,
  RevenueRow,
  ServiceName,
  Signals,
} from './plugins/services.ts'
/** Names before contract 1.2. */
export type { OneOffSale as TillOrder, OneOffSales as Till } from './plugins/money-services.ts'
export type { Administration, Books, LedgerDesk } from './plugins/administration.ts'
export { isAccountId, isKeyName, type AccountRecord } from './auth/account-management.ts'
export type { AccountDirectory, CreatedKey, GrantOrder } from './auth/account-management.ts'
export type { KeyOrder, Keys, PageOrder } from './auth/account-management.ts'
export {
  isProductId,
  PRODUCT_ID as PRODUCT_ID_PATTERN,
  type BudgetChanges,
} from './auth/budgets.ts'
export type { BudgetCaps } from './ledger/accounts-contract.ts'
export type { AuthorizeOrder, AuthorizeResult, CaptureOrder, EntryKind } from './ledger/contract.ts'
export type { Graduated, HoldState, Ledger, RefundOrder, RefundResult } from './ledger/contract.ts'
export type { SpendLimit } from './ledger/contract.ts'
export {
  GOODS_PREFIX,
  type Balance,
  type EndOrder,
  type FreeQuota as FreeCalls,
  type Hold,
  type KeySpend,
  type LedgerRow,
  type RowFilter,
  type Spender,
  type TransitionResult,
  type VerifyReport,
} from './ledger/contract.ts'
export type { ChargeOrder, ChargeResult, CreditOrder, CreditResult } from './ledger/money-orders.ts'
export type { TakeOrder, TakeResult } from './ledger/money-orders.ts'
export type { TransferOrder, TransferResult } from './ledger/money-orders.ts'
export {
  eventToJson as accountEventToJson,
  type AccountEvent,
  type AccountEventRow,
  type EventPage,
  type EventState,
} from './ledger/events.ts'
export {
  isEntryKind,
  isLedgerId,
  refundReference,
  rowToJson as ledgerRowToJson,
  type LedgerRowJson,
} from './ledger/rows.ts'
export {
  hasExpired,
  isFrom,
  keyTermIssues,
  METADATA_MAX,
  METADATA_NAME,
  METADATA_TEXT_MAX,
  momentIn,
  NETWORKS_MAX,
  SKILLS_MAX,
  type KeyMetadata,
  type KeyTerms,
} from './auth/key-terms.ts'
export type { Vault } from './auth/secrets.ts'
export { generateCredential, isCredential, type KeyMode } from './auth/key-format.ts'
export { FreshCache } from './auth/key-rows.ts'
export { addressBlock } from './net/address-block.ts'
export { isLoopbackHost } from './net/local-url.ts'
export type { CallOutcome, Caller, Catalog, CatalogSnapshot } from './plugins/catalog.ts'
export type { MountedRoute, MountedSkill, ProductView, ToolCallOrder } from './plugins/catalog.ts'
export {
  type AnnotationName,
  PRODUCT_BYTES_MAX,
  type ProductSpec,
  type RouteSpec,
  type SkillSpec,
  type UpstreamSpec,
} from './products/spec.ts'
export { formatProblem as formatSpecProblem } from './products/problem.ts'
export type { Applied, Conditions as ProductConditions } from './plugins/product-desk.ts'
export type { InvalidSpec, ProductDesk, ProductProblem } from './plugins/product-desk.ts'
export type { ProductRow, RevisionRow, ServedProduct, SpecProblem } from './plugins/product-desk.ts'
export type { Stale as StaleProduct, StoredProducts } from './plugins/product-desk.ts'
export type { UnknownProduct } from './plugins/product-desk.ts'
export type { Authorization, AuthorizeOutcome, CaptureOutcome } from './rails/contract.ts'
export type { EarlyRailCall, InspectOutcome, PrecheckOutcome, Quote } from './rails/contract.ts'
export type { Rail, RailCall, Receipt, ReceiptFacts, ReceiptSigner } from './rails/contract.ts'
export type { RefusedCredential, SignCharge, SignedReceipt } from './rails/contract.ts'
export type { AccountCharge, Usage, StoredAnswer } from './rails/contract.ts'
export type {
  McpUnpaidForm,
  FreshOffer,
  Offer,
  RailDocuments,
  RailAnswerHeader,
  RailHeader,
} from './rails/offer-contract.ts'
export {
  CALL_OUTCOMES,
  type CallOutcomeName,
  type RailCallFilter,
  type RailCallRow,
  type RailCalls,
  type RailCallSlice,
} from './rails/calls-contract.ts'
export type {
  CallLimits,
  CallPlace,
  CredentialSource,
  Identifier,
  Identity,
  KeyLimits,
  KeyRecord,
} from './auth/contract.ts'
export type {
  DocumentPool,
  JobHandlers,
  JobModule,
  JobOptions,
  JobOutcome,
} from './jobs/contract.ts'
export type { CheckedTarget, Dialed, GuardedExchange, GuardedFetch } from './net/contract.ts'
export type { GuardedFetchInit, GuardedRefusal, GuardedRequest } from './net/contract.ts'
export type { GuardedRequestInit, GuardedResponse, Outbound } from './net/contract.ts'
export type { PinnedAddress } from './net/contract.ts'
export { neverPasses } from './net/foreign-answer.ts'
export { acquisitionOf, httpSource } from './http/incoming.ts'
export { ROUTE_SEGMENT_PATTERN } from './products/path.ts'
export { HEADER_NAME_PATTERN, withheldHeaders } from './net/reserved-headers.ts'
export { RETRY_AFTER_MAX_MS, retryAfterMs } from './net/retry-after.ts'
export {
  decodeBase64,
  signatureHeaders,
  signingKey,
  signingSecretProblem,
} from './net/webhook-signature.ts'
export {
  amountOf,
  isKnown,
  keyIdSchema,
  notFound,
  nullable,
  privateJson,
  queryInteger,
  readInput,
  stateConflict,
  type Parsed,
} from './http/json.ts'
export {
  firstIdAt,
  IDEMPOTENCY_KEY_FORM,
  isIdempotencyKey,
  isUuid,
  newId,
  timeOfId,
} from './ids.ts'
export { type Entered, type FairLimits, FairQueue } from './work/fair-queue.ts'
export { createBatcher, type Batcher, type BatcherOptions } from './work/batcher.ts'
export { createWriteBatcher, untilReached, type WriteBatcherOptions } from './work/retry.ts'
export { unlessAborted, within } from './work/timeout.ts'
export { type Admission, Breaker, type BreakerOptions, type BreakerState } from './work/breaker.ts'
export type { Ticket } from './work/breaker.ts'
export { RESIDENT_POLL_MS } from './jobs/contract.ts'
export { inSlices, repeat, type Background, type RepeatOptions } from './work/background.ts'
export { keyMissing } from './auth/unauthorized.ts'
export { compileSchema, isObject, parseJson } from './schema/json.ts'
export type { CompiledSchema, ParsedJson } from './schema/json.ts'
export { canonicalJson, isBrief, jsonText } from './schema/json-pieces.ts'
export { REASONS as KERNEL_REASONS } from './reasons.ts'
export { assert, CallerEnded, codeOf, defineReasons, ERROR_TABLE, errorBody } from './errors.ts'
export { errorResponse, fail, GatewayError, invalid, quotedReason } from './errors.ts'
export type { ErrorBody, ErrorCode, Failure, FailureDetails, Issue } from './errors.ts'
export type { ProblemObject, Reason, ReasonEntry, Reasons } from './errors.ts'
export type { Amount, AmountProblem } from './money.ts'
export { ATOMIC_PER_CREDIT, ATOMIC_PER_USD, formatUsd, MAX_AMOUNT_ATOMIC } from './money.ts'
export { atomicToCredits, atomicToUsd, creditsToAtomic, parseAtomic, usdToAtomic } from './money.ts'
export { least, leftOf } from './money.ts'
export type { AccountPage } from './rails/credits/account-pages.ts'
export { purchaseRefusal } from './rails/credits/budget-refusals.ts'
export { isOnePlace, listedSkills } from './products/visibility.ts'
