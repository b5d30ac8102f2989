/** Where the operator's page is, for the pages and lists that lead to it. */
import type { MountedProduct } from './mounted-product.ts'

/**
 * Below `origin` (a URL without a path, or '' for a link on the same one) the page of the mounted
 * product that is for operators; null when there is none.
 */
export function consoleUrl(
  products: ReadonlyMap<string, MountedProduct>,
  origin: string,
): string | null {
  for (const { parts } of products.values()) {
    const { basePath } = parts.spec
    const isPage = parts.routes.some(({ forOperators, path }) => forOperators && path === basePath)
    if (isPage) return origin + basePath
  }
  return null
}
