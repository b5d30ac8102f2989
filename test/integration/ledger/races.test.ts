/** Concurrency: what must come out the same however the callers interleave, on two instances. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import type { Ledger } from '../../../kernel/ledger/contract.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { randomFrom } from '../../simulator/random.ts'
import { singleWrites } from '../../support/single-writes.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { expectBalancedBooks, fundedKey, letTimePass, order, tally } from './books.ts'
import { heldCall } from '../../support/spenders.ts'
import { ownAccount, balanceOf, revokeKey } from '../../support/accounts.ts'

let database: TestDatabase
let sql: SqlClient
/** Two gateways: each with its pool and its batchers. */
let instances: [Ledger, Ledger]
const instance = (index: number): Ledger => instances[index % 2]!

beforeAll(async () => {
  database = await testDatabase()
  sql = database.db.sql
  instances = [createLedger(database.db), createLedger(database.open())]
})
afterEach(() => expectBalancedBooks(sql))
afterAll(() => database.close())

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

test.each(['combined', 'single'] as const)(
  '1,000 holds of 5 on a balance of 1,000: exactly 200 (%s writes)',
  async (writes) => {
    const open = writes === 'single' ? singleWrites : createLedger
    const ledgers = [open(database.db), open(database.open())]
    const keyId = await fundedKey(sql, ledgers[0]!, 1000n)
    const results = await times(1000, (i) => ledgers[i % 2]!.authorize(order(keyId, 5n)))
    expect(tally(results.map(({ outcome }) => outcome))).toEqual({
      authorized: 200,
      insufficient: 800,
    })
    expect(await balanceOf(ledgers[0]!, keyId)).toMatchObject({
      availableAtomic: 0n,
      heldAtomic: 1000n,
    })
  },
)

test('credits for one call, 100 callers: exactly one hold', async () => {
  const keyId = await fundedKey(sql, instances[0], 10_000n)
  const results = await times(100, (i) => instance(i).authorize(order(keyId, 10_000n)))
  expect(tally(results.map(({ outcome }) => outcome))).toEqual({ authorized: 1, insufficient: 99 })
})

test('64 duplicates of one requestId: one hold, debited once', async () => {
  const keyId = await fundedKey(sql, instances[0], 1000n)
  const placed = order(keyId, 5n, { scope: 'request' })
  const results = await times(64, (i) => instance(i).authorize({ ...placed, holdId: newId() }))
  const holds = results.map((result) => (result.outcome === 'authorized' ? result : null))
  expect(new Set(holds.map((result) => result?.hold.id)).size).toBe(1)
  expect(holds.filter((result) => result?.repeated === false)).toHaveLength(1)
  expect(await balanceOf(instances[0], keyId)).toMatchObject({
    availableAtomic: 995n,
    heldAtomic: 5n,
  })
})

test('32 duplicates of one credit: made once, and each answer has the balance with it', async () => {
  const keyId = await fundedKey(sql, instances[0], 1000n)
  const accountId = ownAccount(keyId)
  const credit = { accountId, amountAtomic: 7n, source: 'sandbox', kind: 'grant' } as const
  const reference = newId()
  const results = await times(32, (i) => instance(i).credit({ ...credit, reference }))
  expect(results.filter((one) => one.outcome === 'credited' && !one.duplicate)).toHaveLength(1)
  expect(results.map((one) => one.outcome === 'credited' && one.availableAtomic)).toEqual(
    results.map(() => 1007n),
  )
})

test('64 duplicates of one hold id: one hold, debited once', async () => {
  const keyId = await fundedKey(sql, instances[0], 1000n)
  const placed = order(keyId, 5n)
  const results = await times(64, (i) => instance(i).authorize(placed))
  expect(tally(results.map(({ outcome }) => outcome))).toEqual({ authorized: 64 })
  expect(await balanceOf(instances[0], keyId)).toMatchObject({
    availableAtomic: 995n,
    heldAtomic: 5n,
  })
})

test('a ceiling of 500 with 400 callers of 5: exactly 100', async () => {
  const keyId = await fundedKey(sql, instances[0], 1_000_000n, 500n)
  const results = await times(400, (i) => instance(i).authorize(order(keyId, 5n)))
  expect(tally(results.map(({ outcome }) => outcome))).toEqual({
    authorized: 100,
    over_budget: 300,
  })
  expect(await balanceOf(instances[0], keyId)).toMatchObject({ spentTodayAtomic: 500n })
})

test('capture, release, expiry and refund raced on 400 holds: each ends once', async () => {
  const keys = await times(20, () => fundedKey(sql, instances[0], 1_000_000n))
  const holds = await times(400, (i) =>
    heldCall(instance(i), order(keys[i % keys.length]!, 7n, { ttlMs: i % 4 === 0 ? 1 : 60_000 })),
  )
  const ends = await times(400 * 5, async (i) => {
    const { id: holdId, keyId, requestId } = holds[i % holds.length]!
    const ledger = instance(i + Math.floor(i / 400))
    switch (Math.floor(i / 400)) {
      case 0:
      case 1:
        return {
          holdId,
          transition: 'captured',
          ...(await ledger.capture({ holdId, accountId: ownAccount(keyId), keyId })),
        }
      case 2:
        return {
          holdId,
          transition: 'released',
          ...(await ledger.release({ holdId, accountId: ownAccount(keyId), keyId })),
        }
      case 3:
        return { holdId, transition: 'refunded', ...(await ledger.refund({ requestId, keyId })) }
      default:
        await ledger.expireDue(20)
        return null
    }
  })
  const changes = new Map<string, string[]>()
  for (const end of ends) {
    if (end?.outcome !== 'done' || end.repeated) continue
    changes.set(end.holdId, [...(changes.get(end.holdId) ?? []), end.transition])
  }
  await instances[0].expireDue(1000)
  for (const { id, keyId } of holds) {
    const state = (await instances[0].hold(id, keyId))!.state
    const seen = (changes.get(id) ?? []).sort().join(' then ')
    const expected = { refunded: 'captured then refunded', expired: '', authorized: 'impossible' }
    expect(seen).toBe(expected[state as keyof typeof expected] ?? state)
  }
})

test('batches over many keys, with duplicates, captured and released against each other: no deadlock', async () => {
  const keys = await times(30, () => fundedKey(sql, instances[0], 1_000_000n))
  const deadlocks = async () => {
    const [row] = await sql<[{ deadlocks: bigint }]>`
      SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`
    return row.deadlocks
  }
  const before = await deadlocks()
  const random = randomFrom(20_261_130)
  const shuffle = <T>(all: readonly T[]): T[] => all.toSorted(() => random.next() - 0.5)
  for (let round = 0; round < 10; round++) {
    const placed = Array.from({ length: 150 }, (_, i) =>
      order(keys[(i * 7 + round) % keys.length]!, 3n, { scope: 'request' }),
    )
    const shuffled = shuffle(placed)
    const [results] = await Promise.all([
      Promise.all(placed.map((one) => instances[0].authorize(one))),
      Promise.all(shuffled.map((one) => instances[1].authorize({ ...one, holdId: newId() }))),
    ])
    const holds = results.map((result) => (result.outcome === 'authorized' ? result.hold : null))
    await Promise.all([
      ...holds.map((hold) =>
        instances[0].capture({
          holdId: hold!.id,
          accountId: ownAccount(hold!.keyId),
          keyId: hold!.keyId,
        }),
      ),
      ...holds.toReversed().map((hold) =>
        instances[1].release({
          holdId: hold!.id,
          accountId: ownAccount(hold!.keyId),
          keyId: hold!.keyId,
        }),
      ),
      ...shuffle(holds).map((hold) =>
        instances[1].capture({
          holdId: hold!.id,
          accountId: ownAccount(hold!.keyId),
          keyId: hold!.keyId,
        }),
      ),
    ])
  }
  await sql`SELECT pg_stat_clear_snapshot()`
  expect((await deadlocks()) - before).toBe(0n)
})

test('two sweepers beside paying callers: every due hold expires exactly once', async () => {
  const keys = await times(10, () => fundedKey(sql, instances[0], 1_000_000n))
  const due = await times(600, (i) => heldCall(instance(i), order(keys[i % 10]!, 2n)))
  await letTimePass(sql, 61_000)
  const sweep = async (ledger: Ledger) => {
    for (let count = 1; count > 0;) {
      count = await ledger.expireDue(50)
    }
  }
  const paying = times(300, async (i) => {
    const keyId = keys[i % 10]!
    const { id: holdId } = await heldCall(instance(i), order(keyId, 2n))
    return instance(i + 1).capture({ holdId, accountId: ownAccount(keyId), keyId })
  })
  const captures = times(600, (i) =>
    instance(i).capture({
      holdId: due[i]!.id,
      accountId: ownAccount(due[i]!.keyId),
      keyId: due[i]!.keyId,
    }),
  )
  await Promise.all([sweep(instances[0]), sweep(instances[1])])
  expect((await paying).every(({ outcome }) => outcome === 'done')).toBe(true)
  const outcomes = (await captures).map((result) =>
    result.outcome === 'conflict' ? result.hold.state : result.outcome,
  )
  expect(tally(outcomes)).toEqual({ expired: 600 })
  const entries = await sql<[{ count: number }]>`
    SELECT count(*)::integer FROM entry WHERE kind = 'expire' AND hold_id = ANY(${due.map(({ id }) => id)}::uuid[])`
  expect(entries[0].count).toBe(600)
})

test('a revocation is obeyed by every authorize that starts after it', async () => {
  const keyId = await fundedKey(sql, instances[0], 1_000_000n)
  const early = times(200, (i) => instance(i).authorize(order(keyId, 1n)))
  await revokeKey(sql, keyId)
  const late = await times(50, (i) => instance(i).authorize(order(keyId, 1n)))
  expect(tally(late.map(({ outcome }) => outcome))).toEqual({ revoked: 50 })
  const outcomes = new Set((await early).map(({ outcome }) => outcome))
  expect([...outcomes].every((outcome) => outcome === 'authorized' || outcome === 'revoked')).toBe(
    true,
  )
})

test('a key whose account row is locked by somebody does not hold up other keys', async () => {
  const stuckKey = await fundedKey(sql, instances[0], 1_000n)
  const keys = await times(10, () => fundedKey(sql, instances[0], 1_000_000n))
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const lock = sql.begin(async (tx) => {
    await tx`SELECT 1 FROM account WHERE id = ${ownAccount(stuckKey)} FOR UPDATE`
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const stuck = times(5, () => instances[0].authorize(order(stuckKey, 1n)).catch(() => 'refused'))
  const calls = await times(200, async (i) => {
    const keyId = keys[i % keys.length]!
    const { id: holdId } = await heldCall(instances[0], order(keyId, 1n))
    return (await instances[0].capture({ holdId, accountId: ownAccount(keyId), keyId })).outcome
  })
  // The lock is still held here: the others were served all the same.
  expect(tally(calls)).toEqual({ done: 200 })
  release.resolve()
  await lock
  await stuck
  expect((await instances[0].authorize(order(stuckKey, 1n))).outcome).toBe('authorized')
})

test('a locked account does not keep the due holds of other keys from expiring', async () => {
  const stuckKey = await fundedKey(sql, instances[0], 1_000n)
  const keyId = await fundedKey(sql, instances[0], 1_000n)
  await times(6, (i) => heldCall(instances[0], order(i % 2 ? stuckKey : keyId, 1n)))
  await letTimePass(sql, 61_000)
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const lock = sql.begin(async (tx) => {
    await tx`SELECT 1 FROM account WHERE id = ${ownAccount(stuckKey)} FOR UPDATE`
    locked.resolve()
    await release.promise
  })
  await locked.promise
  await instances[1].expireDue()
  expect(await balanceOf(instances[0], keyId)).toMatchObject({ heldAtomic: 0n })
  expect(await balanceOf(instances[0], stuckKey)).toMatchObject({ heldAtomic: 3n })
  release.resolve()
  await lock
  await instances[1].expireDue()
  expect(await balanceOf(instances[0], stuckKey)).toMatchObject({ heldAtomic: 0n })
})
