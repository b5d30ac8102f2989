/**
 * Undoes holds of calls that came to nothing, also while the ledger is away: their work failed, their
 * answer was withheld because it stayed unknown whether the capture had happened, or the upstream
 * broke it off. A hold that was not captured is released, one that was is refunded.
 */
import type { Hold, Ledger } from '../../ledger/contract.ts'
import { persistently } from '../../work/retry.ts'
import { within } from '../../work/timeout.ts'

type Undoable = Pick<Hold, 'id' | 'accountId' | 'keyId' | 'requestId'>

const always = async (): Promise<boolean> => true
/** Six hours bound the memory: by then the hold has expired, or the charge is left to the operator. */
const RETRIES = { everyMs: 500, forMs: 6 * 3_600_000 }

export class HoldUndo {
  readonly #ledger: Ledger
  readonly #open = new Map<string, Promise<boolean>>()
  #isOver = false

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** Whether this hold is still being undone. */
  has(holdId: string): boolean {
    return this.#open.has(holdId)
  }

  /**
   * Retries in the background until the hold has ended without a charge: then true. False if
   * `isWanted`, asked before each try, says that the charge is due, or if it gave up. A refund's
   * ledger row states the `note`.
   */
  start(hold: Undoable, note: string, isWanted: () => Promise<boolean> = always): Promise<boolean> {
    const known = this.#open.get(hold.id)
    if (known) return known
    const work = persistently(() => this.#try(hold, note, isWanted), RETRIES)
      .then((isUndone) => isUndone ?? false)
      .finally(() => this.#open.delete(hold.id))
    this.#open.set(hold.id, work)
    return work
  }

  /** The same in a single try that the caller awaits; throws if it has to be repeated. */
  async once(hold: Undoable, note: string): Promise<void> {
    if (!(await this.#try(hold, note, always))) throw new Error('a charge is not given back yet')
  }

  /** Whether everything is undone; after `timeoutMs` nothing more is tried. */
  drain(timeoutMs: number): Promise<boolean> {
    return within(this.#drained(), timeoutMs, () => {
      this.#isOver = true
      return false
    })
  }

  async #drained(): Promise<boolean> {
    while (this.#open.size > 0) await Promise.all(this.#open.values())
    return true
  }

  /** Null if it has to be tried again. */
  async #try(
    { id: holdId, accountId, keyId, requestId }: Undoable,
    note: string,
    isWanted: () => Promise<boolean>,
  ): Promise<boolean | null> {
    if (this.#isOver || !(await isWanted())) return false
    const released = await this.#ledger.release({ holdId, accountId, keyId })
    if (released.outcome !== 'conflict' || released.hold.state !== 'captured') return true
    const refund = { requestId, keyId, holdId, note, isUndone: true }
    return (await this.#ledger.refund(refund)).outcome === 'done' ? true : null
  }
}
