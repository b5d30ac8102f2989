/** The offers of an EVM entry: `exact` in its token's own way, and what else is known to be settled. */
import type { Quote } from '#kernel'
import type { EntryOffers, Token } from '../entries/contract.ts'
import type { Sponsoring } from '../payment/sponsoring.ts'
import type { PaymentRequirements } from '../payment/wire.ts'
import { unitsOf } from './prices.ts'
import { tokenOf, type Asset } from './asset.ts'
import {
  extraOf,
  isMainWay,
  mainWay,
  PaymentKinds,
  suits,
  type PaymentKind,
} from './payment-kinds.ts'
import { maxTimeoutSeconds } from './window.ts'

export class EvmOffers implements EntryOffers {
  readonly token: Token
  readonly asset: Asset
  readonly #changed: () => void
  readonly #isUpfront: boolean
  readonly #kinds = new PaymentKinds()
  #sponsorings: readonly Sponsoring[] = []
  #byQuote = new WeakMap<Quote, readonly PaymentRequirements[]>()

  /**
   * `changed` is called when `of` gives something else than before; with `isUpfront` payments of scheme
   * `exact` are settled before the work.
   */
  constructor(asset: Asset, payTo: string, changed: () => void = () => {}, isUpfront = false) {
    this.#isUpfront = isUpfront
    this.token = tokenOf(asset, payTo)
    this.asset = asset
    this.#changed = changed
  }

  /** Approvals that somebody brings to the chain with a payment by Permit2. */
  get sponsorings(): readonly Sponsoring[] {
    return this.#sponsorings
  }

  /** Version 1 knows neither Permit2 nor upto. */
  get speaksV1(): boolean {
    return this.asset.method === 'eip3009'
  }

  of(quote: Quote): readonly PaymentRequirements[] {
    const known = this.#byQuote.get(quote)
    if (known) return known
    const made = [mainWay(this.asset), ...this.#kinds.offered]
      .filter((way) => suits(way, quote))
      .map((way) => this.#made(quote, way, quote.amountAtomic))
    this.#byQuote.set(quote, made)
    return made
  }

  /**
   * The requirements of a payment made in this way at `amountAtomic`, in millionths of a dollar: the
   * offer's own object, whose JSON text is cached, for all but rare payments.
   */
  requirementsOf(quote: Quote, way: PaymentKind, amountAtomic: bigint): PaymentRequirements {
    if (isMainWay(way, this.asset) && amountAtomic === quote.amountAtomic) {
      const [main] = this.of(quote)
      if (main && main.scheme === way.scheme) return main
    }
    return this.#made(quote, way, amountAtomic)
  }

  /**
   * Offers these ways beside the main one from now on; `taken` are honoured without being offered.
   * False when that changes no offer; else they are made anew.
   */
  offerKinds(
    others: readonly PaymentKind[],
    taken: readonly PaymentKind[] = [],
    sponsorings: readonly Sponsoring[] = [],
  ): boolean {
    const isSponsoredAnew = sponsorings.join() !== this.#sponsorings.join()
    this.#sponsorings = sponsorings
    const isNew = this.#kinds.set(others, taken) || isSponsoredAnew
    if (isNew) {
      this.#byQuote = new WeakMap()
      this.#changed()
    }
    return isNew
  }

  /** Whether a payment made in this way is for an offer of `quote` that is still honoured. */
  takes(way: PaymentKind, quote: Quote, nowMs = Date.now()): boolean {
    if (!suits(way, quote)) return false
    if (isMainWay(way, this.asset)) return true
    return this.#kinds.takes(way, maxTimeoutSeconds(quote.timeoutMs) * 1000, nowMs)
  }

  #made(quote: Quote, way: PaymentKind, amountAtomic: bigint): PaymentRequirements {
    const { network, asset, payTo, decimals } = this.token
    return {
      scheme: way.scheme,
      network,
      amount: unitsOf(decimals, amountAtomic).toString(),
      asset,
      payTo,
      maxTimeoutSeconds: maxTimeoutSeconds(quote.timeoutMs),
      extra: extraOf(this.asset, way, this.#sponsorings, this.#isUpfront),
    }
  }
}
