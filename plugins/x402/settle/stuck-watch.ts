/** Tells the operator of settlements whose outcome stays unknown. */
import { type Alerts, type Background, type Logger, repeat } from '#kernel'
import type { Backlog } from '../claims/claim.ts'

const LOOK_EVERY_MS = 15_000
/** A settlement on any network is over long before, or waits for somebody. */
export const STUCK_AFTER_MS = 180_000

export interface StuckWatchOptions {
  alerts: Pick<Alerts, 'holds'>
  /** Null while the rail has none to look at. */
  backlog(): Promise<Backlog> | null
  log: Logger
}

/** One look; true when the operator was told now. */
export async function lookForStuck({ alerts, backlog }: StuckWatchOptions): Promise<boolean> {
  const found = await backlog()
  if (found === null || found.oldestMs < STUCK_AFTER_MS) return false
  const { settling, uncertain, oldestMs } = found
  return alerts.holds({
    type: 'settlement.stuck',
    // One for all of them: what holds one up holds up the others, and they are listed by the route.
    subject: 'x402',
    data: {
      rail: 'x402',
      pending: settling,
      uncertain,
      oldestSeconds: Math.round(oldestMs / 1000),
    },
  })
}

/** Looks from now on; any number of instances may. */
export function watchStuck(options: StuckWatchOptions): Background {
  return repeat({ name: 'x402 stuck settlements', everyMs: LOOK_EVERY_MS, log: options.log }, () =>
    lookForStuck(options),
  )
}
