/** The challenges made so far: one per quote object and set of entries that are open. */
import type { Quote } from '#kernel'
import type { Entry } from '../entries/contract.ts'
import type { ExtensionsFor } from './answer-extensions.ts'
import { challengeOf, type Challenge } from './challenge.ts'
import type { Prices } from '../terms/prices.ts'

export class ChallengeCache {
  readonly #entries: readonly Pick<Entry, 'offers' | 'available'>[]
  readonly #serviceName: string
  readonly #prices: Prices
  readonly #extensionsFor: ExtensionsFor | null
  /** By the set of entries that are offered, one bit each. */
  #byOpen = new Map<number, WeakMap<Quote, Challenge>>()
  #version = 0

  constructor(
    entries: readonly Pick<Entry, 'offers' | 'available'>[],
    serviceName: string,
    prices: Prices,
    extensionsFor: ExtensionsFor | null = null,
  ) {
    this.#entries = entries
    this.#serviceName = serviceName
    this.#prices = prices
    this.#extensionsFor = extensionsFor
  }

  /** The challenge of a quote: made at first sight, then a map look-up. */
  of(quote: Quote): Challenge {
    const open = this.#open()
    return this.#byOpen.get(open)?.get(quote) ?? this.#make(quote, open)
  }

  /** How often the entries have offered something else. */
  get version(): number {
    return this.#version
  }

  /** An entry offers something else from now on. */
  renew(): void {
    this.#version++
    this.#byOpen = new Map()
  }

  /** Entries that can take money now; all of them where none can, as nothing is sold then. */
  #open(): number {
    if (this.#entries.length === 1) return 1
    let open = 0
    for (const [index, entry] of this.#entries.entries()) {
      if (entry.available().ok) open |= 1 << index
    }
    return open === 0 ? (1 << this.#entries.length) - 1 : open
  }

  #make(quote: Quote, open: number): Challenge {
    const offers = this.#entries
      .filter((_, index) => (open & (1 << index)) !== 0)
      .map((entry) => entry.offers)
    const main = this.#entries[0]!.offers
    const made = challengeOf(quote, offers, this.#serviceName, main, this.#extensionsFor)
    const challenges = this.#byOpen.get(open) ?? new WeakMap<Quote, Challenge>()
    this.#byOpen.set(open, challenges.set(quote, made))
    this.#prices.note(quote)
    return made
  }
}
