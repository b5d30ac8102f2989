/** Repeating background work, with jitter; rounds never overlap, and they stop with the gateway. */
import type { Logger } from '../log/logger.ts'

export interface Background {
  /** Starts a round at once, or right after the running one; does nothing after `stop`. */
  wake(): void
  /** Aborts the round's signal, waits for a running round, and starts no other. */
  stop(): Promise<void>
}

export interface RepeatOptions {
  /** Its name in the log. */
  name: string
  /** The pause between two rounds, varied by half, so that instances do not run in step. */
  everyMs: number
  /** The first round starts at once instead of after a pause. */
  atOnce?: boolean
  log: Pick<Logger, 'warn'>
}

/** Runs `round` repeatedly; a throw is logged, and the next round still runs. */
export function repeat(
  options: RepeatOptions,
  round: (stopping: AbortSignal) => Promise<unknown>,
): Background {
  const { name, everyMs, atOnce = false, log } = options
  const stopping = new AbortController()
  let timer: Timer | undefined
  /** The running round; null if there is none. */
  let running: Promise<void> | null = null
  let isWoken = false

  async function rounds(): Promise<void> {
    do {
      isWoken = false
      try {
        await round(stopping.signal)
      } catch (error) {
        log.warn({ err: error, task: name }, 'background round failed')
      }
    } while (isWoken && !stopping.signal.aborted)
    running = null
    if (!stopping.signal.aborted) schedule()
  }
  function schedule(): void {
    timer = setTimeout(wake, everyMs * (0.5 + Math.random()))
    timer.unref()
  }
  function wake(): void {
    isWoken = true
    if (running !== null || stopping.signal.aborted) return
    clearTimeout(timer)
    running = rounds()
  }

  if (atOnce) wake()
  else schedule()
  return {
    wake,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}

/** Repeats `slice` while it processes as many rows as its limit, or until `stopping` aborts. */
export async function inSlices(
  slice: (limit: number) => Promise<number>,
  limit: number,
  stopping: AbortSignal,
): Promise<number> {
  let total = 0
  for (let count = limit; count >= limit && !stopping.aborted;) {
    count = await slice(limit)
    total += count
  }
  return total
}
