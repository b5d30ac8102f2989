import { describe, expect, it } from 'vitest'
import { atMostAtomic, estimateAtomic, unknownUnits } from '../../../kernel/pricing/estimate.ts'
import { flatPrice, type PriceRule, type UnitPrice } from '../../../kernel/pricing/rule.ts'

const CREDIT = 10_000n
const unit = (name: string, unitAtomic: bigint): UnitPrice => ({
  unit: name,
  source: { kind: 'units' },
  unitAtomic,
  tiers: null,
  first: 0n,
  step: 1n,
})
const rule: PriceRule = {
  ...flatPrice(CREDIT),
  per: [unit('page', 2n * CREDIT), unit('image', CREDIT)],
  maxAtomic: 40n * CREDIT,
}

describe('what a call will cost', () => {
  it.each([
    ['nothing named', {}, 1n],
    ['one unit', { page: 3 }, 7n],
    ['both', { page: 3, image: 2 }, 9n],
    ['a part of one counts as whole', { page: 2.1 }, 7n],
    ['more than the maximum', { page: 1000 }, 40n],
  ])('estimate: %s', (_, units, credits) => {
    expect(estimateAtomic(rule, units)).toBe(credits * CREDIT)
  })

  it.each([
    ['no promise', rule, null, 40n],
    ['a whole promise', rule, { page: 3, image: 0 }, 7n],
    ['a promise about one of two units', rule, { page: 3 }, 40n],
    ['a promise over the maximum', rule, { page: 1000, image: 0 }, 40n],
    [
      'a missing measure costs the maximum',
      { ...rule, missing: 'max' as const },
      { page: 1, image: 0 },
      40n,
    ],
    ['a flat price', flatPrice(CREDIT), { page: 3 }, 1n],
  ])('at most: %s', (_, price, most, credits) => {
    expect(atMostAtomic(price, most)).toBe(credits * CREDIT)
  })

  it('at most: one atomic unit of an input that costs nothing, which a hold can be of', () => {
    expect(atMostAtomic({ ...rule, baseAtomic: 0n }, { page: 0, image: 0 })).toBe(1n)
  })

  it('names units that the rule does not have', () => {
    expect(unknownUnits(rule, { page: 1, token: 2 })).toEqual(['token'])
  })
})
