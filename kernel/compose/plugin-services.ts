/** The kernel services that plugins may ask for, made from the parts of this gateway. */
import type { Authenticator } from '../auth/contract.ts'
import { bearerOf } from '../auth/tokens.ts'
import { httpSource } from '../http/incoming.ts'
import { observeCall } from '../metering/observe-call.ts'
import type { RouteRequest } from '../plugins/route.ts'
import type { KernelServices } from '../plugins/services.ts'
import type { ProductRegistry } from '../products/registry.ts'
import { isKnowable } from '../products/visibility.ts'
import type { OwnServices } from '../services/plugin-services.ts'
import { VERSION } from '../version.ts'
import type { GatewayCore, OwnService } from './core.ts'

/** Those of a plugin by its id. */
export function pluginServices(
  core: GatewayCore,
  { serveOwn }: OwnService,
  registry: ProductRegistry,
  made: Pick<OwnServices, 'documents' | 'outbound'>,
): (pluginId: string) => KernelServices {
  const { config, machinery, foundation, metering } = core
  const { db, ledger, vault, onFunded } = foundation
  const { auth, tokens, admin } = core.identity
  const { meter, quotes, rails } = metering
  const { reporting, priceHistory } = machinery
  const own: OwnServices = {
    ...made,
    vault,
    catalog: registry,
    statements: reporting.createStatements({ sql: db.sql, ledger }),
    reports: reporting.createReports({
      sql: db.sql,
      ledger,
      rails,
      configuration: core.configLines,
      version: VERSION,
      startedAt: core.startedAt,
    }),
    quotes: {
      http: (mounted) => quotes.http(mounted),
      tool: (mounted, tool) => quotes.tool(mounted, tool),
      pricesSince: (skillId, since) => priceHistory.pricesSince(db, skillId, since),
      at: (method, path) => registry.skillAt(method, path),
      identify: (credentials) => auth.identify(credentials),
      ownPrice: (accountId, listed) => metering.accountTerms.of(accountId, listed),
      sellers: (allowed, quote) => rails.sellers(allowed, quote),
      left: ledger,
      priceTable: () => registry.prices.current(),
      priceTableAt: (version) => registry.prices.at(version),
      visibleTo: (asked) => visibleTo({ auth, registry }, asked),
    },
  }
  return machinery.createPluginServices({
    own,
    config,
    db,
    ledger,
    management: foundation,
    onFunded,
    auth,
    tokens,
    adminToken: admin.token,
    meter,
    quotes,
    observe: (call, outcome, began) => observeCall(core, call, outcome, began, 'MCP'),
    registry,
    pages: metering.accountPages,
    serveOwn,
    log: core.log,
  })
}

/** Who asks, as far as what may be seen depends on it. */
type Asked = Pick<RouteRequest, 'request' | 'clientAddress' | 'operator'>

const BUYS_NOTHING: readonly string[] = []

/** The products whose prices whoever asks may see, by id; null: of all there ever were. */
async function visibleTo(
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
