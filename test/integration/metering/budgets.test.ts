/** Keys that share a balance under budgets of their own, called at the same moment on two instances. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { verifyLedger } from '../../../host/reporting/verify.ts'
import type { MeterOutcome } from '../../../kernel/metering/call.ts'
import type { Catalog, MountedSkill } from '../../../kernel/plugins/catalog.ts'
import { createBilling } from '../../../host/plugin-services/billing.ts'
import { ownAccount } from '../../support/accounts.ts'
import { testDatabase, type TestDatabase } from '../../support/database.ts'
import { meterOver, mount } from '../../support/metering.ts'
import { PATIENT } from '../../support/patience.ts'

let database: TestDatabase
let world: Awaited<ReturnType<typeof meterOver>>
let second: Awaited<ReturnType<typeof meterOver>>

beforeAll(async () => {
  database = await testDatabase()
  world = await meterOver(database.db)
  second = await meterOver(database.open())
})
afterAll(async () => {
  expect((await verifyLedger(database.db.sql)).violations).toEqual([])
  await world.close()
  await second.close()
  await database.close()
})

let runs = 0
const counted = mount({
  handler: async () => {
    runs++
    return { ok: true, output: {} }
  },
})

const detailsOf = (outcome: MeterOutcome) =>
  outcome.kind === 'failure' ? outcome.failure.details : undefined

/** `times` calls at once, half of them on each instance. */
function callsAtOnce(key: string, times: number, mounted: MountedSkill = counted) {
  const call = (of: typeof world) => of.meter.run(of.call(mounted, {}, { apiKey: key }))
  return Promise.all(Array.from({ length: times }, (_, i) => call(i % 2 === 0 ? world : second)))
}
const charged = (outcomes: MeterOutcome[]) =>
  outcomes.filter(({ kind }) => kind === 'answer').length

describe('budgets', () => {
  it.each([
    ['day', { budget: { day: 50_000n } }, 'budget_day'],
    ['month', { budget: { month: 50_000n } }, 'budget_month'],
    ['product', { productBudgets: { test: { day: 50_000n } } }, 'budget_product'],
  ])('of a %s are never crossed, and nothing over them runs', async (_, budgets, limit) => {
    const { id, key } = await world.key(1_000_000n)
    const product = counted.product.id
    await world.keys.patch(id, {
      ...budgets,
      ...('productBudgets' in budgets && { productBudgets: { [product]: { day: 50_000n } } }),
    })
    runs = 0
    const outcomes = await callsAtOnce(key, 24)
    expect([charged(outcomes), runs]).toEqual([5, 5])
    const refused = outcomes.filter(({ kind }) => kind === 'failure')
    for (const outcome of refused) {
      expect(detailsOf(outcome)).toMatchObject({ reason: 'over_budget', limit })
    }
    const balance = await world.ledger.balance(ownAccount(id))
    expect(balance).toMatchObject({ availableAtomic: 950_000n, heldAtomic: 0n })
  })

  it('of one key leave the others on the account alone', async () => {
    const { id } = await world.key(200_000n)
    const accountId = ownAccount(id)
    const made = await Promise.all(
      [30_000n, null].map((day) =>
        world.keys.createOn(accountId, { name: 'shared', budget: { day } }),
      ),
    )
    const [capped, open] = made.map((one) => (one.outcome === 'created' ? one.plaintext : ''))
    const [few, many] = await Promise.all([callsAtOnce(capped!, 16), callsAtOnce(open!, 32)])
    expect(charged(few)).toBe(3)
    // The balance that they share is what ends the others.
    expect(charged(many)).toBe(17)
    expect(await world.ledger.balance(accountId)).toMatchObject({ availableAtomic: 0n })
  })

  it('of one call refuse what costs more, for good', async () => {
    const { id, key } = await world.key(100_000n)
    await world.keys.patch(id, { budget: { call: 9_999n } })
    const [outcome] = await callsAtOnce(key, 1)
    expect(outcome).toMatchObject({
      failure: { code: 'RATE_LIMITED', retryable: false, details: { reason: 'over_call_budget' } },
    })
  })
})

describe('the products of a key', () => {
  const selfBilled = mount({
    billing: 'self',
    payer: 'key',
    handler: async () => {
      runs++
      return { ok: true, output: {}, bill: { amountAtomic: 0n, ledgerId: newId() } }
    },
  })

  const freeAndPrivate = {
    ...selfBilled,
    product: { ...selfBilled.product, spec: { visibility: 'private' } },
    skill: { ...counted.skill, payer: 'key' as const },
    metered: false,
  }

  it.each([
    ['a skill', counted],
    ['a skill that bills by itself', selfBilled],
    ['a free skill of a private product', freeAndPrivate],
  ])('keep %s of another product from running', async (_, mounted) => {
    const { id, key } = await world.key(100_000n)
    await world.keys.patch(id, { products: ['other'] })
    runs = 0
    const outcome = await world.meter.run(world.call(mounted, {}, { apiKey: key }))
    expect(outcome).toMatchObject({
      failure: {
        status: 403,
        details: { reason: 'product_not_allowed', product: mounted.product.id },
      },
    })
    expect(runs).toBe(0)
    await world.keys.patch(id, { products: ['other', mounted.product.id] })
    // Keys are read from a cache that a notification empties.
    await vi.waitUntil(
      async () => (await callsAtOnce(key, 1, mounted))[0]!.kind === 'answer',
      PATIENT,
    )
  })

  it('bind the work that is billed after its call', async () => {
    const { id } = await world.key(100_000n)
    await world.keys.patch(id, { products: ['other'] })
    const billing = createBilling({
      ledger: world.ledger,
      catalog: { current: () => ({ skills: [counted] }) } as unknown as Catalog,
      accountOf: world.keys.accountOf,
      identityOf: (keyId) => world.auth.identityOf(keyId, 'key'),
      onFunded: () => () => {},
    })
    const order = (skillId: string) => ({
      keyId: id,
      requestId: newId(),
      skillId,
      path: '/',
      amountAtomic: 10_000n,
      ttlMs: 60_000,
    })
    expect(await billing.authorize(order('t.run'))).toEqual({ ok: false, reason: 'ceiling' })
    const held = await billing.authorize(order('other.run'))
    expect(held.ok).toBe(true)
    if (held.ok) await billing.release(held.holdId)
  })

  it('say nothing of what is free', async () => {
    const { id, key } = await world.key(0n)
    await world.keys.patch(id, { products: [] })
    const free = { ...counted, metered: false }
    expect((await callsAtOnce(key, 1, free))[0]!.kind).toBe('answer')
  })
})
