/** The gateway's own routes, which every mounted product stands beside. */
import type { Authenticator } from '../auth/contract.ts'
import type { TokenService } from '../auth/jwt.ts'
import { bearerOf, secretTester } from '../auth/tokens.ts'
import type { Config } from '../config/config.ts'
import { adminHostOf, isAtOperators } from '../http/admin-origin.ts'
import { httpSource } from '../http/incoming.ts'
import { publicMetrics } from '../http/public-view.ts'
import type { Pages } from '../http/pages/serve.ts'
import type { StorefrontFacts } from '../http/pages/storefront.ts'
import { accountRoutes } from '../http/routes/accounts.ts'
import { creditRoutes } from '../http/routes/credits.ts'
import { eventRoutes } from '../http/routes/events.ts'
import { keyRoutes } from '../http/routes/keys.ts'
import { ledgerRoutes } from '../http/routes/ledger.ts'
import { metaRoutes } from '../http/routes/meta.ts'
import { priceRoutes } from '../http/routes/prices.ts'
import { productRoutes } from '../http/routes/products.ts'
import { quoteRoute } from '../http/routes/quote.ts'
import type { Logger } from '../log/logger.ts'
import { productOfSkill } from '../ledger/contract.ts'
import { listEvents } from '../ledger/events.ts'
import type { Metrics } from '../log/metrics.ts'
import type { AccountTerms } from '../metering/account-terms.ts'
import type { Quotes } from '../metering/quotes.ts'
import type { Health } from '../plugins/contract.ts'
import type { Route } from '../plugins/route.ts'
import type { Documents, OperatorFacts } from '../plugins/services.ts'
import { homesOf } from '../products/homes.ts'
import { publicNames } from '../products/public-names.ts'
import type { ProductRegistry } from '../products/registry.ts'
import type { AccountPages } from '../rails/credits/account-pages.ts'
import type { RailRegistry } from '../rails/registry.ts'
import type { Foundation } from './foundation.ts'

export interface GatewayRouteDeps {
  config: Config
  pages: Pick<Pages, 'front'>
  version: string
  startedAt: Date
  foundation: Pick<Foundation, 'accounts' | 'db' | 'keys' | 'ledger'>
  tokens: TokenService
  auth: Authenticator
  registry: ProductRegistry
  rails: RailRegistry
  quotes: Quotes
  accountTerms: AccountTerms
  accountPages: AccountPages
  log: Logger
  documents: Documents
  metrics: Metrics
  /** The checks of /ready, of what is mounted now. */
  health(): readonly Health[]
  /** Names of those that are of products which are not listed. */
  hiddenChecks(): ReadonlySet<string>
  stopping(): boolean
}

/** Whose gateway it is. */
export function operatorFacts(config: Config): OperatorFacts {
  return {
    name: config.operatorName,
    logoUrl: config.operatorLogoUrl,
    termsUrl: config.termsUrl,
    privacyUrl: config.privacyUrl,
    supportUrl: config.supportUrl,
  }
}

/** What the pages for people show at this moment. */
export function storefrontFacts(
  { config, registry, rails }: Pick<GatewayRouteDeps, 'config' | 'registry' | 'rails'>,
  url: string,
): StorefrontFacts {
  const snapshot = registry.current()
  return {
    publicUrl: config.publicUrl,
    isSandbox: config.sandbox,
    snapshot,
    rails: rails.creditsFirst(),
    operator: operatorFacts(config),
    // Whoever is not at the operators' origin learns nothing of the pages there.
    homes: homesOf(snapshot.products).filter(
      ({ forOperators }) => !forOperators || isAtOperators(url, adminHostOf(config.adminUrl)),
    ),
  }
}

/** All of them; none is metered. */
export function gatewayRoutes(deps: GatewayRouteDeps): Route[] {
  const { config, version, startedAt, registry } = deps
  const { accounts, db, keys, ledger } = deps.foundation
  const { sandbox } = config
  const isMetricsToken = secretTester(config.metricsToken)
  const own = new Set<string>()
  const routes = [
    ...metaRoutes({
      documents: deps.documents,
      health: deps.health,
      metrics: deps.metrics,
      version,
      startedAt,
      stopping: deps.stopping,
      hiddenChecks: deps.hiddenChecks,
      publicMetrics: () => publicMetrics(deps.metrics, publicNames(registry.current()), own),
      async isInsider({ request, clientAddress, operator }) {
        if (operator) return true
        const source = httpSource(request.headers)
        const bearer = bearerOf(source.header('authorization'))
        if (bearer === null || bearer === '') return false
        if (isMetricsToken(bearer)) return true
        return (await deps.auth.operators.identify(source, clientAddress)).ok
      },
      pages: deps.pages,
    }),
    ...keyRoutes({ keys, ledger, tokens: deps.tokens, sandbox }),
    ...accountRoutes({ accounts, keys, ledger, sandbox }),
    ...eventRoutes({ events: (page) => listEvents(db.sql, page) }),
    ...creditRoutes({
      ledger,
      auth: deps.auth,
      productOf: (skillId) =>
        registry.current().skills.find(({ skill }) => skill.id === skillId)?.product.id ??
        productOfSkill(skillId),
      accountOf: (keyId) => keys.accountOf(keyId),
      holdTtlMs: config.holdTtlMs,
      sandbox,
      pages: deps.accountPages,
    }),
    ...ledgerRoutes({ ledger }),
    ...productRoutes({ registry }),
    ...priceRoutes(registry.prices),
    quoteRoute({
      auth: deps.auth,
      registry,
      rails: deps.rails,
      quotes: deps.quotes,
      accountTerms: deps.accountTerms,
      ledger,
      log: deps.log,
    }),
  ]
  for (const { path } of routes) own.add(path)
  return routes
}
