/**
 * The challenges made so far: one per quote object, and for each place (route or tool) the ones that
 * were sent out before its price changed. Those are honoured until nobody can still hold a
 * signature made from them.
 */
import type { Quote } from '#kernel'
import type { Asset } from './asset.ts'
import { challengeOf, maxTimeoutSeconds, type Challenge } from './challenge.ts'
import { isMainWay, suits, PaymentKinds, type PaymentKind } from './payment-kinds.ts'

/** An older price of a skill, from the price registry. */
export interface OlderPrice {
  amountAtomic: bigint
  priceVersion: number
}

/** A price that a payment may have been signed for. */
export interface AcceptedPrice {
  amountAtomic: bigint
  priceVersion: number
}

export class ChallengeCache {
  readonly #asset: Asset
  readonly #payTo: string
  readonly #serviceName: string
  readonly #kinds = new PaymentKinds()
  #byQuote = new WeakMap<Quote, Challenge>()
  readonly #places = new Map<
    string,
    { current: Challenge; older: { challenge: Challenge; retiredAt: number }[] }
  >()

  constructor(asset: Asset, payTo: string, serviceName: string) {
    this.#asset = asset
    this.#payTo = payTo
    this.#serviceName = serviceName
  }

  /** The challenge of a quote: made at first sight, then a map look-up. */
  of(quote: Quote): Challenge {
    return this.#byQuote.get(quote) ?? this.#make(quote)
  }

  /**
   * Offers these ways beside the main one from now on; `taken` are honoured without being offered.
   * False when that changes no challenge; else they are made anew.
   */
  offerKinds(others: readonly PaymentKind[], taken: readonly PaymentKind[] = []): boolean {
    const isNew = this.#kinds.set(others, taken)
    if (isNew) this.#byQuote = new WeakMap()
    return isNew
  }

  /** Whether a payment made in this way is for an offer of `quote` that is still honoured. */
  takes(way: PaymentKind, quote: Quote, nowMs = Date.now()): boolean {
    if (!suits(way, quote)) return false
    if (isMainWay(way, this.#asset)) return true
    return this.#kinds.takes(way, maxTimeoutSeconds(quote.timeoutMs) * 1000, nowMs)
  }

  /** The quote's own price and those of its place that are still honoured at `nowMs`, newest first. */
  prices(quote: Quote, nowMs = Date.now()): AcceptedPrice[] {
    const own = this.of(quote)
    if (quote.hasOwnPrice) return [priceOf(own)]
    const place = this.#places.get(placeOf(quote))
    if (!place) return [priceOf(own)]
    place.older = place.older.filter(
      ({ challenge, retiredAt }) =>
        nowMs <= retiredAt + challenge.requirements.maxTimeoutSeconds * 1000,
    )
    return [own, place.current, ...place.older.map(({ challenge }) => challenge)].map(priceOf)
  }

  #make(quote: Quote): Challenge {
    const others = this.#kinds.offered
    const made = challengeOf(quote, this.#asset, this.#payTo, this.#serviceName, others)
    this.#byQuote.set(quote, made)
    // A price that one buyer chose is nobody else's, so it has no place to be remembered at.
    if (quote.hasOwnPrice) return made
    const key = placeOf(quote)
    const place = this.#places.get(key)
    if (!place) {
      this.#places.set(key, { current: made, older: [] })
    } else if (quote.priceVersion >= place.current.quote.priceVersion) {
      if (quote.amountAtomic !== place.current.quote.amountAtomic) {
        place.older.unshift({ challenge: place.current, retiredAt: Date.now() })
      }
      place.current = made
    }
    return made
  }
}

function placeOf(quote: Quote): string {
  return `${quote.skillId} ${quote.transport} ${quote.method} ${quote.path}`
}

function priceOf({ quote }: Challenge): AcceptedPrice {
  return { amountAtomic: quote.amountAtomic, priceVersion: quote.priceVersion }
}
