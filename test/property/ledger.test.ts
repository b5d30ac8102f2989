/**
 * Random histories of ledger operations on two instances, with repeats, jumps of the clock and
 * crashes: each result is predicted by a model, and the books are verified after each history.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GatewayError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { AuthorizeOrder, Ledger } from '../../kernel/ledger/contract.ts'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import { verifyLedger } from '../../kernel/ledger/verify.ts'
import type { Database, SqlClient } from '../../kernel/storage/contract.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { LedgerModel, observed, type Predicted } from './ledger-model.ts'
import { ownAccount, balanceOf, openKey, setCeiling } from '../support/accounts.ts'

let database: TestDatabase
let sql: SqlClient

interface Instance {
  name: string
  db: Database
  ledger: Ledger
}
let instances: Instance[]
async function openInstance(): Promise<Instance> {
  const name = `instance ${newId()}`
  const db = database.open(name)
  // A connection that breaks while the driver still asks for types is an error outside any call.
  await db.sql`SELECT 1`
  return { name, db, ledger: createLedger(db) }
}

beforeAll(async () => {
  database = await testDatabase({ poolSize: 4 })
  sql = database.db.sql
  instances = [await openInstance(), await openInstance()]
  // The model knows days, not the hour: a history must not run across midnight UTC.
  const untilMidnightMs = 86_400_000 - (Date.now() % 86_400_000)
  if (untilMidnightMs < 120_000) await Bun.sleep(untilMidnightMs + 1000)
}, 180_000)
afterAll(() => database.close())

const REQUESTS = 3
const KEYS = 2
const amount = fc.bigInt({ min: 1n, max: 60n })
const index = fc.nat(50)
const key = fc.nat(KEYS - 1)
const crashAfterMs = fc.option(fc.integer({ min: 0, max: 4 }), { freq: 6 })

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('authorize' as const),
      key,
      request: fc.nat(REQUESTS),
      amount,
      path: fc.constantFrom('/a', '/b'),
      scope: fc.constantFrom('call' as const, 'request' as const),
      crashAfterMs,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('again' as const), hold: index, crashAfterMs }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('capture' as const),
      hold: index,
      part: fc.constantFrom(null, 1n, 2n),
      crashAfterMs,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('release' as const), hold: index, crashAfterMs }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('refund' as const), hold: index, crashAfterMs }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('credit' as const), key, amount, reference: fc.nat(4) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('ceiling' as const), key, amount: fc.option(amount) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pass time' as const), days: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
const history = fc.array(fc.tuple(step, fc.nat(1)), { minLength: 5, maxLength: 60 })

/** A step as a call to the real ledger and the same call to a model. */
interface Move {
  real(ledger: Ledger): Promise<Predicted>
  model(model: LedgerModel): Predicted
}

class History {
  model = new LedgerModel()
  readonly #orders: AuthorizeOrder[] = []
  readonly #keys = Array.from({ length: KEYS }, () => `key_${newId().replaceAll('-', '')}`)
  readonly #run = newId()

  async begin(): Promise<void> {
    for (const keyId of this.#keys) {
      await openKey(sql, keyId)
      this.model.open(keyId, null)
      await this.#credit(keyId, 200n, 'first')
    }
  }

  async take(taken: Step, at: number): Promise<void> {
    switch (taken.do) {
      case 'credit':
        return this.#credit(this.#keys[taken.key]!, taken.amount, String(taken.reference))
      case 'ceiling': {
        const keyId = this.#keys[taken.key]!
        await setCeiling(sql, keyId, taken.amount)
        this.model.accounts.get(keyId)!.ceiling = taken.amount
        return
      }
      case 'pass time':
        return this.#passTime(taken.days)
      case 'sweep':
        expect(await instances[at]!.ledger.expireDue(1000)).toBe(this.model.sweep())
        return
      default: {
        const move = this.#move(taken)
        if (move) await this.#make(move, at, taken.crashAfterMs)
      }
    }
  }

  async end(): Promise<void> {
    for (const keyId of this.#keys) {
      expect(await balanceOf(instances[0]!.ledger, keyId)).toEqual(this.model.balance(keyId))
    }
    this.model.sweep()
    await instances[1]!.ledger.expireDue(10_000)
  }

  #move(taken: Extract<Step, { crashAfterMs: unknown }>): Move | null {
    if (taken.do === 'authorize') {
      const order: AuthorizeOrder = {
        holdId: newId(),
        accountId: ownAccount(this.#keys[taken.key]!),
        keyId: this.#keys[taken.key]!,
        requestId: `${this.#run}-${taken.request}`,
        skillId: 'demo.echo',
        productId: 'demo',
        path: taken.path,
        amountAtomic: taken.amount,
        ttlMs: 600_000,
        scope: taken.scope,
      }
      this.#orders.push(order)
      return authorizing(order)
    }
    const order = this.#orders[taken.hold % Math.max(1, this.#orders.length)]
    if (!order) return null
    const { holdId, keyId, requestId, amountAtomic } = order
    switch (taken.do) {
      case 'again':
        return authorizing(order)
      case 'capture': {
        const part = taken.part !== null && taken.part <= amountAtomic ? taken.part : undefined
        return {
          real: async (ledger) =>
            observed(
              await ledger.capture({
                holdId,
                accountId: ownAccount(keyId),
                keyId,
                amountAtomic: part,
              }),
            ),
          model: (model) => model.capture(holdId, keyId, part),
        }
      }
      case 'release':
        return {
          real: async (ledger) =>
            observed(await ledger.release({ holdId, accountId: ownAccount(keyId), keyId })),
          model: (model) => model.release(holdId, keyId),
        }
      case 'refund':
        return {
          real: async (ledger) => observed(await ledger.refund({ requestId, keyId })),
          model: (model) => model.refund(requestId, keyId),
        }
    }
  }

  async #make(move: Move, at: number, crashAfterMs: number | null): Promise<void> {
    if (crashAfterMs === null) {
      expect(await move.real(instances[at]!.ledger)).toEqual(relevant(move.model(this.model)))
      return
    }
    const before = this.model.clone()
    const after = this.model
    const predicted = move.model(after)
    const crashing = instances[at]!
    const answer = move.real(crashing.ledger).catch((error: unknown) => error)
    await Bun.sleep(crashAfterMs)
    await crashing.db.sql.end({ timeout: 0 })
    instances[at] = await openInstance()
    const result = await answer
    await gone(crashing.name)
    if (!(result instanceof GatewayError)) {
      expect(result).toEqual(relevant(predicted))
      return
    }
    // Nobody was answered: it happened, or it did not, but nothing in between.
    const states = [await this.#matches(before), await this.#matches(after)]
    expect(states).toContain(true)
    this.model = states[1] ? after : before
  }

  async #matches(model: LedgerModel): Promise<boolean> {
    const { ledger } = instances[0]!
    for (const keyId of this.#keys) {
      if (!Bun.deepEquals(await balanceOf(ledger, keyId), model.balance(keyId))) return false
    }
    for (const { holdId } of this.#orders) {
      const real = await ledger.hold(holdId)
      const expected = model.holds.get(holdId)
      if (real?.state !== expected?.state) return false
    }
    return true
  }

  async #credit(keyId: string, amountAtomic: bigint, name: string): Promise<void> {
    const reference = `${keyId}-${name}`
    const result = await instances[0]!.ledger.credit({
      accountId: ownAccount(keyId),
      keyId,
      amountAtomic,
      source: 'sandbox',
      reference,
      kind: 'grant',
    })
    const expected = this.model.credit(keyId, amountAtomic, reference)
    if (result.outcome !== 'credited') throw new Error(result.outcome)
    expect([result.duplicate, result.availableAtomic]).toEqual([
      expected.repeated,
      expected.availableAtomic,
    ])
  }

  async #passTime(days: number): Promise<void> {
    this.model.passTime(days)
    await sql`UPDATE hold SET expires_at = expires_at - interval '20 minutes'
      WHERE key_id = ANY(${this.#keys})`
    if (days === 0) return
    await sql`UPDATE hold SET created_at = created_at - ${days}::integer * interval '1 day'
      WHERE key_id = ANY(${this.#keys})`
    await sql`UPDATE key_spend SET day = day - ${days}::integer
      WHERE key_id = ANY(${this.#keys})`
  }
}

function authorizing(order: AuthorizeOrder): Move {
  return {
    real: async (ledger) => observed(await ledger.authorize(order)),
    model: (model) => model.authorize(order),
  }
}

/** A conflict or an ambiguity says no balance; the model's members that are not shown are dropped. */
function relevant(predicted: Predicted): Predicted {
  return Object.fromEntries(
    Object.entries(predicted).filter(([, value]) => value !== undefined),
  ) as unknown as Predicted
}

/**
 * Resolves when the server has no connection of that crashed instance: until then it may still read
 * a statement that was in flight.
 */
async function gone(name: string): Promise<void> {
  for (;;) {
    const [row] = await sql<[{ connections: number }]>`
      SELECT count(*)::integer AS connections FROM pg_stat_activity WHERE application_name = ${name}`
    if (row.connections === 0) return
    await Bun.sleep(2)
  }
}

test('every result is the predicted one, and the books balance', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const run = new History()
      await run.begin()
      for (const [taken, at] of steps) await run.take(taken, at)
      await run.end()
      expect((await verifyLedger(sql)).violations).toEqual([])
    }),
    { numRuns: 60, endOnFailure: true },
  )
})
