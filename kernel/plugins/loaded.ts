/** The plugins that were found and are usable; `host/plugin-loading` finds and checks them. */
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

/** Why a value returned by a plugin breaks its contract, naming the member; null if valid. */
export interface ReturnChecks {
  /** Of an `Instance`. */
  instanceProblem(value: unknown): string | null
  /** Of a `GatewayPart`. */
  gatewayPartProblem(value: unknown): string | null
}

/** The plugins, without their origins. */
export function pluginsOf({ plugins }: LoadedPlugins): Plugin[] {
  return [...plugins.values()].map(({ plugin }) => plugin)
}
