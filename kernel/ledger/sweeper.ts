/**
 * Expires due holds on a timer. Every instance runs one: rows are claimed with SKIP LOCKED, so each
 * hold expires exactly once, and the pauses are jittered so that instances do not move in step.
 */
import type { Logger } from '../plugins/contract.ts'
import type { Ledger } from './contract.ts'

export interface SweeperOptions {
  ledger: Pick<Ledger, 'expireDue'>
  log: Pick<Logger, 'info' | 'warn'>
  intervalMs?: number
  /** Told how many holds a round expired, for metrics. */
  onExpired?(count: number): void
}

export interface Sweeper {
  /** No round begins after this call; resolves when the running one has ended. */
  stop(): Promise<void>
}

const INTERVAL_MS = 5_000
const BATCH = 500

export function startSweeper(options: SweeperOptions): Sweeper {
  const { ledger, log, intervalMs = INTERVAL_MS } = options
  const stopping = new AbortController()
  const { signal } = stopping

  async function sweep(): Promise<void> {
    let total = 0
    for (let count = BATCH; count === BATCH && !signal.aborted;) {
      count = await ledger.expireDue(BATCH)
      total += count
    }
    if (total === 0) return
    options.onExpired?.(total)
    log.info({ expired: total }, 'holds expired')
  }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      await pause(intervalMs * (0.5 + Math.random()), signal)
      if (signal.aborted) return
      await sweep().catch((error: unknown) => log.warn({ err: error }, 'hold expiry failed'))
    }
  }

  const running = loop()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Resolves after `ms`, or at once when the signal fires. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
