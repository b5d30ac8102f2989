/**
 * Builds one gateway from its configuration and runs it: storage → who calls → how it is paid →
 * products → HTTP. Stopping goes the other way: no new calls, those under way finish, background
 * work ends, the database closes last.
 */
import type { Config, ConfigLine } from '../config/config.ts'
import { createApp, listen, type Listening } from '../http/app.ts'
import { Cors } from '../http/cors.ts'
import { adminHostOf, adminPlaceOf, type ListenPlace } from '../http/admin-origin.ts'
import { localUrl } from '../net/local-url.ts'
import { callerAddress } from '../net/trusted-proxies.ts'
import { Gateway } from '../http/gateway.ts'
import type { Incoming } from '../http/incoming.ts'
import { OperatorChanges } from '../http/operator-changes.ts'
import { KernelRoutes } from '../http/kernel-routes.ts'
import { startSweeper } from '../ledger/sweeper.ts'
import type { GatewayLog } from '../log/log.ts'
import { parseOtlpHeaders } from '../log/otlp-headers.ts'
import { RequestObservers } from '../metering/observe-call.ts'
import type { LoadedPlugins } from '../plugins/loaded.ts'
import type { ProductRegistry } from '../products/registry.ts'
import type { RailRegistry } from '../rails/registry.ts'
import { VERSION } from '../version.ts'
import { Closers } from './closers.ts'
import { openFoundation, type Foundation } from './foundation.ts'
import { openIdentity } from './identity.ts'
import { keepPort } from './kept-port.ts'
import type { Machinery } from './machinery.ts'
import { openMetering } from './metering.ts'
import { mountProducts } from './products.ts'
import { startPurges } from './purges.ts'
import { startNotes } from './start-notes.ts'

export interface RunningGateway {
  url: string
  listening: string
  config: Config
  /** Shown once: made at this start. */
  adminToken: { token: string; file: string | null } | null
  foundation: Foundation
  registry: ProductRegistry
  rails: RailRegistry
  /** What each mounted plugin wants printed after the start. */
  startNotes(): Promise<string[][]>
  /** Drains and closes everything; the deadline cuts what does not end. */
  stop(): Promise<void>
}

export interface GatewayOptions {
  config: Config
  /** The same as `coinop config` prints it, for the console. */
  configLines: readonly ConfigLine[]
  plugins: LoadedPlugins
  machinery: Machinery
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
  const port = keepPort(options.config)
  const { config } = port
  const startedAt = new Date()
  const foundation = closers.add(
    'database',
    await openFoundation({ ...options.machinery, config, log }, 'gateway'),
    (f) => f.close(),
  )
  const { ledger } = foundation
  const identity = await openIdentity(config, foundation, options.machinery, log, closers)
  const { admin, auth, identifiers, limiter } = identity

  const metrics = options.machinery.createMetrics()
  const observers = new RequestObservers(log)
  const tracer = closers.add(
    'traces',
    options.machinery.createTracer(
      config.otlpEndpoint,
      { name: 'coinop', version: VERSION },
      log,
      parseOtlpHeaders(config.otlpHeaders ?? '') ?? {},
    ),
    (t) => t.stop(),
  )
  const jobs = closers.add(
    'document pool',
    options.machinery.createDocumentPool({
      size: Math.max(2, Math.min(4, navigator.hardwareConcurrency)),
      log,
    }),
    (pool) => pool.stop(new Date(Date.now() + 5000)),
  )
  const metering = await openMetering(config, foundation, identity, options.machinery, log, closers)
  const { rails, idempotency, meter, quotes } = metering

  let stopping = false
  const served = Promise.withResolvers<Gateway>()
  const serveOwn = async (incoming: Incoming) => (await served.promise).handleOwn(incoming)
  const changes = new OperatorChanges(serveOwn, log)
  const { registry, routes: ownRoutes } = await mountProducts({
    ...options,
    machinery: options.machinery,
    config,
    startedAt,
    foundation,
    identity,
    metering,
    jobs,
    metrics,
    tracer,
    observers,
    closers,
    changes,
    serveOwn,
    stopping: () => stopping,
  })

  closers.add(
    'usage sums',
    options.machinery.reporting.startUsageFold({ sql: foundation.db.sql, log }),
    (f) => f.stop(),
  )
  closers.add('hold expiry', startSweeper({ ledger, log }), (s) => s.stop())
  closers.add('charges to be given back', meter.followGiveBacks(), (b) => b.stop())
  closers.add('purges', startPurges({ sql: foundation.db.sql, idempotency, log }), (b) => b.stop())

  const routes = new KernelRoutes(ownRoutes)
  const rate = { limiter, limits: { rpm: config.rateLimitRpm, burst: config.rateLimitBurst } }
  const cors = new Cors(rails, identifiers, metering.signers)
  const { readLongJson } = options.machinery
  const gateway = new Gateway({
    rate,
    tracer,
    auth,
    log,
    products: registry,
    kernelRoutes: routes,
    adminHost: adminHostOf(config.adminUrl),
    meter,
    quotes,
    cors,
    metrics,
    observers,
    changes,
    readLongJson,
  })
  served.resolve(gateway)
  const callerOf = callerAddress(config.trustedProxies)
  const app = () =>
    createApp({
      auth,
      rate,
      cors,
      log,
      routes,
      gateway,
      metrics,
      observers,
      changes,
      callerOf,
      readLongJson,
    })
  const listening = await port.listen(() => listen(app(), config.host, config.port))
  const adminPlace = adminPlaceOf(config.adminUrl, config)
  const adminListening = adminPlace && listenAlso(app(), adminPlace, listening)
  if (config.adminUrl !== null) {
    const listensAt = adminPlace ? localUrl(adminPlace.host, adminPlace.port) : null
    log.info({ adminUrl: config.adminUrl, listensAt }, 'origin for operators')
  }

  return {
    url: config.publicUrl,
    listening: localUrl(config.host, listening.port),
    config,
    adminToken:
      admin.firstPrinted && admin.token !== null ? { token: admin.token, file: admin.file } : null,
    foundation,
    registry,
    rails,
    startNotes() {
      const instances = [...registry.current().products].map(
        ([id, product]) => [id, product.parts.started.instance] as const,
      )
      return startNotes(new Map(instances), log)
    },
    async stop() {
      stopping = true
      meter.stop()
      const listeners = [listening, ...(adminListening ? [adminListening] : [])]
      await Promise.all(listeners.map((one) => one.stop(config.shutdownTimeoutMs)))
      await closers.closeAll()
    },
  }
}

/** Listens at a second place; where it cannot, the first one is given up as well. */
function listenAlso(
  app: ReturnType<typeof createApp>,
  { host, port }: ListenPlace,
  first: Listening,
): Listening {
  try {
    return listen(app, host, port)
  } catch (error) {
    void first.stop(0)
    throw error
  }
}
