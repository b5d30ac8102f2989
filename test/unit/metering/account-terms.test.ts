import { describe, expect, it } from 'vitest'
import { AccountTerms, Quotes } from '../../../kernel/metering/quotes.ts'
import { flatPrice, type PriceRule } from '../../../kernel/pricing/rule.ts'
import { mount } from '../../support/metering.ts'

const LIST = flatPrice(20_000n)
const OWN: PriceRule = {
  ...flatPrice(5000n),
  per: [
    {
      unit: 'page',
      source: { kind: 'units' },
      unitAtomic: 5000n,
      tiers: null,
      first: 0n,
      step: 1n,
    },
  ],
  maxAtomic: 50_000n,
}
const mounted = mount(
  { handler: async () => ({ ok: true, output: {} }) },
  { amountAtomic: LIST.maxAtomic, price: LIST },
)
const quote = new Quotes('http://localhost').http(mounted)
const terms = new AccountTerms()
const of = (accountId: string, over = quote) => terms.of(accountId, { mounted, quote: over })

describe('terms of accounts', () => {
  it('are the list where nobody has any', () => {
    expect(of('a')).toBeNull()
    expect(terms.limitsOf('a')).toBeNull()
  })

  it('are those of the first that has some, in the skill and in its quote', () => {
    terms.setTerms([
      { priceOf: () => null },
      {
        priceOf: (accountId) => (accountId === 'a' ? OWN : null),
        limitsOf: () => ({ rpm: 7, burst: 3 }),
      },
      { priceOf: () => flatPrice(1n), limitsOf: () => ({ rpm: 1, burst: 1 }) },
    ])
    expect(of('a')).toMatchObject({
      mounted: { price: OWN, amountAtomic: 50_000n },
      quote: { price: OWN, amountAtomic: 50_000n, isCeiling: true, skillId: quote.skillId },
    })
    expect(of('b')?.quote).toMatchObject({ amountAtomic: 1n, isCeiling: false })
    expect(terms.limitsOf('a')).toEqual({ rpm: 7, burst: 3 })
    expect(mounted.amountAtomic).toBe(20_000n)
  })

  it('give the same quote for the same price, so that offers are made once', () => {
    expect(of('a')).toBe(of('a'))
  })

  it('leave what a buyer chose the price of', () => {
    expect(of('a', { ...quote, hasOwnPrice: true })).toBeNull()
  })
})
