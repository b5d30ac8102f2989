/**
 * The Elysia app: static routes of the kernel and of its parts, and one wildcard. Elysia answers 404
 * for routes added after listen, so products never become Elysia routes: the wildcard dispatches
 * through the registry's immutable snapshot.
 */
import { Elysia } from 'elysia'
import { errorResponse, fail } from '../errors.ts'
import { requestIdFrom } from '../ids.ts'
import type { Gateway } from './gateway.ts'
import { badHost, Incoming, type Server } from './incoming.ts'
import { elysiaPath, type KernelRoutes } from './kernel-routes.ts'
import { observedRoute } from './observe-route.ts'
import { serveRoute, type RouteDeps } from './route-adapter.ts'
import type { CallerAddress } from '../net/trusted-proxies.ts'
import type { ReadLongJson } from '../schema/json.ts'
import type { GatewayLog } from '../log/log.ts'
import type { Metrics } from '../log/metrics.ts'
import type { RequestObservers } from '../metering/observe-call.ts'

/** Outer bound of any request body; each route has its own, lower limit. */
const MAX_BODY_BYTES = 1024 ** 3
/** Longest silence on a connection; above the longest skill timeout. */
const IDLE_TIMEOUT_S = 255
const DRAIN_POLL_MS = 20

export interface AppDeps extends RouteDeps {
  routes: KernelRoutes
  gateway: Gateway
  metrics: Metrics
  log: GatewayLog
  observers: RequestObservers
  /** Where callers behind trusted proxies are. */
  callerOf: CallerAddress
  readLongJson: ReadLongJson
}
/** HOST and PORT cannot be listened on: another program has them, or there is no such address. */
export class AddressError extends Error {
  override readonly name = 'AddressError'
  constructor(host: string, port: number, options: ErrorOptions) {
    super(`The gateway cannot listen on ${host}, port ${port}`, options)
  }
}

export interface Listening {
  port: number
  /**
   * Refuses new connections, lets the requests under way be answered for at most `timeoutMs`, then
   * closes every connection.
   */
  stop(timeoutMs: number): Promise<void>
}

/** The app; `listen` starts it. Its `handle` serves tests without a socket. */
export function createApp(deps: AppDeps) {
  const app = new Elysia({
    serve: {
      maxRequestBodySize: MAX_BODY_BYTES,
      idleTimeout: IDLE_TIMEOUT_S,
      // Elysia shares the port by default: a second gateway would silently take half of the calls.
      reusePort: false,
      development: false,
    },
  })
    // Elysia's error answers contain the message of what was thrown, which must not leave.
    .onError(({ request, error, code }) => {
      const requestId = requestIdFrom(request.headers.get('x-request-id'))
      if (code === 'NOT_FOUND')
        return errorResponse(
          fail('INVALID_INPUT', 'There is nothing at this path', { status: 404 }),
          requestId,
        )
      deps.log.error({ err: error, requestId, code }, 'request failed')
      return errorResponse(
        fail('INTERNAL_ERROR', 'The gateway failed to answer this request'),
        requestId,
      )
    })
    .onRequest(badHost)
  for (const route of deps.routes.list) {
    const serve = ({
      request,
      params,
      server,
    }: {
      request: Request
      params?: Record<string, string>
      server?: Server
    }) => {
      const startedAt = performance.now()
      const incoming = new Incoming(request, server, params, deps.callerOf)
      const answering = serveRoute(route, incoming, deps)
      const observe = (response: Response) =>
        observedRoute(deps, route, incoming, response, startedAt)
      return answering instanceof Promise ? answering.then(observe) : observe(answering)
    }
    app.route(route.method, elysiaPath(route.path), serve, {
      parse: 'none',
      detail: { hide: true },
    })
    if (route.method === 'GET') {
      app.route('HEAD', elysiaPath(route.path), serve, { parse: 'none', detail: { hide: true } })
    }
  }
  app.all('/*', deps.gateway.serve, { parse: 'none', detail: { hide: true } })
  return app
}

/** Listens on host and port (0: any free one). Throws an AddressError when it cannot. */
export function listen(app: ReturnType<typeof createApp>, host: string, port: number): Listening {
  try {
    app.listen({ hostname: host, port })
  } catch (error) {
    throw new AddressError(host, port, { cause: error })
  }
  const { server } = app
  if (!server) throw new Error('The server did not start')
  return {
    port: server.port ?? port,
    stop: async (timeoutMs) => {
      const until = Date.now() + timeoutMs
      // Its promise also waits for idle keep-alive connections, which may stay for minutes.
      void server.stop(false)
      while (server.pendingRequests > 0 && Date.now() < until) await Bun.sleep(DRAIN_POLL_MS)
      await server.stop(true)
    },
  }
}
