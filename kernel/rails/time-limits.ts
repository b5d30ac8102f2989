/**
 * How long a rail may take over what a call asks of it. Rails wait for networks that are not theirs; one
 * that hangs must not hang its callers for good. What was asked goes on, so what came of money is not
 * known: whoever asks treats it as a throw, and never as a refusal.
 */
import { within } from '../work/timeout.ts'
import type { Rail } from './contract.ts'

/** Longer than any rail of the house waits for a settlement. */
const LIMIT_MS = 90_000

/** A rail did not answer in time; what it was asked may still happen. */
export class RailLate extends Error {
  override readonly name = 'RailLate'
  constructor(rail: string, asked: string) {
    super(`Rail ${rail} gave no answer to ${asked} within ${LIMIT_MS} ms`)
  }
}

/** What `work` of the rail gives or throws; throws RailLate when that takes too long. */
export function inRailTime<T>(
  { id }: Pick<Rail, 'id'>,
  asked: 'precheck' | 'inspect' | 'authorize' | 'capture' | 'release' | 'keepReceipt' | 'delivered',
  work: Promise<T>,
): Promise<T> {
  return within(work, LIMIT_MS, () => {
    throw new RailLate(id, asked)
  })
}
