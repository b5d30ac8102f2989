/** /v1/products: the products that can be called, for everybody. */
import { Type } from 'typebox'
import { invalid, type Issue } from '../../errors.ts'
import type { Route } from '../../plugins/route.ts'
import type { MountedProduct } from '../../products/mounted-product.ts'
import type { ProductRegistry } from '../../products/registry.ts'
import type { Snapshot } from '../../products/snapshot.ts'
import { notFound, nullable, queryInteger } from '../json.ts'
import { adminProductRoutes } from './admin-products.ts'
import {
  DescribedProduct,
  NO_PRODUCT,
  PRODUCT_PAGE,
  PRODUCTS_TAG,
  publicProduct,
  ListedProduct,
} from './product-views.ts'

export function productRoutes({ registry }: { registry: ProductRegistry }): Route[] {
  return [...publicProductRoutes(registry), ...adminProductRoutes(registry)]
}

/** What everybody may see of the registry. */
function publicProductRoutes(registry: ProductRegistry): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/products',
      auth: 'public',
      tag: PRODUCTS_TAG,
      summary: 'Products that can be called, with their prices',
      output: Type.Object({
        products: Type.Array(ListedProduct),
        nextCursor: nullable('string'),
      }),
      query: Type.Object({
        limit: Type.Optional(Type.Integer({ minimum: 1 })),
        cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before' })),
      }),
      handler({ query }) {
        const issues: Issue[] = []
        const limit = queryInteger(query, 'limit', PRODUCT_PAGE, issues)
        if (issues.length > 0) return invalid(issues)
        const after = query.get('cursor') ?? ''
        const snapshot = registry.current()
        const listed = listedIn(snapshot)
        const from = after === '' ? 0 : listed.findIndex(({ id }) => id > after)
        const found = from === -1 ? [] : listed.slice(from, from + limit + 1)
        const page = found.slice(0, limit)
        return Response.json({
          products: page.map((product) => publicProduct(product, snapshot, false)),
          nextCursor: found.length > limit ? page.at(-1)!.id : null,
        })
      },
    },
    {
      method: 'GET',
      path: '/v1/products/{product_id}',
      auth: 'public',
      tag: PRODUCTS_TAG,
      summary: 'One product with the schemas of its skills',
      output: DescribedProduct,
      handler({ params }) {
        const snapshot = registry.current()
        const product = snapshot.products.get(params['product_id']!)
        if (!product || product.parts.spec.visibility === 'private') return notFound(NO_PRODUCT)
        return Response.json(publicProduct(product, snapshot, true))
      },
    },
  ]
}

const sorted = new WeakMap<Snapshot, readonly MountedProduct[]>()

/** The discoverable products by id, sorted once per snapshot. */
function listedIn(snapshot: Snapshot): readonly MountedProduct[] {
  let listed = sorted.get(snapshot)
  if (listed === undefined) {
    listed = [...snapshot.products.values()]
      .filter(({ parts }) => parts.spec.visibility === 'public')
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    sorted.set(snapshot, listed)
  }
  return listed
}
