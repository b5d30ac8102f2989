/** The plugins that were found and can be used; `host/plugin-loading` finds and checks them. */
import type { Plugin } from './contract.ts'

export interface LoadedPlugin {
  plugin: Plugin
  /** 'built in', a path or a package name. */
  origin: string
  isBuiltin: boolean
}

export interface PluginProblem {
  origin: string
  message: string
}

export interface LoadedPlugins {
  plugins: ReadonlyMap<string, LoadedPlugin>
  problems: readonly PluginProblem[]
  checks: ReturnChecks
}

/** Why a value that a plugin returned is not what it says, naming the member; null when it is. */
export interface ReturnChecks {
  /** Of an `Instance`. */
  instanceProblem(value: unknown): string | null
  /** Of a `GatewayPart`. */
  gatewayPartProblem(value: unknown): string | null
}

/** The plugins without where they came from. */
export function pluginsOf({ plugins }: LoadedPlugins): Plugin[] {
  return [...plugins.values()].map(({ plugin }) => plugin)
}
