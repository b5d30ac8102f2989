/**
 * Undoes captures whose answer was not delivered: withheld because the outcome stayed unknown, or
 * broken off by the upstream. Once the database answers, the hold is released if the capture never
 * happened, and refunded if it did.
 */
import type { Ledger } from '../../ledger/contract.ts'

export interface WithheldCharge {
  holdId: string
  accountId: string
  keyId: string
  requestId: string
  /** The reason that the refund's ledger row states. */
  note: string
}

const always = async (): Promise<boolean> => true
const PAUSE_MS = 500
/** Bounds the memory: by then the hold has expired, or the charge is left to the operator. */
const GIVE_UP_MS = 6 * 3_600_000

export class CaptureUndo {
  readonly #ledger: Ledger
  readonly #open = new Map<string, Promise<boolean>>()

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** Whether this hold's capture is still being undone. */
  has(holdId: string): boolean {
    return this.#open.has(holdId)
  }

  /**
   * Retries in the background until the hold has ended without a charge: then true. False if
   * `isWanted`, asked before each try, says that the charge is due, or after GIVE_UP_MS.
   */
  start(charge: WithheldCharge, isWanted: () => Promise<boolean> = always): Promise<boolean> {
    const known = this.#open.get(charge.holdId)
    if (known) return known
    const work = this.#undo(charge, isWanted).finally(() => this.#open.delete(charge.holdId))
    this.#open.set(charge.holdId, work)
    return work
  }

  /** The same in a single try that the caller awaits; throws if it has to be repeated. */
  async once(charge: WithheldCharge): Promise<void> {
    if (!(await this.#tryUndo(charge, always))) throw new Error('a charge is not given back yet')
  }

  async drain(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open.values())
  }

  async #undo(charge: WithheldCharge, isWanted: () => Promise<boolean>): Promise<boolean> {
    const giveUpAtMs = performance.now() + GIVE_UP_MS
    while (performance.now() < giveUpAtMs) {
      const done = await this.#tryUndo(charge, isWanted).catch(() => null)
      if (done !== null) return done
      await Bun.sleep(PAUSE_MS)
    }
    return false
  }

  /** Null if it has to be tried again. */
  async #tryUndo(
    { holdId, accountId, keyId, requestId, note }: WithheldCharge,
    isWanted: () => Promise<boolean>,
  ): Promise<boolean | null> {
    if (!(await isWanted())) return false
    const released = await this.#ledger.release({ holdId, accountId, keyId })
    if (released.outcome !== 'conflict') return true
    if (released.hold.state !== 'captured') return true
    const refund = { requestId, keyId, holdId, note, isUndone: true }
    return (await this.#ledger.refund(refund)).outcome === 'done' ? true : null
  }
}
