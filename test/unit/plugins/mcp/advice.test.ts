/** What a model reads when its API key may not buy a call. */
import { expect, test } from 'vitest'
import type { Failure } from '../../../../kernel/errors.ts'
import { overBudget, productRefusal } from '../../../../kernel/rails/credits/budget-refusals.ts'
import { adviceOf } from '../../../../plugins/mcp/advice.ts'

const NOW = new Date('2026-11-22T23:59:00Z')
const MIDNIGHT = new Date('2026-11-23T00:00:00Z')

const nextOf = (failure: Failure) =>
  /^Next: (.*)$/m.exec(
    adviceOf({ ok: false, requestId: 'r', failure, offers: [], pending: false }),
  )?.[1]
const over = (priceAtomic: bigint, resetsAt: Date | null) =>
  overBudget(
    {
      outcome: 'over_budget',
      limit: resetsAt ? 'product_day' : 'key_call',
      capAtomic: 50_000n,
      spentAtomic: resetsAt ? 40_000n : 0n,
      resetsAt,
    },
    { priceAtomic, productId: 'utils' },
    NOW,
  )

test('a budget that is used up says how long to wait, and who can raise it', () => {
  const failure = over(20_000n, MIDNIGHT)
  expect(failure).toMatchObject({ code: 'RATE_LIMITED', headers: { 'retry-after': '60' } })
  expect(failure.message).toBe(
    'This call costs 2 credits, and this key may spend 5 a day on this product, with 1 left until 2026-11-23T00:00:00.000Z',
  )
  expect(nextOf(failure)).toContain('Do not repeat the call before 60 seconds')
  expect(nextOf(failure)).toContain('whoever gave the key')
})

test.each([
  ['one call', null],
  ['a whole day', MIDNIGHT],
])('what is more than the budget of %s is never to be repeated', (_, resetsAt) => {
  const failure = over(60_000n, resetsAt)
  expect([failure.retryable, failure.headers]).toEqual([false, undefined])
  expect(nextOf(failure)).toMatch(/^do not repeat the call: it costs more/)
})

test('a product that the key may not buy', () => {
  const utils = { productId: 'utils', skillIds: ['utils.pdf', 'utils.diff'] }
  const failure = productRefusal({ products: ['docintel'] }, utils)!
  expect(nextOf(failure)).toMatch(/^do not repeat the call: this API key may not buy/)
  expect(productRefusal({ skills: ['docintel.parse'] }, utils)).not.toBeNull()
  for (const one of [{ products: null }, {}, { skills: ['utils.diff'] }])
    expect(productRefusal(one, utils)).toBeNull()
})
