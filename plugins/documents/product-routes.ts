/** /v1/products: the products that can be called, for everybody. */
import {
  type Catalog,
  type CatalogSnapshot,
  invalid,
  type Issue,
  type MountedSkill,
  notFound,
  nullable,
  queryInteger,
  type Route,
  type ServedProduct,
} from '#kernel'
import { Type } from 'typebox'
import { DescribedProduct, ListedProduct, publicProduct } from './product-views.ts'

const TAG = 'Products'
/** The `limit` of the list. */
const PAGE = { min: 1, max: 1000, fallback: 200 }

/** What everybody may see of the products. */
export function productRoutes(catalog: Catalog): Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/products',
      auth: 'public',
      tag: TAG,
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
        const limit = queryInteger(query, 'limit', PAGE, issues)
        if (issues.length > 0) return invalid(issues)
        const after = query.get('cursor') ?? ''
        const snapshot = catalog.current()
        const listed = listedIn(snapshot)
        const from = after === '' ? 0 : listed.findIndex((one) => idOf(one) > after)
        const found = from === -1 ? [] : listed.slice(from, from + limit + 1)
        const page = found.slice(0, limit)
        return Response.json({
          products: page.map((product) =>
            publicProduct(product, skillsOf(snapshot, product), false),
          ),
          nextCursor: found.length > limit ? idOf(page.at(-1)!) : null,
        })
      },
    },
    {
      method: 'GET',
      path: '/v1/products/{product_id}',
      auth: 'public',
      tag: TAG,
      summary: 'One product with the schemas of its skills',
      output: DescribedProduct,
      handler({ params }) {
        const snapshot = catalog.current()
        const product = snapshot.products?.get(params['product_id']!)
        if (!product || product.parts.spec.visibility === 'private')
          return notFound('No product has this id')
        return Response.json(publicProduct(product, skillsOf(snapshot, product), true))
      },
    },
  ]
}

const idOf = ({ parts }: ServedProduct): string => parts.spec.productId

interface Listed {
  products: readonly ServedProduct[]
  skills: ReadonlyMap<string, readonly MountedSkill[]>
}
const made = new WeakMap<CatalogSnapshot, Listed>()

/** Made once per snapshot. */
function listOf(snapshot: CatalogSnapshot): Listed {
  let list = made.get(snapshot)
  if (list === undefined) {
    list = {
      products: [...(snapshot.products?.values() ?? [])]
        .filter(({ parts }) => parts.spec.visibility === 'public')
        .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1)),
      skills: Map.groupBy(snapshot.skills, ({ product }) => product.id),
    }
    made.set(snapshot, list)
  }
  return list
}

/** The discoverable products by id. */
const listedIn = (snapshot: CatalogSnapshot): readonly ServedProduct[] => listOf(snapshot).products

function skillsOf(snapshot: CatalogSnapshot, product: ServedProduct): readonly MountedSkill[] {
  return listOf(snapshot).skills.get(idOf(product)) ?? []
}
