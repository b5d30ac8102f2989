import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { pricesSince } from '../../../../host/price-history/past-prices.ts'
import { createPriceRegistry } from '../../../../host/price-history/registry.ts'
import type { PriceList } from '../../../../kernel/pricing/table.ts'
import { olderPricesOf } from '../../../../plugins/x402/terms/prices.ts'
import { testDatabase, type TestDatabase } from '../../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => database.close())

function listOf(credits: number): PriceList {
  const usdcAtomic = String(credits * 10_000)
  const sold = { skill: 'a.run', tool: null, tools: [], product: 'a', method: 'POST', path: '/a' }
  return { hash: `hash-${credits}`, rows: [{ ...sold, credits, usd: credits / 100, usdcAtomic }] }
}

it.each([
  ['ahead', 86_400_000],
  ['behind', -86_400_000],
])(
  'a price of just now counts for a gateway whose clock is a day %s, one of long ago does not',
  async (_, awayMs) => {
    const { db } = database
    const registry = createPriceRegistry(db)
    await registry.enforce([listOf(1)], true)
    await registry.enforce([listOf(2)], true)
    await db.sql`UPDATE coinop.price_period SET effective_at = now() - interval '1 hour'`
    await registry.enforce([listOf(3)], true)
    const older = olderPricesOf(
      { query: (text) => db.sql.unsafe(text) as never },
      { pricesSince: (skillId, since) => pricesSince(db, skillId, since) },
    )
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + awayMs })
    const prices = await older('a.run', 60_000)
    expect(prices.map(({ amountAtomic }) => amountAtomic)).toEqual([30_000n, 20_000n])
  },
)
