/** What plans charge, give and take back, on a real ledger: exact, once, never below zero. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { listEvents } from '../../../../host/plugin-services/account-events.ts'
import { createSignals } from '../../../../host/plugin-services/signals.ts'
import { eventToJson } from '../../../../kernel/ledger/events.ts'
import { newId } from '../../../../kernel/ids.ts'
import { flatPrice } from '../../../../kernel/pricing/rule.ts'
import { monthsAfter } from '../../../../plugins/plans/periods.ts'
import { fulfil } from '../../../../plugins/plans/purchase.ts'
import { PlanStore } from '../../../../plugins/plans/store.ts'
import { begin } from '../../../../plugins/plans/subscribing.ts'
import { start, turn } from '../../../../plugins/plans/turns.ts'
import { CONFIG, CREDIT, plansGround } from './ground.ts'
import { PATIENT } from '../../../support/patience.ts'

const DAY_MS = 86_400_000

let ground: Awaited<ReturnType<typeof plansGround>>
let began: Date
beforeAll(async () => {
  ground = await plansGround()
})
afterAll(() => ground.close())
beforeEach(() => {
  // Calls of the tests happen now, which is the last day of the first month.
  began = new Date(Date.now() - 30 * DAY_MS)
  ground.setNow(began)
})
afterEach(async () => {
  expect((await ground.verify()).violations).toEqual([])
})

const afterMonths = (months: number, extraMs = 0): void =>
  ground.setNow(new Date(monthsAfter(began, months).getTime() + extraMs))
const subscriptionOf = async (accountId: string) => (await ground.store.ofAccount(accountId))!

/** What `work` does at a gateway whose clock differs: ids have the time of whoever made them. */
async function withIdsFrom<T>(byMs: number, work: () => Promise<T>): Promise<T> {
  const { randomUUIDv7 } = Bun
  Object.assign(Bun, { randomUUIDv7: () => randomUUIDv7('hex', Date.now() + byMs) })
  return work().finally(() => Object.assign(Bun, { randomUUIDv7 }))
}

describe('the beginning of a plan', () => {
  it('takes the price of a month and gives its credits', async () => {
    const who = await ground.account(500)
    expect(await ground.begin(who, 'starter')).toMatchObject({ outcome: 'started' })
    expect(await ground.credits(who.accountId)).toBe(600)
    const rows = await ground.ledger.rows({ accountId: who.accountId, limit: 10 })
    expect(rows.map(({ debit, credit, amountAtomic }) => [debit, credit, amountAtomic])).toEqual([
      ['plan:starter', `${who.accountId}:available`, 600n * CREDIT],
      [`${who.accountId}:available`, 'plan:starter', 500n * CREDIT],
      ['sandbox', `${who.accountId}:available`, 500n * CREDIT],
    ])
  })

  it('is by the clock of the database, so that a gateway behind sells no month that is over', async () => {
    const who = await ground.account(2000)
    const gateway = ground.instance()
    Object.assign(gateway.store, { clock: () => PlanStore.prototype.clock.call(gateway.store) })
    const deps = { ...gateway, productId: 'plans' }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 40 * DAY_MS })
    try {
      await begin(deps, gateway.plans.get('starter')!, who.keyId, false)
    } finally {
      vi.useRealTimers()
    }
    await gateway.renewals.round()
    expect(await subscriptionOf(who.accountId)).toMatchObject({ turn: 1, month: 0 })
    expect(await ground.credits(who.accountId)).toBe(2100)
  })

  it('leaves nothing behind where the balance is short', async () => {
    const who = await ground.account(499)
    expect(await ground.begin(who, 'starter')).toEqual({
      outcome: 'insufficient',
      priceAtomic: 500n * CREDIT,
    })
    expect(await ground.credits(who.accountId)).toBe(499)
    expect(await ground.store.ofAccount(who.accountId)).toBeNull()
  })

  it('happens once per account, however many ask at once', async () => {
    const who = await ground.account(5000)
    const begun = await Promise.all(Array.from({ length: 8 }, () => ground.begin(who, 'starter')))
    expect(begun.filter(({ outcome }) => outcome === 'started')).toHaveLength(1)
    expect(begun.filter(({ outcome }) => outcome === 'exists')).toHaveLength(7)
    expect(await ground.credits(who.accountId)).toBe(5100)
  })

  it('costs nothing when the operator gives it', async () => {
    const who = await ground.account(0)
    await ground.begin(who, 'partner', true)
    expect(await ground.credits(who.accountId)).toBe(100)
    afterMonths(1)
    await ground.renewals.round()
    expect(await subscriptionOf(who.accountId)).toMatchObject({ state: 'active', month: 1 })
    expect(await ground.credits(who.accountId)).toBe(100)
  })
})

describe('a closed account', () => {
  it.each(['partner', 'bare'])('is given no plan, also where no money moves (%s)', async (plan) => {
    const who = await ground.account(0)
    await ground.closeAccount(who.accountId)
    expect(await ground.begin(who, plan, true)).toEqual({ outcome: 'closed' })
    expect(await ground.store.ofAccount(who.accountId)).toBeNull()
  })

  it('keeps none beyond its month', async () => {
    const who = await ground.account(0)
    await ground.begin(who, 'bare', true)
    await ground.closeAccount(who.accountId)
    afterMonths(1)
    await ground.renewals.round()
    expect(await ground.store.ofAccount(who.accountId)).toBeNull()
  })
})

describe('the end of a month', () => {
  it('comes by the clock of the database, not by that of a gateway which is ahead', async () => {
    ground.setNow(new Date())
    const who = await ground.account(2000)
    await ground.begin(who, 'starter')
    ground.setNow(new Date(Date.now() + 400 * DAY_MS))
    const gateway = ground.instance()
    Object.assign(gateway.store, { clock: () => PlanStore.prototype.clock.call(gateway.store) })
    await gateway.renewals.round()
    expect(await subscriptionOf(who.accountId)).toMatchObject({ turn: 1, month: 0 })
    expect(await ground.credits(who.accountId)).toBe(2100)
  })

  it('takes back what was not used, and not what was bought', async () => {
    const who = await ground.account(1500)
    await ground.begin(who, 'starter')
    await ground.spend(who, 250)
    afterMonths(1)
    await ground.renewals.round()
    // 1000 bought + 600 − 250 used; 350 lapse; 500 for the next month, which gives 600.
    expect(await ground.credits(who.accountId)).toBe(1100)
    const [turn] = await ground.store.turns((await subscriptionOf(who.accountId)).id, 1)
    expect(turn).toMatchObject({
      number: 2,
      outcome: 'renewed',
      chargedAtomic: 500n * CREDIT,
      grantedAtomic: 600n * CREDIT,
      lapsedAtomic: 350n * CREDIT,
    })
  })

  it('counts calls of a gateway whose clock is a day behind as used', async () => {
    const who = await ground.account(1000)
    began = new Date()
    ground.setNow(began)
    await ground.begin(who, 'starter')
    await withIdsFrom(-DAY_MS, () => ground.spend(who, 250))
    afterMonths(1)
    await ground.renewals.round()
    // 500 bought + 600 − 250 used; 350 lapse; 500 for the next month, which gives 600.
    expect(await ground.credits(who.accountId)).toBe(600)
  })

  it.each([
    ['a gateway', 0],
    ['a gateway whose clock is a day ahead', DAY_MS],
  ])('leaves what was refunded of a call before the plan by %s', async (_name, aheadMs) => {
    const who = await ground.account(1000)
    const earlier = await withIdsFrom(aheadMs, async () => {
      const holdId = await ground.hold(who, 100)
      await ground.ledger.capture({ holdId, ...who })
      return holdId
    })
    await Bun.sleep(5)
    began = new Date()
    ground.setNow(began)
    await ground.begin(who, 'starter')
    await ground.spend(who, 300)
    const hold = (await ground.ledger.hold(earlier))!
    const { requestId } = hold
    const refund = { requestId, holdId: earlier, keyId: who.keyId, note: 'broken' }
    expect(await ground.ledger.refund(refund)).toMatchObject({ outcome: 'done' })
    afterMonths(1)
    await ground.renewals.round()
    // 400 bought + 600 − 300 used + 100 refunded; 300 lapse; 500 for the next month, which gives 600.
    expect(await ground.credits(who.accountId)).toBe(600)
  })

  it.each([
    { back: 0, lapses: 70 },
    { back: 1980, lapses: 570 },
  ])('leaves credits bought after a refund took its own, of which $back came back', async (of) => {
    const who = await ground.account(2500)
    await ground.begin(who, 'starter')
    const source = 'topup:provider_a'
    const order = { ...who, amountAtomic: 2500n * CREDIT, reference: crypto.randomUUID() }
    // Of the 2600 credits, 600 of the month, 100 are left.
    await ground.database.db.sql.begin((tx) => ground.ledger.take({ ...order, to: source }, tx))
    if (of.back > 0) {
      const returned = { amountAtomic: BigInt(of.back) * CREDIT, kind: 'adjustment' as const }
      await ground.ledger.credit({ ...order, ...returned, source })
    }
    await ground.spend(who, 30)
    await ground.fund(who.accountId, 300)
    afterMonths(1)
    await ground.renewals.round()
    const [turn] = await ground.store.turns((await subscriptionOf(who.accountId)).id, 1)
    expect(turn!.lapsedAtomic).toBe(BigInt(of.lapses) * CREDIT)
  })

  it('counts what is held as used', async () => {
    const who = await ground.account(1000)
    await ground.begin(who, 'starter')
    const holdId = await ground.hold(who, 600)
    afterMonths(1)
    await ground.renewals.round()
    await ground.ledger.release({ holdId, ...who })
    // 500 bought + 600 that were held, 500 paid, 600 given: nothing lapsed under the call.
    expect(await ground.credits(who.accountId)).toBe(1200)
  })

  it.each([
    // 1000 bought, 500 paid, 600 given and held; 500 paid, 600 given: 600, and what is held.
    { end: 'release', left: 1200, lapses: 1200 },
    { end: 'capture', left: 600, lapses: 600 },
  ] as const)('lets what it held lapse with the next month, after a $end', async (of) => {
    const who = await ground.account(1000)
    ground.setNow(monthsAfter(new Date(), -1))
    await ground.begin(who, 'starter')
    const holdId = await ground.hold(who, 600)
    ground.setNow(new Date())
    await ground.renewals.round()
    await ground.ledger[of.end]({ holdId, ...who })
    expect(await ground.credits(who.accountId)).toBe(of.left)
    await ground.fund(who.accountId, 500)
    ground.setNow(monthsAfter(new Date(), 1))
    await ground.renewals.round()
    const [turn] = await ground.store.turns((await subscriptionOf(who.accountId)).id, 1)
    expect(turn).toMatchObject({ outcome: 'renewed', lapsedAtomic: BigInt(of.lapses) * CREDIT })
    expect(await ground.credits(who.accountId)).toBe(600)
  })

  it('keeps credits that roll over', async () => {
    const who = await ground.account(500)
    await ground.begin(who, 'keeper')
    afterMonths(1)
    await ground.renewals.round()
    expect(await ground.credits(who.accountId)).toBe(700)
  })

  it('comes once, whatever number of instances look at the same moment', async () => {
    const owners = await Promise.all(Array.from({ length: 20 }, () => ground.account(1000)))
    for (const who of owners) await ground.begin(who, 'keeper')
    afterMonths(1)
    const instances = [ground, ground.instance(), ground.instance()]
    const turned = await Promise.all(
      [...instances, ...instances].map(({ renewals }) => renewals.round()),
    )
    expect(turned.reduce((sum, count) => sum + count, 0)).toBe(20)
    for (const { accountId } of owners) {
      expect(await ground.credits(accountId)).toBe(1200)
      expect((await subscriptionOf(accountId)).turn).toBe(2)
    }
  })

  it('that no gateway saw costs nothing: only the month of now is paid', async () => {
    const who = await ground.account(2000)
    await ground.begin(who, 'bare')
    afterMonths(5, DAY_MS)
    await ground.renewals.round()
    expect(await ground.credits(who.accountId)).toBe(1980)
    expect(await subscriptionOf(who.accountId)).toMatchObject({ month: 5 })
  })

  it('ends a plan that was cancelled, and one that is not in the file any more', async () => {
    const who = await ground.account(1000)
    await ground.begin(who, 'bare')
    const { id } = await subscriptionOf(who.accountId)
    expect(await ground.store.cancel(id, ground.now())).toMatchObject({ state: 'active' })
    const other = await ground.account(1000)
    await ground.begin(other, 'keeper')
    const gone = await subscriptionOf(other.accountId)
    afterMonths(1)
    const { renewals } = ground.instance({ plans: { bare: CONFIG.plans['bare']! } })
    expect(await renewals.round()).toBe(1)
    expect(await ground.store.find(id)).toMatchObject({ state: 'ended', endedReason: 'cancelled' })
    // Another instance may have the newer file: a week passes before the plan is taken for gone.
    expect(await ground.store.find(gone.id)).toMatchObject({ state: 'active' })
    afterMonths(1, 7 * DAY_MS)
    expect(await renewals.round()).toBe(1)
    expect(await ground.store.find(gone.id)).toMatchObject({ endedReason: 'plan_gone' })
    expect(await ground.credits(who.accountId)).toBe(990)
    expect(await ground.store.cancel(id, ground.now())).toBeNull()
  })

  it('goes on where it was to end and is begun again, for what the plan costs now', async () => {
    const who = await ground.account(1000)
    await ground.begin(who, 'bare')
    const { id } = await subscriptionOf(who.accountId)
    await ground.store.cancel(id, ground.now())
    const dearer = {
      ...CONFIG,
      plans: { bare: { price: { credits: 50 } }, keeper: CONFIG.plans['keeper']! },
    }
    const now = { ...ground, ...ground.instance(dearer), productId: 'plans' }
    const again = (planId: string, isGiven = false) =>
      begin(now, now.plans.get(planId)!, who.keyId, isGiven)
    expect(await again('keeper')).toMatchObject({ status: 409 })
    expect(await again('bare', true)).toMatchObject({ status: 409 })
    const [one, other] = await Promise.all([again('bare'), again('bare')])
    expect([one.ok, other.ok].toSorted()).toEqual([false, true])
    expect(await ground.credits(who.accountId)).toBe(990)
    afterMonths(1)
    await now.renewals.round()
    expect(await subscriptionOf(who.accountId)).toMatchObject({ id, state: 'active', month: 1 })
    expect(await ground.credits(who.accountId)).toBe(940)
  })

  it('does not go on for an account that is closed', async () => {
    const who = await ground.account(1000)
    await ground.begin(who, 'bare')
    const { id } = await subscriptionOf(who.accountId)
    await ground.store.cancel(id, ground.now())
    await ground.closeAccount(who.accountId)
    const deps = { ...ground, productId: 'plans' }
    const refused = await begin(deps, ground.plans.get('bare')!, who.keyId, false)
    expect(refused).toMatchObject({ status: 409, message: 'The account is closed' })
    expect(await ground.store.find(id)).toMatchObject({ endsAtPeriodEnd: true })
  })

  it('costs at most what was agreed, when the plan became dearer', async () => {
    const who = await ground.account(100)
    await ground.begin(who, 'bare')
    afterMonths(1)
    await ground.instance({ plans: { bare: { price: { credits: 50 } } } }).renewals.round()
    expect(await ground.credits(who.accountId)).toBe(80)
  })
})

describe('a month that cannot be paid', () => {
  it('suspends the plan, takes nothing, and goes on with the payment', async () => {
    const who = await ground.account(500)
    await ground.begin(who, 'starter')
    await ground.spend(who, 550)
    await ground.members.changed()
    expect(ground.members.planOf(who.accountId)?.id).toBe('starter')
    afterMonths(1)
    await ground.renewals.round()
    expect(await subscriptionOf(who.accountId)).toMatchObject({ state: 'past_due', turn: 2 })
    // The 50 that were left lapsed.
    expect(await ground.credits(who.accountId)).toBe(0)
    expect(ground.members.planOf(who.accountId)).toBeNull()

    await ground.fund(who.accountId, 700)
    expect(await ground.renewals.round()).toBe(0)
    afterMonths(1, 2 * 3_600_000)
    await ground.renewals.round()
    expect(await subscriptionOf(who.accountId)).toMatchObject({
      state: 'active',
      turn: 3,
      month: 0,
      periodStart: ground.now(),
    })
    expect(await ground.credits(who.accountId)).toBe(800)
    expect(ground.members.planOf(who.accountId)?.id).toBe('starter')
  })

  it('is tried again once the account has got credits', async () => {
    const [who, other] = [await ground.account(500), await ground.account(500)]
    for (const one of [who, other]) {
      await ground.begin(one, 'starter')
      await ground.spend(one, 600)
    }
    afterMonths(1)
    await ground.renewals.round()
    await ground.fund(who.accountId, 499)
    ground.renewals.funded(who.keyId)
    await ground.renewals.round()
    expect(await subscriptionOf(who.accountId)).toMatchObject({ state: 'past_due' })
    await ground.fund(who.accountId, 1)
    for (const keyId of [who.keyId, 'key_unknown']) ground.renewals.funded(keyId)
    expect(await ground.renewals.round()).toBe(1)
    expect(await subscriptionOf(who.accountId)).toMatchObject({ state: 'active', turn: 3 })
    expect(await subscriptionOf(other.accountId)).toMatchObject({ state: 'past_due' })
  })

  it('ends the plan when its days of grace are over', async () => {
    const who = await ground.account(500)
    await ground.begin(who, 'starter')
    const { id } = await subscriptionOf(who.accountId)
    await ground.spend(who, 600)
    for (const days of [0, 1, 2, 3]) {
      afterMonths(1, days * DAY_MS)
      await ground.renewals.round()
    }
    const ended = await ground.store.find(id)
    expect(ended).toMatchObject({ state: 'ended', endedReason: 'unpaid' })
    const outcomes = (await ground.store.turns(id, 10)).map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['ended', 'unpaid', 'started'])
    // The operator hears of each once, however often the renewal was tried.
    const { events } = await listEvents(ground.database.db.sql, {
      accountId: who.accountId,
      cursor: null,
      limit: 10,
    })
    const about = { accountId: who.accountId, subscription: id, plan: 'starter' }
    const told = events.map(eventToJson)
    expect(told.find(({ type }) => type === 'plan.past_due')?.data).toEqual({
      ...about,
      priceCredits: 500,
      endsAt: new Date(ended!.periodEnd.getTime() + 3 * DAY_MS).toISOString(),
    })
    expect(told.find(({ type }) => type === 'plan.ended')?.data).toEqual({
      ...about,
      reason: 'unpaid',
    })
    expect(told).toHaveLength(2)
    expect(await ground.begin({ ...who }, 'partner', true)).toMatchObject({ outcome: 'started' })
  })
})

it('a turn that fails leaves nothing, keeps no other from its turn, and comes again', async () => {
  const [broken, well] = [await ground.account(100), await ground.account(100)]
  await ground.begin(broken, 'bare')
  await ground.begin(well, 'bare')
  afterMonths(1)
  const failing = ground.instance(CONFIG, {
    accounts: {
      ...ground.accounts,
      async charge(order, tx) {
        const charged = await ground.accounts.charge(order, tx)
        if (order.accountId === broken.accountId) throw new Error('the process was killed here')
        return charged
      },
    },
  })
  expect(await failing.renewals.round()).toBe(1)
  expect(await ground.credits(broken.accountId)).toBe(90)
  expect(await ground.credits(well.accountId)).toBe(80)
  expect(await ground.renewals.round()).toBe(0)
  afterMonths(1, 61_000)
  expect(await ground.renewals.round()).toBe(1)
  expect(await ground.credits(broken.accountId)).toBe(80)
})

describe('a plan that was bought with a payment', () => {
  const givenByHand = (requestId: string, to: { accountId: string; keyId: string }) =>
    ground.ledger.credit({
      ...to,
      amountAtomic: 500n * CREDIT,
      source: 'topup:x402',
      reference: `x402:${requestId}`,
      kind: 'topup',
    })
  const bought = async (keyId: string, renews = true) => {
    const requestId = newId()
    const amountAtomic = 500n * CREDIT
    const order = { requestId, keyId, planId: 'starter', amountAtomic, renews }
    await ground.store.addPurchase({ ...order, paidWith: null })
    return requestId
  }

  it('begins once, with credits of exactly its price', async () => {
    const who = await ground.account(7)
    const requestId = await bought(who.keyId)
    const ends = await Promise.all(
      Array.from({ length: 4 }, () => fulfil(ground.instance(), requestId)),
    )
    const { id } = await subscriptionOf(who.accountId)
    expect(ends.map((end) => end?.subscriptionId)).toEqual([id, id, id, id])
    expect(await ground.credits(who.accountId)).toBe(607)
  })

  it('ends with its month where nobody of the account agreed to more', async () => {
    const [holder, stranger] = [await ground.account(1000), await ground.account(1000)]
    await fulfil(ground, await bought(holder.keyId))
    await fulfil(ground, await bought(stranger.keyId, false))
    afterMonths(1)
    await ground.renewals.round()
    expect(await subscriptionOf(holder.accountId)).toMatchObject({ state: 'active', turn: 2 })
    expect(await ground.store.ofAccount(stranger.accountId)).toBeNull()
    expect(await ground.credits(stranger.accountId)).toBe(1000)
  })

  it('sets no limits for the keys of an account whose holder did not ask for it', async () => {
    const [holder, stranger] = [await ground.account(0), await ground.account(0)]
    await fulfil(ground, await bought(holder.keyId))
    await fulfil(ground, await bought(stranger.keyId, false))
    const { members } = ground
    for (const { accountId } of [holder, stranger])
      expect(members.planOf(accountId)?.id).toBe('starter')
    expect(members.limitsOf(holder.accountId)).toEqual({ rpm: 120, burst: 40 })
    expect(members.limitsOf(stranger.accountId)).toBeNull()
    const plan = ground.plans.get('starter')!
    const resumed = await begin({ ...ground, productId: 'plans' }, plan, stranger.keyId, false)
    expect(resumed).toMatchObject({ ok: true, subscription: { endsAtPeriodEnd: false } })
    expect(members.limitsOf(stranger.accountId)).toEqual({ rpm: 120, burst: 40 })
  })

  it('is claimed for a look by instances that know the plan', async () => {
    const who = await ground.account(0)
    const requestId = await bought(who.keyId)
    const ids = (rows: readonly { requestId: string }[]) => rows.map((row) => row.requestId)
    expect(ids(await ground.store.claimOpenPurchases(['bare'], 0, 50))).not.toContain(requestId)
    expect(ids(await ground.store.claimOpenPurchases(['starter'], 0, 50))).toContain(requestId)
  })

  it('is delivered after a month without a gateway if it was paid, and forgotten if not', async () => {
    const who = await ground.account(0)
    const [paid, unpaid] = [await bought(who.keyId), await bought(who.keyId)]
    ground.paid.add(paid)
    const { sql } = ground.database.db
    await sql`
      UPDATE plugin_plans.purchase SET created_at = now() - interval '31 days'
      WHERE request_id IN (${paid}, ${unpaid})`
    const left = async (): Promise<string[]> => {
      const rows = await sql<{ id: string }[]>`
        SELECT request_id AS id FROM plugin_plans.purchase
        WHERE ended_at IS NULL AND request_id IN (${paid}, ${unpaid})`
      return rows.map(({ id }) => id)
    }
    ground.renewals.start()
    await vi.waitUntil(async () => (await left()).length === 0, PATIENT)
    await ground.renewals.stop()
    expect(await subscriptionOf(who.accountId)).toMatchObject({ planId: 'starter', turn: 1 })
    const kept = await sql`SELECT 1 FROM plugin_plans.purchase WHERE request_id = ${unpaid}`
    expect(kept).toHaveLength(0)
  })

  it('does not lock itself out with one that is begun from the balance', async () => {
    const who = await ground.account(500)
    const requestId = await bought(who.keyId)
    const { promise: added, resolve } = Promise.withResolvers<void>()
    const slow: typeof ground.accounts.charge = async (order, tx) => {
      resolve()
      // Time for the purchase to go as far as it can.
      await Bun.sleep(300)
      return ground.accounts.charge(order, tx)
    }
    const deps = ground.instance(CONFIG, { accounts: { ...ground.accounts, charge: slow } })
    const order = { ...who, plan: deps.plans.get('bare')!, isGiven: false }
    const begun = deps.db.transaction((tx) => start(deps, tx, order, ground.now()))
    await added
    const ended = await fulfil(ground, requestId)
    expect(await begun).toMatchObject({ outcome: 'started' })
    expect(ended).toMatchObject({ subscriptionId: null, endedAt: expect.any(Date) })
    expect(await ground.credits(who.accountId)).toBe(990)
  })

  it('for an account that was closed meanwhile ends, and the operator is told once', async () => {
    const who = await ground.account(10)
    const requestId = await bought(who.keyId)
    ground.paid.add(requestId)
    await ground.closeAccount(who.accountId)
    const ends = await Promise.all(
      Array.from({ length: 4 }, () => fulfil(ground.instance(), requestId)),
    )
    expect(ends.map((end) => end?.refusedBecause)).toEqual(Array(4).fill('closed'))
    expect(await ground.credits(who.accountId)).toBe(10)
    expect(await ground.store.ofAccount(who.accountId)).toBeNull()
    const told = await ground.database.db.sql<{ body: object }[]>`
      SELECT body FROM coinop.outbox
      WHERE topic = 'plan.not_credited' AND account_id = ${who.accountId}`
    expect(told.map(({ body }) => body)).toMatchObject([
      { requestId, apiKeyId: who.keyId, plan: 'starter', paidCredits: 500, reason: 'closed' },
    ])
    const due = await ground.store.claimOpenPurchases(['starter'], 0, 50)
    expect(due.map((one) => one.requestId)).not.toContain(requestId)
    // Who sends the payment again is not sent to the operator for what they have given.
    await givenByHand(requestId, await ground.account(0))
    expect(await fulfil(ground, requestId)).toMatchObject({ refusedBecause: 'given_by_hand' })
    expect(await fulfil(ground, requestId)).toMatchObject({ refusedBecause: 'given_by_hand' })
    expect(await ground.credits(who.accountId)).toBe(10)
  })

  it('does not begin where the operator has given its credits to another account', async () => {
    const [who, other] = [await ground.account(700), await ground.account(0)]
    const requestId = await bought(who.keyId)
    await givenByHand(requestId, other)
    for (let times = 0; times < 2; times++) {
      const ended = await fulfil(ground, requestId)
      expect(ended).toMatchObject({ subscriptionId: null, refusedBecause: 'given_by_hand' })
    }
    expect(await ground.store.ofAccount(who.accountId)).toBeNull()
    expect([await ground.credits(who.accountId), await ground.credits(other.accountId)]).toEqual([
      700, 500,
    ])
  })

  it('becomes credits where the account has a plan by now', async () => {
    const who = await ground.account(10)
    const requestId = await bought(who.keyId)
    await ground.begin(who, 'bare')
    const ended = await fulfil(ground, requestId)
    expect(ended).toMatchObject({ subscriptionId: null, endedAt: expect.any(Date) })
    expect(await ground.credits(who.accountId)).toBe(500)
    await fulfil(ground, requestId)
    expect(await ground.credits(who.accountId)).toBe(500)
  })
})

it('instances hear of a change from its commit, should the one that made it die then', async () => {
  const heard: string[] = []
  const signals = createSignals(ground.database.db, 'plans')
  const unlisten = await signals.listen('members', (payload) => heard.push(payload))
  try {
    // Nothing runs behind these transactions; what is rolled back is no change.
    const poor = await ground.account(499)
    expect(await ground.begin(poor, 'starter')).toMatchObject({ outcome: 'insufficient' })
    const who = await ground.account(500)
    await ground.begin(who, 'starter')
    await vi.waitUntil(() => heard.length > 0, PATIENT)
    afterMonths(1)
    const own = await subscriptionOf(who.accountId)
    const plan = ground.plans.get('starter')!
    await ground.db.transaction((tx) => turn(ground, tx, own, plan, ground.now()))
    expect(await subscriptionOf(who.accountId)).toMatchObject({ state: 'past_due' })
    await vi.waitUntil(() => heard.length > 1, PATIENT)
    // In the order of their commits: nothing else was told before.
    expect(heard).toEqual(['', ''])
  } finally {
    await unlisten()
  }
})

it('members pay the prices of their plan, with the same object for the same price', async () => {
  const who = await ground.account(10)
  await ground.begin(who, 'bare')
  await ground.members.changed()
  const list = flatPrice(2n * CREDIT)
  const own = ground.members.priceOf(who.accountId, 'demo.hash', list)
  expect(own).toMatchObject({ baseAtomic: 5000n, maxAtomic: 5000n })
  expect(ground.members.priceOf(who.accountId, 'demo.hash', list)).toBe(own)
  expect(ground.members.priceOf(who.accountId, 'demo.echo', list)).toBeNull()
  expect(ground.members.priceOf(newId(), 'demo.hash', list)).toBeNull()
})
