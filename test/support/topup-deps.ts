/** What checkouts, purchases and rounds of top-ups work with, over the tables of `db`, without a gateway. */
import { createAlerts } from '../../host/plugin-services/alerts.ts'
import { createFunds } from '../../host/plugin-services/funds.ts'
import { createKeyDirectory } from '../../host/plugin-services/key-directory.ts'
import type { PluginDb, SqlClient } from '../../kernel/storage/contract.ts'
import type { CheckoutDeps } from '../../plugins/topup/checkout.ts'
import type { PurchaseDeps } from '../../plugins/topup/purchase.ts'
import { TopupStore } from '../../plugins/topup/store.ts'
import type { AccountServices } from './account-services.ts'
import { silentLog } from './log.ts'

const notAsked = (): never => {
  throw new Error('no top-up of these tests asks this')
}

export function topupDeps(options: {
  db: PluginDb
  sql: SqlClient
  services: AccountServices
  providers: CheckoutDeps['providers']
  /** Requests whose payment settled. */
  settled: ReadonlySet<string>
}): { checkout: CheckoutDeps; purchase: PurchaseDeps } {
  const { db, sql, services, providers, settled } = options
  const { ledger, keys, accounts } = services
  const shared = {
    db,
    store: new TopupStore(db, createAlerts(sql)),
    funds: createFunds(ledger, keys, true, sql),
    keys: createKeyDirectory(sql, keys),
    log: silentLog,
    sandbox: true,
    minimumAtomic: 0n,
    lookAtRests() {},
  }
  return {
    checkout: {
      ...shared,
      providers,
      isOpen: true,
      publicUrl: 'http://localhost',
      warnOfUnsigned: notAsked,
    },
    purchase: {
      ...shared,
      accounts,
      vault: { seal: notAsked, open: notAsked, derive: notAsked },
      sales: { sell: notAsked, wasPaid: async ({ requestId }) => settled.has(requestId) },
      walletsSignIn: () => false,
      suggestedAtomic: 0n,
    },
  }
}
