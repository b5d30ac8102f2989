import { describe, expect, it } from 'vitest'
import { compileSchema } from '../../../kernel/schema/json.ts'
import { flatPrice, type PriceRule } from '../../../kernel/pricing/rule.ts'
import { PlansConfig, readPlans } from '../../../plugins/plans/config.ts'
import { planPrice } from '../../../plugins/plans/plan-price.ts'

const CREDIT = 10_000n
const perPage: PriceRule = {
  ...flatPrice(CREDIT),
  per: [
    {
      unit: 'page',
      source: { kind: 'pointer', pointers: ['/usage/pages'] },
      unitAtomic: 2n * CREDIT,
      tiers: [
        { upTo: 100n, unitAtomic: 2n * CREDIT },
        { upTo: null, unitAtomic: CREDIT },
      ],
      first: 1n,
      step: 1n,
    },
  ],
  maxAtomic: 40n * CREDIT,
}
const config: PlansConfig = {
  plans: {
    pro: {
      price: { credits: 500 },
      monthly_credits: 600,
      free: { 'docs.read': '50/day', 'demo.echo': '1/month' },
      prices: {
        'docs.read': { credits: 0.5, per: { page: 1.5 }, max: 20 },
        'demo.hash': { credits: 1 },
        'docs.low': { max: 0.1 },
      },
    },
  },
}
const plan = readPlans(config).get('pro')!

describe('a price under a plan', () => {
  it('has its amounts, and measures as the list does', () => {
    expect(planPrice(plan, 'docs.read', perPage)).toEqual({
      ...perPage,
      baseAtomic: 5000n,
      per: [{ ...perPage.per[0]!, unitAtomic: 15_000n, tiers: null }],
      maxAtomic: 20n * CREDIT,
      free: { calls: 50, period: 'day' },
    })
  })

  it('is its own maximum where it is flat', () => {
    expect(planPrice(plan, 'demo.hash', flatPrice(2n * CREDIT))).toEqual(flatPrice(CREDIT))
  })

  it('of nothing makes every call a free one, which the ledger can hold', () => {
    const nothing = { credits: 0, per: { page: 0 }, max: 0 }
    const prices = { 'demo.hash': { credits: 0 }, 'docs.read': nothing }
    const zero = readPlans({ plans: { zero: { prices } } }).get('zero')!
    const free = { calls: 999_999_999, period: 'month' }
    const list = flatPrice(2n * CREDIT)
    expect(planPrice(zero, 'demo.hash', list)).toEqual({ ...list, free })
    expect(planPrice(zero, 'docs.read', perPage)).toEqual({ ...perPage, free })
  })

  it('keeps the list where only calls are free', () => {
    const list = flatPrice(CREDIT)
    expect(planPrice(plan, 'demo.echo', list)).toEqual({
      ...list,
      free: { calls: 1, period: 'month' },
    })
  })

  it('is never capped below its base', () => {
    expect(planPrice(plan, 'docs.low', perPage)?.maxAtomic).toBe(CREDIT)
  })

  it('is the list where the plan says nothing', () => {
    expect(planPrice(plan, 'demo.health', perPage)).toBeNull()
  })
})

describe('the plans of a file', () => {
  it.each([
    ['a plan without a name for its price', { plans: { pro: { price: 5 } } }],
    ['an unknown member', { plans: { pro: { credits: 5 } } }],
    ['free calls without a period', { plans: { pro: { free: { 'a.b': '50' } } } }],
    ['what is no id of a skill', { plans: { pro: { prices: { extract: { credits: 1 } } } } }],
    ['what is no id of a plan', { plans: { 'Pro!': {} } }],
  ])('refuse %s', (_, value) => {
    expect(compileSchema(PlansConfig).issues(value)).not.toEqual([])
  })

  it('refuse an amount of too many decimals, with its place', () => {
    const wrong = { plans: { pro: { monthly_credits: 1.00001 } } }
    expect(() => readPlans(wrong)).toThrow(
      /config\.plans\.pro\.monthly_credits must be a whole number/,
    )
  })
})
