/** Why one fact is preferred to another. */
import { expect, it } from 'vitest'
import { candidatesFor } from '../../../../../plugins/utils/extract/fields/candidates.ts'
import type { Fact } from '../../../../../plugins/utils/extract/fields/facts.ts'

const fact = (key: string, trust: number): Fact => ({ key, value: key, path: key, trust })

it('a candidate says what its points are for', () => {
  const facts = [fact('headline', 96), fact('title', 60), fact('weight', 99), fact('title', 86)]
  expect(candidatesFor('title', facts).map((one) => [one.fact.key, one.points])).toEqual([
    ['title', { match: 100, trust: expect.closeTo(51.6), total: expect.closeTo(151.6) }],
    ['headline', { match: 90, trust: expect.closeTo(57.6), total: expect.closeTo(147.6) }],
    ['title', { match: 100, trust: 36, total: 136 }],
  ])
})
