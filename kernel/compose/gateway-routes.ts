/** The gateway's own routes, which every mounted product stands beside. */
import type { Authenticator } from '../auth/contract.ts'
import { bearerOf, secretTester } from '../auth/tokens.ts'
import type { Config } from '../config/config.ts'
import { adminHostOf, isAtOperators } from '../http/admin-origin.ts'
import type { ReadyReport } from '../http/health.ts'
import { httpSource } from '../http/incoming.ts'
import { publicMetrics } from '../http/public-view.ts'
import { metaRoutes } from '../http/routes/meta.ts'
import type { Route, RouteRequest } from '../plugins/route.ts'
import type { OperatorFacts } from '../plugins/services.ts'
import { homesOf } from '../products/homes.ts'
import { publicNames } from '../products/public-names.ts'
import type { ProductRegistry } from '../products/registry.ts'
import { isKnowable } from '../products/visibility.ts'
import { VERSION } from '../version.ts'
import type { GatewayCore } from './core.ts'

export interface GatewayRouteDeps {
  registry: ProductRegistry
  /** All of the gateway's own, these and those of plugins. */
  routes: readonly Route[]
  /** The checks of /ready, of what is mounted now. */
  readiness(): Promise<ReadyReport>
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

/** Pages of products that whoever asks at `url` may be led to. */
export function homesAt(
  { config, registry }: { config: Config; registry: ProductRegistry },
  url: string,
): { path: string; title: string }[] {
  // Whoever is not at the operators' origin learns nothing of the pages there.
  return homesOf(registry.current().products).filter(
    ({ forOperators }) => !forOperators || isAtOperators(url, adminHostOf(config.adminUrl)),
  )
}

/** Who asks, as far as what may be seen depends on it. */
type Asked = Pick<RouteRequest, 'request' | 'clientAddress' | 'operator'>

const BUYS_NOTHING: readonly string[] = []

/** The products whose prices whoever asks may see, by id; null: of all there ever were. */
export async function visibleTo(
  { auth, registry }: { auth: Authenticator; registry: ProductRegistry },
  { request, clientAddress, operator }: Asked,
): Promise<((productId: string) => boolean) | null> {
  if (operator) return null
  const source = httpSource(request.headers, { clientAddress })
  const found = await auth.identify(source)
  // A credential that is wrong shows what none shows: prices are for everybody.
  if (!found.ok && bearerOf(source.header('authorization'))) {
    if ((await auth.operators.identify(source, clientAddress)).ok) return null
  }
  const buys = found.ok && found.identity ? (found.identity.products ?? null) : BUYS_NOTHING
  return (productId) => isKnowable(registry.current(), productId, buys)
}

/** All of them; none is metered. */
export function gatewayRoutes(
  { config, startedAt, metrics, identity }: GatewayCore,
  { registry, routes, readiness, hiddenChecks, stopping }: GatewayRouteDeps,
): Route[] {
  const isMetricsToken = secretTester(config.metricsToken)
  return metaRoutes({
    readiness,
    metrics,
    version: VERSION,
    startedAt,
    stopping,
    hiddenChecks,
    publicMetrics: () =>
      publicMetrics(
        metrics,
        publicNames(registry.current()),
        new Set(routes.map(({ path }) => path)),
      ),
    async isInsider({ request, clientAddress, operator }) {
      if (operator) return true
      const source = httpSource(request.headers)
      const bearer = bearerOf(source.header('authorization'))
      if (bearer === null || bearer === '') return false
      if (isMetricsToken(bearer)) return true
      return (await identity.auth.operators.identify(source, clientAddress)).ok
    },
  })
}
