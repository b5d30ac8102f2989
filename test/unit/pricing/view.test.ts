import { describe, expect, it } from 'vitest'
import { priceListOf, PEG } from '../../../kernel/pricing/table.ts'
import { shownTable } from '../../../plugins/documents/price-routes.ts'
import { flatPrice, type PriceRule } from '../../../kernel/pricing/rule.ts'
import { costsOneSum, isFlat, leastAtomic, priceView } from '../../../kernel/pricing/view.ts'

const CREDIT = 10_000n
const perPage: PriceRule = {
  ...flatPrice(CREDIT),
  per: [
    {
      unit: 'page',
      source: { kind: 'pointer', pointers: ['/usage/pages'] },
      unitAtomic: 2n * CREDIT,
      tiers: null,
      first: 1n,
      step: 1n,
    },
  ],
  maxAtomic: 40n * CREDIT,
  free: { calls: 50, period: 'day' },
}
const tiered: PriceRule = {
  ...flatPrice(2n * CREDIT),
  baseTiers: [
    { upTo: 100n, unitAtomic: 2n * CREDIT },
    { upTo: null, unitAtomic: CREDIT },
  ],
}
const sold = (price: PriceRule) => ({
  skill: { id: 'docs.read' },
  tools: [],
  product: { id: 'docs' },
  route: { method: 'POST', path: '/v1/docs/read' },
  metered: true,
  amountAtomic: price.maxAtomic,
  price,
})

describe('the view of a rule', () => {
  it('says unit, base, maximum, free calls and what an example costs', () => {
    expect(priceView(perPage)).toEqual({
      text: '1 credit + 2 credits per page after the first, at most 40 credits; 50 calls a day free',
      base: { credits: 1, usd: 0.01, usdcAtomic: '10000' },
      tiers: null,
      per: [
        {
          unit: 'page',
          from: '/usage/pages',
          credits: 2,
          usd: 0.02,
          usdcAtomic: '20000',
          first: 1,
          step: 1,
          tiers: null,
        },
      ],
      max: { credits: 40, usd: 0.4, usdcAtomic: '400000' },
      free: { calls: 50, period: 'day' },
      missing: 'base',
      example: {
        text: '10 pages: 19 credits',
        units: { page: 10 },
        credits: 19,
        usd: 0.19,
        usdcAtomic: '190000',
      },
    })
  })

  it('shows tiers, and an example only where a measure decides', () => {
    expect(priceView(tiered)).toMatchObject({
      base: { credits: 2 },
      tiers: [
        { upTo: 100, credits: 2, usdcAtomic: '20000' },
        { upTo: null, credits: 1, usdcAtomic: '10000' },
      ],
      max: { credits: 2 },
      example: null,
    })
  })

  it('takes an example under the maximum, else one unit', () => {
    expect(priceView({ ...perPage, maxAtomic: 6n * CREDIT }).example?.text).toBe(
      '3 pages: 5 credits',
    )
    const dear = { ...perPage, maxAtomic: 20_000n, per: [{ ...perPage.per[0]!, first: 0n }] }
    expect(priceView(dear).example?.text).toBe('1 page: 2 credits')
  })

  it('counts units that the base includes before the steps of its example', () => {
    const tokens = { ...perPage.per[0]!, unit: 'input token', first: 500n, step: 1000n }
    const { example } = priceView({ ...perPage, maxAtomic: 400n * CREDIT, per: [tokens] })
    expect(example?.text).toBe('10,500 input tokens: 21 credits')
  })
})

it.each([
  ['flat', flatPrice(CREDIT), { flat: true, one: true, least: CREDIT }],
  [
    'free calls',
    { ...flatPrice(CREDIT), free: perPage.free },
    { flat: false, one: true, least: CREDIT },
  ],
  ['tiers', tiered, { flat: false, one: false, least: CREDIT }],
  ['per unit', perPage, { flat: false, one: false, least: CREDIT }],
  ['units alone', { ...perPage, baseAtomic: 0n }, { flat: false, one: false, least: 0n }],
] as const)('what kind of price: %s', (_, rule, { flat, one, least }) => {
  expect([isFlat(rule), costsOneSum(rule), leastAtomic(rule)]).toEqual([flat, one, least])
})

describe('the price table', () => {
  it('keeps a flat row as it always was, so that its version stays', () => {
    const { rows } = priceListOf([sold(flatPrice(CREDIT))])
    expect(rows).toEqual([
      {
        skill: 'docs.read',
        tool: null,
        tools: [],
        product: 'docs',
        method: 'POST',
        path: '/v1/docs/read',
        credits: 1,
        usd: 0.01,
        usdcAtomic: '10000',
      },
    ])
  })

  it('says the maximum as the price of a row, so that nobody expects to pay less', () => {
    const { rows } = priceListOf([sold(perPage)])
    expect(rows[0]).toMatchObject({
      credits: 40,
      usdcAtomic: '400000',
      rule: { base: { credits: 1 } },
    })
  })

  it('has another hash as soon as any part of a rule differs', () => {
    const variants = [
      perPage,
      { ...perPage, missing: 'max' as const },
      { ...perPage, free: null },
      { ...perPage, per: [{ ...perPage.per[0]!, step: 2n }] },
      { ...perPage, per: [{ ...perPage.per[0]!, source: { kind: 'bytes' as const } }] },
      tiered,
      { ...tiered, baseTiers: [{ upTo: 99n, unitAtomic: 2n * CREDIT }, tiered.baseTiers![1]!] },
      flatPrice(40n * CREDIT),
    ]
    const hashes = variants.map((price) => priceListOf([sold(price)]).hash)
    expect(new Set(hashes).size).toBe(variants.length)
  })

  it('is shown with a rule in every row, also of versions from before rules', () => {
    const { rows } = priceListOf([sold(flatPrice(CREDIT)), sold(perPage)])
    const table = { version: 1, hash: 'h', effectiveAt: 't', peg: PEG, skills: rows }
    expect(shownTable(table).skills.map(({ rule }) => rule.text)).toEqual([
      '1 credit',
      '1 credit + 2 credits per page after the first, at most 40 credits; 50 calls a day free',
    ])
  })
})
