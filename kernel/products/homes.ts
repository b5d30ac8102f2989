/** The pages of mounted products to which the gateway's own pages and lists link. */
import type { MountedProduct } from './mounted-product.ts'

export interface Home {
  path: string
  title: string
  /** Served only at the operators' origin, and shown to nobody else. */
  forOperators: boolean
}

/** Each product's `home` that is a page it serves; those of private products are left out. */
export function homesOf(products: ReadonlyMap<string, MountedProduct>): Home[] {
  return [...products.values()].flatMap(({ parts: { spec, started, routes } }) => {
    const { home } = started.instance
    const page = routes.find(({ method, path }) => method === 'GET' && path === home?.path)
    if (!home || !page || spec.visibility === 'private') return []
    return [{ ...home, forOperators: page.forOperators === true }]
  })
}
