/**
 * Writes down successes: the mark under the fence and the capture of its hold, in one transaction.
 * Captures of one key wait for each other on its account until their commits, so the successes of a
 * key that have gathered share one transaction; when one of them cannot be captured, each goes
 * alone.
 */
import type { Billing, PluginDb, PluginTx } from '#kernel'
import { captured } from './charge.ts'
import type { Claimed } from './store/claimed.ts'
import { succeed, type AttemptRecord } from './store/queue.ts'
import { countOut } from './store/stored.ts'

export interface Success {
  claimed: Claimed
  record: AttemptRecord
  rail: 'credits' | 'x402' | 'free'
  holdId: string | null
}

/** `lost`: another instance has the lease; `hold_ended`: the hold expired first. Both change nothing. */
export type Acknowledged =
  | { outcome: 'done'; ledgerId: string | null }
  | { outcome: 'lost' | 'hold_ended' }

interface Waiting {
  success: Success
  settle(outcome: Promise<Acknowledged>): void
}

const BATCH = 32
/** Of the four connections of a plugin; claims and webhooks need the others. */
const MAX_AT_ONCE = 2

class HoldEnded extends Error {}

export class Acknowledger {
  readonly #db: PluginDb
  readonly #billing: Billing
  readonly #now: () => Date
  #waiting: Waiting[] = []
  #running = 0

  constructor(deps: { db: PluginDb; billing: Billing; now(): Date }) {
    this.#db = deps.db
    this.#billing = deps.billing
    this.#now = deps.now
  }

  /** What became of it; durable when it says `done`. Throws when the database fails. */
  write(success: Success): Promise<Acknowledged> {
    return new Promise((resolve) => {
      this.#waiting.push({ success, settle: resolve })
      setImmediate(() => this.#next())
    })
  }

  #next(): void {
    if (this.#running >= MAX_AT_ONCE || this.#waiting.length === 0) return
    const key = this.#waiting[0]!.success.claimed.payerKeyId
    const batch: Waiting[] = []
    const rest: Waiting[] = []
    for (const waiting of this.#waiting) {
      const fits = waiting.success.claimed.payerKeyId === key && batch.length < BATCH
      ;(fits ? batch : rest).push(waiting)
    }
    this.#waiting = rest
    this.#running++
    void this.#run(batch).finally(() => {
      this.#running--
      this.#next()
    })
    this.#next()
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#together(batch.map(({ success }) => success))
      batch.forEach(({ settle }, index) => settle(Promise.resolve(outcomes[index]!)))
    } catch {
      // Nothing was written: each finds out alone what is wrong with it.
      const alone = batch.map(({ success }) => this.#alone(success))
      batch.forEach(({ settle }, index) => settle(alone[index]!))
      await Promise.allSettled(alone)
    }
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
