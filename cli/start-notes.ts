/** What plugins want printed once the gateway has started. */
import type { Logger } from '../kernel/log/logger.ts'
import type { MountedProduct } from '../kernel/products/mounted-product.ts'
import { within } from '../kernel/work/timeout.ts'

const TIMEOUT_MS = 2000

/** The lines of each product that has some; one that fails or is slow is left out and logged. */
export async function startNotes(
  products: ReadonlyMap<string, MountedProduct>,
  log: Logger,
): Promise<string[][]> {
  const notes: string[][] = []
  for (const [productId, { parts }] of products) {
    try {
      const told = Promise.resolve(parts.started.instance.startNotes?.() ?? [])
      const lines = await within(told, TIMEOUT_MS, () => {
        throw new Error(`no answer within ${TIMEOUT_MS} ms`)
      })
      if (lines.length > 0) notes.push(lines.map(String))
    } catch (error) {
      log.warn({ product: productId, err: error }, 'start notes of a plugin failed')
    }
  }
  return notes
}
