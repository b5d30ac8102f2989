/** Connections that break in the middle: each caller is told what really happened, or 503. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { GatewayError } from '../../../kernel/errors.ts'
import type { Ledger } from '../../../kernel/ledger/contract.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { creditsRail } from '../../../kernel/rails/credits/rail.ts'
import { connectDatabase } from '../../../host/database/connect.ts'
import type { Database, SqlClient } from '../../../kernel/storage/contract.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { silentLog } from '../../support/log.ts'
import { expectBalancedBooks, fundedKey, order } from './books.ts'
import { heldCall } from '../../support/spenders.ts'
import { cuttingProxy, type CuttingProxy } from './cutting-proxy.ts'
import { ownAccount, balanceOf } from '../../support/accounts.ts'

let database: TestDatabase
let sql: SqlClient
let proxy: CuttingProxy
let flaky: Database
/** Through the proxy, and straight. */
let ledger: Ledger
let direct: Ledger

beforeAll(async () => {
  database = await testDatabase()
  sql = database.db.sql
  proxy = await cuttingProxy(database.url)
  flaky = connectDatabase({ url: proxy.url, kind: 'server', log: silentLog })
  ledger = createLedger(flaky)
  direct = createLedger(database.db)
})
afterEach(() => expectBalancedBooks(sql))
afterAll(async () => {
  await flaky.close()
  await proxy.close()
  await database.close()
})

/** Asks until the ledger answers: a call that finds no database for five seconds is told 503. */
async function untilServed<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
    }
  }
}

test.each([1, 40])(
  'answers lost after the commit: %i callers hear what took effect',
  async (callers) => {
    const keyId = await fundedKey(sql, direct, 1_000_000n)
    const orders = Array.from({ length: callers }, () => order(keyId, 10n))
    const before = proxy.lost()

    proxy.loseAnswers(2)
    const authorized = await Promise.all(
      orders.map((placed) => untilServed(() => ledger.authorize(placed))),
    )
    expect(authorized.every(({ outcome }) => outcome === 'authorized')).toBe(true)

    proxy.loseAnswers(2)
    const captured = await Promise.all(
      orders.map(({ holdId }) =>
        untilServed(() => ledger.capture({ holdId, accountId: ownAccount(keyId), keyId })),
      ),
    )
    expect(captured.every(({ outcome }) => outcome === 'done')).toBe(true)

    expect(proxy.lost() - before).toBe(4)
    // The lost statement did commit: running it again found its work done.
    expect(captured.some((result) => result.outcome === 'done' && result.repeated)).toBe(true)
    expect(await balanceOf(direct, keyId)).toMatchObject({
      availableAtomic: 1_000_000n - 10n * BigInt(callers),
      heldAtomic: 0n,
      spentTodayAtomic: 10n * BigInt(callers),
    })
  },
)

test('a lost answer to a credit or a refund is not a second one', async () => {
  const keyId = await fundedKey(sql, direct, 100n)
  const { id: holdId, requestId } = await heldCall(direct, order(keyId, 10n))
  await direct.capture({ holdId, accountId: ownAccount(keyId), keyId })
  await flaky.sql`SELECT 1`
  proxy.loseAnswers(1)
  expect(await ledger.refund({ requestId })).toMatchObject({ outcome: 'done' })
  proxy.loseAnswers(1)
  const credit = {
    accountId: ownAccount(keyId),
    keyId,
    amountAtomic: 7n,
    source: 'sandbox',
    reference: holdId,
    kind: 'grant' as const,
  }
  expect(await ledger.credit(credit)).toMatchObject({ outcome: 'credited', duplicate: true })
  expect(await balanceOf(direct, keyId)).toMatchObject({ availableAtomic: 107n })
})

test('backends killed under load: every answered call is in the books, no other is', async () => {
  const keyId = await fundedKey(sql, direct, 1_000_000n)
  const done = new AbortController()
  let answered = 0
  let killed = 0
  const killer = (async () => {
    // A call is given up after five seconds: on a slow machine the next kill waits for some work.
    for (let before = 0; !done.signal.aborted; await Bun.sleep(25)) {
      if (answered === before) continue
      before = answered
      const rows = await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND ltrim(query, E' \\n') LIKE 'WITH%'
          AND pid <> pg_backend_pid() LIMIT 1`
      killed += rows.length
    }
  })()
  const callers = Array.from({ length: 32 }, async () => {
    for (let call = 0; call < 15; call++) {
      const placed = order(keyId, 10n)
      const { id: holdId } = await untilServed(() => heldCall(ledger, placed))
      const result = await untilServed(() =>
        ledger.capture({ holdId, accountId: ownAccount(keyId), keyId }),
      )
      expect(result.outcome).toBe('done')
      answered++
    }
  })
  await Promise.all(callers)
  done.abort()
  await killer
  expect(killed).toBeGreaterThan(0)
  expect(await balanceOf(direct, keyId)).toMatchObject({
    availableAtomic: 1_000_000n - 10n * 32n * 15n,
    heldAtomic: 0n,
  })
})

test('a database that stays away: 503, and the withheld answer is not charged once it is back', async () => {
  const keyId = await fundedKey(sql, direct, 100_000n)
  const rail = creditsRail({ ledger, holdTtlMs: 60_000 })
  const { id: holdId } = await heldCall(direct, order(keyId, 10n))
  const hold = (await direct.hold(holdId))!
  proxy.setAway(true)
  const state = { isAllowed: true, hold }
  const authorization = { railId: 'credits', amountAtomic: 10n, state }
  const [captured, refused] = await Promise.all([
    rail.capture(authorization, 10n, null),
    ledger.authorize(order(keyId, 10n)).catch((error: unknown) => error),
  ])
  expect(captured).toMatchObject({ outcome: 'failed', failure: { status: 503, retryable: true } })
  const givenBack = captured.outcome === 'failed' && captured.giveBack!(async () => true)
  expect(refused).toBeInstanceOf(GatewayError)
  expect((refused as GatewayError).failure).toMatchObject({ code: 'INTERNAL_ERROR', status: 503 })
  proxy.setAway(false)
  expect(await givenBack).toBe(true)
  await ledger.drain()
  // The capture may still have run when the database came back; then it was refunded.
  expect(['released', 'refunded']).toContain((await direct.hold(holdId))?.state)
  // The refused authorize may have run late too: such a hold is never captured and expires.
  const balance = (await balanceOf(direct, keyId))!
  expect(balance.availableAtomic + balance.heldAtomic).toBe(100_000n)
  expect([0n, 10n]).toContain(balance.heldAtomic)
})
