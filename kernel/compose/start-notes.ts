/** What plugins want printed once the gateway has started. */
import type { Logger } from '../log/logger.ts'
import type { Instance } from '../plugins/contract.ts'
import { within } from '../work/timeout.ts'

const TIMEOUT_MS = 2000

/** The lines of each instance that has some; one that fails or is slow is left out and logged. */
export async function startNotes(
  instances: ReadonlyMap<string, Instance>,
  log: Logger,
): Promise<string[][]> {
  const notes: string[][] = []
  for (const [productId, instance] of instances) {
    try {
      const told = Promise.resolve(instance.startNotes?.() ?? [])
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
