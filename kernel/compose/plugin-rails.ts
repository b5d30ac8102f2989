/** Keeps the rail registry in step with the rails that mounted plugins bring. */
import type { Logger } from '../log/logger.ts'
import type { ProductRegistry } from '../products/registry.ts'
import type { Rail } from '../rails/contract.ts'
import type { RailRegistry } from '../rails/registry.ts'

/** Adds and removes rails at every swap of the snapshot; returns its end. */
export function followPluginRails(
  registry: ProductRegistry,
  rails: RailRegistry,
  log: Logger,
): () => void {
  const added = new Map<Rail, () => void>()
  const follow = (): void => {
    const wanted = new Set<Rail>()
    for (const product of registry.current().products.values()) {
      for (const rail of product.rails) wanted.add(rail)
    }
    for (const [rail, remove] of added) {
      if (wanted.has(rail)) continue
      remove()
      added.delete(rail)
    }
    for (const rail of wanted) {
      if (added.has(rail)) continue
      if (rails.get(rail.id)) {
        added.set(rail, () => {})
        log.error({ rail: rail.id }, 'a plugin gives a rail the name of another; it is not used')
        continue
      }
      added.set(rail, rails.add(rail))
      log.info({ rail: rail.id }, 'rail added by a plugin')
    }
  }
  return registry.onChange(follow)
}
