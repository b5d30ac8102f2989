/** Hands contributions of mounted plugins to the part of the gateway that uses them. */
import type { Instance } from '../plugins/contract.ts'
import type { ProductRegistry } from '../products/registry.ts'

/** What an instance has under `Name`: one thing, or each thing of a list. */
type Brought<Name extends keyof Instance> =
  NonNullable<Instance[Name]> extends readonly (infer T)[] ? T : NonNullable<Instance[Name]>

/**
 * Calls `use` with everything that the instances of the current snapshot have under `name`, now and
 * after every change; returns the unsubscribe function.
 */
export function followInstances<Name extends keyof Instance>(
  registry: Pick<ProductRegistry, 'current' | 'onChange'>,
  name: Name,
  use: (brought: readonly Brought<Name>[]) => void,
): () => void {
  const follow = (): void => {
    const products = [...registry.current().products.values()]
    const brought = products.map(({ parts }) => parts.started.instance[name] ?? [])
    use(brought.flat() as Brought<Name>[])
  }
  follow()
  return registry.onChange(follow)
}
