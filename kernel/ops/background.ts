/** Work that repeats in the background, with jitter, never twice at once, stopped with the gateway. */
import type { Logger } from '../plugins/contract.ts'

export interface Background {
  /** Lets a round under way end; starts no other. */
  stop(): Promise<void>
}

/** Runs `round` about every `everyMs`; a throw is logged and the next round comes all the same. */
export function repeat(
  name: string,
  everyMs: number,
  round: () => Promise<unknown>,
  log: Logger,
): Background {
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let timer: Timer | undefined
  const once = async (): Promise<void> => {
    try {
      await round()
    } catch (error) {
      log.warn({ err: error, task: name }, 'background round failed')
    }
    if (!stopped) schedule()
  }
  const schedule = (): void => {
    const jitter = 0.8 + Math.random() * 0.4
    timer = setTimeout(() => {
      running = once()
    }, everyMs * jitter)
    timer.unref()
  }
  schedule()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
