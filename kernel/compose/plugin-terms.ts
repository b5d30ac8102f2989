/** The meter charges accounts by the terms that mounted plugins have for them. */
import type { AccountTerms } from '../metering/account-terms.ts'
import type { ProductRegistry } from '../products/registry.ts'

/** Hands over the terms of each snapshot; returns the end of following. */
export function followPluginTerms(
  registry: ProductRegistry,
  accountTerms: AccountTerms,
): () => void {
  return registry.onChange(() => {
    const products = [...registry.current().products.values()]
    accountTerms.setTerms(products.flatMap(({ parts }) => parts.started.instance.terms ?? []))
  })
}
