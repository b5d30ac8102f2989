/** `coinop product list`: the products of the configured database, or of a gateway elsewhere. */
import { EXIT, type PluginCommand } from '#kernel'
import { alsoRemote } from '../../shared/commands/remote.ts'

interface Product {
  product_id: string
  version: number
  file: string | null
  drift: boolean
}
type Removed = Pick<Product, 'product_id' | 'file'>

const stored: PluginCommand = {
  name: 'product list',
  usage: 'product list',
  summary: 'list stored products and their active revision',
  async run(context) {
    const rows = await context.storedProducts()
    context.printRows(
      rows.map(({ productId, active, activeHash, fileName, fileHash }) => ({
        product: productId,
        revision: active,
        file: fileName,
        drift: fileName !== null && active !== null && fileHash !== activeHash,
      })),
    )
    return EXIT.ok
  },
}

export const productList = alsoRemote(stored, async (context, remote) => {
  const { products, removed = [] } = await remote.ask<{ products: Product[]; removed?: Removed[] }>(
    'GET',
    '/v1/admin/products',
  )
  // In the order of `product list` on the database, which has both.
  const all = [...products, ...removed.map((one) => ({ ...one, version: null, drift: false }))]
  context.printRows(
    all
      .sort((a, b) => (a.product_id < b.product_id ? -1 : 1))
      .map(({ product_id, version, file, drift }) => ({
        product: product_id,
        revision: version,
        file,
        drift,
      })),
  )
  return EXIT.ok
})
