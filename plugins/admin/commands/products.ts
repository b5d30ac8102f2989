/** `coinop product list`: the products of the configured database, or of a gateway elsewhere. */
import { EXIT, type PluginCommand } from '#kernel'
import { alsoRemote } from '../../shared/commands/remote.ts'

interface Product {
  product_id: string
  version: number
  file: string | null
  drift: boolean
}

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
  const { products } = await remote.ask<{ products: Product[] }>('GET', '/v1/admin/products')
  context.printRows(
    products.map(({ product_id, version, file, drift }) => ({
      product: product_id,
      revision: version,
      file,
      drift,
    })),
  )
  return EXIT.ok
})
