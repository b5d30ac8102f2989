/**
 * Histories of plans from seeds: the real beginnings, turns, purchases, prices and free calls over the
 * real statements, on two gateways that die, with a storage that fails at each statement of the
 * plugin, and a clock that months pass on. Each entry of the ledger is then compared with what a
 * second reckoning of the months says. SIMULATE_SEED and SIMULATE_HISTORIES draw others.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createSignals } from '../../host/plugin-services/signals.ts'
import { verifyLedger } from '../../host/reporting/verify.ts'
import { newId } from '../../kernel/ids.ts'
import type { OneOffSales } from '../../kernel/plugins/money-services.ts'
import { migratePlugin, pluginDb } from '../../kernel/storage/plugin-db.ts'
import { readPlans } from '../../plugins/plans/config.ts'
import { Members } from '../../plugins/plans/members.ts'
import { migrations } from '../../plugins/plans/migrations.ts'
import { fulfil } from '../../plugins/plans/purchase.ts'
import { Renewals } from '../../plugins/plans/renewals.ts'
import { PlanStore } from '../../plugins/plans/store.ts'
import { cancel, subscribe, type SubscribingDeps } from '../../plugins/plans/subscribing.ts'
import { accountServices, type AccountServices } from '../support/account-services.ts'
import { silentLog } from '../support/log.ts'
import { meterOver, mount } from '../support/metering.ts'
import { clockedDatabase } from '../support/virtual-clock.ts'
import { answerOf, faultyPluginDb, replaceDead, type FaultyPluginDb } from './faulty-plugin-db.ts'
import { auditPlans, CREDIT, PLANS, type CallMade } from './plan-audit.ts'
import { randomFrom, type Random } from './random.ts'
import { tooFew } from './too-few.ts'
import { PATIENT } from '../support/patience.ts'

const FIRST_SEED = Number(process.env['SIMULATE_SEED'] ?? 1)
const HISTORIES = Number(process.env['SIMULATE_HISTORIES'] ?? 20)
/** Long runs on a full machine take a second or two for each. */
const TIMEOUT_MS = 180_000 + HISTORIES * 5_000
const PATIENCE = { ...PATIENT, interval: 20 }
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const START_MS = Date.UTC(2031, 0, 29, 22)

interface Instance extends SubscribingDeps {
  db: FaultyPluginDb
  renewals: Renewals
}
interface Holder {
  keyId: string
  accountId: string
  apiKey: string
  /** What it paid in, beside payments for plans. */
  fundedAtomic: bigint
  calls: CallMade[]
  /** Requests of payments for plans, with what they paid. */
  bought: Map<string, bigint>
}

let database: Awaited<ReturnType<typeof clockedDatabase>>
let services: AccountServices
let meter: Awaited<ReturnType<typeof meterOver>>
/** What fails, in the order in which statements happen to come. */
let random: Random = randomFrom(1)
/** What holders of plans do: the same for the same seed. */
let drawn: Random = randomFrom(1)
let nowMs = START_MS
const settled = new Set<string>()
const instances: Instance[] = []
let failing = false
const skill = mount(
  {
    handler: async () =>
      failing
        ? { ok: false as const, code: 'PROCESSING_FAILURE' as const, message: 'failed', retryable: false } // prettier-ignore
        : { ok: true as const, output: {} },
  },
  { amountAtomic: 10n * CREDIT },
)
const sales: OneOffSales = {
  sell: () => {
    throw new Error('no history asks this')
  },
  wasPaid: async ({ requestId }) => settled.has(requestId),
}

function openInstance(): Instance {
  const db = faultyPluginDb(pluginDb(database.db, 'plans'), () => random)
  const store = new PlanStore(db)
  const plans = readPlans({ plans: PLANS })
  const signals = createSignals(database.db, 'plans')
  const members = new Members({ store, plans, signals, log: silentLog })
  const shared = { db, store, plans, members, accounts: services.accounts, log: silentLog }
  const renewals = new Renewals({ ...shared, purchases: { ...shared, sales } })
  return { ...shared, renewals, productId: 'plans' }
}

/** Ids carry the time of the gateway that made them. */
const realId = Bun.randomUUIDv7
const virtualId = (): string => realId('hex', nowMs)

/** All clocks show a later time: no two things of a history happen at the same one. */
async function later(ms = MINUTE_MS): Promise<void> {
  nowMs += ms
  await database.clock.set(new Date(nowMs))
}

beforeAll(async () => {
  Object.assign(Bun, { randomUUIDv7: virtualId })
  database = await clockedDatabase({ plugin: 'plans' })
  await migratePlugin(database.db, 'plans', migrations)
  // Migrations run by the real clock, which their defaults keep.
  await database.db.sql`ALTER TABLE plugin_plans.purchase ALTER created_at SET DEFAULT now()`
  services = accountServices(database.db)
  meter = await meterOver(database.db)
  instances.push(openInstance(), openInstance())
})
afterAll(async () => {
  Object.assign(Bun, { randomUUIDv7: realId })
  await meter.close()
  await services.ledger.drain()
  await database.close()
})

const at = <T>(work: (instance: Instance) => Promise<T>): Promise<T | null> =>
  answerOf(instances, random, work)

function weather(faulty: number, fatal: number): number {
  const deaths = replaceDead(instances, openInstance)
  for (const { db } of instances) Object.assign(db, { faulty, fatal })
  return deaths
}

async function openHolder(): Promise<Holder> {
  const { record, plaintext } = await services.keys.create({ name: 'holder', mode: 'test' })
  const { id: keyId, accountId } = record
  return { keyId, accountId, apiKey: plaintext, fundedAtomic: 0n, calls: [], bought: new Map() }
}

async function fund(holder: Holder, credits: number): Promise<void> {
  const amountAtomic = BigInt(credits) * CREDIT
  const reference = newId()
  const { accountId } = holder
  const credit = { accountId, amountAtomic, source: 'sandbox', reference, kind: 'grant' } as const
  // It may be told twice.
  await Promise.all([services.ledger.credit(credit), services.ledger.credit(credit)])
  holder.fundedAtomic += amountAtomic
}

/** A call by a gateway that knows who has a plan now, and works. */
async function call(holder: Holder): Promise<void> {
  const knowing = new PlanStore(pluginDb(database.db, 'plans'))
  const { plans } = instances[0]!
  const signals = createSignals(database.db, 'plans')
  const members = new Members({ store: knowing, plans, signals, log: silentLog })
  await members.changed()
  meter.accountTerms.setTerms([members])
  const planId = members.planOf(holder.accountId)?.id ?? null
  const { availableAtomic } = (await services.ledger.balance(holder.accountId))!
  failing = drawn.chance(0.2)
  const outcome = await meter.meter.run(meter.call(skill, {}, { apiKey: holder.apiKey }))
  const chargedAtomic = outcome.kind === 'answer' ? outcome.receipt.chargedAtomic : null
  holder.calls.push({ atMs: nowMs, planId, availableAtomic, failing, chargedAtomic })
}

/** Several that want the same at the same moment: at most one of them may have it. */
const several = (): unknown[] => Array.from({ length: drawn.of([1, 1, 2, 3]) })

async function act(holder: Holder): Promise<void> {
  const planId = drawn.of(Object.keys(PLANS))
  switch (
    drawn.of(['fund', 'begin', 'begin', 'buy', 'cancel', 'call', 'call', 'call', 'call', 'call'])
  ) {
    case 'fund':
      return fund(holder, drawn.of([20, 60, 120]))
    case 'begin': {
      const begun = several().map(() => at((one) => subscribe(one, planId, holder.keyId)))
      const started = (await Promise.all(begun)).filter((answer) => answer?.ok)
      expect(started.length, 'one plan begins at a time').toBeLessThanOrEqual(1)
      return
    }
    case 'buy': {
      const requestId = newId()
      const amountAtomic = BigInt(PLANS[planId]!.price!.credits) * CREDIT
      const renews = drawn.chance(0.5)
      const { keyId } = holder
      const noted = { requestId, keyId, planId, amountAtomic, renews, paidWith: null }
      const isNoted = await at(async ({ store }) => {
        await store.addPurchase(noted)
        return true
      })
      if (!isNoted || drawn.chance(0.2)) return
      settled.add(requestId)
      holder.bought.set(requestId, amountAtomic)
      if (drawn.chance(0.3)) return
      await Promise.all(several().map(() => at((one) => fulfil(one, requestId))))
      return
    }
    case 'cancel': {
      const own = await at(({ store }) => store.ofAccount(holder.accountId))
      if (own && drawn.chance(0.4)) await at((one) => cancel(one, own.id))
      return
    }
    case 'call':
      for (let n = drawn.of([1, 3, 6]); n > 0; n--) {
        await later()
        await call(holder)
      }
  }
}

it(
  'a month of a plan is charged once, and what it gives is never exceeded nor lost',
  async () => {
    const sums = { paid: 0, unpaid: 0, ended: 0, lapsed: 0, free: 0, faults: 0, deaths: 0 }
    for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
      random = randomFrom(seed + 1e6)
      drawn = randomFrom(seed)
      weather(0, 0)
      const holders = await Promise.all([openHolder(), openHolder()])
      for (const holder of holders) await fund(holder, drawn.of([10, 60, 120]))
      const [faulty, fatal] = drawn.of([[0, 0], [0.08, 0], [0.08, 0.04], [0.25, 0.02]] as const) // prettier-ignore
      for (let step = 0; step < 14; step++) {
        sums.deaths += weather(faulty, fatal)
        await later(drawn.of([MINUTE_MS, MINUTE_MS, 5 * DAY_MS, 26 * DAY_MS, 33 * DAY_MS, 70 * DAY_MS])) // prettier-ignore
        // At times nobody looks for what is due.
        if (drawn.chance(0.8)) {
          await Promise.all(several().map(() => at(({ renewals }) => renewals.round())))
        }
        for (let n = drawn.below(4); n > 0; n--) {
          await later()
          await act(drawn.of(holders))
        }
      }
      // All is well again; leases of whoever died run out, and what is due has its turn.
      for (const { db } of instances) sums.faults += db.faults
      sums.deaths += weather(0, 0)
      for (const { db } of instances) db.faults = 0
      await later(DAY_MS)
      // A month that was found unpaid after its grace is due again at once, and ends its plan.
      for (let round = 0; round < 3; round++) {
        const turned = await Promise.all(instances.map(({ renewals }) => renewals.round()))
        if (turned.every((count) => count === 0)) break
      }
      for (const { renewals } of instances) renewals.start()
      const open = () => database.db.sql`
      SELECT 1 FROM plugin_plans.purchase
      WHERE ended_at IS NULL AND request_id = ANY(${[...settled]})`
      await vi.waitUntil(async () => (await open()).length === 0, PATIENCE)
      await Promise.all(instances.map(({ renewals }) => renewals.stop()))
      instances.splice(0, instances.length, openInstance(), openInstance())

      for (const holder of holders) {
        const audited = await auditPlans(database.db.sql, holder, `seed ${seed}`, nowMs)
        for (const name of ['paid', 'unpaid', 'ended', 'lapsed', 'free'] as const)
          sums[name] += audited[name]
        const { availableAtomic, heldAtomic } = (await services.ledger.balance(holder.accountId))!
        expect([availableAtomic, heldAtomic], `seed ${seed}: the balance`).toEqual([
          audited.availableAtomic,
          0n,
        ])
      }
    }
    expect((await verifyLedger(database.db.sql)).violations).toEqual([])
    // What fails depends on the order of things, so these are far below what comes.
    const least = { paid: 50, unpaid: 2, ended: 7, lapsed: 4, free: 4, faults: 40, deaths: 10 }
    if (HISTORIES >= 20) expect(tooFew(sums, least)).toEqual([])
  },
  TIMEOUT_MS,
)
