/** Variables of plugins that are set and do nothing, because no product uses their plugin. */
import { declaredBy, type Declaring } from '../kernel/config/declared.ts'
import { textOf, type Environment } from '../kernel/config/variable.ts'
import { VARIABLES } from '../kernel/config/variables.ts'

export interface UnusedVariables {
  pluginId: string
  names: string[]
}

/**
 * By plugin, the variables in `env` that only unused plugins declare. Those that product files may
 * name do something without their plugin.
 */
export function unusedVariables(
  plugins: readonly Declaring[],
  usedIds: ReadonlySet<string>,
  env: Environment,
): UnusedVariables[] {
  const used = new Set(Object.values(VARIABLES).map(({ name }) => name))
  for (const plugin of plugins) {
    if (usedIds.has(plugin.id)) for (const { name } of declaredBy(plugin)) used.add(name)
  }
  return plugins
    .map((plugin) => ({
      pluginId: plugin.id,
      names: declaredBy(plugin)
        .filter(({ name, isOpenToProducts }) => !isOpenToProducts && !used.has(name))
        .flatMap(({ name }) => (textOf(env, name) === null ? [] : [name])),
    }))
    .filter(({ names }) => names.length > 0)
}

/** What an operator reads of it, with the product file that puts the plugin to use. */
export function describeUnused({ pluginId, names }: UnusedVariables): string {
  const areSet = names.length === 1 ? 'is set and does nothing' : 'are set and do nothing'
  return `${names.join(', ')} ${areSet}, because no product uses the plugin ${pluginId}; to use it, add ${pluginId}.yaml to PRODUCTS_DIR with the lines
product_id: ${pluginId}
plugin: ${pluginId}
metered: false`
}
