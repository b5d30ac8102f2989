/** Prices and limits of accounts of their own, by the terms of mounted plugins. */
import type { Offered } from '../plugins/services.ts'
import { isMeasured, type PriceRule } from '../pricing/rule.ts'
import type { OwnLimits, Terms } from '../pricing/terms.ts'
import type { Quote } from '../rails/contract.ts'

export class AccountTerms {
  #terms: readonly Terms[] = []
  /** By quote and price: rails make their offers once per quote. */
  readonly #made = new WeakMap<Quote, WeakMap<PriceRule, Offered>>()

  /** From now on the first of these that has a price for an account says it. */
  setTerms(terms: readonly Terms[]): void {
    this.#terms = terms
  }

  /** The skill at the account's own price; null: at that of the list. */
  of(accountId: string, { mounted, quote }: Offered): Offered | null {
    const list = quote.price
    // Goods at a price that the buyer chose are the same for everybody.
    if (list === undefined || quote.hasOwnPrice) return null
    for (const terms of this.#terms) {
      const price = terms.priceOf(accountId, mounted.skill.id, list)
      if (price !== null) return this.#at(price, { mounted, quote })
    }
    return null
  }

  /** The limits of a key without its own, from the first terms that have some; null: none has. */
  limitsOf(accountId: string): OwnLimits | null {
    for (const terms of this.#terms) {
      const limits = terms.limitsOf?.(accountId) ?? null
      if (limits !== null) return limits
    }
    return null
  }

  #at(price: PriceRule, { mounted, quote }: Offered): Offered {
    let byPrice = this.#made.get(quote)
    if (byPrice === undefined) this.#made.set(quote, (byPrice = new WeakMap()))
    const known = byPrice.get(price)
    if (known) return known
    const amountAtomic = price.maxAtomic
    const isCeiling = isMeasured(price) || mounted.skill.billing === 'partial'
    const made = {
      mounted: { ...mounted, price, amountAtomic },
      quote: Object.freeze({ ...quote, price, amountAtomic, isCeiling, isOfPlan: true }),
    }
    byPrice.set(price, made)
    return made
  }
}
