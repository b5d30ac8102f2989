import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import { watchClock } from '../../../host/reporting/usage/clock-watch.ts'
import { foldUsage, startUsageFold, unfoldUsage } from '../../../host/reporting/usage/fold.ts'
import { accountServices, type AccountServices } from '../../support/account-services.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { PATIENT } from '../../support/patience.ts'

const DAY_MS = 86_400_000
const TODAY = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS)
const FROM = new Date(TODAY.getTime() - DAY_MS)
const UNTIL = new Date(TODAY.getTime() + 2 * DAY_MS)

let database: TestDatabase
let services: AccountServices
let accountId: string
let keyIds: string[]
/** Another account: the first one's row may be locked. */
let other: { accountId: string; keyId: string }

beforeAll(async () => {
  database = await testDatabase()
  services = accountServices(database.db)
  ;({ accountId, keyIds } = await account())
  const second = await account()
  other = { accountId: second.accountId, keyId: second.keyIds[0]! }
})
afterAll(() => database.close())

async function account() {
  const opened = await services.accounts.open({ name: 'buyer', mode: 'test' })
  const made = await Promise.all(
    ['first', 'second'].map((name) => services.accountKeys.create(opened.accountId, { name })),
  )
  const ids = made.map((one) => {
    if ('ok' in one) throw new Error('no key')
    return one.record.id
  })
  const reference = newId()
  const credit = { amountAtomic: 1_000_000n, source: 'topup:card', kind: 'topup' } as const
  await services.ledger.credit({ accountId: opened.accountId, reference, ...credit })
  return { accountId: opened.accountId, keyIds: ids }
}

async function hold(spender = { accountId, keyId: keyIds[0]! }, skillId = 'demo.echo') {
  const holdId = newId()
  const order = { holdId, ...spender, requestId: `req-${holdId}`, skillId, productId: 'demo' }
  const rest = { path: '/v1/demo/echo', amountAtomic: 100n, ttlMs: 60_000, scope: 'call' } as const
  const held = await services.ledger.authorize({ ...order, ...rest })
  expect(held.outcome).toBe('authorized')
  return { holdId, ...spender }
}

async function call(keyId = keyIds[0]!, skillId?: string, of = accountId): Promise<string> {
  const target = await hold({ accountId: of, keyId }, skillId)
  await services.ledger.capture({ ...target, amountAtomic: 60n })
  return target.holdId
}

async function foldAll(sliceRows = 20_000): Promise<string[]> {
  const steps: string[] = []
  do steps.push(await foldUsage(database.db.sql, { sliceRows, lagMs: 0 }))
  while (!['done', 'taken'].includes(steps.at(-1)!))
  return steps
}

/** Calls, and what was charged and refunded, as the account's page sums them. */
async function total(from = FROM, until = UNTIL) {
  const rows = await services.statements.usage(accountId, from, until)
  return rows.reduce(
    (sum, row) => ({
      calls: sum.calls + row.calls,
      charged: sum.charged + row.chargedAtomic,
      refunded: sum.refunded + row.refundedAtomic,
    }),
    { calls: 0, charged: 0n, refunded: 0n },
  )
}

async function folded(): Promise<number> {
  const [row] = await database.db.sql<[{ calls: number }]>`
    SELECT COALESCE(sum(calls), 0)::int AS calls FROM coinop.usage_day`
  return row.calls
}

async function verified(): Promise<void> {
  expect((await verifyLedger(database.db.sql)).violations).toEqual([])
}

describe('sums of usage', () => {
  it('are the same before, between and after folding, also for parts of a day', async () => {
    for (let n = 0; n < 6; n++) await call(keyIds[n % 2], n < 3 ? 'demo.echo' : 'demo.hash')
    const refunded = await call()
    const before = await total()
    expect(before).toEqual({ calls: 7, charged: 420n, refunded: 0n })
    const rows = await services.statements.usage(accountId, FROM, UNTIL)
    await foldAll()
    expect(await folded()).toBe(7)
    expect(await services.statements.usage(accountId, FROM, UNTIL)).toEqual(rows)
    await verified()

    await services.ledger.refund({ requestId: `req-${refunded}` })
    await call()
    const mixed = { calls: 8, charged: 480n, refunded: 60n }
    expect(await total()).toEqual(mixed)
    expect(await total(new Date(FROM.getTime() + 1000), new Date(UNTIL.getTime() - 1000))).toEqual(
      mixed,
    )
    await foldAll()
    expect(await total()).toEqual(mixed)
    expect(await total(UNTIL, UNTIL)).toMatchObject({ calls: 0 })
    await verified()
  })

  it('of an old database are made slice by slice', async () => {
    const { sql } = database.db
    await sql`TRUNCATE coinop.usage_day`
    await sql`UPDATE coinop.usage_fold SET folded_to = '-infinity'`
    const whole = await total()
    const steps = await foldAll(3)
    expect(steps.filter((step) => step === 'more').length).toBeGreaterThan(0)
    expect(await total()).toEqual(whole)
    expect(await folded()).toBe(whole.calls)
    await verified()
  })

  it('that disagree with the postings are found by verify', async () => {
    const { sql } = database.db
    await sql`UPDATE coinop.usage_day SET charged = charged + 1`
    const { violations } = await verifyLedger(sql)
    expect(new Set(violations.map(({ invariant }) => invariant))).toEqual(
      new Set(['usage_sums_equal_postings']),
    )
    await sql`UPDATE coinop.usage_day SET charged = charged - 1`
    await verified()
  })

  it('wait for a transaction under way, and count its posting once', async () => {
    const { sql } = database.db
    const before = await total()
    const target = await hold()
    const sums = await folded()
    await sql.begin(async (tx) => {
      await services.ledger.captureIn(tx, target)
      await call(other.keyId, 'demo.echo', other.accountId)
      await foldAll()
      // The mark stands before the open transaction, whatever ended after it.
      expect(await folded()).toBe(sums)
      expect((await total()).calls).toBe(before.calls)
    })
    expect((await total()).calls).toBe(before.calls + 1)
    await foldAll()
    expect(await folded()).toBe(sums + 2)
    expect((await total()).calls).toBe(before.calls + 1)
    await verified()
  })

  it('stay exact while calls, folds of two instances and reads run beside each other', async () => {
    const before = await total()
    const sums = await folded()
    const second = database.open()
    const over = new AbortController()
    const folding = [database.db, second].map(async ({ sql }) => {
      while (!over.signal.aborted) await foldUsage(sql, { sliceRows: 7, lagMs: 0 })
    })
    const reading = (async () => {
      let last = before.calls
      while (!over.signal.aborted) {
        const { calls } = await total()
        // A capture that is done is never missing again, and none is there twice.
        expect(calls).toBeGreaterThanOrEqual(last)
        last = calls
      }
    })()
    await Promise.all(
      Array.from({ length: 8 }, async (_, caller) => {
        for (let n = 0; n < 25; n++) await call(keyIds[caller % 2])
      }),
    )
    over.abort()
    await Promise.all([...folding, reading])
    expect(await total()).toMatchObject({ calls: before.calls + 200 })
    await foldAll()
    expect(await folded()).toBe(sums + 200)
    await verified()
  })

  it('are made anew when the clock of the server went back', async () => {
    const { sql } = database.db
    const before = await total()
    const sums = await folded()
    // Folded an hour ahead, and then a call at the hour that was.
    await sql`UPDATE coinop.usage_fold SET folded_to = now() + interval '1 hour'`
    await call()
    const steps = await foldAll()
    expect(steps[0]).toBe('clock_went_back')
    expect(await folded()).toBe(sums + 1)
    expect((await total()).calls).toBe(before.calls + 1)
    await verified()
  })

  it('lose nothing when the clock went back and has caught up before the next fold', async () => {
    const { sql } = database.db
    await foldAll()
    const before = await total()
    const sums = await folded()
    // A clock of its own for this process; the database's is set back by 25 s, for one call.
    let [monotonicMs, offsetMs] = [0, 0]
    const clock = watchClock(
      async () => new Date(Date.now() + offsetMs),
      () => Date.now() + monotonicMs,
    )
    expect(await clock.look()).toBe(false)
    const late = await call()
    offsetMs = -25_000
    await sql`UPDATE coinop.usage_fold SET folded_to = now() + interval '1 microsecond'`
    expect(await clock.look()).toBe(true)
    // Time goes on for both until the clock stands behind the mark again.
    monotonicMs = 26_000
    offsetMs = 1000
    expect(await clock.look()).toBe(false)
    expect(await foldAll()).toEqual(['done'])
    // That fold alone has lost it, and verify says so.
    expect(await folded()).toBe(sums)
    expect((await verifyLedger(sql)).violations[0]?.invariant).toBe('usage_sums_equal_postings')
    // The database that set its clock back is often one that has just taken over.
    const away = clock.mending(() => Promise.reject(new Error('connection lost')))
    await expect(away).rejects.toThrow('connection lost')
    await clock.mending((lowest) => unfoldUsage(sql, lowest))
    await clock.mending(() => Promise.reject(new Error('mended twice')))
    await foldAll()
    expect(late).toBeTruthy()
    expect(await folded()).toBe(sums + 1)
    expect((await total()).calls).toBe(before.calls + 1)
    await verified()
  })

  it('say of a database that is away no more than their own rounds', async () => {
    let looks = 0
    const told: unknown[] = []
    const begin = () => Promise.reject(new Error('connection lost'))
    const look = () => ((looks += 1), begin())
    const sql = Object.assign(look, { begin }) as never
    const log = { warn: (facts: { task?: string }) => told.push(facts.task) } as never
    const folds = startUsageFold({ sql, log })
    await vi.waitUntil(() => looks >= 3, PATIENT)
    await folds.stop()
    expect(new Set(told)).toEqual(new Set(['usage sums']))
  })

  it('of days whose postings are archived stay, wherever the clock goes', async () => {
    const { sql } = database.db
    await foldAll()
    const sums = await folded()
    await sql`
      INSERT INTO coinop.ledger_archive (id, file, before, bytes, sha256)
      VALUES (${newId()}, 'none', ${UNTIL}, 0, '')`
    await unfoldUsage(sql, new Date(FROM.getTime() - 40 * DAY_MS))
    expect(await folded()).toBe(sums)
    await sql`DELETE FROM coinop.ledger_archive`
    await verified()
  })
})
