/**
 * Payers that are contracts and whose payment failed on the chain although the node had said that it
 * would not. Such a wallet can tell a trial from a block (by the price of gas, by the block's number), so
 * its owner could have us pay for any number of failures, each of them free for them. The first one is the
 * last for a day. Payers with a key alone pay gas of their own to make a payment fail.
 */
import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'

const REFUSED_FOR_MS = 24 * 3_600_000
const PAYERS_MAX = 10_000

export class FailedPayers {
  readonly #failed = new LRUCache<string, true>({ max: PAYERS_MAX, ttl: REFUSED_FOR_MS })

  add(payer: Address): void {
    this.#failed.set(payer.toLowerCase(), true)
  }

  has(payer: Address): boolean {
    return this.#failed.has(payer.toLowerCase())
  }
}
