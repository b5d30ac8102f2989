/** Callers are identified by the credentials that mounted plugins read, beside API keys. */
import type { Identifiers } from '../auth/identifiers.ts'
import type { ProductRegistry } from '../products/registry.ts'

/** Hands over the identifiers of each snapshot; returns the end of following. */
export function followPluginIdentifiers(
  registry: ProductRegistry,
  identifiers: Identifiers,
): () => void {
  return registry.onChange(() => {
    const products = [...registry.current().products.values()]
    identifiers.set(products.flatMap(({ parts }) => parts.started.instance.identifiers ?? []))
  })
}
