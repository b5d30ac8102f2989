/**
 * What is sold, and what the gateway serves beside it. Each needs the others: plugins ask for
 * services that look into the registry, documents list the gateway's own routes, and no product may
 * take one of these.
 */
import type { Config, ConfigLine } from '../config/config.ts'
import { assert } from '../errors.ts'
import { sharedReadiness } from '../http/health.ts'
import { publicReport } from '../http/public-view.ts'
import type { Incoming } from '../http/incoming.ts'
import type { OperatorChanges } from '../http/operator-changes.ts'
import type { RunningPool } from '../jobs/contract.ts'
import { allowList } from '../net/allow-list.ts'
import type { GatewayLog } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import type { Tracer } from '../log/trace.ts'
import type { RequestObservers } from '../metering/observe-call.ts'
import type { Health } from '../plugins/contract.ts'
import type { Route } from '../plugins/route.ts'
import { pluginsOf, type LoadedPlugins } from '../plugins/loaded.ts'
import type { KernelServices } from '../plugins/services.ts'
import { publicNames } from '../products/public-names.ts'
import { ProductRegistry } from '../products/registry.ts'
import { plainFrontRoute } from '../http/routes/meta.ts'
import { migratePlugin } from '../storage/plugin-db.ts'
import { VERSION } from '../version.ts'
import { startAccountEvents } from './account-events.ts'
import { databaseChecks, registerGauges } from './checks.ts'
import type { Closers } from './closers.ts'
import { createDocuments } from './documents.ts'
import { gatewayEnvironment, pluginEnvironment, type EnvironmentDeps } from './environment.ts'
import type { Foundation } from './foundation.ts'
import { openGatewayParts } from './gateway-parts.ts'
import { gatewayRoutes } from './gateway-routes.ts'
import { followInstances } from './follow-instances.ts'
import { followGoneSeries } from './gone-series.ts'
import type { OpenedIdentity } from './identity.ts'
import type { Machinery } from './machinery.ts'
import type { OpenedMetering } from './metering.ts'
import { followPluginGauges } from './plugin-gauges.ts'
import { followPluginObservers } from './plugin-observers.ts'
import { followPluginRails } from './plugin-rails.ts'
import { followReceiptSigner } from './plugin-receipts.ts'
import { pluginServices } from './plugin-services.ts'
import { describeUnused, unusedVariables } from './unused-variables.ts'

export interface ProductDeps {
  config: Config
  configLines: readonly ConfigLine[]
  plugins: LoadedPlugins
  env: Readonly<Record<string, string | undefined>>
  startedAt: Date
  foundation: Foundation
  identity: OpenedIdentity
  metering: OpenedMetering
  jobs: RunningPool
  machinery: Omit<Machinery, 'connector' | 'embedded'>
  metrics: Metrics
  tracer: Tracer
  observers: RequestObservers
  changes: OperatorChanges
  log: GatewayLog
  closers: Closers
  /** Serves a request of the gateway's own; waits until it can. */
  serveOwn(incoming: Incoming): Promise<Response>
  stopping(): boolean
}

/** The registry with every product mounted that can be, and the gateway's own routes. */
export async function mountProducts(
  deps: ProductDeps,
): Promise<{ registry: ProductRegistry; routes: readonly Route[] }> {
  const { config, env, foundation, identity, metering, jobs, metrics, tracer, log } = deps
  const { db } = foundation
  const { observers, changes } = deps
  const { rails, signers, receipts, credits, meter, quotes, accountTerms } = metering
  const outbound = deps.machinery.createOutbound({
    allowPrivate: allowList(config.allowPrivateTargets),
    userAgent: `Coinop/${VERSION}`,
  })
  const routes: Route[] = []
  const reservedRoutes: Route[] = []
  let services: ((pluginId: string) => KernelServices) | null = null
  const shared: Omit<EnvironmentDeps, 'provided'> = {
    config,
    db,
    jobs,
    outbound,
    env,
    services(pluginId) {
      assert(services !== null, 'plugins are set up after the services')
      return services(pluginId)
    },
    log,
  }
  const registry = new ProductRegistry({
    db,
    plugins: deps.plugins,
    productsDir: config.productsDir,
    reader: deps.machinery.productReader,
    revisions: deps.machinery.productRevisions,
    priceHistory: deps.machinery.priceHistory,
    env,
    railAvailable: (id) => rails.available(id),
    kernelRails: rails
      .list()
      .toSorted((a, b) => b.precedence - a.precedence)
      .map((rail) => rail.id),
    reservedRoutes,
    makeEnv: (plugin, product, pluginConfig) =>
      pluginEnvironment(withProvided(), plugin, product, pluginConfig),
    log,
  })
  const withProvided = (): EnvironmentDeps => ({ ...shared, provided: registry.provided })
  const { documents, setTexts } = createDocuments({
    config,
    registry,
    rails,
    signers,
    routes,
    readiness: async () => publicReport(await readiness(), hiddenChecks()),
  })
  const health = (): Health[] => [
    ...databaseChecks(db),
    registry.health(),
    ...[...registry.current().products.values()].flatMap(
      (product) => product.parts.started.instance.health ?? [],
    ),
  ]
  const hiddenChecks = (): ReadonlySet<string> => {
    const { products } = registry.current()
    const { hiddenProducts } = publicNames(registry.current())
    const hidden = [...hiddenProducts].flatMap(
      (id) => products.get(id)?.parts.started.instance.health ?? [],
    )
    return new Set(hidden.map(({ name }) => name))
  }
  const { startedAt, configLines, stopping } = deps
  const { tokens, auth } = identity
  const readiness = sharedReadiness(health)
  routes.push(
    ...gatewayRoutes({
      config,
      version: VERSION,
      startedAt,
      auth,
      registry,
      metrics,
      routes,
      readiness,
      hiddenChecks,
      stopping,
    }),
  )
  services = pluginServices({
    config,
    configLines,
    startedAt,
    foundation,
    reporting: deps.machinery.reporting,
    pricesSince: deps.machinery.priceHistory.pricesSince,
    createAccountServices: deps.machinery.createAccountServices,
    rails,
    registry,
    documents,
    outbound,
    auth,
    tokens,
    accountPages: metering.accountPages,
    adminToken: identity.admin.token,
    serveOwn: deps.serveOwn,
    meter,
    quotes,
    accountTerms,
    metrics,
    tracer,
    observers,
    log,
  })
  const { closers } = deps
  const parts = closers.add(
    'parts of the gateway',
    await openGatewayParts({
      plugins: deps.plugins.plugins.values(),
      checks: deps.plugins.checks,
      taken: routes,
      makeEnv: (plugin) => gatewayEnvironment(withProvided(), plugin),
      migrate: (id, migrations) => migratePlugin(db, id, migrations),
      log,
    }),
    (opened) => opened.stop(),
  )
  if (parts.documents) setTexts(parts.documents)
  reservedRoutes.push(...routes, ...parts.unreserved)
  // In documents they stand before the kernel's: what callers use comes before what is read.
  routes.unshift(...parts.routes)
  if (!routes.some(({ path }) => path === '/')) routes.push(plainFrontRoute(config.operatorName))
  closers.add('products', registry, (r) => r.stop(new Date(Date.now() + config.shutdownTimeoutMs)))
  const followers = {
    'plugin rails': followPluginRails(registry, rails, credits, log),
    'receipt signer': followReceiptSigner(registry, signers, log),
    'plugin gauges': followPluginGauges(registry, metrics, log),
    'plugin terms': followInstances(
      registry,
      ({ terms }) => terms,
      (all) => accountTerms.setTerms(all),
    ),
    // Offers and refusals lead people there.
    'plugin account page': followInstances(
      registry,
      ({ accountPage }) => accountPage,
      ([page = null]) => metering.accountPages.set(page),
    ),
    'plugin identifiers': followInstances(
      registry,
      (instance) => instance.identifiers,
      (all) => identity.identifiers.set(all),
    ),
    'plugin observers': followPluginObservers(registry, {
      observers,
      changes,
      operators: auth.operators,
    }),
    'gone series': followGoneSeries(registry, metrics),
  }
  for (const [name, unfollow] of Object.entries(followers))
    closers.add(name, unfollow, async (end) => end())
  // Before any product is there: what a plugin calls its own has another name then.
  registerGauges({ metrics, db, meter, receipts, registry, jobs })
  for (const gauge of parts.gauges) metrics.labelled(gauge, async () => gauge.read())
  closers.add(
    'account events',
    startAccountEvents({
      config,
      start: deps.machinery.startEventDelivery,
      db,
      outbound,
      metrics,
      log,
    }),
    (e) => e.stop(),
  )
  await registry.start()
  const usedIds = new Set([
    ...[...registry.current().products.values()].map((one) => one.parts.spec.pluginId),
    ...pluginsOf(deps.plugins).flatMap(({ id, gateway }) => (gateway ? [id] : [])),
  ])
  for (const unused of unusedVariables(pluginsOf(deps.plugins), usedIds, env))
    log.warn({ plugin: unused.pluginId }, describeUnused(unused))
  return { registry, routes }
}
