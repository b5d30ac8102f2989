/** Job module of the document pool: a long document must not hold up the gateway. */
import type { JobHandlers } from '#kernel'
import { importText, type ImportOrder } from './import-text.ts'

export default {
  product: (order: ImportOrder) => importText(order),
} satisfies JobHandlers
