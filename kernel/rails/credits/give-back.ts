/**
 * Undoes captures whose answer never arrived: withheld because the outcome stayed unknown, or broken
 * off by the upstream. Once the database is there, the hold is released when the capture never
 * happened, and refunded when it did.
 */
import type { Ledger } from '../../ledger/contract.ts'

export interface WithheldCharge {
  holdId: string
  accountId: string
  keyId: string
  requestId: string
  /** Why, for the refund's ledger row. */
  note: string
}

const PAUSE_MS = 500
/** By then the hold has expired, or the charge is left to the operator: a bound on memory. */
const GIVE_UP_MS = 6 * 3_600_000

export class GiveBack {
  readonly #ledger: Ledger
  readonly #open = new Map<string, Promise<void>>()

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** Whether this hold's charge is still being given back. */
  has(holdId: string): boolean {
    return this.#open.has(holdId)
  }

  /** Goes on in the background until the hold has ended without a charge. */
  start(charge: WithheldCharge): void {
    if (this.has(charge.holdId)) return
    const work = this.#undo(charge).finally(() => this.#open.delete(charge.holdId))
    this.#open.set(charge.holdId, work)
  }

  async drain(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open.values())
  }

  async #undo(charge: WithheldCharge): Promise<void> {
    const giveUpAtMs = performance.now() + GIVE_UP_MS
    while (performance.now() < giveUpAtMs) {
      if (await this.#tryUndo(charge).catch(() => false)) return
      await Bun.sleep(PAUSE_MS)
    }
  }

  async #tryUndo({ holdId, accountId, keyId, requestId, note }: WithheldCharge): Promise<boolean> {
    const released = await this.#ledger.release({ holdId, accountId, keyId })
    if (released.outcome !== 'conflict') return true
    if (released.hold.state !== 'captured') return true
    const refunded = await this.#ledger.refund({ requestId, keyId, holdId, note })
    return refunded.outcome === 'done'
  }
}
