/**
 * What plugins add to the gateway itself (`Plugin.gateway`), whether or not a product uses them. It
 * is set up once, before any product. A failing part of a third-party plugin is left out; a failing
 * part of a shipped plugin prevents the start.
 */
import type { Gauge } from '../log/metrics.ts'
import type { Logger } from '../log/logger.ts'
import type { GatewayEnv, GatewayPart, Plugin } from '../plugins/contract.ts'
import { READY_TIMEOUT_MS, SETUP_TIMEOUT_MS, stop } from '../plugins/lifecycle.ts'
import { endWithin } from '../work/timeout.ts'
import type { LoadedPlugin, ReturnChecks } from '../plugins/loaded.ts'
import type { Route } from '../plugins/route.ts'
import type { DocumentTexts } from '../plugins/document-services.ts'
import { routeKey } from '../products/ownership.ts'
import { isWithin } from '../products/path.ts'
import type { Migration } from '../storage/contract.ts'

const STOP_MS = 10_000

export interface GatewayPartDeps {
  plugins: Iterable<LoadedPlugin>
  checks: ReturnChecks
  /** The existing routes. */
  taken: readonly Route[]
  makeEnv(plugin: Plugin): GatewayEnv
  migrate(pluginId: string, migrations: readonly Migration[]): Promise<unknown>
  log: Logger
}

export interface GatewayParts {
  readonly routes: readonly Route[]
  /** The routes among them whose paths no plugin has reserved. */
  readonly unreserved: readonly Route[]
  readonly gauges: readonly Gauge[]
  readonly documents: DocumentTexts | null
  readonly notFound: GatewayPart['notFound']
  stop(): Promise<void>
}

/** Sets up and readies every part. Throws if a part of a shipped plugin fails. */
export async function openGatewayParts(deps: GatewayPartDeps): Promise<GatewayParts> {
  const opened: { plugin: Plugin; part: GatewayPart }[] = []
  const stopPart = (plugin: Plugin, part: GatewayPart): Promise<void> =>
    stop({ plugin, instance: part }, new Date(Date.now() + STOP_MS), deps.log)
  const stopAll = async (): Promise<void> => {
    await Promise.all(opened.map(({ plugin, part }) => stopPart(plugin, part)))
  }
  for (const { plugin, isBuiltin } of deps.plugins) {
    if (!plugin.gateway) continue
    const making = (async () => plugin.gateway!(deps.makeEnv(plugin)))()
    let part: GatewayPart | null = null
    try {
      part = await endWithin(SETUP_TIMEOUT_MS, making)
      const taken = [...deps.taken, ...opened.flatMap((one) => one.part.routes ?? [])]
      const wrong =
        deps.checks.gatewayPartProblem(part) ??
        takenProblem(part, taken) ??
        (isBuiltin ? null : placeProblem(plugin, part))
      if (wrong !== null) throw new Error(wrong)
      if (plugin.migrations?.length) await deps.migrate(plugin.id, plugin.migrations)
      if (part.ready) await endWithin(READY_TIMEOUT_MS, part.ready())
      opened.push({ plugin, part })
    } catch (error) {
      if (part) await stopPart(plugin, part)
      // One that is made too late must still be stopped.
      else making.then((late) => stopPart(plugin, late)).catch(() => {})
      if (isBuiltin) {
        await stopAll()
        const reason = error instanceof Error ? error.message : String(error)
        throw new Error(`The part ${plugin.id} of the gateway does not start: ${reason}`, {
          cause: error,
        })
      }
      deps.log.error({ err: error, plugin: plugin.id }, 'a part of the gateway is left out')
    }
  }
  return {
    routes: opened.flatMap(({ part }) => part.routes ?? []),
    unreserved: opened.flatMap(({ plugin, part }) =>
      (part.routes ?? []).filter(({ path }) => !isReserved(plugin, path)),
    ),
    gauges: opened.flatMap(({ part }) => part.gauges ?? []),
    documents: opened.findLast(({ part }) => part.documents)?.part.documents ?? null,
    notFound: opened.findLast(({ part }) => part.notFound)?.part.notFound,
    stop: stopAll,
  }
}

function isReserved({ reservedPaths = [] }: Plugin, path: string): boolean {
  return reservedPaths.some((own) => isWithin(path, own))
}

function takenProblem({ routes = [] }: GatewayPart, taken: readonly Route[]): string | null {
  const known = new Set(taken.map(routeKey))
  const twice = routes.map(routeKey).find((key) => known.has(key))
  return twice === undefined ? null : `${twice} is served by the gateway already`
}

/** The problem of a third-party plugin with a route outside of its reserved paths. */
function placeProblem(plugin: Plugin, { routes = [] }: GatewayPart): string | null {
  const stray = routes.find(({ path }) => !isReserved(plugin, path))
  return stray ? `${stray.method} ${stray.path} lies outside of its reserved paths` : null
}
