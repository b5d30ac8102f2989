/**
 * Many callers at once against one account from three instances: what a budget, a quota, a tier or
 * a balance allows is used up to the last unit and never crossed, however the callers interleave.
 */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { accounts } from '../../../kernel/ledger/accounts.ts'
import type { AuthorizeResult, Ledger, Spender } from '../../../kernel/ledger/contract.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'
import { callOf, heldCall, openAccount, setBudget } from '../../support/spenders.ts'
import type { TestDatabase } from '../../support/database.ts'
import { PATIENT } from '../../support/patience.ts'
import { clockedDatabase, type VirtualClock } from '../../support/virtual-clock.ts'
import { tally } from './books.ts'

const DAY_MS = 86_400_000

let database: TestDatabase & { clock: VirtualClock }
let clock: VirtualClock
let sql: SqlClient
/** Three gateways: each with its pool and its batchers. */
let instances: Ledger[]
const instance = (index: number): Ledger => instances[index % instances.length]!

beforeAll(async () => {
  database = await clockedDatabase()
  ;({ clock } = database)
  sql = database.db.sql
  instances = [database.db, database.open(), database.open()].map((db) => createLedger(db))
  // Noon in the middle of a month: no test comes near a boundary that it does not ask for.
  await clock.set(new Date('2031-03-15T12:00:00Z'))
})
afterEach(async () => {
  expect((await verifyLedger(sql)).violations).toEqual([])
})
afterAll(() => database.close())

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** The refused limit, or the outcome. */
const limitOf = (result: AuthorizeResult): string =>
  result.outcome === 'over_budget' ? result.limit : result.outcome

async function spentOf(spender: Spender, scope = '*') {
  const rows = await instance(0).spend(spender)
  return rows.find((row) => row.scope === scope)!
}

const entriesOf = async (accountId: string, kind: string): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    SELECT count(*)::integer FROM entry WHERE account_id = ${accountId} AND kind = ${kind}`
  return row.count
}

test('a day budget of 500, 400 callers of 5: exactly 100, and 100 again on the next day', async () => {
  const [key] = await openAccount(sql, instance(0), { amountAtomic: 100_000n, caps: { day: 500n } })
  const rush = async () => {
    const results = await times(400, (i) => instance(i).authorize(callOf(key, 5n)))
    return tally(results.map(limitOf))
  }
  expect(await rush()).toEqual({ authorized: 100, key_day: 300 })
  await clock.advance(DAY_MS)
  expect(await rush()).toEqual({ authorized: 100, key_day: 300 })
  expect(await spentOf(key)).toMatchObject({ spentTodayAtomic: 500n, spentMonthAtomic: 1000n })
})

test('a month budget counts over its days and begins anew with the next month', async () => {
  const [key] = await openAccount(sql, instance(0), {
    amountAtomic: 100_000n,
    caps: { month: 500n },
  })
  const rush = async (callers: number) => {
    const results = await times(callers, (i) => instance(i).authorize(callOf(key, 5n)))
    return tally(results.map(limitOf))
  }
  expect(await rush(60)).toEqual({ authorized: 60 })
  await clock.advance(DAY_MS)
  expect(await rush(60)).toEqual({ authorized: 40, key_month: 20 })
  await clock.advance(31 * DAY_MS)
  expect(await rush(120)).toEqual({ authorized: 100, key_month: 20 })
})

test('a month budget of 2,000 on a product, set while 100 callers are under way: exactly 2,000', async () => {
  const [key] = await openAccount(sql, instance(0), { amountAtomic: 1_000_000n })
  const spend = (productId: string) => (i: number) =>
    instance(i).authorize(callOf(key, 5n, { productId }))
  await times(200, spend('pages'))
  const isSet = Promise.withResolvers<void>()
  const callers = times(100, async (i) => {
    // Before the budget is there, when it comes or after: whenever this one gets its turn.
    await spend('pages')(i)
    await isSet.promise
    for (;;) {
      const result = await spend('pages')(i)
      if (result.outcome !== 'authorized') return limitOf(result)
    }
  })
  await setBudget(sql, key, 'pages', { month: 2000n })
  isSet.resolve()
  expect(tally(await callers)).toEqual({ product_month: 100 })
  expect(await spentOf(key, 'pages')).toMatchObject({ spentMonthAtomic: 2000n })
  const others = await times(30, spend('files'))
  expect(tally(others.map(limitOf))).toEqual({ authorized: 30 })
  expect(await spentOf(key)).toMatchObject({ spentMonthAtomic: 2150n })
})

test('a call budget of 7 refuses 8 and never 7, and says so without an end', async () => {
  const [key] = await openAccount(sql, instance(0), { amountAtomic: 10_000n, caps: { call: 7n } })
  await setBudget(sql, key, 'pages', { call: 3n })
  const results = await times(120, (i) =>
    instance(i).authorize(
      callOf(key, BigInt([7, 8, 3, 4][i % 4]!), { productId: i % 4 < 2 ? 'demo' : 'pages' }),
    ),
  )
  expect(tally(results.map(limitOf))).toEqual({ authorized: 60, key_call: 30, product_call: 30 })
  const refused = results.find(({ outcome }) => outcome === 'over_budget')
  expect(refused).toMatchObject({ capAtomic: 7n, resetsAt: null })
})

test('10 keys on a balance of 1,000, 1,000 callers of 5: exactly 200', async () => {
  const keys = await openAccount(sql, instance(0), { keys: 10, amountAtomic: 1000n })
  const results = await times(1000, (i) => instance(i).authorize(callOf(keys[i % 10]!, 5n)))
  expect(tally(results.map(limitOf))).toEqual({ authorized: 200, insufficient: 800 })
  expect(await instance(0).balance(keys[0].accountId)).toMatchObject({
    availableAtomic: 0n,
    heldAtomic: 1000n,
  })
})

test('1,000 keys of one account with 7 each, 3,000 callers of 5: exactly 1,000', async () => {
  const keys = await openAccount(sql, instance(0), {
    keys: 1000,
    amountAtomic: 100_000n,
    caps: { day: 7n },
  })
  const results = await times(3000, (i) => instance(i).authorize(callOf(keys[i % 1000]!, 5n)))
  expect(tally(results.map(limitOf))).toEqual({ authorized: 1000, key_day: 2000 })
})

test('50 free calls a day and a balance of 100, 400 callers of 5: 50 free and 20 paid', async () => {
  const [key] = await openAccount(sql, instance(0), { amountAtomic: 100n })
  const rush = async () => {
    const results = await times(400, (i) =>
      instance(i).authorize(callOf(key, 5n, { free: { calls: 50, period: 'day' } })),
    )
    return tally(
      results.map((result) =>
        result.outcome === 'authorized' && result.hold.freeBucket ? 'free' : result.outcome,
      ),
    )
  }
  expect(await rush()).toEqual({ free: 50, authorized: 20, insufficient: 330 })
  await clock.advance(DAY_MS)
  expect(await rush()).toEqual({ free: 50, insufficient: 350 })
})

test('free places of released calls are taken again, to the last one', async () => {
  const [key] = await openAccount(sql, instance(0), {})
  const free = { calls: 20, period: 'month' as const }
  const take = (count: number) =>
    times(count, (i) => instance(i).authorize(callOf(key, 5n, { free })))
  const first = await take(20)
  expect(tally(first.map(limitOf))).toEqual({ authorized: 20 })
  await Promise.all([
    ...first.slice(0, 8).map((result, i) => {
      if (result.outcome !== 'authorized') throw new Error(result.outcome)
      return instance(i).release({ holdId: result.hold.id, ...key })
    }),
    ...first.slice(8).map((result, i) => {
      if (result.outcome !== 'authorized') throw new Error(result.outcome)
      return instance(i).capture({ holdId: result.hold.id, ...key })
    }),
  ])
  expect(tally((await take(30)).map(limitOf))).toEqual({ authorized: 8, insufficient: 22 })
})

test('64 times one hold id and 64 times one request: two holds', async () => {
  const [key] = await openAccount(sql, instance(0), { amountAtomic: 1000n })
  const one = callOf(key, 5n)
  const request = callOf(key, 5n, { scope: 'request' })
  const results = await Promise.all([
    times(64, (i) => instance(i).authorize(one)),
    times(64, (i) => instance(i).authorize({ ...request, holdId: newId() })),
  ])
  expect(tally(results.flat().map(limitOf))).toEqual({ authorized: 128 })
  expect(await entriesOf(key.accountId, 'authorize')).toBe(2)
  expect(await instance(0).balance(key.accountId)).toMatchObject({ heldAtomic: 10n })
})

test('2,000 captures by tiers: their sum is the price of all 5,995 units', async () => {
  const [key] = await openAccount(sql, instance(0), { amountAtomic: 1_000_000n })
  const tiers = [
    { upTo: 1000n, unitAtomic: 25n },
    { upTo: 2000n, unitAtomic: 15n },
    { upTo: null, unitAtomic: 10n },
  ]
  const captured = await times(2000, async (i) => {
    const { id: holdId } = await heldCall(instance(i), callOf(key, 200n))
    const units = BigInt(i % 7)
    const result = await instance(i + 1).capture({
      holdId,
      ...key,
      units,
      graduated: { units, baseAtomic: 0n, tiers },
    })
    if (result.outcome !== 'done') throw new Error(result.outcome)
    return result.hold.capturedAtomic!
  })
  expect(captured.reduce((sum, amount) => sum + amount, 0n)).toBe(79_950n)
  expect(await instance(0).balance(key.accountId)).toMatchObject({
    availableAtomic: 1_000_000n - 79_950n,
    heldAtomic: 0n,
  })
})

test('what a capture leaves is free for the same budget at once', async () => {
  const [key] = await openAccount(sql, instance(0), {
    amountAtomic: 1_000_000n,
    caps: { day: 400n },
  })
  // Each call holds 40 and costs 4: ten fit at once, and a hundred in a row.
  const callers = await times(10, async (i) => {
    let made = 0
    for (;;) {
      const result = await instance(i).authorize(callOf(key, 40n))
      if (result.outcome !== 'authorized') return made
      made += 1
      await instance(i + 1).capture({ holdId: result.hold.id, ...key, amountAtomic: 4n })
    }
  })
  const { spentTodayAtomic } = await spentOf(key)
  expect(spentTodayAtomic).toBe(BigInt(callers.reduce((sum, made) => sum + made, 0)) * 4n)
  expect(spentTodayAtomic).toBeGreaterThan(360n)
  expect(spentTodayAtomic).toBeLessThanOrEqual(400n)
})

test('a budget that is lowered below what was spent refuses, and captures still return the rest', async () => {
  const [key] = await openAccount(sql, instance(0), { amountAtomic: 10_000n, caps: { day: 1000n } })
  const held = await times(20, (i) => heldCall(instance(i), callOf(key, 50n)))
  await setBudget(sql, key, '*', { day: 100n })
  const results = await times(30, (i) => instance(i).authorize(callOf(key, 1n)))
  expect(tally(results.map(limitOf))).toEqual({ key_day: 30 })
  const captured = await Promise.all(
    held.map(({ id: holdId }, i) => instance(i).capture({ holdId, ...key, amountAtomic: 4n })),
  )
  expect(tally(captured.map(({ outcome }) => outcome))).toEqual({ done: 20 })
  expect(await spentOf(key)).toMatchObject({ spentTodayAtomic: 80n })
  expect((await instance(0).authorize(callOf(key, 20n))).outcome).toBe('authorized')
})

test('a hold that crosses midnight returns its rest to the day that it was made on', async () => {
  const [key] = await openAccount(sql, instance(0), { amountAtomic: 10_000n, caps: { day: 100n } })
  const ttlMs = 40 * DAY_MS
  const old = await times(10, (i) => heldCall(instance(i), callOf(key, 10n, { ttlMs })))
  await clock.advance(DAY_MS)
  await times(10, (i) => heldCall(instance(i), callOf(key, 10n, { ttlMs })))
  await Promise.all(old.map(({ id: holdId }, i) => instance(i).release({ holdId, ...key })))
  expect((await instance(0).authorize(callOf(key, 1n))).outcome).toBe('over_budget')
  expect(await spentOf(key)).toMatchObject({ spentTodayAtomic: 100n, spentMonthAtomic: 100n })
})

test('one key over its budget does not slow or refuse the other of its account', async () => {
  const [poor, rich] = await openAccount(sql, instance(0), { keys: 2, amountAtomic: 1_000_000n })
  await setBudget(sql, poor, '*', { day: 0n })
  const results = await times(600, async (i) => {
    const key = i % 2 ? poor : rich!
    const result = await instance(i).authorize(callOf(key, 5n))
    return `${key === poor ? 'poor' : 'rich'} ${limitOf(result)}`
  })
  expect(tally(results)).toEqual({ 'poor key_day': 300, 'rich authorized': 300 })
})

test.each(['revoked', 'closed'] as const)(
  'after a key is %s, no later authorize succeeds on any instance',
  async (how) => {
    const [key] = await openAccount(sql, instance(0), { amountAtomic: 1_000_000n })
    const early = times(200, (i) => instance(i).authorize(callOf(key, 1n)))
    await (how === 'revoked'
      ? sql.begin((tx) => accounts.revokeKey(tx, key))
      : sql.begin((tx) => accounts.close(tx, key.accountId)))
    const before = await entriesOf(key.accountId, 'authorize')
    const late = await times(50, (i) => instance(i).authorize(callOf(key, 1n)))
    expect(tally(late.map(limitOf))).toEqual({ [how]: 50 })
    await early
    expect(await entriesOf(key.accountId, 'authorize')).toBe(before)
    expect(new Set([...(await early).map(limitOf), 'authorized', how]).size).toBe(2)
  },
)

test.each(['revoked', 'closed'] as const)(
  'new money that comes while a key is being %s is refused',
  async (how) => {
    const [key] = await openAccount(sql, instance(0))
    const order = { source: 'topup:card', kind: 'topup', amountAtomic: 500n } as const
    const named = { ...key, reference: `late-${key.accountId}` }
    const crediting = await sql.begin(async (tx) => {
      await (how === 'revoked' ? accounts.revokeKey(tx, key) : accounts.close(tx, key.accountId))
      const late = instance(1).credit({ ...order, ...named })
      await vi.waitUntil(async () => (await waiting()) > 0, PATIENT)
      return { late }
    })
    expect(await crediting.late).toEqual({ outcome: how })
    expect((await instance(0).balance(key.accountId))!.availableAtomic).toBe(0n)
  },
)

/** How many statements of this database wait for a lock. */
async function waiting(): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    SELECT count(*)::integer FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return row.count
}

test('transfers both ways between two accounts: no deadlock, and no unit is lost', async () => {
  const [one] = await openAccount(sql, instance(0), { amountAtomic: 500n })
  const [other] = await openAccount(sql, instance(0), { amountAtomic: 500n })
  const results = await times(200, (i) => {
    const [from, to] = i % 2 ? [one, other] : [other, one]
    return instance(i).transfer({
      fromAccountId: from.accountId,
      toAccountId: to.accountId,
      amountAtomic: 100n,
      // Every fourth reference comes twice.
      reference: `swap-${one.accountId}-${i % 8 === 7 ? i - 4 : i}`,
    })
  })
  expect(results.length).toBe(200)
  const balances = await Promise.all([one, other].map((key) => instance(0).balance(key.accountId)))
  const sum = balances.reduce((total, balance) => total + balance!.availableAtomic, 0n)
  expect(sum).toBe(1000n)
})

test('a balance that falls below its mark is told once, and once more after a top-up', async () => {
  const [key] = await openAccount(sql, instance(0), { amountAtomic: 1000n, lowMarkAtomic: 600n })
  const spend = (count: number) =>
    times(count, async (i) => {
      const { id: holdId } = await heldCall(instance(i), callOf(key, 10n))
      await instance(i + 1).capture({ holdId, ...key })
    })
  const told = async () => {
    const rows = await sql`SELECT 1 FROM outbox
      WHERE account_id = ${key.accountId} AND topic = 'account.low_balance'`
    return rows.length
  }
  await spend(40)
  expect(await told()).toBe(0)
  await spend(40)
  expect(await told()).toBe(1)
  await instance(0).credit({
    accountId: key.accountId,
    amountAtomic: 500n,
    source: 'sandbox',
    reference: newId(),
    kind: 'grant',
  })
  expect(await told()).toBe(1)
  await spend(20)
  expect(await told()).toBe(2)
})

test('credits and charges of an empty account at once: each charge is taken in full or refused', async () => {
  const [{ accountId }] = await openAccount(sql, instance(0), {})
  const money = { accountId, amountAtomic: 100n }
  const charges = await times(150, async (i) => {
    const reference = `${accountId}-${i}`
    if (i % 3 === 0) {
      await instance(i).credit({ ...money, source: 'sandbox', reference, kind: 'grant' })
      return 'credited'
    }
    return (await instance(i).charge({ ...money, to: 'plan:test', reference })).outcome
  })
  const { charged = 0, insufficient = 0 } = tally(charges)
  expect(charged + insufficient).toBe(100)
  expect(await instance(0).balance(accountId)).toMatchObject({
    availableAtomic: 5000n - BigInt(charged) * 100n,
  })
})

test('a repeated call takes no free place from another that comes with it', async () => {
  const [key] = await openAccount(sql, instance(0), { amountAtomic: 1000n })
  const free = { calls: 5, period: 'day' as const }
  const first = callOf(key, 5n, { free, scope: 'request' })
  await heldCall(instance(0), first)
  const results = await Promise.all([
    ...Array.from({ length: 8 }, () => instance(0).authorize({ ...first, holdId: newId() })),
    ...Array.from({ length: 6 }, () => instance(0).authorize(callOf(key, 5n, { free }))),
  ])
  const holds = new Map(
    results.flatMap((result) =>
      result.outcome === 'authorized' ? [[result.hold.id, result.hold.amountAtomic]] : [],
    ),
  )
  expect([...holds.values()].toSorted()).toEqual([0n, 0n, 0n, 0n, 0n, 5n, 5n])
})

test('units of a hold that crosses the month are priced in the month that it was made in', async () => {
  const [key] = await openAccount(sql, instance(0), { amountAtomic: 10_000n })
  const tiers = [
    { upTo: 10n, unitAtomic: 5n },
    { upTo: null, unitAtomic: 1n },
  ]
  const hold = (i: number) =>
    heldCall(instance(i), callOf(key, 100n, { ttlMs: 60 * DAY_MS, skillId: 'pages.read' }))
  const price = async (holdId: string, i: number) => {
    const graduated = { units: 10n, baseAtomic: 0n, tiers }
    const result = await instance(i).capture({ holdId, ...key, units: 10n, graduated })
    if (result.outcome !== 'done') throw new Error(result.outcome)
    return result.hold.capturedAtomic
  }
  const old = await times(2, hold)
  await clock.advance(31 * DAY_MS)
  const young = await times(2, hold)
  const prices = await Promise.all([...young, ...old].map(({ id }, i) => price(id, i)))
  // The first of each month takes the dear tier, the second the cheap one.
  expect(prices.map(Number).toSorted((a, b) => a - b)).toEqual([10, 10, 50, 50])
})
