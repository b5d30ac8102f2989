import { afterAll, beforeAll, expect, test } from 'vitest'
import { readableLedger, type ReadableLedger } from '../../support/ledger-rows.ts'
import { isEntryKind, isLedgerId, rowToJson } from '../../../kernel/ledger/rows.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { fundedKey, order } from './books.ts'
import { heldCall } from '../../support/spenders.ts'
import { ownAccount } from '../../support/accounts.ts'

let database: TestDatabase
let ledger: ReadableLedger
let keyId: string
let otherId: string

beforeAll(async () => {
  database = await testDatabase()
  ledger = readableLedger(database.db)
  keyId = await fundedKey(database.db.sql, ledger, 1_000_000n)
  otherId = await fundedKey(database.db.sql, ledger, 1_000_000n)
  for (const key of [keyId, otherId]) {
    const captured = await heldCall(
      ledger,
      order(key, 10_000n, { requestId: 'shared', priceVersion: 3, acquisition: 'ad-1' }),
    )
    await ledger.capture({
      holdId: captured.id,
      accountId: ownAccount(key),
      keyId: key,
      amountAtomic: 2_500n,
    })
    const released = await heldCall(ledger, order(key, 7n))
    await ledger.release({ holdId: released.id, accountId: ownAccount(key), keyId: key })
  }
})
afterAll(() => database.close())

const kinds = async (filter: Parameters<ReadableLedger['rows']>[0]) =>
  (await ledger.rows(filter)).map(({ kind }) => kind)

test('newest first, of one key', async () => {
  expect(await kinds({ keyId, limit: 50 })).toEqual([
    'release',
    'authorize',
    'release',
    'capture',
    'authorize',
    'grant',
  ])
  expect(await kinds({ limit: 50 })).toHaveLength(12)
})

test('pages by the last id seen, without gaps or repeats', async () => {
  const seen: string[] = []
  for (let before: string | undefined; ;) {
    const page = await ledger.rows({ keyId, limit: 2, before })
    if (page.length === 0) break
    seen.push(...page.map(({ id }) => id))
    before = page.at(-1)!.id
  }
  expect(seen).toEqual((await ledger.rows({ keyId, limit: 50 })).map(({ id }) => id))
})

test('filters by request, kind and key together', async () => {
  expect(await kinds({ requestId: 'shared', limit: 50 })).toHaveLength(6)
  expect(await kinds({ requestId: 'shared', keyId, limit: 50 })).toEqual([
    'release',
    'capture',
    'authorize',
  ])
  expect(await kinds({ requestId: 'shared', kind: 'capture', limit: 50 })).toEqual([
    'capture',
    'capture',
  ])
  expect(await kinds({ kind: 'grant', keyId: otherId, limit: 50 })).toEqual(['grant'])
  expect(await kinds({ kind: 'refund', limit: 50 })).toEqual([])
})

test('filters that nothing can match give no rows', async () => {
  expect(await ledger.rows({ requestId: 'none', limit: 5 })).toEqual([])
  expect(await ledger.rows({ requestId: 'with a \0', limit: 5 })).toEqual([])
  expect(await ledger.rows({ keyId: `x' OR 1=1 --`, limit: 5 })).toEqual([])
  expect(await ledger.rows({ before: '1; DROP TABLE', limit: 5 })).toEqual([])
})

test('the wire form names accounts, credits and the subject of the hold', async () => {
  const [row] = await ledger.rows({ requestId: 'shared', keyId, kind: 'capture', limit: 1 })
  expect(rowToJson(row!)).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    kind: 'capture',
    accountId: ownAccount(keyId),
    apiKeyId: keyId,
    requestId: 'shared',
    rail: 'credits',
    skill: 'demo.echo',
    path: '/v1/paid/echo',
    amountCredits: 0.25,
    amountUsdcAtomic: 2500,
    debit: `${ownAccount(keyId)}:held`,
    credit: 'revenue',
    priceVersion: 3,
    acquisition: 'ad-1',
    transaction: null,
    note: null,
  })
})

test('recognises kinds and ledger ids of a query', () => {
  expect([isEntryKind('refund'), isEntryKind('Refund'), isEntryKind('')]).toEqual([
    true,
    false,
    false,
  ])
  expect(['1', '123456789012345678', '0', '-1', '1.5', '1e3', ''].map(isLedgerId)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})
