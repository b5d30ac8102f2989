/**
 * Products, and the gateway's own routes beside them. They depend on each other: plugins use
 * services that read the registry, documents list the gateway's own routes, and no product may take
 * one of these.
 */
import { assert } from '../errors.ts'
import type { Route } from '../plugins/route.ts'
import type { DocumentTexts } from '../plugins/document-services.ts'
import type { KernelServices } from '../plugins/services.ts'
import { ProductRegistry } from '../products/registry.ts'
import { migratePlugin } from '../storage/plugin-db.ts'
import { VERSION } from '../version.ts'
import type { GatewayCore, OwnService } from './core.ts'
import { gatewayEnvironment, pluginEnvironment, type EnvironmentDeps } from './environment.ts'
import { openGatewayParts } from './gateway-parts.ts'
import { followInstances } from './follow-instances.ts'
import { followPluginRails } from './plugin-rails.ts'
import { pluginServices } from './plugin-services.ts'

/** The registry with every mountable product, and the gateway's own routes. */
export async function mountProducts(core: GatewayCore, own: OwnService) {
  const { config, env, plugins, machinery, metrics, log, closers } = core
  const { db } = core.foundation
  const { rails, receipts } = core.metering
  const outbound = machinery.createOutbound({
    allowPrivate: config.allowPrivateTargets,
    userAgent: `Coinop/${VERSION}`,
  })
  const routes: Route[] = []
  const reservedRoutes: Route[] = []
  let services: ((pluginId: string) => KernelServices) | null = null
  const shared: EnvironmentDeps = {
    config,
    db,
    jobs: core.jobs,
    outbound,
    env,
    services(pluginId) {
      assert(services !== null, 'plugins are set up after the services')
      return services(pluginId)
    },
    provided: (name) => registry.provided(name),
    log,
  }
  const registry = new ProductRegistry({
    db,
    plugins,
    productsDir: config.productsDir,
    reader: machinery.productReader,
    revisions: machinery.productRevisions,
    priceHistory: machinery.priceHistory,
    env,
    railAvailable: (id) => rails.available(id),
    kernelRails: rails
      .list()
      .toSorted((a, b) => b.precedence - a.precedence)
      .map((rail) => rail.id),
    reservedRoutes,
    makeEnv: (plugin, product, pluginConfig) =>
      pluginEnvironment(shared, plugin, product, pluginConfig),
    log,
  })
  const status = machinery.openStatus({
    startedAt: core.startedAt,
    db,
    jobs: core.jobs,
    metrics,
    meter: core.metering.meter,
    receipts,
    registry,
    operators: core.identity.auth.operators,
    metricsToken: config.metricsToken,
    routes,
    stopping: own.stopping,
    log,
  })
  routes.push(...status.routes)
  let texts: DocumentTexts | null = null
  const shown = { routes, readiness: () => status.readiness(), texts: () => texts }
  services = pluginServices(core, own, registry, outbound, shown)
  const parts = closers.add(
    'parts of the gateway',
    await openGatewayParts({
      plugins: plugins.plugins.values(),
      checks: plugins.checks,
      taken: routes,
      makeEnv: (plugin) => gatewayEnvironment(shared, plugin),
      migrate: (id, migrations) => migratePlugin(db, id, migrations),
      log,
    }),
    (opened) => opened.stop(),
  )
  texts = parts.documents
  status.showGauges(parts.gauges)
  reservedRoutes.push(...routes, ...parts.unreserved)
  // Documents list them before the kernel's routes, because callers use these more.
  routes.unshift(...parts.routes)
  closers.add('products', registry, (r) => r.stop(new Date(Date.now() + config.shutdownTimeoutMs)))
  closers.add('status', status, async (s) => s.close())
  closers.add('followers of products', follow(core, own, registry), async (ends) => {
    for (const end of ends) end()
  })
  const { eventsWebhookUrl: url, eventsWebhookSecret: secret } = config
  const webhook = url !== null && secret !== null ? { url, secret } : null
  const events = { sql: db.sql, outbound, webhook, metrics, log }
  closers.add('account events', machinery.startEventDelivery(events), (e) => e.stop())
  await registry.start()
  return { registry, routes, notFound: parts.notFound }
}

/** Connects contributions of mounted plugins to their users; returns the unsubscribe functions. */
function follow(
  { identity, metering, observers, log }: GatewayCore,
  { changes }: OwnService,
  registry: ProductRegistry,
): (() => void)[] {
  const { rails, credits, signers, accountTerms, accountPages } = metering
  const { operators } = identity.auth
  return [
    followPluginRails(registry, rails, credits, log),
    followInstances(registry, 'receiptSigner', (all) => signers.setOfPlugins(all)),
    followInstances(registry, 'terms', (all) => accountTerms.setTerms(all)),
    // Offers and refusals link there.
    followInstances(registry, 'accountPage', ([page = null]) => accountPages.set(page)),
    followInstances(registry, 'identifiers', (all) => identity.identifiers.set(all)),
    followInstances(registry, 'requests', (all) => observers.set(all)),
    followInstances(registry, 'changes', (all) => changes.set(all)),
    followInstances(registry, 'operators', (all) => operators.set(all)),
  ]
}
