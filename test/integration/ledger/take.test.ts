/** Taking back credits: what is there, at most what is asked for, once, never below zero. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TakeResult } from '../../../kernel/ledger/money-orders.ts'
import { readableLedger, type ReadableLedger } from '../../support/ledger-rows.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { expectBalancedBooks, fundedKey, order } from './books.ts'
import { heldCall } from '../../support/spenders.ts'
import { ownAccount, balanceOf } from '../../support/accounts.ts'

let database: TestDatabase
let sql: SqlClient
let ledger: ReadableLedger
beforeAll(async () => {
  database = await testDatabase()
  sql = database.db.sql
  ledger = readableLedger(database.db)
})
afterEach(() => expectBalancedBooks(sql))
afterAll(() => database.close())

const take = (keyId: string, amountAtomic: bigint, reference: string): Promise<TakeResult> =>
  sql.begin((tx) =>
    ledger.take(
      { accountId: ownAccount(keyId), keyId, amountAtomic, to: 'topup:provider_a', reference },
      tx,
    ),
  )

test('what is held stays, and a repeat moves nothing', async () => {
  const keyId = await fundedKey(sql, ledger, 1000n)
  const hold = await heldCall(ledger, order(keyId, 300n))
  const first = await take(keyId, 900n, 'refund 1')
  expect(first).toMatchObject({ outcome: 'taken', takenAtomic: 700n })
  expect(await balanceOf(ledger, keyId)).toMatchObject({ availableAtomic: 0n, heldAtomic: 300n })
  await ledger.release({ holdId: hold.id, accountId: ownAccount(keyId), keyId })
  expect(await take(keyId, 900n, 'refund 1')).toEqual(first)
  expect(await balanceOf(ledger, keyId)).toMatchObject({ availableAtomic: 300n })
  expect(await take(keyId, 100n, 'refund 2')).toMatchObject({ takenAtomic: 100n })
  const [row] = await ledger.rows({ keyId, kind: 'adjustment', limit: 1 })
  expect(row).toMatchObject({ debit: `${ownAccount(keyId)}:available`, credit: 'topup:provider_a' })
})

test('a key with nothing, and no key', async () => {
  const keyId = await fundedKey(sql, ledger, 0n)
  const nothing = { outcome: 'taken', takenAtomic: 0n, ledgerId: null }
  expect(await take(keyId, 5n, 'refund 3')).toEqual(nothing)
  expect(await take('key_unknown', 5n, 'refund 4')).toEqual({ outcome: 'unknown_key' })
})

test('beside calls and other takers nothing is taken twice or below zero', async () => {
  const keyId = await fundedKey(sql, ledger, 1000n)
  const [taken, holds] = await Promise.all([
    Promise.all(Array.from({ length: 20 }, (_, index) => take(keyId, 70n, `many ${index % 10}`))),
    Promise.all(Array.from({ length: 60 }, () => ledger.authorize(order(keyId, 10n)))),
  ])
  const authorized = holds.filter(({ outcome }) => outcome === 'authorized').length
  const byReference = new Map(
    taken.map((result, index) => [
      index % 10,
      result.outcome === 'taken' ? result.takenAtomic : 0n,
    ]),
  )
  const sum = [...byReference.values()].reduce((total, amount) => total + amount, 0n)
  expect(await balanceOf(ledger, keyId)).toMatchObject({
    availableAtomic: 1000n - sum - BigInt(authorized) * 10n,
    heldAtomic: BigInt(authorized) * 10n,
  })
})

test('a transaction that fails takes nothing', async () => {
  const keyId = await fundedKey(sql, ledger, 100n)
  const failed = sql.begin(async (tx) => {
    await ledger.take(
      {
        accountId: ownAccount(keyId),
        keyId,
        amountAtomic: 50n,
        to: 'topup:provider_a',
        reference: 'undone',
      },
      tx,
    )
    throw new Error('killed')
  })
  await expect(failed).rejects.toThrow('killed')
  expect(await balanceOf(ledger, keyId)).toMatchObject({ availableAtomic: 100n })
})
