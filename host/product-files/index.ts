/** What the kernel is handed: how product specs are read, from texts and from a folder. */
import type { ProductReader } from '#kernel/host'
import { ProductDocument } from './document.ts'
import { ProductFiles } from './files.ts'
import { parseProducts } from './parse.ts'

export const productReader: ProductReader = {
  parse: parseProducts,
  openFolder: (options) => new ProductFiles(options),
  documentSchema: ProductDocument,
}
