/**
 * Which price of a quote a signed transfer pays, for networks where who signed it is always known
 * (a contract's signature leaves that open on EVM networks: see verify.ts).
 */
import { assert, type Quote } from '#kernel'
import type { Token } from '../terms/token.ts'
import {
  unitsOf,
  isPaidBy,
  olderPrice,
  type AcceptedPrice,
  type OlderPrices,
  type Prices,
} from '../terms/prices.ts'
import { disagree, type Problem } from './problem.ts'
import type { Word } from './reason-codes.ts'
import type { Examined, Verified } from './verified.ts'

export interface TransferPricesOptions {
  token: Pick<Token, 'decimals'>
  prices: Prices
  /** Prices of a skill that other instances may have offered within the last seconds. */
  olderPrices?: OlderPrices
}

export class TransferPrices {
  readonly #options: TransferPricesOptions
  /** What to say of a transfer of another amount. */
  readonly #word: Word

  constructor(options: TransferPricesOptions, word: Word) {
    this.#options = options
    this.#word = word
  }

  /** A transfer of `units` of the token that is good otherwise, by the prices known here. */
  examine(units: bigint, quote: Quote): Examined {
    const { prices, olderPrices } = this.#options
    const price = prices.of(quote).find(this.#isPaidBy(units))
    if (price) return { kind: 'good', price }
    return { kind: 'signed', problem: olderPrices ? null : this.#problem(units, quote) }
  }

  /**
   * The price that an examined transfer pays, or why it pays none; `units` is null where nothing was
   * read of one that is refused.
   */
  async verify(
    units: bigint | null,
    quote: Quote,
    examined: Examined,
  ): Promise<{ ok: true; price: AcceptedPrice } | (Verified & { ok: false })> {
    if (examined.kind === 'refused') {
      return { ok: false, problem: examined.problem, signed: false }
    }
    assert(examined.kind !== 'open' && units !== null, 'a transfer that was read, with its signer')
    if (examined.kind === 'good') return { ok: true, price: examined.price }
    if (examined.problem) return { ok: false, problem: examined.problem, signed: true }
    const price = await olderPrice(this.#options.olderPrices, quote, this.#isPaidBy(units))
    return price
      ? { ok: true, price }
      : { ok: false, problem: this.#problem(units, quote), signed: true }
  }

  #isPaidBy(units: bigint): (price: AcceptedPrice) => boolean {
    return isPaidBy(units, this.#options.token.decimals)
  }

  #problem(units: bigint, quote: Quote): Problem {
    const expected = unitsOf(this.#options.token.decimals, quote.amountAtomic)
    return disagree(this.#word.reason, this.#word.field, expected.toString(), units.toString())
  }
}
