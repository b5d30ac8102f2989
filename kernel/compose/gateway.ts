/**
 * Builds one gateway from its configuration and runs it: storage → ledger and keys → rails →
 * metering → products → HTTP. Stopping goes the other way: no new calls, those under way finish,
 * background work ends, the database closes last.
 */
import { loadAdminToken } from '../auth/admin.ts'
import { createAuthenticator } from '../auth/authenticator.ts'
import { createTokenService } from '../auth/jwt.ts'
import { openKeyRows } from '../auth/key-rows.ts'
import { createRateLimiter } from '../auth/rate-limit.ts'
import { openSigningKey } from '../auth/signing-key.ts'
import { localUrl, type Config, type ConfigLine } from '../config.ts'
import { createApp, listen, type Listening } from '../http/app.ts'
import { Gateway } from '../http/gateway.ts'
import { createDocuments } from '../http/documents.ts'
import type { OpenApiFacts } from '../http/openapi.ts'
import { KernelRoutes } from '../http/kernel-routes.ts'
import { observeCall } from '../http/observe.ts'
import { adminCallRoutes } from '../http/routes/admin-calls.ts'
import { adminOverviewRoutes } from '../http/routes/admin-overview.ts'
import { creditRoutes } from '../http/routes/credits.ts'
import { keyRoutes } from '../http/routes/keys.ts'
import { ledgerRoutes } from '../http/routes/ledger.ts'
import { metaRoutes } from '../http/routes/meta.ts'
import { priceRoutes } from '../http/routes/prices.ts'
import { productRoutes } from '../http/routes/products.ts'
import { sandboxRoutes } from '../http/routes/sandbox.ts'
import { usageRoutes } from '../http/routes/usage.ts'
import { wellKnownRoutes } from '../http/routes/well-known.ts'
import { x402Routes } from '../http/routes/x402.ts'
import { createDocumentPool } from '../jobs/pool.ts'
import { startSweeper } from '../ledger/sweeper.ts'
import { ToolCaller } from '../metering/caller.ts'
import { IdempotencyStore } from '../metering/idempotency.ts'
import { Meter } from '../metering/meter.ts'
import { Quotes } from '../metering/quotes.ts'
import { allowList } from '../net/allow-list.ts'
import { createOutbound } from '../net/outbound.ts'
import { repeat } from '../ops/background.ts'
import type { GatewayLog } from '../ops/log.ts'
import { Metrics } from '../ops/metrics.ts'
import { createTracer } from '../ops/trace.ts'
import type { Health, Plugin, Route } from '../plugins/contract.ts'
import { loadPlugins } from '../plugins/loader.ts'
import { pricesSince } from '../pricing/older.ts'
import { consolePath } from '../products/console-path.ts'
import { ProductRegistry } from '../products/registry.ts'
import type { SandboxChain } from '../rails/x402/chain/sandbox.ts'
import { creditsRail } from '../rails/credits/rail.ts'
import { RailRegistry } from '../rails/registry.ts'
import { createBilling } from '../services/billing.ts'
import { createFunds } from '../services/funds.ts'
import { createKeyDirectory } from '../services/key-directory.ts'
import { createTill } from '../services/till.ts'
import type { KernelServices } from '../plugins/services.ts'
import { pluginEnvironment } from './environment.ts'
import { Closers } from './closers.ts'
import { databaseChecks, registerGauges } from './checks.ts'
import { openFoundation, type Foundation } from './foundation.ts'
import { followGoneSeries } from './gone-series.ts'
import { followPluginGauges } from './plugin-gauges.ts'
import { followPluginRails } from './plugin-rails.ts'
import { openX402 } from './x402.ts'

export const VERSION = '0.1.0'
const PURGE_EVERY_MS = 60_000
const RELEASED_PORT_TRIES = 100
const RELEASED_PORT_PAUSE_MS = 50

export interface RunningGateway {
  url: string
  listening: string
  config: Config
  /** Shown once: made at this start. */
  adminToken: { token: string; file: string | null } | null
  foundation: Foundation
  registry: ProductRegistry
  rails: RailRegistry
  /** The sandbox's own chain. */
  chain: SandboxChain | null
  /** Drains and closes everything; the deadline cuts what does not end. */
  stop(): Promise<void>
}

export interface GatewayOptions {
  config: Config
  /** The same as `coinop config` prints it, for the console. */
  configLines: readonly ConfigLine[]
  builtins: readonly Plugin[]
  env: Readonly<Record<string, string | undefined>>
  log: GatewayLog
}

/** Starts it; throws with what an operator can do when a part cannot start. */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const closers = new Closers(options.log)
  try {
    return await build(options, closers)
  } catch (error) {
    await closers.closeAll()
    throw error
  }
}

async function build(options: GatewayOptions, closers: Closers): Promise<RunningGateway> {
  const { log } = options
  const { config, release } = withFreePort(options.config)
  const startedAt = new Date()
  const foundation = closers.add('database', await openFoundation(config, log, 'gateway'), (f) =>
    f.close(),
  )
  const { db, ledger, keys, vault } = foundation

  const admin = loadAdminToken({
    configured: config.adminToken,
    sandbox: config.sandbox,
    dataDir: config.dataDir,
  })
  const tokens = createTokenService(await openSigningKey(db, vault), config.publicUrl)
  const keyRows = closers.add('keys', await openKeyRows(db), (rows) => rows.close())
  const auth = createAuthenticator({
    keys: keyRows,
    tokens,
    adminToken: admin.token,
    serviceToken: config.serviceToken,
    log,
  })
  const limiter = closers.add('limiter', createRateLimiter(db.sql, log), async (l) => l.close())

  const metrics = new Metrics()
  const service = { name: 'coinop', version: VERSION }
  const tracer = closers.add('traces', createTracer(config.otlpEndpoint, service, log), (t) =>
    t.stop(),
  )
  const rails = new RailRegistry()
  const credits = closers.add(
    'credits rail',
    creditsRail({ ledger, holdTtlMs: config.holdTtlMs }),
    (rail) => rail.drain(),
  )
  rails.add(credits)

  const outbound = createOutbound({
    allowPrivate: allowList(config.allowPrivateTargets),
    userAgent: `Coinop/${VERSION}`,
  })
  const jobs = closers.add(
    'document pool',
    createDocumentPool({ size: Math.max(2, Math.min(4, navigator.hardwareConcurrency)), log }),
    (pool) => pool.stop(new Date(Date.now() + 5000)),
  )
  const idempotency = new IdempotencyStore(
    db.sql,
    async (railId, holdId) => (await rails.get(railId)?.stateOf(holdId)) ?? 'none',
  )
  const meter = new Meter({
    auth,
    limiter,
    rails,
    idempotency,
    log,
    defaults: { rpm: config.rateLimitRpm, burst: config.rateLimitBurst },
    sandbox: config.sandbox,
  })
  const quotes = new Quotes(config.publicUrl)
  const x402 = closers.add(
    'x402 rail',
    await openX402({
      config,
      db,
      ledger,
      log,
      olderPrices: (skillId, since) => pricesSince(db, skillId, since),
    }),
    (opened) => opened.stop(),
  )
  rails.add(x402.rail)

  let stopping = false
  const kernelRoutes: Route[] = []
  const services: Partial<KernelServices> = {}
  const registry = new ProductRegistry({
    db,
    plugins: await loadPlugins({
      builtins: options.builtins,
      pluginsDir: config.pluginsDir,
      packages: config.plugins,
    }),
    productsDir: config.productsDir,
    env: options.env,
    railAvailable: (id) => rails.available(id),
    reservedRoutes: kernelRoutes,
    makeEnv: (plugin, product, pluginConfig) =>
      pluginEnvironment(
        {
          config,
          db,
          jobs,
          outbound,
          env: options.env,
          services: () => services as KernelServices,
          log,
        },
        plugin,
        product,
        pluginConfig,
      ),
    log,
  })
  const facts: OpenApiFacts = {
    publicUrl: config.publicUrl,
    version: VERSION,
    contactEmail: config.contactEmail,
  }
  const documents = createDocuments({
    catalog: registry,
    facts,
    routes: () => [...kernelRoutes, ...registry.current().routes],
    prices: () => registry.prices.current(),
  })
  const health = (): Health[] => [
    ...databaseChecks(db),
    registry.health(),
    ...x402.rail.health(),
    ...[...registry.current().products.values()].flatMap((product) => [
      ...(product.parts.started.instance.health ?? []),
    ]),
  ]
  kernelRoutes.push(
    ...metaRoutes({
      catalog: registry,
      documents,
      health,
      metrics,
      version: VERSION,
      startedAt,
      stopping: () => stopping,
      consolePath: () => consolePath(registry.current().products),
    }),
    ...keyRoutes({ keys, ledger, tokens, sandbox: config.sandbox }),
    ...creditRoutes({ ledger, holdTtlMs: config.holdTtlMs, sandbox: config.sandbox }),
    ...ledgerRoutes({ ledger }),
    ...usageRoutes({ ledger }),
    ...sandboxRoutes({ ledger, sandbox: config.sandbox }),
    ...productRoutes({ registry }),
    ...adminCallRoutes({ sql: db.sql, ledger }),
    ...adminOverviewRoutes({
      sql: db.sql,
      rails,
      configLines: options.configLines,
      version: VERSION,
      startedAt,
      sandbox: config.sandbox,
      log,
    }),
    ...priceRoutes(registry.prices),
    ...x402Routes({ rail: x402.rail, catalog: registry, quotes }),
    ...wellKnownRoutes({
      rail: x402.rail,
      catalog: registry,
      quotes,
      publicUrl: config.publicUrl,
      prepaidFiat: config.prepaidFiat,
    }),
  )
  const keyDirectory = createKeyDirectory(keys)
  Object.assign(services, {
    billing: createBilling({ ledger, catalog: registry, onFunded: foundation.onFunded }),
    funds: createFunds(ledger, keyDirectory, config.sandbox),
    keys: keyDirectory,
    catalog: registry,
    calls: new ToolCaller({
      meter,
      quotes,
      auth,
      enter: (mounted) => registry.enter(mounted),
      observe: (call, outcome, began) =>
        observeCall({ metrics, tracer, log }, call, outcome, began, 'MCP'),
    }),
    till: createTill({
      meter,
      ledger,
      publicUrl: config.publicUrl,
      priceVersion: () => registry.current().priceVersion,
      log,
    }),
    vault,
    documents,
    outbound,
  } satisfies KernelServices)
  closers.add('products', registry, (r) => r.stop(new Date(Date.now() + config.shutdownTimeoutMs)))
  closers.add('plugin rails', followPluginRails(registry, rails, log), async (unfollow) =>
    unfollow(),
  )
  closers.add('plugin gauges', followPluginGauges(registry, metrics), async (unfollow) =>
    unfollow(),
  )
  closers.add('gone series', followGoneSeries(registry, metrics), async (unfollow) => unfollow())
  await registry.start()

  closers.add('hold expiry', startSweeper({ ledger, log }), (s) => s.stop())
  closers.add(
    'idempotency purge',
    repeat({ name: 'idempotency purge', everyMs: PURGE_EVERY_MS, log }, () => idempotency.purge()),
    (b) => b.stop(),
  )
  registerGauges({ metrics, db, meter, registry, jobs, x402: x402.rail })

  const routes = new KernelRoutes(kernelRoutes)
  const rate = { limiter, limits: { rpm: config.rateLimitRpm, burst: config.rateLimitBurst } }
  const gateway = new Gateway({
    rate,
    tracer,
    auth,
    log,
    match: (method, path) => registry.match(method, path),
    kernelRoutes: routes,
    meter,
    quotes,
    rails,
    metrics,
  })
  release()
  const tries = options.config.port === 0 ? RELEASED_PORT_TRIES : 1
  const listening = await listenSoon(tries, () =>
    listen(createApp({ auth, rate, log, routes, gateway, metrics }), config.host, config.port),
  )

  return {
    url: config.publicUrl,
    listening: localUrl(config.host, listening.port),
    config,
    adminToken:
      admin.firstPrinted && admin.token !== null ? { token: admin.token, file: admin.file } : null,
    foundation,
    registry,
    rails,
    chain: x402.chain,
    async stop() {
      stopping = true
      meter.stop()
      await listening.stop(config.shutdownTimeoutMs)
      await closers.closeAll()
    },
  }
}

/** The port that was kept is free only once its socket has closed, which the runtime does later. */
async function listenSoon(tries: number, start: () => Listening): Promise<Listening> {
  for (let left = tries - 1; ; left--) {
    try {
      return start()
    } catch (error) {
      if (left === 0) throw error
      await Bun.sleep(RELEASED_PORT_PAUSE_MS)
    }
  }
}

/**
 * PORT=0 takes a free port now, because challenges, documents and tokens name the URL. It is kept
 * until `release`, just before the gateway listens: a boot takes seconds, and others look for ports.
 */
function withFreePort(config: Config): { config: Config; release(): void } {
  if (config.port !== 0) return { config, release: () => {} }
  const probe = Bun.listen({ hostname: config.host, port: 0, socket: { data() {} } })
  // A boot that fails must end with the port still kept.
  probe.unref()
  const { port } = probe
  const unset = config.publicUrl === localUrl(config.host, 0)
  return {
    config: { ...config, port, ...(unset && { publicUrl: localUrl(config.host, port) }) },
    release: () => probe.stop(true),
  }
}
