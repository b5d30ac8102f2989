/**
 * The parts of a gateway that exist before any product: storage, identity, payment and monitoring.
 * They are opened in this order and closed in the reverse one.
 */
import type { Config, ConfigLine } from '../config/config.ts'
import type { OwnRequest } from '../http/incoming.ts'
import type { OperatorChanges } from '../http/operator-changes.ts'
import type { GatewayLog } from '../log/log.ts'
import { parseOtlpHeaders } from '../log/otlp-headers.ts'
import { RequestObservers } from '../metering/observe-call.ts'
import type { LoadedPlugins } from '../plugins/loaded.ts'
import { VERSION } from '../version.ts'
import type { Closers } from './closers.ts'
import { openFoundation } from './foundation.ts'
import { openIdentity } from './identity.ts'
import type { Machinery } from './machinery.ts'
import { openMetering } from './metering.ts'

/** What a gateway is made from. */
export interface GatewayOptions {
  config: Config
  /** The same as `coinop config` prints it, for the console. */
  configLines: readonly ConfigLine[]
  plugins: LoadedPlugins
  machinery: Machinery
  env: Readonly<Record<string, string | undefined>>
  log: GatewayLog
}

export type GatewayCore = Awaited<ReturnType<typeof openCore>>

/** The gateway's requests to itself, possible once it serves. */
export interface OwnService {
  /** Serves a request that the gateway makes to itself; waits until it can. */
  serveOwn(request: Request, from: OwnRequest): Promise<Response>
  changes: OperatorChanges
  stopping(): boolean
}

/** Opens all parts; `closers` closes those that were opened, even if a later part fails. */
export async function openCore(options: GatewayOptions, closers: Closers) {
  const { config, machinery, log } = options
  const startedAt = new Date()
  const foundation = closers.add(
    'database',
    await openFoundation({ ...machinery, config, log }, 'gateway'),
    (f) => f.close(),
  )
  const identity = await openIdentity(config, foundation, machinery, log, closers)
  const tracer = closers.add(
    'traces',
    machinery.createTracer(
      config.otlpEndpoint,
      { name: 'coinop', version: VERSION },
      log,
      parseOtlpHeaders(config.otlpHeaders ?? '') ?? {},
    ),
    (t) => t.stop(),
  )
  const jobs = closers.add(
    'document pool',
    machinery.createDocumentPool({
      size: Math.max(2, Math.min(4, navigator.hardwareConcurrency)),
      log,
    }),
    (pool) => pool.stop(new Date(Date.now() + 5000)),
  )
  return {
    ...options,
    startedAt,
    foundation,
    identity,
    metering: await openMetering(config, foundation, identity, machinery, log, closers),
    jobs,
    metrics: machinery.createMetrics(),
    tracer,
    observers: new RequestObservers(log),
    closers,
  }
}
