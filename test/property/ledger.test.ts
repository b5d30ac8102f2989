/**
 * Random histories of ledger operations on two instances, with repeats, a virtual clock, storage that
 * fails at each step, and crashes: each result is predicted by a model, what nobody was answered is
 * resolved by asking again, and the ledger is verified after each history.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GatewayError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { accounts } from '../../kernel/ledger/accounts.ts'
import type {
  AuthorizeOrder,
  FreeQuota,
  Graduated,
  Ledger,
  Spender,
} from '../../kernel/ledger/contract.ts'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import { verifyLedger } from '../../host/reporting/verify.ts'
import type { Database, SqlClient } from '../../kernel/storage/contract.ts'
import { callOf, type Caps } from '../support/spenders.ts'
import type { TestDatabase } from '../support/database.ts'
import { FAULTS, faultyClient, type FaultyClient } from '../support/faulty-client.ts'
import { clockedDatabase, type VirtualClock } from '../support/virtual-clock.ts'
import { LedgerModel, observed, type Predicted } from './ledger-model.ts'

let database: TestDatabase & { clock: VirtualClock }
let sql: SqlClient

interface Instance {
  name: string
  db: Database
  faulty: FaultyClient
  ledger: Ledger
}
let instances: [Instance, Instance]
async function openInstance(): Promise<Instance> {
  const name = `instance ${newId()}`
  const db = database.open(name)
  // A connection that breaks while the driver still asks for types is an error outside any call.
  await db.sql`SELECT 1`
  const faulty = faultyClient(db.sql)
  return { name, db, faulty, ledger: createLedger({ sql: faulty.sql }) }
}

beforeAll(async () => {
  database = await clockedDatabase({ poolSize: 4 })
  sql = database.db.sql
  instances = [await openInstance(), await openInstance()]
})
afterAll(() => database.close())

const REQUESTS = 3
const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
/** Two keys share the first account. */
const KEYS = 3
const PRODUCTS = ['demo', 'pages'] as const
const FREE: Record<(typeof PRODUCTS)[number], FreeQuota> = {
  demo: { calls: 2, period: 'day' },
  pages: { calls: 3, period: 'month' },
}
const TIERS: Graduated['tiers'] = [
  { upTo: 4n, unitAtomic: 9n },
  { upTo: 9n, unitAtomic: 4n },
  { upTo: null, unitAtomic: 1n },
]

const amount = fc.bigInt({ min: 1n, max: 60n })
const cap = fc.option(fc.bigInt({ min: 0n, max: 150n }))
/** Which hold is meant, counted back from the newest: mostly one that may still be open. */
const index = fc.oneof(fc.nat(6), fc.nat(50))
const key = fc.nat(KEYS - 1)
const at = fc.nat(1)
/** What goes wrong in the storage while a step is taken. */
const trouble = fc.option(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ fault: fc.constantFrom(...FAULTS), skipped: fc.nat(2) }),
    },
    { weight: 1, arbitrary: fc.record({ crashAfterMs: fc.nat(4) }) },
  ),
  { freq: 5 },
)
type Trouble = NonNullable<typeof trouble extends fc.Arbitrary<infer T> ? T : never>

const placing = fc.record({
  do: fc.constant('authorize' as const),
  key,
  request: fc.nat(REQUESTS),
  amount,
  path: fc.constantFrom('/a', '/b'),
  scope: fc.constantFrom('call' as const, 'request' as const),
  productId: fc.constantFrom(...PRODUCTS),
  isFree: fc.boolean(),
  ttlMs: fc.constantFrom(10 * MINUTE_MS, 50 * DAY_MS),
})
const again = fc.record({ do: fc.constant('again' as const), hold: index })
const capturing = fc.record({
  do: fc.constant('capture' as const),
  hold: index,
  part: fc.constantFrom(null, null, 0n, 1n, 2n),
  units: fc.option(fc.bigInt({ min: 0n, max: 6n }), { freq: 1 }),
})
const releasing = fc.record({ do: fc.constant('release' as const), hold: index })
const refunding = fc.record({
  do: fc.constant('refund' as const),
  hold: index,
  isUndone: fc.boolean(),
})
const crediting = fc.record({
  do: fc.constant('credit' as const),
  account: at,
  amount,
  reference: fc.nat(4),
})
const transferring = fc.record({
  do: fc.constant('transfer' as const),
  from: at,
  amount,
  reference: fc.nat(4),
})

const step = fc.oneof(
  { weight: 6, arbitrary: placing },
  { weight: 2, arbitrary: again },
  { weight: 5, arbitrary: capturing },
  { weight: 3, arbitrary: releasing },
  { weight: 2, arbitrary: refunding },
  { weight: 1, arbitrary: crediting },
  { weight: 1, arbitrary: transferring },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('together' as const),
      steps: fc.array(fc.oneof(placing, placing, again, capturing, releasing), {
        minLength: 2,
        maxLength: 4,
      }),
      spread: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('budget' as const),
      key,
      scope: fc.constantFrom('*', ...PRODUCTS),
      caps: fc.record({ call: cap, day: cap, month: cap }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('no budget' as const),
      key,
      productId: fc.constantFrom(...PRODUCTS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pass time' as const),
      ms: fc.constantFrom(20 * MINUTE_MS, DAY_MS, 20 * DAY_MS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
)
const last = fc.constantFrom('nothing', 'revoke', 'close')
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Call = Extract<Step, { do: 'authorize' | 'again' | 'capture' | 'release' }>
const history = fc.array(fc.tuple(step, at, trouble), { minLength: 5, maxLength: 60 })

/** A step as a call to the real ledger and the same call to a model. */
interface Move {
  real(ledger: Ledger): Promise<Predicted>
  model(model: LedgerModel): Predicted
}

/** Each history plays three months later than the one before, when nothing of that is open any more. */
let month = 0

class History {
  model = new LedgerModel()
  readonly #orders: AuthorizeOrder[] = []
  readonly #run = newId()
  readonly #accountIds: [string, string] = [newId(), newId()]
  readonly #keys: Spender[] = Array.from({ length: KEYS }, (_, i) => ({
    accountId: this.#accountIds[i === KEYS - 1 ? 1 : 0],
    keyId: `key_${newId().slice(-12)}`,
  }))

  async begin(): Promise<void> {
    month += 3
    // Twenty days later is the next month.
    const start = new Date(Date.UTC(2030, month, 25, 12))
    await database.clock.set(start)
    this.model.nowMs = start.getTime()
    await instances[1].ledger.expireDue(10_000)
    await sql.begin(async (tx) => {
      for (const [i, accountId] of this.#accountIds.entries()) {
        const lowMarkAtomic = i === 0 ? 120n : null
        await accounts.open(tx, { accountId, mode: 'test', lowMarkAtomic })
        this.model.open(accountId, lowMarkAtomic)
      }
      for (const spender of this.#keys) {
        await accounts.addKey(tx, spender)
        this.model.addKey(spender)
      }
    })
    for (const accountId of this.#accountIds) {
      await this.#make(this.#crediting(accountId, 200n, 'first'), 0, null)
    }
  }

  async take(taken: Step, instance: number, wrong: Trouble | null): Promise<void> {
    switch (taken.do) {
      case 'budget':
        return this.#budget(this.#keys[taken.key]!, taken.scope, taken.caps)
      case 'no budget': {
        const spender = this.#keys[taken.key]!
        await sql.begin((tx) => accounts.removeBudget(tx, spender, taken.productId))
        this.model.keys.get(spender.keyId)!.caps.delete(taken.productId)
        return
      }
      case 'pass time':
        this.model.nowMs += taken.ms
        return database.clock.advance(taken.ms)
      case 'sweep':
        expect(await instances[instance]!.ledger.expireDue(1000)).toBe(this.model.sweep())
        return
      case 'together':
        return this.#together(taken.steps, instance, taken.spread)
      default: {
        const move = this.#move(taken)
        if (move) await this.#make(move, instance, wrong)
      }
    }
  }

  /** Ends a key or an account, then compares everything that the model knows. */
  async end(how: 'nothing' | 'revoke' | 'close'): Promise<void> {
    this.model.sweep()
    await instances[1].ledger.expireDue(10_000)
    if (how !== 'nothing') await this.#endSelling(how)
    for (const accountId of this.#accountIds) {
      expect(await instances[0].ledger.balance(accountId)).toEqual(this.model.balance(accountId))
      const [row] = await sql<[{ events: number }]>`
        SELECT count(*)::integer AS events FROM outbox
        WHERE account_id = ${accountId} AND topic = 'account.low_balance'`
      expect(row.events).toBe(this.model.accounts.get(accountId)!.lowEvents)
    }
    for (const spender of this.#keys) await this.#compareSpend(spender)
  }

  async #endSelling(how: 'revoke' | 'close'): Promise<void> {
    const spender = this.#keys[0]!
    if (how === 'revoke') {
      await sql.begin((tx) => accounts.revokeKey(tx, spender))
      this.model.keys.get(spender.keyId)!.revoked = true
    } else {
      const real = await sql.begin((tx) => accounts.close(tx, spender.accountId))
      expect(real).toBe(this.model.close(spender.accountId))
    }
    for (const [i, spends] of this.#keys.entries()) {
      const order = callOf(spends, 3n)
      this.#orders.push(order)
      await this.#make(authorizing(order), i % 2, null)
    }
  }

  async #compareSpend({ accountId, keyId }: Spender): Promise<void> {
    const { caps } = this.model.keys.get(keyId)!
    const rows = await instances[0].ledger.spend({ accountId, keyId })
    expect(rows.map(({ scope }) => scope)).toEqual(['*', ...[...caps.keys()].slice(1).toSorted()])
    for (const row of rows) {
      const spent = this.model.spent(keyId, row.scope)
      const { call, day, month: monthCap } = caps.get(row.scope)!
      expect(row).toEqual({
        keyId,
        scope: row.scope,
        callCapAtomic: call,
        dayCapAtomic: day,
        monthCapAtomic: monthCap,
        spentTodayAtomic: spent.day,
        spentMonthAtomic: spent.month,
      })
    }
  }

  #move(taken: Call | Extract<Step, { do: 'refund' | 'credit' | 'transfer' }>): Move | null {
    if (taken.do === 'authorize') {
      const order = callOf(this.#keys[taken.key]!, taken.amount, {
        requestId: `${this.#run}-${taken.request}`,
        skillId: `${taken.productId}.skill`,
        productId: taken.productId,
        path: taken.path,
        ttlMs: taken.ttlMs,
        scope: taken.scope,
        free: taken.isFree ? FREE[taken.productId] : null,
      })
      this.#orders.push(order)
      return authorizing(order)
    }
    if (taken.do === 'credit') {
      return this.#crediting(
        this.#accountIds[taken.account]!,
        taken.amount,
        String(taken.reference),
      )
    }
    if (taken.do === 'transfer') return this.#transferring(taken)
    const order = this.#orders.at(-1 - (taken.hold % Math.max(1, this.#orders.length)))
    if (!order) return null
    const { holdId, keyId, accountId, requestId } = order
    const spender = { accountId, keyId }
    switch (taken.do) {
      case 'again':
        return authorizing(order)
      case 'capture': {
        const measured = this.#measured(order, taken)
        return {
          real: async (ledger) =>
            observed(await ledger.capture({ holdId, ...spender, ...measured })),
          model: (model) => model.capture(holdId, spender, measured),
        }
      }
      case 'release':
        return {
          real: async (ledger) => observed(await ledger.release({ holdId, ...spender })),
          model: (model) => model.release(holdId, spender),
        }
      case 'refund': {
        const { isUndone } = taken
        return {
          real: async (ledger) => observed(await ledger.refund({ requestId, keyId, isUndone })),
          model: (model) => model.refund(requestId, keyId, isUndone),
        }
      }
    }
  }

  /** A skill of 'pages' is priced by tiers where units are given; a free hold has nothing to part. */
  #measured(
    { holdId, productId }: AuthorizeOrder,
    { part, units }: Extract<Step, { do: 'capture' }>,
  ): { amountAtomic?: bigint; units?: bigint; graduated?: Graduated } {
    if (productId === 'pages' && units !== null) {
      return { units, graduated: { units, baseAtomic: 1n, tiers: TIERS } }
    }
    const held = this.model.holds.get(holdId)?.amount ?? 0n
    return part !== null && part <= held ? { amountAtomic: part } : {}
  }

  #crediting(accountId: string, amountAtomic: bigint, name: string): Move {
    const reference = `${accountId}-${name}`
    const order = { accountId, amountAtomic, source: 'sandbox', reference, kind: 'grant' as const }
    return {
      async real(ledger) {
        const result = await ledger.credit(order)
        if (result.outcome !== 'credited') return { outcome: result.outcome }
        const { outcome, duplicate, availableAtomic } = result
        return { outcome, repeated: duplicate, availableAtomic }
      },
      model: (model) => model.credit(accountId, amountAtomic, reference),
    }
  }

  #transferring({
    from,
    amount: amountAtomic,
    reference: name,
  }: {
    from: number
    amount: bigint
    reference: number
  }): Move {
    const fromAccountId = this.#accountIds[from]!
    const toAccountId = this.#accountIds[1 - from]!
    const reference = `${this.#run}-transfer-${from}-${name}`
    return {
      async real(ledger) {
        const order = { fromAccountId, toAccountId, amountAtomic, reference }
        const result = await ledger.transfer(order)
        const { outcome } = result
        if (outcome === 'insufficient') return result
        return outcome === 'transferred' ? { outcome, repeated: result.duplicate } : { outcome }
      },
      model: (model) => model.transfer(fromAccountId, toAccountId, amountAtomic, reference),
    }
  }

  async #make(move: Move, instance: number, wrong: Trouble | null): Promise<void> {
    const { ledger, faulty } = instances[instance]!
    if (wrong === null) {
      expect(await move.real(ledger)).toEqual(relevant(move.model(this.model)))
      return
    }
    const before = this.model.clone()
    const after = this.model
    const predicted = move.model(after)
    const isCrash = 'crashAfterMs' in wrong
    if (!isCrash) faulty.failAfter(wrong.skipped, wrong.fault)
    const answer = move.real(ledger).catch((error: unknown) => error)
    if (isCrash) await this.#crash(instance, wrong.crashAfterMs, answer)
    const result = await answer
    const cameToPass = isCrash || !faulty.calmDown()
    if (!(result instanceof GatewayError)) {
      if (result instanceof Error) throw result
      // The ledger asked once more: what it had done without hearing of it is a repeat then.
      const seen = result as Predicted
      const hidden = cameToPass && predicted.repeated === false ? { repeated: seen.repeated } : {}
      expect(seen).toEqual(relevant({ ...predicted, ...hidden }))
      return
    }
    // Nobody was answered: it happened, or it did not, but nothing in between.
    const states = [await this.#matches(before), await this.#matches(after)]
    expect(states).toContain(true)
    this.model = states[1] ? after : before
    // Whoever asks again learns what it came to.
    await this.#make(move, 1 - instance, null)
  }

  async #crash(instance: number, afterMs: number, answer: Promise<unknown>): Promise<void> {
    const crashing = instances[instance]!
    await Bun.sleep(afterMs)
    await crashing.db.sql.end({ timeout: 0 })
    instances[instance] = await openInstance()
    await answer
    await gone(crashing.name)
  }

  /** Calls at once: their results are those of some order in which they could have come. */
  async #together(steps: readonly Call[], instance: number, spread: boolean): Promise<void> {
    const moves = steps.flatMap((taken) => this.#move(taken) ?? [])
    const results = await Promise.all(
      moves.map((move, i) => move.real(instances[spread ? (instance + i) % 2 : instance]!.ledger)),
    )
    const seen = results.map(withoutBalance)
    const predictions: Predicted[][] = []
    for (const order of permutations(moves.length)) {
      const model = this.model.clone()
      const predicted: Predicted[] = []
      for (const i of order) predicted[i] = withoutBalance(relevant(moves[i]!.model(model)))
      predictions.push(predicted)
      if (!Bun.deepEquals(predicted, seen) || !(await this.#matches(model))) continue
      this.model = model
      return
    }
    expect.soft(seen, 'the results of no order').toEqual(predictions[0])
    throw new Error(
      `no order of ${JSON.stringify(steps, bigints)} gives ${JSON.stringify(seen, bigints)}`,
    )
  }

  async #matches(model: LedgerModel): Promise<boolean> {
    const { ledger } = instances[0]
    for (const accountId of this.#accountIds) {
      if (!Bun.deepEquals(await ledger.balance(accountId), model.balance(accountId))) return false
    }
    for (const { holdId } of this.#orders) {
      const real = await ledger.hold(holdId)
      const expected = model.holds.get(holdId)
      if (real?.state !== expected?.state) return false
      if ((real?.capturedAtomic ?? null) !== (expected?.captured ?? null)) return false
    }
    return true
  }

  async #budget(spender: Spender, scope: string, caps: Caps): Promise<void> {
    await sql.begin((tx) => accounts.setBudget(tx, spender, scope, caps))
    this.model.keys.get(spender.keyId)!.caps.set(scope, caps)
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

/** The balance that a call among others is told may be the one after all of them. */
function withoutBalance(predicted: Predicted): Predicted {
  const rest = { ...predicted }
  delete rest.availableAtomic
  return rest
}

const bigints = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}n` : value

function permutations(count: number): number[][] {
  if (count === 0) return [[]]
  return permutations(count - 1).flatMap((shorter) =>
    Array.from({ length: count }, (_, at_) => [
      ...shorter.slice(0, at_),
      count - 1,
      ...shorter.slice(at_),
    ]),
  )
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

test('every result is the predicted one, and the books balance', async () => {
  await fc.assert(
    fc.asyncProperty(history, last, async (steps, how) => {
      const run = new History()
      await run.begin()
      for (const [taken, instance, wrong] of steps) await run.take(taken, instance, wrong)
      await run.end(how as 'nothing' | 'revoke' | 'close')
      expect((await verifyLedger(sql)).violations).toEqual([])
    }),
    { numRuns: 60, endOnFailure: true },
  )
})
