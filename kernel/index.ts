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
export { PEG, type PriceRow, type PriceTable } from './pricing/table.ts'
export { atMostAtomic, estimateAtomic, unknownUnits } from './pricing/estimate.ts'
export { isMeasuredByHead } from './metering/measure.ts'
export { mostUnitsOf } from './metering/most-units.ts'
export { isCeiling } from './metering/quotes.ts'
export { DEFAULT_BODY_BYTES } from './http/route-adapter.ts'
export type { SetupFinding, Variable, VariableProblem, VariableValues } from './config/variable.ts'
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
export type { Migration, PluginDb, PluginTx } from './storage/contract.ts'
export type { Logger } from './log/logger.ts'
export type { Gauge } from './log/metrics.ts'
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
export {
  isProductId,
  PRODUCT_ID as PRODUCT_ID_PATTERN,
  type BudgetChanges,
} from './auth/budgets.ts'
export type { BudgetCaps } from './ledger/accounts-contract.ts'
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
export type { TransferResult } from './ledger/money-orders.ts'
export {
  eventToJson as accountEventToJson,
  type AccountEvent,
  type AccountEventRow,
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
export { generateCredential, isCredential } from './auth/key-format.ts'
export { FreshCache } from './auth/key-rows.ts'
export { addressBlock } from './net/address-block.ts'
export { isLoopbackHost } from './net/local-url.ts'
export type {
  CallOutcome,
  Caller,
  Catalog,
  CatalogSnapshot,
  MountedRoute,
  MountedSkill,
  ProductView,
  ToolCallOrder,
} from './plugins/catalog.ts'
export {
  PRODUCT_BYTES_MAX,
  type ProductSpec,
  type RouteSpec,
  type SkillSpec,
  type UpstreamSpec,
} from './products/spec.ts'
export { formatProblem as formatSpecProblem } from './products/problem.ts'
export type {
  Applied,
  ProductDesk,
  ProductProblem,
  ProductRow,
  ServedProduct,
  SpecProblem,
} from './plugins/product-desk.ts'
export type {
  Authorization,
  AuthorizeOutcome,
  CaptureOutcome,
  EarlyRailCall,
  InspectOutcome,
  PrecheckOutcome,
  Quote,
  Rail,
  RailCall,
  Receipt,
  ReceiptFacts,
  ReceiptSigner,
  SignCharge,
  SignedReceipt,
  AccountCharge,
  Usage,
  StoredAnswer,
} from './rails/contract.ts'
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
  CallPlace,
  CredentialSource,
  Identifier,
  Identity,
  KeyRecord,
} from './auth/contract.ts'
export type {
  DocumentPool,
  JobHandlers,
  JobModule,
  JobOptions,
  JobOutcome,
} from './jobs/contract.ts'
export type {
  CheckedTarget,
  Dialed,
  GuardedExchange,
  GuardedFetch,
  GuardedFetchInit,
  GuardedRefusal,
  GuardedRequest,
  GuardedRequestInit,
  GuardedResponse,
  Outbound,
  PinnedAddress,
} from './net/contract.ts'
export { neverPasses } from './net/foreign-answer.ts'
export { acquisitionOf, httpSource } from './http/incoming.ts'
export { withheldHeaders } from './net/reserved-headers.ts'
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
export { FairQueue } from './work/fair-queue.ts'
export { createBatcher, type Batcher } from './work/batcher.ts'
export { createWriteBatcher, untilReached } from './work/retry.ts'
export { unlessAborted, within } from './work/timeout.ts'
export { Breaker, type BreakerState, type Ticket } from './work/breaker.ts'
export { RESIDENT_POLL_MS } from './jobs/contract.ts'
export { inSlices, repeat, type Background } from './work/background.ts'
export { keyMissing } from './auth/unauthorized.ts'
export { compileSchema, isObject, parseJson } from './schema/json.ts'
export { canonicalJson, isBrief, jsonText } from './schema/json-pieces.ts'
export { REASONS as KERNEL_REASONS } from './reasons.ts'
export {
  assert,
  CallerEnded,
  codeOf,
  defineReasons,
  ERROR_TABLE,
  errorBody,
  errorResponse,
  fail,
  GatewayError,
  invalid,
  quotedReason,
  type ErrorBody,
  type ErrorCode,
  type Failure,
  type FailureDetails,
  type Issue,
  type Reason,
  type ReasonEntry,
  type Reasons,
} from './errors.ts'
export {
  ATOMIC_PER_CREDIT,
  ATOMIC_PER_USD,
  atomicToCredits,
  atomicToUsd,
  creditsToAtomic,
  formatUsd,
  least,
  leftOf,
  MAX_AMOUNT_ATOMIC,
  parseAtomic,
  usdToAtomic,
} from './money.ts'
export { purchaseRefusal } from './rails/credits/budget-refusals.ts'
export { isOnePlace, listedSkills } from './products/visibility.ts'
