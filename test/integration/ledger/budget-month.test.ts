/**
 * A new budget of a product starts with what the key has spent this month. Most of it is counted
 * before the account is locked, whatever happens between the count and the lock.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createAccountManagement } from '../../../host/account-management/index.ts'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import { firstIdAt, newId } from '../../../kernel/ids.ts'
import { accounts } from '../../../kernel/ledger/accounts.ts'
import type { Ledger, Spender } from '../../../kernel/ledger/contract.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import type { SqlTransaction } from '../../../kernel/storage/contract.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { callOf, heldCall, openAccount } from '../../support/spenders.ts'

let database: TestDatabase
let ledger: Ledger

beforeAll(async () => {
  database = await testDatabase()
  ledger = createLedger(database.db)
})
afterEach(async () => {
  expect((await verifyLedger(database.db.sql)).violations).toEqual([])
})
afterAll(() => database.close())

/** An id as a gateway made it a minute ago. */
const oldId = (): string =>
  firstIdAt(new Date(Date.now() - 60_000)).slice(0, 14) + newId().slice(14)

async function hold(spender: Spender, productId: string, holdId = oldId()): Promise<string> {
  return (await heldCall(ledger, callOf(spender, 5n, { productId, holdId }))).id
}

async function buy(spender: Spender, productId: string, holdId?: string): Promise<void> {
  await ledger.capture({ ...spender, holdId: await hold(spender, productId, holdId) })
}

async function monthOf(spender: Spender, scope: string): Promise<bigint | undefined> {
  const rows = await ledger.spend(spender)
  return rows.find((row) => row.scope === scope)?.spentMonthAtomic
}

/** Rows of holds that a transaction has read so far. */
async function holdsRead(tx: SqlTransaction): Promise<bigint> {
  const [row] = await tx<[{ count: bigint }]>`
    SELECT seq_tup_read + idx_tup_fetch AS count FROM pg_stat_xact_user_tables
    WHERE schemaname = 'coinop' AND relname = 'hold'`
  return row.count
}

test('under the lock only holds of the last seconds are read, not those of the month', async () => {
  const [key] = await openAccount(database.db.sql, ledger, { amountAtomic: 100_000n })
  await Promise.all(
    Array.from({ length: 300 }, (_, i) => buy(key, i % 3 === 0 ? 'files' : 'pages')),
  )
  await buy(key, 'pages', newId())
  await database.db.sql`ANALYZE coinop.hold, coinop.entry`
  await database.db.sql.begin(async (tx) => {
    const counted = await accounts.countMonth(tx, key, ['pages'])
    const before = await holdsRead(tx)
    expect(before).toBeGreaterThanOrEqual(300n)
    await accounts.setBudget(tx, key, 'pages', { month: 1000n }, counted)
    expect((await holdsRead(tx)) - before).toBeLessThan(10n)
  })
  expect(await monthOf(key, 'pages')).toBe(201n * 5n)
})

test('what is captured, released and held between the count and the lock counts exactly', async () => {
  const [key] = await openAccount(database.db.sql, ledger, { amountAtomic: 100_000n })
  await buy(key, 'pages')
  const open = [await hold(key, 'pages'), await hold(key, 'pages'), await hold(key, 'pages')]
  await database.db.sql.begin(async (tx) => {
    const counted = await accounts.countMonth(tx, key, ['pages'])
    await ledger.capture({ ...key, holdId: open[0]!, amountAtomic: 2n })
    await ledger.release({ ...key, holdId: open[1]! })
    await buy(key, 'pages', newId())
    await buy(key, 'files', newId())
    await accounts.setBudget(tx, key, 'pages', { month: 1000n }, counted)
  })
  expect(await monthOf(key, 'pages')).toBe(5n + 2n + 5n + 5n)
  await ledger.release({ ...key, holdId: open[2]! })
  expect(await monthOf(key, 'pages')).toBe(12n)
})

test('a hold whose id is older than the count and that arrives after it counts too', async () => {
  const [key] = await openAccount(database.db.sql, ledger, { amountAtomic: 100_000n })
  await buy(key, 'pages')
  await database.db.sql.begin(async (tx) => {
    const counted = await accounts.countMonth(tx, key, ['pages', 'files'])
    await buy(key, 'pages')
    await buy(key, 'files')
    await accounts.setBudget(tx, key, 'pages', { month: 1000n }, counted)
    await accounts.setBudget(tx, key, 'files', { month: 1000n }, counted)
  })
  expect(await monthOf(key, 'pages')).toBe(10n)
  expect(await monthOf(key, 'files')).toBe(5n)
})

test('nothing is counted where each product has a budget already', async () => {
  const [key] = await openAccount(database.db.sql, ledger, { amountAtomic: 100_000n })
  await buy(key, 'pages')
  await database.db.sql.begin(async (tx) => {
    await accounts.setBudget(tx, key, 'pages', { month: 1000n })
    expect(await accounts.countMonth(tx, key, ['pages'])).toBeNull()
    expect(await accounts.countMonth(tx, key, ['pages', 'files'])).not.toBeNull()
  })
})

test('while the month of a key is counted, its account can be charged', async () => {
  const charged = Promise.withResolvers<void>()
  const { keys } = createAccountManagement(database.db, {
    ...accounts,
    async countMonth(tx, spender, productIds) {
      const counted = await accounts.countMonth(tx, spender, productIds)
      // With the account locked this waits for the lock until it gives up.
      await buy(spender, 'pages', newId())
      charged.resolve()
      return counted
    },
  })
  const made = await keys.create({ mode: 'test', name: 'busy' })
  const { id: keyId, accountId } = made.record
  const grant = { source: 'sandbox', reference: newId(), kind: 'grant' as const }
  await ledger.credit({ accountId, amountAtomic: 1000n, ...grant })
  await buy({ accountId, keyId }, 'pages')
  await keys.patch(keyId, {
    budget: { month: 500n },
    productBudgets: { pages: { month: 100n }, files: null },
  })
  await charged.promise
  expect(await monthOf({ accountId, keyId }, 'pages')).toBe(10n)
})
