/**
 * Builds a gateway from its configuration and runs it: storage → identity → payment → products →
 * HTTP. Stopping reverses this: no new calls, running calls finish, background work ends, and the
 * database closes last.
 */
import type { Config } from '../config/config.ts'
import { createApp, listen, type Listening } from '../http/app.ts'
import { Cors } from '../http/cors.ts'
import { adminHostOf, adminPlaceOf } from '../http/admin-origin.ts'
import { localUrl } from '../net/local-url.ts'
import { Gateway } from '../http/gateway.ts'
import { KernelRoutes } from '../http/kernel-routes.ts'
import { startSweeper } from '../ledger/sweeper.ts'
import type { ProductRegistry } from '../products/registry.ts'
import type { AdminToken } from '../auth/secrets.ts'
import type { RailRegistry } from '../rails/registry.ts'
import { Closers } from './closers.ts'
import { openCore, type GatewayOptions, type OwnService } from './core.ts'
import type { Foundation } from './foundation.ts'
import { keepPort } from './kept-port.ts'
import { mountProducts } from './products.ts'
import { startPurges } from './purges.ts'

export interface RunningGateway {
  url: string
  listening: string
  config: Config
  adminToken: AdminToken
  foundation: Foundation
  registry: ProductRegistry
  rails: RailRegistry
  /** Drains and closes everything; whatever does not end is cut off at the deadline. */
  stop(): Promise<void>
}

/** Starts a gateway; if a part cannot start, the error says what an operator can do. */
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
  const port = keepPort(options.config)
  const { config } = port
  const core = await openCore({ ...options, config }, closers)
  const { foundation, log, machinery, metering } = core
  const { admin, auth, identifiers, limiter } = core.identity
  const { rails, idempotency, meter } = metering

  let stopping = false
  const served = Promise.withResolvers<Gateway>()
  const serveOwn: OwnService['serveOwn'] = async (request, from) =>
    (await served.promise).handleOwn(request, from)
  const changes = machinery.createOperatorChanges(serveOwn, log)
  const own: OwnService = { serveOwn, changes, stopping: () => stopping }
  const { registry, routes: ownRoutes, notFound } = await mountProducts(core, own)

  const { sql } = foundation.db
  closers.add('usage sums', machinery.reporting.startUsageFold({ sql, log }), (f) => f.stop())
  closers.add('hold expiry', startSweeper(foundation.ledger, log), (s) => s.stop())
  closers.add('charges to be given back', meter.followGiveBacks(), (b) => b.stop())
  closers.add('purges', startPurges({ sql, idempotency, log }), (b) => b.stop())

  const { metrics, observers, tracer } = core
  const edge = {
    auth,
    rate: {
      limiter,
      limits: { rpm: config.rateLimitRpm, burst: config.rateLimitBurst },
      terms: metering.accountTerms,
    },
    cors: new Cors(rails, identifiers, metering.signers),
    metrics,
    observers,
    changes,
    readLongJson: machinery.readLongJson,
    callerOf: machinery.callerAddress(config.trustedProxies),
    log,
  }
  const routes = new KernelRoutes(ownRoutes)
  const gateway = new Gateway({
    ...edge,
    tracer,
    products: registry,
    kernelRoutes: routes,
    notFound,
    adminHost: adminHostOf(config.adminUrl),
    meter,
    quotes: metering.quotes,
  })
  served.resolve(gateway)
  const app = () => createApp({ ...edge, routes, gateway })
  const listeners = closers.add<Listening[]>('connections', [], (all) =>
    Promise.all(all.map((one) => one.stop(config.shutdownTimeoutMs, () => meter.cutOff()))),
  )
  const listening = await port.listen(() => listen(app(), config.host, config.port))
  listeners.push(listening)
  const adminPlace = adminPlaceOf(config.adminUrl, config)
  if (adminPlace) listeners.push(listen(app(), adminPlace.host, adminPlace.port))
  if (config.adminUrl !== null) {
    const listensAt = adminPlace ? localUrl(adminPlace.host, adminPlace.port) : null
    log.info({ adminUrl: config.adminUrl, listensAt }, 'origin for operators')
  }

  return {
    url: config.publicUrl,
    listening: localUrl(config.host, listening.port),
    config,
    adminToken: admin,
    foundation,
    registry,
    rails,
    async stop() {
      stopping = true
      meter.stop()
      await closers.closeAll()
    },
  }
}
