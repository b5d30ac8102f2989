/** The meter charges accounts by the terms that mounted plugins have for them. */
import type { OwnPrices } from '../metering/own-prices.ts'
import type { ProductRegistry } from '../products/registry.ts'

/** Hands over the terms of each snapshot; returns the end of following. */
export function followPluginTerms(registry: ProductRegistry, ownPrices: OwnPrices): () => void {
  return registry.onChange(() => {
    const products = [...registry.current().products.values()]
    ownPrices.setTerms(products.flatMap(({ parts }) => parts.started.instance.terms ?? []))
  })
}
