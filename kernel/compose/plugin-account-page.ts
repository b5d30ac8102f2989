/** Offers and refusals lead people to the account pages of a mounted plugin. */
import type { ProductRegistry } from '../products/registry.ts'
import type { AccountPages } from '../rails/credits/account-pages.ts'

/** Hands over the pages of each snapshot; returns the end of following. */
export function followPluginAccountPage(
  registry: ProductRegistry,
  accountPages: AccountPages,
): () => void {
  return registry.onChange(() => {
    const products = [...registry.current().products.values()]
    const [page = null] = products.flatMap(({ parts }) => parts.started.instance.accountPage ?? [])
    accountPages.set(page)
  })
}
