/**
 * The clock of the database at midnight, and set back over it: no budget of a day or month is crossed,
 * whichever of two days a call turns out to be of.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { GatewayError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type {
  AuthorizeOrder,
  AuthorizeResult,
  Ledger,
  Spender,
} from '../../../kernel/ledger/contract.ts'
import { authorizeOne } from '../../../kernel/ledger/authorize.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import type { SqlClient } from '../../../kernel/storage/contract.ts'
import { callOf, heldCall, openAccount, setBudget } from '../../support/spenders.ts'
import type { TestDatabase } from '../../support/database.ts'
import { clockedDatabase, type VirtualClock } from '../../support/virtual-clock.ts'
import { randomFrom } from '../../simulator/random.ts'
import { tally } from './books.ts'

let database: TestDatabase & { clock: VirtualClock }
let clock: VirtualClock
let sql: SqlClient
let instances: Ledger[]

beforeAll(async () => {
  database = await clockedDatabase()
  ;({ clock } = database)
  sql = database.db.sql
  instances = [database.db, database.open()].map((db) => createLedger(db))
})
afterEach(async () => {
  expect((await verifyLedger(sql)).violations).toEqual([])
})
afterAll(() => database.close())

const at = (time: string) => clock.set(new Date(`2031-${time}Z`))
const limitOf = (result: AuthorizeResult): string =>
  result.outcome === 'over_budget' ? result.limit : result.outcome

/** `count` calls of `amountAtomic` at once, half of them on each instance. */
async function rush(
  key: Spender,
  count: number,
  amountAtomic: bigint,
  rest?: Partial<AuthorizeOrder>,
) {
  const results = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      instances[i % 2]!.authorize(callOf(key, amountAtomic, rest)),
    ),
  )
  return tally(results.map(limitOf))
}

/** What the holds of the key took on each UTC day. */
async function takenBy({ keyId }: Spender): Promise<Record<string, bigint>> {
  const rows = await sql<{ day: string; taken: bigint }[]>`
    SELECT (created_at AT TIME ZONE 'utc')::date::text AS day,
      sum(CASE state WHEN 'authorized' THEN amount ELSE COALESCE(captured, 0) END)::bigint AS taken
    FROM hold WHERE key_id = ${keyId} GROUP BY 1`
  return Object.fromEntries(rows.map(({ day, taken }) => [day, taken]))
}

test.each([
  ['day', '03-14T20:00:00', '03-15T04:00:00'],
  ['month', '03-31T20:00:00', '04-01T04:00:00'],
] as const)(
  'a clock set back over the end of the %s opens no budget again',
  async (cap, before, after) => {
    const [key] = await openAccount(sql, instances[0]!, {
      amountAtomic: 100_000n,
      caps: { [cap]: 500n },
    })
    await at(before)
    expect(await rush(key, 110, 5n)).toEqual({ authorized: 100, [`key_${cap}`]: 10 })
    await at(after)
    expect(await rush(key, 10, 5n)).toEqual({ authorized: 10 })
    await at(before)
    expect(await rush(key, 200, 5n)).toEqual({ authorized: 90, [`key_${cap}`]: 110 })
    await at(after)
    expect(await rush(key, 10, 5n)).toEqual({ [`key_${cap}`]: 10 })
    expect(Object.values(await takenBy(key))).toEqual([500n, 500n])
  },
)

test('what is held while the clock is back returns to the day that it counts on', async () => {
  const [key] = await openAccount(sql, instances[0]!, { amountAtomic: 1000n, caps: { day: 100n } })
  await at('05-02T04:00:00')
  await heldCall(instances[0]!, callOf(key, 40n))
  await at('05-01T20:00:00')
  const hold = await heldCall(instances[1]!, callOf(key, 60n))
  expect(await rush(key, 1, 1n)).toEqual({ key_day: 1 })
  await instances[0]!.capture({ holdId: hold.id, ...key, amountAtomic: 10n })
  expect(await rush(key, 2, 50n)).toEqual({ authorized: 1, key_day: 1 })
  await at('05-02T05:00:00')
  expect(await rush(key, 1, 1n)).toEqual({ key_day: 1 })
})

test('a budget of a product that is set while the clock is back counts the later day', async () => {
  const [key] = await openAccount(sql, instances[0]!, { amountAtomic: 1000n, caps: { day: 500n } })
  await at('06-02T04:00:00')
  await heldCall(instances[0]!, callOf(key, 40n))
  await at('06-01T20:00:00')
  await heldCall(instances[0]!, callOf(key, 30n))
  await setBudget(sql, key, 'demo', { day: 100n })
  expect(await rush(key, 5, 10n)).toEqual({ authorized: 3, product_day: 2 })
  expect(await rush(key, 1, 10n, { productId: 'other', skillId: 'other.skill' })).toEqual({
    authorized: 1,
  })
  await at('06-02T05:00:00')
  expect(await rush(key, 1, 1n)).toEqual({ product_day: 1 })
})

test('a refusal while the clock is back names the end of the day that it counts on', async () => {
  const [key] = await openAccount(sql, instances[0]!, { amountAtomic: 1000n, caps: { day: 40n } })
  await at('06-12T04:00:00')
  await heldCall(instances[0]!, callOf(key, 40n))
  await at('06-10T20:00:00')
  const resetsAt = new Date('2031-06-13T00:00:00Z')
  const refused = { outcome: 'over_budget', limit: 'key_day', resetsAt }
  expect(await instances[0]!.authorize(callOf(key, 1n))).toMatchObject(refused)
})

test('a key without a budget buys while the clock is back', async () => {
  const [key] = await openAccount(sql, instances[0]!, { amountAtomic: 1000n })
  await at('07-02T04:00:00')
  expect(await rush(key, 5, 1n)).toEqual({ authorized: 5 })
  await at('07-01T20:00:00')
  expect(await rush(key, 5, 1n)).toEqual({ authorized: 5 })
  expect(await takenBy(key)).toEqual({ '2031-07-01': 5n, '2031-07-02': 5n })
})

test('a call that waited over midnight behind one of the next day does not cross the day before', async () => {
  const [key] = await openAccount(sql, instances[0]!, { amountAtomic: 1000n, caps: { day: 500n } })
  await at('08-14T20:00:00')
  expect(await rush(key, 99, 5n)).toEqual({ authorized: 99 })
  let late: Promise<AuthorizeResult> | undefined
  await sql.begin(async (tx) => {
    await tx`SELECT 1 FROM account WHERE id = ${key.accountId} FOR NO KEY UPDATE`
    late = decided(callOf(key, 5n))
    await isWaiting()
    const one = (amountAtomic: bigint) =>
      authorizeOne(tx, callOf(key, amountAtomic, { holdId: newId() }))
    expect((await one(5n)).outcome).toBe('authorized')
    await at('08-15T04:00:00')
    expect((await one(1n)).outcome).toBe('authorized')
  })
  expect((await late!).outcome).toBe('authorized')
  expect(await takenBy(key)).toEqual({ '2031-08-14': 500n, '2031-08-15': 6n })
})

test('calls, captures and budgets of products while the clock goes to and fro: no day is crossed', async () => {
  const { below, chance } = randomFrom(7)
  const caps = { day: 300n, month: 900n }
  const keys = await openAccount(sql, instances[0]!, { keys: 3, amountAtomic: 1_000_000n, caps })
  const open: { holdId: string; accountId: string; keyId: string }[] = []
  for (let round = 0; round < 40; round++) {
    await at(`10-3${below(2)}T${chance(0.5) ? '20:00:00' : '04:00:00'}`)
    if (round % 7 === 3) await setBudget(sql, keys[below(3)]!, 'demo', { day: BigInt(below(300)) })
    const orders = Array.from({ length: 24 }, () =>
      callOf(
        keys[below(3)]!,
        BigInt(1 + below(40)),
        chance(0.5) ? {} : { productId: 'other', skillId: 'other.skill' },
      ),
    )
    const results = await Promise.all(orders.map((order, i) => instances[i % 2]!.authorize(order)))
    for (const result of results) {
      if (result.outcome !== 'authorized') continue
      const { id: holdId, accountId, keyId } = result.hold
      open.push({ holdId, accountId, keyId })
    }
    const ending = open.splice(0, below(open.length + 1))
    const ends = ending.map((hold, i) =>
      i % 3 === 0
        ? instances[0]!.release(hold)
        : instances[1]!.capture({ ...hold, amountAtomic: 1n }),
    )
    await Promise.all(ends)
    for (const key of keys) {
      for (const [day, taken] of Object.entries(await takenBy(key)))
        expect(taken, day).toBeLessThanOrEqual(caps.day)
    }
    expect((await verifyLedger(sql)).violations).toEqual([])
  }
})

/** The answer to an order, which is asked again while its statement waits longer than it may. */
async function decided(order: AuthorizeOrder): Promise<AuthorizeResult> {
  for (;;) {
    try {
      return await instances[1]!.authorize(order)
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
    }
  }
}

/** Resolves when a statement of this database waits for a row. */
async function isWaiting(): Promise<void> {
  for (;;) {
    const [row] = await sql<[{ waiting: boolean }]>`
      SELECT count(*) > 0 AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`
    if (row.waiting) return
  }
}
