/** Looks at how much memory a process keeps while it does one job. */
import { RESIDENT_POLL_MS } from '#kernel'

/**
 * Calls `onAbove` with the MiB found whenever `read` gives more than `limitMib` (null: the process is gone),
 * until the returned function ends the watch.
 */
export function watchMemory(watch: {
  read(): Promise<number | null>
  limitMib: number
  onAbove(mib: number): void
}): () => void {
  let hasEnded = false
  const poll = setInterval(async () => {
    const mib = await watch.read()
    // The job may have ended meanwhile, and its successor is not to be killed for it.
    if (!hasEnded && mib !== null && mib > watch.limitMib) watch.onAbove(mib)
  }, RESIDENT_POLL_MS)
  return () => {
    hasEnded = true
    clearInterval(poll)
  }
}
