/**
 * Skips the node's check before the work for recent payers, up to what they paid within the last
 * minute, where the gateway's own key alone settles. The check reserves nothing, and an answer is given only
 * for money that has arrived: without it, a payer can at most cause work for nothing worth that much.
 * So it is not for answers that go out before they are paid.
 */
import { LRUCache } from 'lru-cache'

const KEPT_MS = 60_000
const PAYERS_MAX = 10_000

export class TrustedPayers {
  readonly #credits = new LRUCache<string, { atomic: bigint }>({ max: PAYERS_MAX, ttl: KEPT_MS })

  /** Spends the payer's trust on a payment; false when its value, in atomic units, exceeds it. */
  take(payer: string, valueAtomic: bigint): boolean {
    const credit = this.#credits.get(payer)
    if (credit === undefined || credit.atomic < valueAtomic) return false
    credit.atomic -= valueAtomic
    return true
  }

  /** A payment has settled: its payer is trusted with its value (again). */
  earn(payer: string, valueAtomic: bigint): void {
    const credit = this.#credits.get(payer) ?? { atomic: 0n }
    credit.atomic += valueAtomic
    // Setting it again restarts its minute.
    this.#credits.set(payer, credit)
  }

  /** A payment did not settle: the node checks its payer from now on. */
  lose(payer: string): void {
    const credit = this.#credits.get(payer)
    if (credit) credit.atomic = 0n
  }
}
