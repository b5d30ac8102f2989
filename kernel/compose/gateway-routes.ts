/** The gateway's own routes, which every mounted product stands beside. */
import type { Authenticator } from '../auth/contract.ts'
import type { TokenService } from '../auth/jwt.ts'
import type { Config } from '../config/config.ts'
import { adminHostOf, isAtOperators } from '../http/admin-origin.ts'
import { creditRoutes } from '../http/routes/credits.ts'
import { keyRoutes } from '../http/routes/keys.ts'
import { ledgerRoutes } from '../http/routes/ledger.ts'
import { metaRoutes } from '../http/routes/meta.ts'
import { priceRoutes } from '../http/routes/prices.ts'
import { productRoutes } from '../http/routes/products.ts'
import type { Metrics } from '../log/metrics.ts'
import type { Health } from '../plugins/contract.ts'
import type { Route } from '../plugins/route.ts'
import type { Documents } from '../plugins/services.ts'
import { homesOf } from '../products/homes.ts'
import type { ProductRegistry } from '../products/registry.ts'
import type { RailRegistry } from '../rails/registry.ts'
import type { Foundation } from './foundation.ts'

export interface GatewayRouteDeps {
  config: Config
  version: string
  startedAt: Date
  foundation: Pick<Foundation, 'keys' | 'ledger'>
  tokens: TokenService
  auth: Authenticator
  registry: ProductRegistry
  rails: RailRegistry
  documents: Documents
  metrics: Metrics
  /** The checks of /ready, of what is mounted now. */
  health(): readonly Health[]
  stopping(): boolean
}

/** All of them; none is metered. */
export function gatewayRoutes(deps: GatewayRouteDeps): Route[] {
  const { config, version, startedAt, registry, rails } = deps
  const { keys, ledger } = deps.foundation
  const { sandbox } = config
  return [
    ...metaRoutes({
      catalog: registry,
      documents: deps.documents,
      rails: () => rails.creditsFirst(),
      health: deps.health,
      metrics: deps.metrics,
      version,
      startedAt,
      stopping: deps.stopping,
      // Whoever is not at the operators' origin learns nothing of the pages there.
      homes: (url) =>
        homesOf(registry.current().products).filter(
          ({ forOperators }) => !forOperators || isAtOperators(url, adminHostOf(config.adminUrl)),
        ),
    }),
    ...keyRoutes({ keys, ledger, tokens: deps.tokens, sandbox }),
    ...creditRoutes({
      ledger,
      accountOf: (keyId) => keys.accountOf(keyId),
      holdTtlMs: config.holdTtlMs,
      sandbox,
    }),
    ...ledgerRoutes({ ledger }),
    ...productRoutes({ registry }),
    ...priceRoutes(registry.prices),
  ]
}
