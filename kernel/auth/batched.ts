/**
 * Single look-ups that go out together: a thousand keys in use are a few statements a second
 * instead of one per call.
 */

/** Statements under way at once; what is asked for meanwhile gathers for the next one. */
const STATEMENTS_AT_ONCE = 4
const IDS_PER_STATEMENT = 500

interface Asked<T> {
  id: string
  resolve(found: T | null): void
  reject(error: unknown): void
}

/**
 * A look-up by id over `loadMany`, which finds what there is of a list of ids. Every answer comes
 * from a statement that was sent after the question; null when there is nothing.
 */
export function batched<T>(
  loadMany: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (id: string) => Promise<T | null> {
  let queue: Asked<T>[] = []
  let statementsOpen = 0
  let isFlushing = false

  function schedule(): void {
    if (isFlushing || queue.length === 0 || statementsOpen >= STATEMENTS_AT_ONCE) return
    isFlushing = true
    // What is asked for in this turn of the event loop goes out together.
    setImmediate(flush)
  }

  function flush(): void {
    isFlushing = false
    while (statementsOpen < STATEMENTS_AT_ONCE && queue.length > 0) {
      const batch = queue.slice(0, IDS_PER_STATEMENT)
      queue = queue.slice(IDS_PER_STATEMENT)
      statementsOpen++
      void answer(batch).finally(() => {
        statementsOpen--
        schedule()
      })
    }
  }

  async function answer(batch: readonly Asked<T>[]): Promise<void> {
    try {
      const found = await loadMany([...new Set(batch.map(({ id }) => id))])
      for (const { id, resolve } of batch) resolve(found.get(id) ?? null)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (id) =>
    new Promise((resolve, reject) => {
      queue.push({ id, resolve, reject })
      schedule()
    })
}
