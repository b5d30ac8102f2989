/**
 * The open rails and their selection (decisions 2): a presented payment pays before a key does, a
 * key alone pays prepaid, nothing presented ends in the 402 that offers every open rail.
 */
import type { Failure } from '../errors.ts'
import type { Offer, Quote, Rail } from './contract.ts'
import type { CredentialSource, Identity } from '../auth/contract.ts'

export class RailRegistry {
  #rails: readonly Rail[] = []

  /** Adds a rail, or refuses a second one of the same id; returns its removal. */
  add(rail: Rail): () => void {
    if (this.get(rail.id)) throw new Error(`A rail named '${rail.id}' exists already`)
    this.#rails = [...this.#rails, rail].sort((a, b) => a.precedence - b.precedence)
    return () => {
      this.#rails = this.#rails.filter((known) => known !== rail)
    }
  }

  get(id: string): Rail | undefined {
    return this.#rails.find((rail) => rail.id === id)
  }

  list(): readonly Rail[] {
    return this.#rails
  }

  /** Whether a rail can take money now; the reason is fit for an operator. */
  available(id: string): { ok: true } | { ok: false; reason: string } {
    const rail = this.get(id)
    return rail ? rail.available() : { ok: false, reason: `no rail named '${id}' is open` }
  }

  /** Whether a rail offers this quote now. */
  sells(id: string, quote: Quote): boolean {
    const rail = this.get(id)
    return rail !== undefined && rail.available().ok && rail.offer(quote) !== null
  }

  /** The allowed rail whose credential is presented, by precedence; null when there is none. */
  presented(
    allowed: readonly string[],
    source: CredentialSource,
    identity: Identity | null,
    quote: Quote,
  ): Rail | null {
    for (const rail of this.#rails) {
      if (allowed.includes(rail.id) && rail.presented(source, identity, quote)) return rail
    }
    return null
  }

  /** The parts of a 402, the default rail (x402) first; `refusal` is that of the credential presented. */
  offers(allowed: readonly string[], quote: Quote, refusal?: Failure): Offer[] {
    const offers: Offer[] = []
    for (const rail of this.#rails) {
      if (!allowed.includes(rail.id) || !rail.available().ok) continue
      const offer = rail.offer(quote, refusal)
      if (offer) offers.push(offer)
    }
    return offers
  }
}
