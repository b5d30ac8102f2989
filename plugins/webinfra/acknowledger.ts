/**
 * Writes down successes: the mark under the lease token and the capture of its hold, in one transaction.
 * Captures of one key wait for each other on its account until their commits, so the successes of a
 * key that have gathered share one transaction; when one of them cannot be captured, each goes
 * alone.
 */
import { createBatcher, type Batcher, type Billing, type PluginDb, type PluginTx } from '#kernel'
import { captured } from './charge.ts'
import type { Claimed } from './store/claimed.ts'
import { succeed, type AttemptRecord } from './store/queue.ts'
import { countOut } from './store/stored.ts'

export interface Success {
  claimed: Claimed
  record: AttemptRecord
  /** Id of the rail that paid, or 'free'. */
  rail: string
  holdId: string | null
}

/** `lost`: another instance has the lease; `hold_ended`: the hold expired first. Both change nothing. */
export type Acknowledged =
  | { outcome: 'done'; ledgerId: string | null }
  | { outcome: 'lost' | 'hold_ended' }

const BATCH = 32
/** Of the four connections of a plugin; claims and webhooks need the others. */
const MAX_AT_ONCE = 2

class HoldEnded extends Error {}

export class Acknowledger {
  readonly #db: PluginDb
  readonly #billing: Billing
  readonly #now: () => Date
  readonly #batcher: Batcher<Success, Acknowledged>

  constructor(deps: { db: PluginDb; billing: Billing; now(): Date }) {
    this.#db = deps.db
    this.#billing = deps.billing
    this.#now = deps.now
    this.#batcher = createBatcher<Success, Acknowledged>({
      maxInFlight: MAX_AT_ONCE,
      maxBatch: BATCH,
      laneOf: ({ claimed }) => claimed.payerKeyId ?? '',
      oneLanePerBatch: true,
      one: (success) => this.#alone(success),
      many: (successes) => this.#together(successes),
    })
  }

  /** What became of it; durable when it says `done`. Throws when the database fails. */
  write(success: Success): Promise<Acknowledged> {
    return this.#batcher.submit(success)
  }

  async #alone(success: Success): Promise<Acknowledged> {
    try {
      const [outcome] = await this.#together([success])
      return outcome!
    } catch (error) {
      if (error instanceof HoldEnded) return { outcome: 'hold_ended' }
      throw error
    }
  }

  #together(successes: readonly Success[]): Promise<Acknowledged[]> {
    return this.#db.transaction(async (tx) => {
      const kept = await Promise.all(successes.map((success) => this.#mark(tx, success)))
      const outcomes = await Promise.all(
        successes.map(({ holdId }, index) =>
          kept[index] ? this.#capture(tx, holdId) : ({ outcome: 'lost' } as const),
        ),
      )
      // Only when every capture has been answered: none may still be under way when it rolls back.
      if (outcomes.some(({ outcome }) => outcome === 'hold_ended')) throw new HoldEnded()
      // Last, because everybody who stores something for the same endpoint waits for these rows.
      const taken = successes.filter((_, index) => kept[index])
      if (taken.length > 0)
        await countOut(
          tx,
          taken.map(({ claimed }) => claimed.deliveryId),
        )
      return outcomes
    })
  }

  #mark(tx: PluginTx, { claimed, record, rail, holdId }: Success): Promise<boolean> {
    return succeed(tx, claimed, record, { rail, holdId }, this.#now())
  }

  async #capture(tx: PluginTx, holdId: string | null): Promise<Acknowledged> {
    if (holdId === null) return { outcome: 'done', ledgerId: null }
    const ledgerId = await captured(this.#billing, tx, holdId)
    return ledgerId === null ? { outcome: 'hold_ended' } : { outcome: 'done', ledgerId }
  }
}
