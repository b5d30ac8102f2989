/** Where the operator's page is, for the pages and lists that lead to it. */
import type { MountedProduct } from './mounted-product.ts'

const CONSOLE_PLUGIN = 'console'

/** The path of the mounted console, or null when there is none. */
export function consolePath(products: ReadonlyMap<string, MountedProduct>): string | null {
  for (const { parts } of products.values()) {
    if (parts.spec.pluginId === CONSOLE_PLUGIN) return parts.spec.basePath
  }
  return null
}
