/** What accounts add to the ledger: shared balances, budgets, free calls, tiers, transfers, marks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { accounts } from '../../../kernel/ledger/accounts.ts'
import type { BudgetCaps } from '../../../kernel/ledger/accounts-contract.ts'
import type { AuthorizeOrder, Graduated, Ledger, Spender } from '../../../kernel/ledger/contract.ts'
import { readableLedger, type ReadableLedger } from '../../support/ledger-rows.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'
import { openKey, ownAccount } from '../../support/accounts.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { singleWrites } from '../../support/single-writes.ts'
import { expectBalancedBooks, fundedKey, order, tally } from './books.ts'
import { heldCall } from '../../support/spenders.ts'

let database: TestDatabase
let sql: SqlClient
let ledger: ReadableLedger
let alone: Ledger

beforeAll(async () => {
  database = await testDatabase()
  sql = database.db.sql
  ledger = readableLedger(database.db)
  alone = singleWrites(database.db)
})
afterAll(async () => {
  await expectBalancedBooks(sql)
  await database.close()
})

/** An account with `amountAtomic`, and `keys` keys on it. */
async function team(amountAtomic: bigint, keys: number): Promise<Spender[]> {
  const first = await fundedKey(sql, ledger, amountAtomic)
  const accountId = ownAccount(first)
  const others = Array.from({ length: keys - 1 }, () => `key_${newId().replaceAll('-', '')}`)
  for (const keyId of others) await openKey(sql, keyId, { accountId })
  return [first, ...others].map((keyId) => ({ accountId, keyId }))
}

const by = (spender: Spender, amountAtomic: bigint, rest: Partial<AuthorizeOrder> = {}) =>
  order(spender.keyId, amountAtomic, { ...spender, ...rest })

const budget = (spender: Spender, scope: string, caps: BudgetCaps) =>
  sql.begin((tx) => accounts.setBudget(tx, spender, scope, caps))

async function outcomes(orders: readonly AuthorizeOrder[], on: Ledger = ledger) {
  const results = await Promise.all(orders.map((one) => on.authorize(one)))
  return tally(
    results.map((result) => (result.outcome === 'over_budget' ? result.limit : result.outcome)),
  )
}

describe('a shared balance', () => {
  test('ten keys spend what is there and nothing more', async () => {
    const keys = await team(1000n, 10)
    const orders = Array.from({ length: 400 }, (_, i) => by(keys[i % 10]!, 5n))
    expect(await outcomes(orders)).toEqual({ authorized: 200, insufficient: 200 })
    const { accountId } = keys[0]!
    expect(await ledger.balance(accountId)).toEqual({
      accountId,
      availableAtomic: 0n,
      heldAtomic: 1000n,
      isClosed: false,
    })
  })

  test('a revoked key leaves the others their balance', async () => {
    const [gone, stays] = await team(100n, 2)
    await sql.begin((tx) => accounts.revokeKey(tx, gone!))
    expect(await outcomes([by(gone!, 1n), by(stays!, 1n)])).toEqual({ revoked: 1, authorized: 1 })
  })

  test('a closed account holds nothing more, and its open holds end as they would have', async () => {
    const [key] = await team(100n, 1)
    const close = () => sql.begin((tx) => accounts.close(tx, key!.accountId))
    const hold = await heldCall(ledger, by(key!, 5n))
    const other = await heldCall(ledger, by(key!, 7n))
    expect(await close()).toBe('closed')
    expect(await ledger.release({ holdId: hold.id, ...key! })).toMatchObject({ outcome: 'done' })
    expect(await ledger.capture({ holdId: other.id, ...key!, amountAtomic: 4n })).toMatchObject({
      outcome: 'done',
      availableAtomic: 96n,
    })
    expect(await ledger.balance(key!.accountId)).toMatchObject({ heldAtomic: 0n, isClosed: true })
    expect(await ledger.authorize(by(key!, 1n))).toEqual({ outcome: 'closed' })
    const credit = { ...key!, amountAtomic: 5n, source: 'sandbox', reference: newId() }
    expect(await ledger.credit({ ...credit, kind: 'grant' })).toEqual({ outcome: 'closed' })
    expect(await ledger.credit({ ...credit, kind: 'adjustment' })).toMatchObject({
      outcome: 'credited',
    })
    expect(await ledger.authorize(by({ ...key!, accountId: newId() }, 1n))).toEqual({
      outcome: 'unknown_key',
    })
  })
})

describe('budgets', () => {
  test.each([
    ['key_call', '*', { call: 9n }, 0],
    ['key_day', '*', { day: 35n }, 3],
    ['key_month', '*', { month: 49n }, 4],
    ['product_call', 'demo', { call: 9n }, 0],
    ['product_day', 'demo', { day: 35n }, 3],
    ['product_month', 'demo', { month: 49n }, 4],
  ] as const)(
    '%s refuses what does not fit, batched and alone',
    async (limit, scope, caps, fit) => {
      const expected = { ...(fit > 0 && { authorized: fit }), [limit]: 20 - fit }
      for (const on of [ledger, alone]) {
        const [key, other] = await team(10_000n, 2)
        await budget(key!, scope, caps)
        const orders = Array.from({ length: 20 }, () => by(key!, 10n))
        expect(await outcomes(orders, on)).toEqual(expected)
        // Neither another key nor, for a product's budget, another product is bound by it.
        expect(await outcomes([by(other!, 10n)], on)).toEqual({ authorized: 1 })
        if (scope !== '*') {
          expect(await outcomes([by(key!, 10n, { productId: 'other' })], on)).toEqual({
            authorized: 1,
          })
        }
      }
    },
  )

  test('what a hold does not take is given back to every budget that it counts on', async () => {
    const [key] = await team(1000n, 1)
    await budget(key!, '*', { day: 100n })
    await budget(key!, 'demo', { month: 100n })
    const hold = await heldCall(ledger, by(key!, 100n))
    expect(await outcomes([by(key!, 1n)])).toEqual({ key_day: 1 })
    await ledger.capture({ holdId: hold.id, ...key!, amountAtomic: 30n })
    expect(await outcomes([by(key!, 71n), by(key!, 70n)])).toEqual({ key_day: 1, authorized: 1 })
    const [own, product] = await ledger.spend(key!)
    expect(own).toMatchObject({ scope: '*', dayCapAtomic: 100n, spentTodayAtomic: 100n })
    expect(product).toMatchObject({ scope: 'demo', monthCapAtomic: 100n, spentMonthAtomic: 100n })
  })

  test("a product's budget that is set later counts what the month has spent on it", async () => {
    const [key] = await team(1000n, 1)
    const hold = await heldCall(ledger, by(key!, 40n))
    await ledger.capture({ holdId: hold.id, ...key!, amountAtomic: 25n })
    await heldCall(ledger, by(key!, 10n))
    await heldCall(ledger, by(key!, 500n, { productId: 'other' }))
    await budget(key!, 'demo', { month: 36n })
    expect(await ledger.authorize(by(key!, 2n))).toMatchObject({
      outcome: 'over_budget',
      limit: 'product_month',
      capAtomic: 36n,
      spentAtomic: 35n,
    })
    await heldCall(ledger, by(key!, 1n))
    await sql.begin((tx) => accounts.removeBudget(tx, key!, 'demo'))
    await heldCall(ledger, by(key!, 100n))
    expect(await ledger.spend(key!)).toHaveLength(1)
  })

  test('a cap below what is spent refuses, and still takes back what returns', async () => {
    const [key] = await team(1000n, 1)
    const hold = await heldCall(ledger, by(key!, 50n))
    await budget(key!, '*', { day: 10n, month: 10n, call: 5n })
    expect(await outcomes([by(key!, 6n), by(key!, 1n)])).toEqual({ key_call: 1, key_day: 1 })
    await ledger.release({ holdId: hold.id, ...key! })
    expect(await outcomes([by(key!, 5n)])).toEqual({ authorized: 1 })
    await budget(key!, '*', { call: null })
    const [own] = await ledger.spend(key!)
    expect(own).toMatchObject({ callCapAtomic: null, dayCapAtomic: 10n, monthCapAtomic: 10n })
  })

  test('one that is set while calls are under way is never crossed', async () => {
    const keys = await team(1_000_000n, 4)
    const key = keys[0]!
    const call = async (i: number): Promise<void> => {
      const result = await ledger.authorize(by(keys[i % 4]!, 5n))
      if (result.outcome !== 'authorized') return
      const { accountId, keyId, id: holdId } = result.hold
      await ledger.capture({ holdId, accountId, keyId, amountAtomic: BigInt(i % 6) })
    }
    const calls = Array.from({ length: 300 }, (_, i) => call(i))
    for (const day of [200n, 150n, 100n]) {
      await budget(key, '*', { day })
      await budget(key, 'demo', { month: day })
    }
    await Promise.all(calls)
    await expectBalancedBooks(sql)
  })
})

describe('free calls', () => {
  test('so many of a skill and day, whatever is sent at once; the rest is charged', async () => {
    for (const on of [ledger, alone]) {
      const keys = await team(100n, 3)
      await budget(keys[0]!, '*', { day: 0n })
      const free = { calls: 50, period: 'day' } as const
      const orders = Array.from({ length: 90 }, (_, i) => by(keys[1 + (i % 2)]!, 5n, { free }))
      const results = await Promise.all(orders.map((one) => on.authorize(one)))
      const amounts = results.map((r) =>
        r.outcome === 'authorized' ? r.hold.amountAtomic : r.outcome,
      )
      expect(tally(amounts.map(String))).toEqual({ '0': 50, '5': 20, insufficient: 20 })
      const { accountId } = keys[0]!
      expect(await on.freeUsed(accountId, 'demo.echo', 'day')).toBe(50n)
      expect(await on.freeUsed(accountId, 'demo.echo', 'month')).toBe(0n)
    }
  })

  test('cost nothing whatever they measure, and touch no budget; a released one is free again', async () => {
    const [key] = await team(10n, 1)
    const free = { calls: 1, period: 'month' } as const
    await budget(key!, '*', { call: 0n, day: 0n })
    const first = await heldCall(ledger, by(key!, 7n, { free }))
    expect(first).toMatchObject({
      amountAtomic: 0n,
      freeBucket: first.createdAt.toISOString().slice(0, 7),
    })
    expect(await outcomes([by(key!, 7n, { free })])).toEqual({ key_call: 1 })
    await ledger.release({ holdId: first.id, ...key! })
    const again = await heldCall(ledger, by(key!, 7n, { free }))
    const captured = { holdId: again.id, ...key!, amountAtomic: 7n, units: 12n }
    for (const repeated of [false, true]) {
      expect(await ledger.capture(captured)).toMatchObject({
        outcome: 'done',
        repeated,
        hold: { capturedAtomic: 0n, units: 12n },
        availableAtomic: 10n,
      })
    }
    const kinds = (await ledger.rows({ ...key!, limit: 10 })).map(({ kind }) => kind)
    expect(kinds).toEqual(['capture', 'authorize', 'release', 'authorize', 'grant'])
  })
})

describe('tiers', () => {
  const TIERS: Graduated['tiers'] = [
    { upTo: 10n, unitAtomic: 20n },
    { upTo: 25n, unitAtomic: 15n },
    { upTo: null, unitAtomic: 10n },
  ]
  /** What the first `units` cost. */
  const priceOf = (units: bigint): bigint =>
    (units < 10n ? units : 10n) * 20n +
    (units < 10n ? 0n : units < 25n ? units - 10n : 15n) * 15n +
    (units < 25n ? 0n : units - 25n) * 10n

  test('any order of captures comes to the price of the sum, of both ledgers', async () => {
    const [key] = await team(1_000_000n, 1)
    const units = Array.from({ length: 60 }, (_, i) => BigInt((i * 7) % 5))
    const holds = await Promise.all(units.map(() => heldCall(ledger, by(key!, 100n))))
    const results = await Promise.all(
      holds.map((hold, i) =>
        (i % 3 === 0 ? alone : ledger).capture({
          holdId: hold.id,
          ...key!,
          graduated: { units: units[i]!, baseAtomic: 1n, tiers: TIERS },
        }),
      ),
    )
    const total = units.reduce((sum, one) => sum + one, 0n)
    const captured = results.map((r) => (r.outcome === 'done' ? r.hold.capturedAtomic! : -1n))
    expect(captured.reduce((sum, one) => sum + one, 0n)).toBe(priceOf(total) + 60n)
    expect(await ledger.volume(key!.accountId, 'demo.echo')).toBe(total)
    const repeat = { holdId: holds[0]!.id, ...key!, units: 0n }
    const graduated = { units: units[0]!, baseAtomic: 1n, tiers: TIERS }
    expect(await ledger.capture({ ...repeat, graduated })).toMatchObject({ repeated: true })
    expect(
      await ledger.capture({ ...repeat, graduated: { ...graduated, units: 9n } }),
    ).toMatchObject({
      outcome: 'conflict',
    })
  })

  test('a price over the hold takes the hold; the volume counts all units', async () => {
    const [key] = await team(1000n, 1)
    const hold = await heldCall(ledger, by(key!, 100n))
    const graduated = { units: 30n, baseAtomic: 0n, tiers: TIERS }
    expect(await ledger.capture({ holdId: hold.id, ...key!, graduated, units: 30n })).toMatchObject(
      {
        outcome: 'done',
        hold: { capturedAtomic: 100n, units: 30n },
      },
    )
    expect(await ledger.volume(key!.accountId, 'demo.echo')).toBe(30n)
    const next = await heldCall(ledger, by(key!, 100n))
    const one = { ...graduated, units: 1n }
    expect(await ledger.capture({ holdId: next.id, ...key!, graduated: one })).toMatchObject({
      hold: { capturedAtomic: 10n },
    })
  })

  test("in a caller's transaction, with flat captures beside them in a batch", async () => {
    const [key] = await team(1000n, 1)
    const holds = await Promise.all(
      Array.from({ length: 6 }, () => heldCall(ledger, by(key!, 40n))),
    )
    const graduated = { units: 1n, baseAtomic: 0n, tiers: TIERS }
    await sql.begin((tx) => ledger.captureIn(tx, { holdId: holds[0]!.id, ...key!, graduated }))
    await Promise.all(
      holds.slice(1).map(({ id: holdId }, i) =>
        ledger.capture({
          holdId,
          ...key!,
          ...(i % 2 === 0 ? { graduated } : { amountAtomic: 0n }),
        }),
      ),
    )
    expect((await ledger.balance(key!.accountId))!.availableAtomic).toBe(1000n - 4n * 20n)
  })
})

describe('transfers and charges', () => {
  test('move once, in full or not at all, between accounts of one mode', async () => {
    const [from, to] = [(await team(100n, 1))[0]!, (await team(0n, 1))[0]!]
    const move = {
      fromAccountId: from.accountId,
      toAccountId: to.accountId,
      amountAtomic: 70n,
      reference: newId(),
      note: 'for the team',
    }
    const results = await Promise.all(Array.from({ length: 8 }, () => ledger.transfer(move)))
    expect(tally(results.map((r) => String('duplicate' in r && r.duplicate)))).toEqual({
      false: 1,
      true: 7,
    })
    expect(await ledger.transfer({ ...move, amountAtomic: 1n })).toEqual({
      outcome: 'other_transfer',
    })
    expect(await ledger.transfer({ ...move, reference: newId() })).toEqual({
      outcome: 'insufficient',
      availableAtomic: 30n,
    })
    expect(
      await ledger.transfer({ ...move, toAccountId: newId(), reference: newId() }),
    ).toMatchObject({ outcome: 'unknown_account' })
    const live = `key_${newId().replaceAll('-', '')}`
    await openKey(sql, live, { mode: 'live' })
    const toLive = { ...move, toAccountId: ownAccount(live), amountAtomic: 1n, reference: newId() }
    expect(await ledger.transfer(toLive)).toEqual({ outcome: 'mode_mismatch' })
    expect((await ledger.balance(to.accountId))!.availableAtomic).toBe(70n)
    const rows = await ledger.rows({ accountId: to.accountId, limit: 5 })
    expect(rows).toMatchObject([{ kind: 'adjustment', debit: 'transfer', note: 'for the team' }])
  })

  test('both ways at once end without a deadlock', async () => {
    const [one, two] = [(await team(1000n, 1))[0]!, (await team(1000n, 1))[0]!]
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        ledger.transfer({
          fromAccountId: (i % 2 === 0 ? one : two).accountId,
          toAccountId: (i % 2 === 0 ? two : one).accountId,
          amountAtomic: 3n,
          reference: newId(),
        }),
      ),
    )
    expect(tally(results.map(({ outcome }) => outcome))).toEqual({ transferred: 60 })
    expect((await ledger.balance(one.accountId))!.availableAtomic).toBe(1000n)
  })

  test('a charge is taken once, and never below zero', async () => {
    const { accountId } = (await team(100n, 1))[0]!
    const charge = { accountId, amountAtomic: 60n, to: 'plan:pro', reference: '2026-11' }
    expect(await ledger.charge(charge)).toMatchObject({ outcome: 'charged', duplicate: false })
    expect(await ledger.charge(charge)).toMatchObject({ outcome: 'charged', duplicate: true })
    expect(await ledger.charge({ ...charge, reference: '2026-12' })).toEqual({
      outcome: 'insufficient',
      availableAtomic: 40n,
    })
  })
})

describe('a low mark', () => {
  test('is told of once per crossing, by whatever crosses it', async () => {
    const [key] = await team(100n, 1)
    const { accountId } = key!
    await sql.begin((tx) => accounts.setLowMark(tx, accountId, 50n))
    const spend = async (amountAtomic: bigint) => {
      const hold = await heldCall(ledger, by(key!, 45n))
      await ledger.capture({ holdId: hold.id, ...key!, amountAtomic })
    }
    const events = async () => {
      const rows = await sql<{ body: object }[]>`
        SELECT body FROM coinop.outbox WHERE account_id = ${accountId} ORDER BY made_at`
      return rows.map(({ body }) => body)
    }
    await spend(10n)
    expect(await events()).toEqual([])
    await spend(45n)
    await spend(1n)
    expect(await events()).toEqual([{ available: 45, held: 0, mark: 50 }])
    const credit = { ...key!, amountAtomic: 50n, source: 'sandbox', kind: 'grant' } as const
    await ledger.credit({ ...credit, reference: newId() })
    await ledger.charge({ accountId, amountAtomic: 60n, to: 'plan:pro', reference: newId() })
    expect(await events()).toHaveLength(2)
  })

  test('is told of once by a transaction that takes more than once below it', async () => {
    const [key] = await team(100n, 1)
    const { accountId } = key!
    await sql.begin((tx) => accounts.setLowMark(tx, accountId, 60n))
    const holds = [await heldCall(ledger, by(key!, 45n)), await heldCall(ledger, by(key!, 5n))]
    await sql.begin(async (tx) => {
      for (const { id: holdId } of holds) await ledger.captureIn(tx, { holdId, ...key! })
      await ledger.take({ accountId, amountAtomic: 1n, to: 'plan:pro', reference: newId() }, tx)
      const month = { accountId, amountAtomic: 2n, to: 'plan:pro', reference: newId() }
      await ledger.charge(month, tx)
    })
    const rows = await sql`SELECT body FROM coinop.outbox WHERE account_id = ${accountId}`
    expect(rows).toMatchObject([{ body: { available: 50, held: 5, mark: 60 } }])
    await expectBalancedBooks(sql)
  })
})
