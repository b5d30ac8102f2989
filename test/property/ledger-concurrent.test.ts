/**
 * Random operations all at once on two instances, one of which loses its pool in the middle. What
 * was acknowledged must be in the books, nothing may have happened twice, and the books balance.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GatewayError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { AuthorizeOrder, HoldState, Ledger } from '../../kernel/ledger/contract.ts'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import { verifyLedger } from '../../kernel/ledger/verify.ts'
import type { Database, SqlClient } from '../../kernel/storage/contract.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { ownAccount, openKey } from '../support/accounts.ts'

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
  orders: fc.array(
    fc.record({
      key: fc.nat(3),
      amount: fc.bigInt({ min: 1n, max: 300n }),
      request: fc.nat(12),
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
  const { keyId, requestId } = order
  const result = await settled(
    how === 'refund'
      ? ledger.refund({ requestId, keyId, holdId })
      : ledger[how]({ holdId, accountId: ownAccount(keyId), keyId }),
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

test('acknowledged operations are in the books, once', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(program, async ({ keys, orders, crashAfterMs }) => {
      told.clear()
      const run = newId()
      const keyIds = Array.from({ length: keys }, (_, i) => `key_${run.slice(-8)}_${i}`)
      for (const keyId of keyIds) {
        await openKey(sql, keyId)
        await survivor.credit({
          accountId: ownAccount(keyId),
          keyId,
          amountAtomic: GRANT,
          source: 'sandbox',
          reference: keyId,
          kind: 'grant',
        })
      }
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
          const order: AuthorizeOrder = {
            holdId: newId(),
            accountId: ownAccount(keyIds[one.key % keys]!),
            keyId: keyIds[one.key % keys]!,
            requestId: `${run}-${one.request}`,
            skillId: 'demo.echo',
            productId: 'demo',
            path: '/a',
            amountAtomic: one.amount,
            ttlMs: one.ttlMs,
            scope: one.scope,
          }
          const holdId = await place(instances[(i + copy) % 2]!, order)
          if (holdId === null) return
          await Promise.all(
            one.ends.map((how, n) => end(instances[(i + copy + n) % 2]!, how, order, holdId)),
          )
        }),
      )
      await Promise.all([...work, crash])
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
