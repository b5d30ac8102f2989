/** Hands contributions of mounted plugins to the part of the gateway that uses them. */
import type { Instance } from '../plugins/contract.ts'
import type { ProductRegistry } from '../products/registry.ts'

/**
 * Calls `use` with everything that `read` finds in the instances of the current snapshot, now and
 * after every change; returns the unsubscribe function.
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
