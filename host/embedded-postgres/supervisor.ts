/** Restores the embedded server, or our hold on it, when either disappears while we use it. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '#kernel'

const WATCH_MS = 200
const RETRY_MAX_MS = 5000

/**
 * Calls `restart` whenever `isUp` turns false, again and again until it succeeds. The returned
 * function ends the watch and resolves when no restart is under way.
 */
export function supervise(
  isUp: () => boolean,
  restart: () => Promise<void>,
  log: Logger,
): () => Promise<void> {
  const ended = new AbortController()
  const pause = (ms: number) =>
    delay(ms, undefined, { signal: ended.signal, ref: false }).catch(() => {})

  async function watch(): Promise<void> {
    for (let attempt = 0; !ended.signal.aborted;) {
      try {
        if (!isUp()) {
          log.error({ attempt }, 'the embedded database, or the hold on it, was lost; restoring it')
          await restart()
          log.warn({}, 'the embedded database is back')
        }
        attempt = 0
        await pause(WATCH_MS)
      } catch (error) {
        log.error({ err: error }, 'the embedded database does not start')
        await pause(Math.min(250 * 2 ** attempt++, RETRY_MAX_MS))
      }
    }
  }
  const watching = watch()
  return async () => {
    ended.abort()
    await watching
  }
}
