/**
 * The Elysia app: static routes of the kernel and of its parts, and one wildcard. Elysia answers
 * 404 for routes added after listen, so products never become Elysia routes: the wildcard
 * dispatches through the registry's immutable snapshot.
 */
import type { BunRequest } from 'bun'
import { Elysia } from 'elysia'
import { errorResponse, fail } from '../errors.ts'
import { requestIdFrom } from '../ids.ts'
import type { Gateway } from './gateway.ts'
import {
  failedRequest,
  serving,
  type Answering,
  type Incoming,
  type Server,
  type Serving,
} from './incoming.ts'
import { elysiaPath, type KernelRoutes } from './kernel-routes.ts'
import { observedRoute } from './observe-route.ts'
import { serveRoute, type RouteDeps } from './route-adapter.ts'
import type { CallerAddress } from '../net/trusted-proxies.ts'
import type { Route } from '../plugins/route.ts'
import type { ReadLongJson } from '../schema/json.ts'
import type { GatewayLog } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import type { RequestObservers } from '../metering/observe-call.ts'
import { andThen } from '../work/at-once.ts'

/** Upper bound of any request body; each route has its own lower limit. */
const MAX_BODY_BYTES = 1024 ** 3
/** Longest silence on a connection; above the longest skill timeout. */
const IDLE_TIMEOUT_S = 255
const DRAIN_POLL_MS = 20
/** How long the answers of calls that are cut off may take: they end their holds first. */
const CUT_OFF_MS = 5000

export interface AppDeps extends RouteDeps {
  routes: KernelRoutes
  gateway: Gateway
  metrics: Metrics
  log: GatewayLog
  observers: RequestObservers
  /** Finds the address of callers behind trusted proxies. */
  callerOf: CallerAddress
  readLongJson: ReadLongJson
}
/** Listening on HOST and PORT failed: they are in use, or there is no such address. */
export class AddressError extends Error {
  override readonly name = 'AddressError'
  constructor(host: string, port: number, options: ErrorOptions) {
    super(`The gateway cannot listen on ${host}, port ${port}`, options)
  }
}

export interface Listening {
  port: number
  /** Refuses new connections, and closes those left when `cutOff` says that it ends no more calls. */
  stop(timeoutMs: number, cutOff: () => boolean): Promise<void>
}

type NativeRoutes = Record<
  string,
  Partial<Record<string, Bun.Serve.Handler<BunRequest, Server, Response>>>
>

/** The app, which `listen` starts. Tests can call its `handle` without a socket. */
export function createApp(deps: AppDeps) {
  const served = deps.routes.list.map((route) => ({
    path: elysiaPath(route.path),
    methods: route.method === 'GET' ? (['GET', 'HEAD'] as const) : ([route.method] as const),
    ...serving(deps, (incoming) => observing(route, incoming, deps)),
  }))
  const app = new Elysia({
    serve: {
      maxRequestBodySize: MAX_BODY_BYTES,
      idleTimeout: IDLE_TIMEOUT_S,
      // Elysia shares the port by default: a second gateway would silently take half of the calls.
      reusePort: false,
      development: false,
      routes: nativeRoutes(served),
    },
  })
    // Elysia's error answers contain the thrown error's message, which must stay internal.
    .onError(({ request, error, code }) => {
      if (code !== 'NOT_FOUND') return failedRequest(deps.log, request, error)
      const unknown = fail('INVALID_INPUT', 'There is nothing at this path', { status: 404 })
      return errorResponse(unknown, requestIdFrom(request.headers.get('x-request-id')))
    })
  const options = { parse: 'none', detail: { hide: true } } as const
  for (const { path, methods, handler } of served) {
    for (const method of methods) app.route(method, path, handler, options)
  }
  const other = serving(deps, deps.gateway.handle)
  app.all('/*', other.handler, options)
  return app
}

/**
 * The same handlers for Bun's own router, which avoids Elysia's per-request context: that costs as
 * much as a short answer. Wildcard paths stay with Elysia, which captures the rest by name.
 */
function nativeRoutes(
  served: readonly { path: string; methods: readonly string[]; serve: Serving['serve'] }[],
): NativeRoutes {
  const routes: NativeRoutes = {}
  for (const { path, methods, serve } of served) {
    if (path.endsWith('*')) continue
    const hasParams = path.includes(':')
    const byMethod = (routes[encodeURI(path)] ??= {})
    for (const method of methods)
      byMethod[method] = (request, server) =>
        serve(request, server, hasParams ? request.params : undefined)
  }
  return routes
}

/** Serves a static route, counts the answer and tells observers. */
function observing(route: Route, incoming: Incoming, deps: AppDeps): Answering {
  const startedAt = performance.now()
  return andThen(serveRoute(route, incoming, deps), (response) =>
    observedRoute(deps, route, incoming, response, startedAt),
  )
}

/** What `begin` returns; throws an AddressError when it cannot listen there. */
export function atAddress<T>(host: string, port: number, begin: () => T): T {
  try {
    return begin()
  } catch (error) {
    throw new AddressError(host, port, { cause: error })
  }
}

/** Listens on host and port (0: any free one). Throws an AddressError when it cannot. */
export function listen(app: ReturnType<typeof createApp>, host: string, port: number): Listening {
  atAddress(host, port, () => app.listen({ hostname: host, port }))
  const { server } = app
  if (!server) throw new Error('The server did not start')
  return {
    port: server.port ?? port,
    stop: async (timeoutMs, cutOff) => {
      // Not awaited: the promise also waits for idle keep-alive connections, perhaps for minutes.
      void server.stop(false)
      for (const isAwaited of [() => true, cutOff]) {
        const until = performance.now() + (isAwaited === cutOff ? CUT_OFF_MS : timeoutMs)
        while (isAwaited() && server.pendingRequests > 0 && performance.now() < until)
          await Bun.sleep(DRAIN_POLL_MS)
      }
      // What the cut calls answered last is on its way.
      if (server.pendingRequests > 0) await Bun.sleep(DRAIN_POLL_MS)
      await server.stop(true)
    },
  }
}
