/**
 * Random operations all at once on two instances, one of which loses its pool in the middle. What
 * was acknowledged must be in the books, nothing may have happened twice, and the books balance.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GatewayError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { AuthorizeOrder, HoldState, Ledger, Spender } from '../../kernel/ledger/contract.ts'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import { verifyLedger } from '../../host/reporting/verify.ts'
import type { Database, SqlClient } from '../../kernel/storage/contract.ts'
import { callOf, openAccount, setBudget } from '../support/spenders.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let sql: SqlClient
let survivor: Ledger

beforeAll(async () => {
  database = await testDatabase()
  sql = database.db.sql
  survivor = createLedger(database.db)
})
afterAll(() => database.close())

const GRANT = 2_000n
const CONNECTIONS = 12

/** Opens every connection of the pool first: one that breaks while it opens fails outside any call. */
async function warm(db: Database): Promise<void> {
  await Promise.all(Array.from({ length: CONNECTIONS }, () => db.sql`SELECT pg_sleep(0.005)`))
}

const program = fc.record({
  keys: fc.integer({ min: 1, max: 4 }),
  /** Whether the keys share one account. */
  isShared: fc.boolean(),
  /** Budgets that are set while the orders are under way, which may be below what is spent already. */
  budgets: fc.array(
    fc.record({
      key: fc.nat(3),
      scope: fc.constantFrom('*', 'demo', 'pages'),
      day: fc.bigInt({ min: 0n, max: 1500n }),
      afterMs: fc.nat(20),
    }),
    { maxLength: 4 },
  ),
  orders: fc.array(
    fc.record({
      key: fc.nat(3),
      amount: fc.bigInt({ min: 1n, max: 300n }),
      request: fc.nat(12),
      productId: fc.constantFrom('demo', 'pages'),
      isFree: fc.boolean(),
      scope: fc.constantFrom('call' as const, 'request' as const),
      copies: fc.integer({ min: 1, max: 3 }),
      ends: fc.array(fc.constantFrom('capture' as const, 'release' as const, 'refund' as const), {
        maxLength: 4,
      }),
      ttlMs: fc.constantFrom(60_000, 60_000, 60_000, 2),
    }),
    { minLength: 10, maxLength: 80 },
  ),
  crashAfterMs: fc.option(fc.integer({ min: 0, max: 25 })),
})

/** What callers were told about a hold. */
const told = new Map<string, { keyId: string; fresh: HoldState[] }>()
const TIERS = [
  { upTo: 5n, unitAtomic: 50n },
  { upTo: null, unitAtomic: 10n },
]

async function settled<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}

function note(hold: { id: string; keyId: string }, state: HoldState): void {
  const known = told.get(hold.id) ?? { keyId: hold.keyId, fresh: [] }
  known.fresh.push(state)
  told.set(hold.id, known)
}

async function place(ledger: Ledger, order: AuthorizeOrder): Promise<string | null> {
  const result = await settled(ledger.authorize(order))
  if (result?.outcome !== 'authorized') return null
  if (!result.repeated) note(result.hold, 'authorized')
  return result.hold.id
}

async function end(
  ledger: Ledger,
  how: 'capture' | 'release' | 'refund',
  order: AuthorizeOrder,
  holdId: string,
): Promise<void> {
  const { keyId, accountId, requestId, productId } = order
  const target = { holdId, keyId, accountId }
  const graduated = productId === 'pages' ? { units: 2n, baseAtomic: 1n, tiers: TIERS } : undefined
  const result = await settled(
    how === 'refund'
      ? ledger.refund({ requestId, keyId, holdId })
      : how === 'release'
        ? ledger.release(target)
        : ledger.capture({ ...target, ...(graduated && { units: 2n, graduated }) }),
  )
  if (result?.outcome !== 'done' || result.repeated) return
  note(result.hold, result.hold.state)
}

const ENDED: Record<HoldState, HoldState[]> = {
  authorized: ['authorized'],
  captured: ['authorized', 'captured'],
  released: ['authorized', 'released'],
  expired: ['authorized'],
  refunded: ['authorized', 'captured', 'refunded'],
}

test('acknowledged operations are in the books, once', async () => {
  await fc.assert(
    fc.asyncProperty(program, async ({ keys, isShared, budgets, orders, crashAfterMs }) => {
      told.clear()
      const run = newId()
      const spenders: Spender[] = isShared
        ? await openAccount(sql, survivor, { keys, amountAtomic: GRANT })
        : await Promise.all(
            Array.from(
              { length: keys },
              async () => (await openAccount(sql, survivor, { amountAtomic: GRANT }))[0],
            ),
          )
      const crashing = database.open()
      await warm(crashing)
      const instances = [createLedger(crashing), survivor]
      const done = new AbortController()
      const sweeper = (async () => {
        while (!done.signal.aborted) {
          await survivor.expireDue(20)
          await Bun.sleep(2)
        }
      })()
      const crash =
        crashAfterMs === null
          ? null
          : Bun.sleep(crashAfterMs).then(() => crashing.sql.end({ timeout: 0 }))

      const work = orders.flatMap((one, i) =>
        Array.from({ length: one.copies }, async (_, copy) => {
          const order = callOf(spenders[one.key % keys]!, one.amount, {
            requestId: `${run}-${one.request}`,
            skillId: `${one.productId}.skill`,
            productId: one.productId,
            ttlMs: one.ttlMs,
            scope: one.scope,
            free: one.isFree ? { calls: 3, period: 'day' } : null,
          })
          const holdId = await place(instances[(i + copy) % 2]!, order)
          if (holdId === null) return
          await Promise.all(
            one.ends.map((how, n) => end(instances[(i + copy + n) % 2]!, how, order, holdId)),
          )
        }),
      )
      const setting = budgets.map(async ({ key, scope, day, afterMs }) => {
        await Bun.sleep(afterMs)
        await setBudget(sql, spenders[key % keys]!, scope, { day })
      })
      await Promise.all([...work, ...setting, crash])
      done.abort()
      await sweeper

      expect((await verifyLedger(sql)).violations).toEqual([])
      for (const [holdId, { keyId, fresh }] of told) {
        const hold = await survivor.hold(holdId, keyId)
        expect(new Set(fresh).size, `each change of ${holdId} was told once`).toBe(fresh.length)
        expect(ENDED[hold!.state]).toEqual(expect.arrayContaining(fresh))
      }
      await crashing.close()
    }),
    { numRuns: 30, endOnFailure: true },
  )
})
