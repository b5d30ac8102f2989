/**
 * Single look-ups that go out together: a thousand keys in use are a few statements a second
 * instead of one per call.
 */
import { createBatcher } from '../work/batcher.ts'

/** Statements under way at once; what is asked for meanwhile gathers for the next one. */
const STATEMENTS_AT_ONCE = 4
const IDS_PER_STATEMENT = 500

/**
 * A look-up by id over `loadMany`, which finds what there is of a list of ids. Every answer comes
 * from a statement that was sent after the question; null when there is nothing.
 */
export function batched<T>(
  loadMany: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (id: string) => Promise<T | null> {
  const batcher = createBatcher<string, T | null>({
    maxInFlight: STATEMENTS_AT_ONCE,
    maxBatch: IDS_PER_STATEMENT,
    async many(ids) {
      const found = await loadMany([...new Set(ids)])
      return ids.map((id) => found.get(id) ?? null)
    },
  })
  return (id) => batcher.submit(id)
}
