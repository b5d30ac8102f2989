/** Where the operator's page is, for the pages and lists that lead to it. */
import type { MountedProduct } from './mounted-product.ts'

/** The path of the mounted product whose first page is for operators, or null when there is none. */
export function consolePath(products: ReadonlyMap<string, MountedProduct>): string | null {
  for (const { parts } of products.values()) {
    const { basePath } = parts.spec
    const isPage = parts.routes.some(({ forOperators, path }) => forOperators && path === basePath)
    if (isPage) return basePath
  }
  return null
}
