/**
 * Expires due holds on a timer. Every instance runs one: rows are claimed with SKIP LOCKED, so each
 * hold expires exactly once.
 */
import { inSlices, repeat, type Background } from '../work/background.ts'
import type { Logger } from '../log/logger.ts'
import type { Ledger } from './contract.ts'

const EVERY_MS = 5000
const SLICE = 500

/** Starts the timer; a round continues while slices are full. `everyMs` differs only in tests. */
export function startSweeper(
  ledger: Pick<Ledger, 'expireDue'>,
  log: Pick<Logger, 'info' | 'warn'>,
  everyMs = EVERY_MS,
): Background {
  return repeat({ name: 'hold expiry', everyMs, log }, async (stopping) => {
    const expired = await inSlices((limit) => ledger.expireDue(limit), SLICE, stopping)
    if (expired > 0) log.info({ expired }, 'holds expired')
  })
}
