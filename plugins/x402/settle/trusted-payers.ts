/**
 * Whose next payment the node need not be asked about before the work (facilitators always are). The
 * question reserves nothing and an answer is given only for money that is here, so all it saves is
 * work done for nothing: a payer may cost us as much of that as they have paid for within the last
 * minute, and then has to pay first.
 */
import { LRUCache } from 'lru-cache'

const KEPT_MS = 60_000
const PAYERS_MAX = 10_000

export class PayerCredit {
  readonly #credits = new LRUCache<string, { atomic: bigint }>({ max: PAYERS_MAX, ttl: KEPT_MS })

  /** Takes the value of a payment from its payer's credit; false when there is not as much. */
  take(payer: string, valueAtomic: bigint): boolean {
    const credit = this.#credits.get(payer)
    if (credit === undefined || credit.atomic < valueAtomic) return false
    credit.atomic -= valueAtomic
    return true
  }

  /** A payment has settled: it earns its value, or gives back what it took. */
  earn(payer: string, valueAtomic: bigint): void {
    const credit = this.#credits.get(payer) ?? { atomic: 0n }
    credit.atomic += valueAtomic
    // Set again, because that is what starts its minute anew.
    this.#credits.set(payer, credit)
  }

  /** A payment did not settle: its payer is asked about from now on. */
  lose(payer: string): void {
    const credit = this.#credits.get(payer)
    if (credit) credit.atomic = 0n
  }
}
