/** Makes the environment a plugin is set up with: its config, tables, log, network and services. */
import type { Config } from '../config/config.ts'
import { textOf, valueOf } from '../config/variable.ts'
import { poolOf, type DocumentPool } from '../jobs/contract.ts'
import type { Outbound } from '../net/contract.ts'
import type { GatewayEnv, Plugin, PluginEnv } from '../plugins/contract.ts'
import type { ProductView } from '../plugins/catalog.ts'
import type { Logger } from '../log/logger.ts'
import type { KernelServices, ServiceName } from '../plugins/services.ts'
import type { Database } from '../storage/contract.ts'
import { pluginDb } from '../storage/plugin-db.ts'

export interface EnvironmentDeps {
  config: Config
  db: Database
  jobs: DocumentPool
  outbound: Outbound
  /** The process environment, from which a plugin reads only the names it declared. */
  env: Readonly<Record<string, string | undefined>>
  /** Looked up on demand, because some services exist only after the registry does. */
  services(pluginId: string): KernelServices
  /** What a mounted product currently provides under this name; looked up for each use. */
  readonly provided: GatewayEnv['provided']
  log: Logger & { child(fields: object): Logger }
}

/** The environment of `plugin` for `product` with its validated config. */
export function pluginEnvironment(
  deps: EnvironmentDeps,
  plugin: Plugin,
  product: ProductView,
  config: unknown,
): PluginEnv {
  return {
    ...gatewayEnvironment(deps, plugin, product.id),
    config: config as Readonly<unknown>,
    product,
  }
}

/** The environment of what `plugin` adds to the gateway itself, or to a product by its id. */
export function gatewayEnvironment(
  deps: EnvironmentDeps,
  plugin: Plugin,
  product?: string,
): GatewayEnv {
  const declaredSecrets = new Set(plugin.secrets ?? [])
  const declaredVariables = new Set((plugin.variables ?? []).map(({ name }) => name))
  const declaredServices = new Set<ServiceName>(plugin.requires ?? [])
  const mustDeclare = (isDeclared: boolean, name: string, member: keyof Plugin): void => {
    if (!isDeclared)
      throw new Error(`Plugin ${plugin.id} uses ${name} without '${member}' naming it`)
  }
  return {
    log: deps.log.child({ plugin: plugin.id, ...(product !== undefined && { product }) }),
    db: pluginDb(deps.db, plugin.id),
    fetch: deps.outbound.fetch,
    // A plugin's work between calls has its own share of the pool.
    jobs: poolOf(deps.jobs, product === undefined ? `plugin:${plugin.id}` : `product:${product}`),
    publicUrl: deps.config.publicUrl,
    sandbox: deps.config.sandbox,
    now: () => new Date(),
    secret(name) {
      mustDeclare(declaredSecrets.has(name), name, 'secrets')
      return textOf(deps.env, name) ?? undefined
    },
    variable(variable) {
      mustDeclare(declaredVariables.has(variable.name), variable.name, 'variables')
      return valueOf(deps.env, variable)
    },
    service(name) {
      mustDeclare(declaredServices.has(name), name, 'requires')
      return deps.services(plugin.id)[name]
    },
    provided: deps.provided,
  }
}
