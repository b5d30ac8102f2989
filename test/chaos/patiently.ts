/** How the chaos run itself bears what it does to the database. */
const GIVE_UP_MS = 120_000

/** Runs `work` again until the database answers: it is idempotent, or being done twice is no harm. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + GIVE_UP_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (performance.now() > endMs) throw error
      await Bun.sleep(50)
    }
  }
}
