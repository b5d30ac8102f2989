/** Hands what the mounted plugins bring of one kind to the part of the gateway that uses it. */
import type { Instance } from '../plugins/contract.ts'
import type { ProductRegistry } from '../products/registry.ts'

/**
 * Calls `use` with all that `read` finds in the instances of the present snapshot, now and after every
 * change; returns the end of following.
 */
export function followInstances<T>(
  registry: Pick<ProductRegistry, 'current' | 'onChange'>,
  read: (instance: Instance) => T | readonly T[] | undefined,
  use: (brought: readonly T[]) => void,
): () => void {
  const follow = (): void => {
    const products = [...registry.current().products.values()]
    use(products.flatMap(({ parts }) => (read(parts.started.instance) ?? []) as T | readonly T[]))
  }
  follow()
  return registry.onChange(follow)
}
