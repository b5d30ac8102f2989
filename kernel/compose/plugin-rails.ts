/** Keeps the rail registry and the routes that sell credits in step with the mounted plugins. */
import type { Logger } from '../log/logger.ts'
import type { ProductRegistry } from '../products/registry.ts'
import type { Rail } from '../rails/contract.ts'
import type { CreditsRail } from '../rails/credits/rail.ts'
import type { RailRegistry } from '../rails/registry.ts'

/**
 * Registers the rails of every new snapshot: a new revision replaces a rail in one step. Returns
 * the unsubscribe function.
 */
export function followPluginRails(
  registry: Pick<ProductRegistry, 'current' | 'onChange'>,
  rails: RailRegistry,
  credits: Pick<CreditsRail, 'sellThrough'>,
  log: Logger,
): () => void {
  let refusedBefore = new Set<Rail>()
  const follow = (): void => {
    const { products, routes } = registry.current()
    const known = new Set(rails.list().map(({ id }) => id))
    const brought = [...products.values()].flatMap((product) => [...product.rails])
    const refused = rails.setOfPlugins(brought)
    for (const rail of refused) {
      if (refusedBefore.has(rail)) continue
      log.error({ rail: rail.id }, 'a plugin gives a rail the id of another; it is not used')
    }
    refusedBefore = new Set(refused)
    for (const { id } of rails.list()) if (!known.has(id)) log.info({ rail: id }, 'rail mounted')
    for (const id of known) if (!rails.get(id)) log.info({ rail: id }, 'rail removed')
    credits.sellThrough(
      routes.flatMap(({ path, rail, sellsCredits }) =>
        sellsCredits && (rail === undefined || rails.get(rail)) ? [{ ...sellsCredits, path }] : [],
      ),
    )
  }
  follow()
  return registry.onChange(follow)
}
