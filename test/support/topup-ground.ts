/** What tests of checkouts, purchases and rounds stand on: the plugin's tables over a ledger, and a buyer. */
import { afterAll, beforeAll, beforeEach, vi } from 'vitest'
import { migratePlugin, pluginDb } from '../../kernel/storage/plugin-db.ts'
import { startCheckout, type CheckoutDeps } from '../../plugins/topup/checkout.ts'
import { migrations } from '../../plugins/topup/migrations.ts'
import type { PurchaseDeps } from '../../plugins/topup/purchase.ts'
import { Rounds } from '../../plugins/topup/rounds.ts'
import { randomFrom } from '../simulator/random.ts'
import { VirtualProvider } from '../simulator/virtual-provider.ts'
import { accountServices, type AccountServices } from './account-services.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { silentLog } from './log.ts'
import { PATIENT } from './patience.ts'
import { topupDeps } from './topup-deps.ts'

export interface TopupGround {
  readonly database: TestDatabase
  readonly services: AccountServices
  readonly checkout: CheckoutDeps
  readonly purchase: PurchaseDeps
  /** Its first buyer pays what was asked. */
  readonly provider: VirtualProvider
  /** Requests whose payment settled. */
  readonly settled: Set<string>
  /** A new one for each test. */
  readonly keyId: string
  /** Atomic units of the key's account. */
  available(): Promise<bigint>
  /** A checkout of five dollars that was paid and is not credited yet; its reference. */
  paidCheckout(): Promise<string>
  /** One round of a gateway that starts now. */
  round(isOver: () => Promise<boolean>): Promise<void>
}

/** Lays the ground for the tests of a file: call it there, outside of any test. */
export function topupGround(): TopupGround {
  const seeds = { fails: () => randomFrom(1), does: () => randomFrom(6) }
  const provider = new VirtualProvider('provider_a', seeds)
  const settled = new Set<string>()
  let database!: TestDatabase
  let services!: AccountServices
  let deps!: ReturnType<typeof topupDeps>
  let buyer!: { keyId: string; accountId: string }
  beforeAll(async () => {
    database = await testDatabase()
    await migratePlugin(database.db, 'topup', migrations)
    services = accountServices(database.db)
    const provider_b = new VirtualProvider('provider_b', seeds, false)
    deps = topupDeps({
      db: pluginDb(database.db, 'topup'),
      sql: database.db.sql,
      services,
      providers: { provider_a: provider, provider_b },
      settled,
    })
  })
  afterAll(async () => {
    await services.ledger.drain()
    await database.close()
  })
  beforeEach(async () => {
    provider.wrong = 0
    const { record } = await services.keys.create({ name: 'buyer', mode: 'test' })
    buyer = { keyId: record.id, accountId: record.accountId }
  })
  return {
    provider,
    settled,
    get database() {
      return database
    },
    get services() {
      return services
    },
    get checkout() {
      return deps.checkout
    },
    get purchase() {
      return deps.purchase
    },
    get keyId() {
      return buyer.keyId
    },
    available: async () => (await services.ledger.balance(buyer.accountId))?.availableAtomic ?? 0n,
    async paidCheckout() {
      const begun = await startCheckout(deps.checkout, { apiKeyId: buyer.keyId, amountUsd: 5 })
      if (!begun.ok) throw new Error(begun.message)
      const { reference } = begun.checkout
      provider.pay(reference)
      if (!provider.isPaidRight(reference)) throw new Error('the seed pays something else')
      return reference
    },
    async round(isOver) {
      const rounds = new Rounds(deps.checkout, deps.purchase, silentLog)
      rounds.start()
      await vi.waitUntil(isOver, PATIENT)
      await rounds.stop()
    },
  }
}
