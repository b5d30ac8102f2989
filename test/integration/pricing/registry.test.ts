import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPriceRegistry } from '../../../host/price-history/registry.ts'
import type { PriceList, PriceRow } from '../../../kernel/pricing/table.ts'
import { canonicalJson, fingerprintOf } from '../../../kernel/schema/json-pieces.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

function list(product: string, credits: number): PriceList {
  const row: PriceRow = {
    skill: `${product}.run`,
    tool: null,
    tools: [],
    product,
    method: 'POST',
    path: `/v1/${product}/run`,
    credits,
    usd: credits / 100,
    usdcAtomic: String(credits * 10_000),
  }
  return { hash: fingerprintOf(canonicalJson([row])), rows: [row] }
}

test('equal tables have equal versions on every instance, also when they race', async () => {
  const registries = Array.from({ length: 4 }, () => createPriceRegistry(database.open()))
  const tables = [[list('a', 1)], [list('a', 2)], [list('a', 1), list('b', 1)]]
  const versions = await Promise.all(
    registries.map(async (registry) => {
      const found: number[] = []
      for (const table of tables) found.push(await registry.enforce(table, true))
      return found
    }),
  )
  expect(new Set(versions.map(String)).size).toBe(1)
  expect([...versions[0]!].sort()).toEqual([1, 2, 3])
})

test('every version gives its exact table, whatever is in force', async () => {
  const registry = createPriceRegistry(database.db)
  const first = await registry.enforce([list('x', 1), list('y', 2)], true)
  const before = registry.current()
  const second = await registry.enforce([list('x', 3), list('y', 2)], true)
  expect(second).toBe(first + 1)
  const elsewhere = createPriceRegistry(database.open())
  expect(await elsewhere.at(first)).toEqual(before)
  expect((await elsewhere.at(second))?.skills.map((row) => row.usdcAtomic)).toEqual([
    '30000',
    '20000',
  ])
  expect(await elsewhere.at(999_999)).toBeNull()
})

test('going back to earlier prices goes back to their version, in force since now', async () => {
  const registry = createPriceRegistry(database.db)
  const first = await registry.enforce([list('z', 1)], true)
  const began = registry.current()!.effectiveAt
  await registry.enforce([list('z', 2)], true)
  expect(await registry.enforce([list('z', 1)], true)).toBe(first)
  expect(Date.parse(registry.current()!.effectiveAt)).toBeGreaterThan(Date.parse(began))
})

test('an instance that only follows does not move the time a table came into force', async () => {
  const registry = createPriceRegistry(database.db)
  await registry.enforce([list('f', 1)], true)
  const since = registry.current()!.effectiveAt
  await registry.enforce([list('f', 2)], true)
  const follower = createPriceRegistry(database.open())
  await follower.enforce([list('f', 1)], false)
  expect(follower.current()?.effectiveAt).toBe(since)
})

test('a shop without priced skills has a table too', async () => {
  const registry = createPriceRegistry(database.db)
  const version = await registry.enforce([], true)
  expect((await createPriceRegistry(database.open()).at(version))?.skills).toEqual([])
})
