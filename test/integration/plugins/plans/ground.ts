/** Plans over a real ledger and database, with a clock that tests set. */
import { accounts as ledgerAccounts } from '../../../../kernel/ledger/accounts.ts'
import { createAccountDirectory } from '../../../../host/account-management/account-directory.ts'
import { createOwners } from '../../../../host/account-management/owners.ts'
import { createKeys } from '../../../../host/account-management/keys.ts'
import { newId } from '../../../../kernel/ids.ts'
import { readableLedger } from '../../../support/ledger-rows.ts'
import { verifyLedger } from '../../../../host/reporting/verify.ts'
import type { OneOffSales } from '../../../../kernel/plugins/money-services.ts'
import { createAccounts } from '../../../../host/plugin-services/accounts.ts'
import { createSignals } from '../../../../host/plugin-services/signals.ts'
import { migratePlugin, pluginDb } from '../../../../kernel/storage/plugin-db.ts'
import { readPlans, type PlansConfig } from '../../../../plugins/plans/config.ts'
import { Members } from '../../../../plugins/plans/members.ts'
import { migrations } from '../../../../plugins/plans/migrations.ts'
import { Renewals } from '../../../../plugins/plans/renewals.ts'
import { PlanStore } from '../../../../plugins/plans/store.ts'
import { start, startedOf } from '../../../../plugins/plans/turns.ts'
import { testDatabase } from '../../../support/database.ts'
import { silentLog } from '../../../support/log.ts'

export const CREDIT = 10_000n
export const CONFIG: PlansConfig = {
  plans: {
    starter: {
      price: { credits: 500 },
      monthly_credits: 600,
      grace_days: 3,
      limits: { rpm: 120, burst: 40 },
    },
    keeper: { price: { credits: 500 }, monthly_credits: 600, rollover: true },
    partner: { monthly_credits: 100 },
    bare: { price: { credits: 10 }, prices: { 'demo.hash': { credits: 0.5 } } },
  },
}

export async function plansGround() {
  const database = await testDatabase()
  const { db } = database
  await migratePlugin(db, 'plans', migrations)
  const ledger = readableLedger(db)
  const keys = createKeys(db, ledgerAccounts)
  const accounts = createAccounts({
    sql: db.sql,
    ledger,
    keys,
    directory: createAccountDirectory(db, ledgerAccounts),
    owners: createOwners(db, ledgerAccounts),
  })
  let now = new Date()
  const paid = new Set<string>()

  /** What one instance of the gateway has; `bend` changes parts of it. */
  function instance(config = CONFIG, bend: { accounts?: typeof accounts } = {}) {
    const pool = pluginDb(database.open(), 'plans')
    const store = Object.assign(new PlanStore(pool), { clock: async () => now })
    const plans = readPlans(config)
    const members = new Members({
      store,
      plans,
      signals: createSignals(db, 'plans'),
      log: silentLog,
    })
    const shared = {
      db: pool,
      store,
      plans,
      members,
      accounts: bend.accounts ?? accounts,
      log: silentLog,
    }
    const sales: OneOffSales = {
      sell: () => {
        throw new Error('no purchase of these tests sells')
      },
      wasPaid: async ({ requestId }) => paid.has(requestId),
    }
    return { ...shared, renewals: new Renewals({ ...shared, purchases: { ...shared, sales } }) }
  }
  const main = instance()

  return {
    ...main,
    ledger,
    database,
    instance,
    now: () => now,
    /** Requests whose payment settled. */
    paid,
    setNow: (at: Date) => void (now = at),
    /** A key with credits; its account. */
    async account(credits: number): Promise<{ keyId: string; accountId: string }> {
      const { record } = await keys.create({ name: 'test', mode: 'test' })
      const { id: keyId, accountId } = record
      if (credits > 0) await fund(accountId, credits)
      return { keyId, accountId }
    },
    fund,
    /** Begins a plan on the account. */
    begin(who: { keyId: string; accountId: string }, planId: string, isGiven = false) {
      const plan = main.plans.get(planId)!
      return startedOf(main.db.transaction((tx) => start(main, tx, { ...who, plan, isGiven }, now)))
    },
    /** A call that costs so many credits. */
    async spend(who: { keyId: string; accountId: string }, credits: number): Promise<void> {
      const holdId = await hold(who, credits)
      await ledger.capture({ holdId, ...who })
    },
    hold,
    async credits(accountId: string): Promise<number> {
      const { availableAtomic } = (await ledger.balance(accountId))!
      return Number(availableAtomic) / Number(CREDIT)
    },
    /** Closes the account for good. */
    closeAccount: (accountId: string) => db.sql.begin((tx) => ledgerAccounts.close(tx, accountId)),
    verify: () => verifyLedger(db.sql),
    async close() {
      await ledger.drain()
      await database.close()
    },
  }

  async function fund(accountId: string, credits: number): Promise<void> {
    await ledger.credit({
      accountId,
      amountAtomic: BigInt(credits) * CREDIT,
      source: 'sandbox',
      reference: newId(),
      kind: 'grant',
    })
  }

  async function hold(who: { keyId: string; accountId: string }, credits: number): Promise<string> {
    const holdId = newId()
    const held = await ledger.authorize({
      ...who,
      holdId,
      requestId: newId(),
      skillId: 'demo.echo',
      productId: 'demo',
      path: '/',
      amountAtomic: BigInt(credits) * CREDIT,
      ttlMs: 60_000,
      scope: 'call',
    })
    if (held.outcome !== 'authorized') throw new Error(`not held: ${held.outcome}`)
    return holdId
  }
}
