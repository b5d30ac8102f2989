/** The kernel services that plugins may ask for, each made from the parts of this gateway. */
import type { TokenService } from '../auth/token-service.ts'
import { productOfSkill } from '../ledger/contract.ts'
import type { AccountPages } from '../rails/credits/account-pages.ts'
import type { Authenticator, CredentialSource } from '../auth/contract.ts'
import type { Incoming } from '../http/incoming.ts'
import type { Config, ConfigLine } from '../config/config.ts'
import { observeCall } from '../metering/observe-call.ts'
import { ToolCaller } from '../metering/caller.ts'
import type { RequestObservers } from '../metering/observe-call.ts'
import type { Meter } from '../metering/meter.ts'
import type { AccountTerms, Quotes } from '../metering/quotes.ts'
import type { Outbound } from '../net/contract.ts'
import type { GatewayLog } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import type { Tracer } from '../log/trace.ts'
import type { Documents, KernelServices, Offered } from '../plugins/services.ts'
import type { ProductRegistry } from '../products/registry.ts'
import type { CreateAccountServices } from '../services/account-services.ts'
import { createAdministration } from '../services/administration.ts'
import { createAlerts } from '../services/alerts.ts'
import type { Quote } from '../rails/contract.ts'
import type { RailRegistry } from '../rails/registry.ts'
import { createOperator } from '../services/operator.ts'
import type { Reporting } from '../services/reporting.ts'
import { createSignals } from '../services/signals.ts'
import type { PriceHistory } from '../pricing/registry.ts'
import type { MountedSkill } from '../plugins/catalog.ts'
import type { SkillTool } from '../plugins/skill.ts'
import { createOneOffSales } from '../services/one-off-sale.ts'
import { VERSION } from '../version.ts'
import type { Foundation } from './foundation.ts'
import { visibleTo, type Asked } from './gateway-routes.ts'

export interface PluginServiceDeps {
  config: Config
  configLines: readonly ConfigLine[]
  startedAt: Date
  foundation: Foundation
  reporting: Reporting
  pricesSince: PriceHistory['pricesSince']
  createAccountServices: CreateAccountServices
  rails: RailRegistry
  registry: ProductRegistry
  documents: Documents
  outbound: Outbound
  auth: Authenticator
  tokens: TokenService
  accountPages: Pick<AccountPages, 'urls'>
  adminToken: string | null
  /** Serves a request of the gateway's own; waits until it can. */
  serveOwn(incoming: Incoming): Promise<Response>
  meter: Meter
  quotes: Quotes
  accountTerms: AccountTerms
  metrics: Metrics
  tracer: Tracer
  observers: RequestObservers
  log: GatewayLog
}

/** Those of a plugin by its id; which of them it gets is decided by its `requires`. */
export function pluginServices(deps: PluginServiceDeps): (pluginId: string) => KernelServices {
  const { config, registry, reporting, auth, meter, quotes, metrics, tracer, observers, log } = deps
  const { db, ledger, accounts, keys, owners, vault, onFunded } = deps.foundation
  const { accountKeys, ...ofAccounts } = deps.createAccountServices({
    sql: db.sql,
    ledger,
    keys,
    directory: accounts,
    owners,
    sandbox: config.sandbox,
    catalog: registry,
    identityOf: (keyId) => auth.identityOf(keyId, 'key'),
    onFunded,
  })
  const oneOffSales = createOneOffSales({
    meter,
    ledger,
    publicUrl: config.publicUrl,
    priceVersion: () => registry.current().priceVersion,
    log,
  })
  const shared = {
    ...ofAccounts,
    alerts: createAlerts(db.sql),
    statements: reporting.createStatements({ sql: db.sql, ledger }),
    catalog: registry,
    calls: new ToolCaller({
      meter,
      quotes,
      auth,
      enter: (mounted) => registry.enter(mounted),
      observe: (call, outcome, began) =>
        observeCall({ metrics, tracer, observers, log }, call, outcome, began, 'MCP'),
    }),
    oneOffSales,
    till: oneOffSales,
    operator: createOperator({ auth, adminToken: deps.adminToken, serve: deps.serveOwn }),
    administration: createAdministration({
      sql: db.sql,
      keys,
      accounts,
      ledger,
      tokens: deps.tokens,
      products: registry,
      auth,
      productOf: (skillId) =>
        registry.current().skills.find(({ skill }) => skill.id === skillId)?.product.id ??
        productOfSkill(skillId),
      holdTtlMs: config.holdTtlMs,
      pages: deps.accountPages,
    }),
    vault,
    documents: deps.documents,
    outbound: deps.outbound,
    reports: reporting.createReports({
      sql: db.sql,
      ledger,
      rails: deps.rails,
      configuration: deps.configLines,
      version: VERSION,
      startedAt: deps.startedAt,
    }),
    quotes: {
      http: (mounted: MountedSkill) => quotes.http(mounted),
      tool: (mounted: MountedSkill, tool: SkillTool) => quotes.tool(mounted, tool),
      pricesSince: (skillId: string, since: Date) => deps.pricesSince(db, skillId, since),
      at: (method: string, path: string) => registry.skillAt(method, path),
      identify: (credentials: CredentialSource) => auth.identify(credentials),
      ownPrice: (accountId: string, listed: Offered) => deps.accountTerms.of(accountId, listed),
      sellers: (allowed: readonly string[], quote: Quote) => deps.rails.sellers(allowed, quote),
      left: ledger,
      priceTable: () => registry.prices.current(),
      priceTableAt: (version: number) => registry.prices.at(version),
      visibleTo: (asked: Asked) => visibleTo({ auth, registry }, asked),
    },
  }
  return (pluginId) => ({
    ...shared,
    accountKeys: accountKeys(pluginId),
    signals: createSignals(db, pluginId),
  })
}
