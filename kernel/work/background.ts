/** Work that repeats in the background, with jitter, never twice at once, stopped with the gateway. */
import type { Logger } from '../log/logger.ts'

export interface Background {
  /** Begins a round at once, or right after the one under way; does nothing after `stop`. */
  wake(): void
  /** Fires the round's signal, lets a round under way end, starts no other. */
  stop(): Promise<void>
}

export interface RepeatOptions {
  /** What the log calls it. */
  name: string
  /** The pause between two rounds; half of it more or less, so that instances do not move in step. */
  everyMs: number
  /** The first round comes at once instead of after a pause. */
  atOnce?: boolean
  log: Pick<Logger, 'warn'>
}

/** Runs `round` again and again; a throw is logged and the next round comes all the same. */
export function repeat(
  options: RepeatOptions,
  round: (stopping: AbortSignal) => Promise<unknown>,
): Background {
  const { name, everyMs, atOnce = false, log } = options
  const stopping = new AbortController()
  let timer: Timer | undefined
  /** The rounds under way; null while none is. */
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

/** Asks `slice` again while it finds as many rows as it may take, and until `stopping` fires. */
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
