/**
 * The rails that are mounted now, and their selection: a presented payment pays before a key does,
 * a key alone pays prepaid, nothing presented ends in the 402 that offers every open rail.
 */
import { assert, type Failure } from '../errors.ts'
import { reserveHeaders } from '../net/reserved-headers.ts'
import type { Offer, Quote, Rail } from './contract.ts'
import type { CredentialSource, Identity } from '../auth/contract.ts'

/** The kernel's own rail: it asks for an account, so documents name the others as alternatives. */
export const CREDITS_RAIL_ID = 'credits'

/** A rail's name for people. */
export function titleOf({ id, title = id }: Pick<Rail, 'id' | 'title'>): string {
  return title
}

/** Ledger accounts, reports and routes have the id in their names. */
export const RAIL_ID = /^[a-z][a-z0-9-]{0,39}$/

export class RailRegistry {
  #own: readonly Rail[] = []
  #ofPlugins: readonly Rail[] = []
  #rails: readonly Rail[] = []
  #creditsFirst: readonly Rail[] = []

  /** Adds a rail, or refuses an id that is not like RAIL_ID or is taken; returns its removal. */
  add(rail: Rail): () => void {
    assert(RAIL_ID.test(rail.id), `a rail id like ${RAIL_ID.source}, got '${rail.id}'`)
    if (this.get(rail.id)) throw new Error(`A rail named '${rail.id}' exists already`)
    this.#set([...this.#own, rail], this.#ofPlugins)
    return () => {
      const others = this.#own.filter((known) => known !== rail)
      this.#set(others, this.#ofPlugins)
    }
  }

  /**
   * Replaces all rails of plugins in one step, so that another revision of a rail leaves no moment
   * without it. Returns those that are not used, because an earlier one has the same id.
   */
  setOfPlugins(rails: readonly Rail[]): readonly Rail[] {
    const taken = new Set(this.#own.map(({ id }) => id))
    const used: Rail[] = []
    const refused: Rail[] = []
    for (const rail of new Set(rails)) {
      if (taken.has(rail.id)) refused.push(rail)
      else used.push(rail)
      taken.add(rail.id)
    }
    const known = this.#ofPlugins
    const isSame = used.length === known.length && used.every((rail, at) => rail === known[at])
    if (!isSame) this.#set(this.#own, used)
    return refused
  }

  #set(own: readonly Rail[], ofPlugins: readonly Rail[]): void {
    for (const { requestHeaders = [], answerHeaders = [] } of [...own, ...ofPlugins]) {
      const names = (headers: readonly { name: string }[]) => headers.map(({ name }) => name)
      reserveHeaders(names(requestHeaders), names(answerHeaders))
    }
    this.#own = own
    this.#ofPlugins = ofPlugins
    this.#rails = [...own, ...ofPlugins].sort((a, b) => a.precedence - b.precedence)
    this.#creditsFirst = this.#rails.toSorted(
      (a, b) => Number(b.id === CREDITS_RAIL_ID) - Number(a.id === CREDITS_RAIL_ID),
    )
  }

  get(id: string): Rail | undefined {
    return this.#rails.find((rail) => rail.id === id)
  }

  /** By precedence; the same array until a rail comes or goes. */
  list(): readonly Rail[] {
    return this.#rails
  }

  /** As documents name them: prepaid credits, then the others by precedence. */
  creditsFirst(): readonly Rail[] {
    return this.#creditsFirst
  }

  /** Whether a rail can take money now; the reason is fit for an operator. */
  available(id: string): { ok: true } | { ok: false; reason: string } {
    const rail = this.get(id)
    return rail ? rail.available() : { ok: false, reason: `no rail named '${id}' is open` }
  }

  /** The allowed rails that offer this quote now, by precedence. */
  sellers(allowed: readonly string[], quote: Quote): Rail[] {
    return this.#open(allowed).filter((rail) => rail.offer(quote) !== null)
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

  /** The parts of a 402, by precedence; `refusal` is that of the credential presented. */
  offers(allowed: readonly string[], quote: Quote, refusal?: Failure): Offer[] {
    const offers: Offer[] = []
    for (const rail of this.#open(allowed)) {
      const offer = rail.offer(quote, refusal)
      if (offer) offers.push(offer)
    }
    return offers
  }

  /**
   * How a hold or claim ended (see `Rail.stateOf`). 'open' while its rail is not mounted: only the
   * rail knows, and work that was paid for must neither run nor be charged again.
   */
  async stateOf(railId: string, holdId: string): Promise<'captured' | 'open' | 'none'> {
    return this.get(railId)?.stateOf(holdId) ?? 'open'
  }

  #open(allowed: readonly string[]): Rail[] {
    return this.#rails.filter((rail) => allowed.includes(rail.id) && rail.available().ok)
  }
}
