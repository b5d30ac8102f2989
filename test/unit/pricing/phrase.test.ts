import { describe, expect, it } from 'vitest'
import { countPhrase, pricePhrase } from '../../../kernel/pricing/phrase.ts'
import type { PriceRule, Tier, UnitPrice } from '../../../kernel/pricing/rule.ts'

const CREDIT = 10_000n
const flat = (rule: Partial<PriceRule> = {}): PriceRule => ({
  baseAtomic: CREDIT,
  baseTiers: null,
  per: [],
  maxAtomic: CREDIT,
  free: null,
  missing: 'base',
  ...rule,
})
const page = (unit: Partial<UnitPrice> = {}): UnitPrice => ({
  unit: 'page',
  source: { kind: 'pointer', pointers: ['/usage/pages'] },
  unitAtomic: 2n * CREDIT,
  tiers: null,
  first: 0n,
  step: 1n,
  ...unit,
})
const tiers: readonly Tier[] = [
  { upTo: 100n, unitAtomic: 2n * CREDIT },
  { upTo: 1000n, unitAtomic: 15_000n },
  { upTo: null, unitAtomic: CREDIT },
]

describe('a price in one phrase', () => {
  it.each<[phrase: string, rule: PriceRule]>([
    ['1 credit', flat()],
    ['0.01 credits', flat({ baseAtomic: 100n, maxAtomic: 100n })],
    ['12,345.5 credits', flat({ baseAtomic: 123_455_000n })],
    [
      '1 credit + 2 credits per page after the first, at most 40 credits; 50 calls a day free',
      flat({
        per: [page({ first: 1n })],
        maxAtomic: 40n * CREDIT,
        free: { calls: 50, period: 'day' },
      }),
    ],
    ['1 credit; 1 call a month free', flat({ free: { calls: 1, period: 'month' } })],
    [
      '2 credits for the first 100 calls a month, 1.5 credits up to 1,000, then 1 credit',
      flat({ baseAtomic: 2n * CREDIT, baseTiers: tiers, maxAtomic: 2n * CREDIT }),
    ],
    [
      '2 credits per page after the first 10, at most 40 credits',
      flat({ baseAtomic: 0n, per: [page({ first: 10n })], maxAtomic: 40n * CREDIT }),
    ],
    [
      '0.5 credits per 1,000 input tokens or part + 1.5 credits per 1,000 output tokens or part, at most 20 credits',
      flat({
        baseAtomic: 0n,
        per: [
          page({ unit: 'input token', unitAtomic: 5000n, step: 1000n }),
          page({ unit: 'output token', unitAtomic: 15_000n, step: 1000n }),
        ],
        maxAtomic: 20n * CREDIT,
      }),
    ],
    [
      '1 credit + (2 credits per page for the first 100 pages a month, 1.5 credits up to 1,000, then 1 credit), at most 40 credits',
      flat({ per: [page({ tiers })], maxAtomic: 40n * CREDIT }),
    ],
    [
      '0.01 credits per second, at most 5 credits',
      flat({
        baseAtomic: 0n,
        per: [page({ unit: 'seconds', source: { kind: 'seconds' }, unitAtomic: 100n })],
        maxAtomic: 5n * CREDIT,
      }),
    ],
    [
      '1 credit per 1,000,000 bytes or part, at most 5 credits',
      flat({
        baseAtomic: 0n,
        per: [page({ unit: 'bytes', unitAtomic: CREDIT, step: 1_000_000n })],
        maxAtomic: 5n * CREDIT,
      }),
    ],
  ])('%s', (phrase, rule) => {
    expect(pricePhrase(rule)).toBe(phrase)
  })

  it.each([
    ['1 page', 1n, 'page'],
    ['0 pages', 0n, 'page'],
    ['2 queries', 2n, 'query'],
    ['2 days', 2n, 'day'],
    ['3 MB', 3n, 'MB'],
    ['1 byte', 1n, 'bytes'],
    ['1,500 bytes', 1500n, 'bytes'],
  ])('counts %s', (phrase, count, unit) => {
    expect(countPhrase(count, unit)).toBe(phrase)
  })
})
