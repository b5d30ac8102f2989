/** An Idempotency-Key whose call runs, or whose charge is being given back, by the real statements. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { IdempotencyStore, type Holds } from '../../../kernel/metering/idempotency.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'

let database: TestDatabase
let state: Awaited<ReturnType<Holds['stateOf']>>
let givenBack: string[]
let store: IdempotencyStore

beforeAll(async () => {
  database = await testDatabase()
  store = new IdempotencyStore(database.db.sql, {
    stateOf: async () => state,
    async giveBack(_rail, holdId) {
      givenBack.push(holdId)
      return true
    },
  })
})
afterAll(() => database.close())
afterEach(() => {
  vi.useRealTimers()
})

const answer = { status: 200, headers: { a: 'b' }, body: new TextEncoder().encode('{"n":1}') }

/** A call whose answer was prepared, and whose hold the rail says is captured. */
async function charged() {
  state = 'captured'
  givenBack = []
  const claim = { scope: 'key:k t.run', key: newId(), holdId: newId() }
  const order = { ...claim, fingerprint: 'f', railId: 'credits', runsForMs: 60_000 }
  expect(await store.claim(order)).toEqual({ outcome: 'claimed' })
  await store.prepare(claim, answer)
  const again = () => store.claim({ ...order, holdId: newId() })
  return { claim, again }
}

describe('an answer whose charge is unconfirmed', () => {
  it('stays bought once a retry has it', async () => {
    const { claim, again } = await charged()
    expect(await again()).toMatchObject({
      outcome: 'replay',
      answer: { status: 200, headers: { a: 'b' } },
    })
    expect(await store.withdraw(claim)).toBe(false)
    expect(await again()).toMatchObject({ outcome: 'replay' })
    expect(givenBack).toEqual([])
  })

  it('goes to nobody once it is withdrawn; the next retry finishes what began, and runs anew', async () => {
    const { claim, again } = await charged()
    expect(await store.withdraw(claim)).toBe(true)
    expect(await store.withdraw(claim)).toBe(true)
    expect(await again()).toEqual({ outcome: 'claimed' })
    expect(givenBack).toEqual([claim.holdId])
  })

  it('is waited for while its gateway gives it back, and free after that before its deadline', async () => {
    const { claim, again } = await charged()
    await store.withdraw(claim)
    state = 'open'
    expect(await again()).toEqual({ outcome: 'in_flight' })
    state = 'none'
    expect(await again()).toEqual({ outcome: 'claimed' })
    expect(givenBack).toEqual([])
  })

  it('of a key that was freed meanwhile may be given back', async () => {
    const { claim } = await charged()
    await store.free(claim)
    expect(await store.withdraw(claim)).toBe(true)
  })
})

describe('a call that runs', () => {
  it.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('keeps its key from a gateway whose clock is an hour %s', async (_, awayMs) => {
    const { again } = await charged()
    state = 'none'
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + awayMs })
    expect(await again()).toEqual({ outcome: 'in_flight' })
  })

  it('keeps its key if its own clock is an hour behind', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
    const { again } = await charged()
    state = 'none'
    vi.useRealTimers()
    expect(await again()).toEqual({ outcome: 'in_flight' })
  })
})
