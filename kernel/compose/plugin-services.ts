/** Makes the kernel services for plugins from the parts of this gateway. */
import type { Outbound } from '../net/contract.ts'
import { observeCall } from '../metering/observe-call.ts'
import type { KernelServices } from '../plugins/services.ts'
import type { ProductRegistry } from '../products/registry.ts'
import type { PublicFacts } from '../services/plugin-services.ts'
import { VERSION } from '../version.ts'
import type { GatewayCore, OwnService } from './core.ts'

/** The services of a plugin by its id. */
export function pluginServices(
  core: GatewayCore,
  { serveOwn }: OwnService,
  registry: ProductRegistry,
  outbound: Outbound,
  shown: PublicFacts,
): (pluginId: string) => KernelServices {
  const { config, machinery, foundation, identity, metering, log } = core
  const { db, ledger, vault, onFunded } = foundation
  const { sql } = db
  const { reporting, priceHistory } = machinery
  return machinery.createPluginServices({
    config,
    db,
    ledger,
    management: foundation,
    onFunded,
    auth: identity.auth,
    tokens: identity.tokens,
    adminToken: identity.admin.token,
    metering,
    observe: (call, outcome, began) => observeCall(core, call, outcome, began, 'MCP'),
    registry,
    pricesSince: (skillId, since) => priceHistory.pricesSince(db, skillId, since),
    vault,
    outbound,
    statements: reporting.createStatements({ sql, ledger }),
    reports: reporting.createReports({
      sql,
      ledger,
      rails: metering.rails,
      configuration: core.configLines,
      version: VERSION,
      startedAt: core.startedAt,
    }),
    shown,
    serveOwn,
    log,
  })
}
