/** The plugins that were found and can be used; `host/plugin-loading` finds them. */
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
}

/** The plugins without where they came from. */
export function pluginsOf({ plugins }: LoadedPlugins): Plugin[] {
  return [...plugins.values()].map(({ plugin }) => plugin)
}
