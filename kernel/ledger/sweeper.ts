/**
 * Expires due holds on a timer. Every instance runs one: rows are claimed with SKIP LOCKED, so each
 * hold expires exactly once.
 */
import { repeat, type Background } from '../work/background.ts'
import type { Logger } from '../log/logger.ts'
import type { Ledger } from './contract.ts'

export interface SweeperOptions {
  ledger: Pick<Ledger, 'expireDue'>
  log: Pick<Logger, 'info' | 'warn'>
  intervalMs?: number
  /** Called with the number of holds that a round expired, for metrics. */
  onExpired?(count: number): void
}

const INTERVAL_MS = 5_000
const BATCH = 500

/** Starts the timer; a round continues while batches are full. */
export function startSweeper(options: SweeperOptions): Background {
  const { ledger, log, intervalMs = INTERVAL_MS } = options
  return repeat({ name: 'hold expiry', everyMs: intervalMs, log }, async (stopping) => {
    let total = 0
    for (let count = BATCH; count === BATCH && !stopping.aborted;) {
      count = await ledger.expireDue(BATCH)
      total += count
    }
    if (total === 0) return
    options.onExpired?.(total)
    log.info({ expired: total }, 'holds expired')
  })
}
