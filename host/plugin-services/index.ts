/** What the kernel is handed: the services that plugins ask for by name. */
import { productOfSkill, type CreatePluginServices } from '#kernel/host'
import { createAccountKeys } from './account-keys.ts'
import { createAccounts } from './accounts.ts'
import { createAdministration } from './administration.ts'
import { createAlerts } from './alerts.ts'
import { createBilling } from './billing.ts'
import { createFunds } from './funds.ts'
import { createKeyDirectory } from './key-directory.ts'
import { createOneOffSales } from './one-off-sale.ts'
import { createOperator } from './operator.ts'
import { createSettlements } from './settlements.ts'
import { createSignals } from './signals.ts'
import { ToolCaller } from './tool-caller.ts'

export const createPluginServices: CreatePluginServices = (parts) => {
  const { own, config, db, ledger, auth, registry } = parts
  const { sql } = db
  const { accounts: directory, keys, owners } = parts.management
  const accountOf = (keyId: string) => keys.accountOf(keyId)
  const oneOffSales = createOneOffSales({
    meter: parts.meter,
    ledger,
    publicUrl: config.publicUrl,
    priceVersion: () => registry.current().priceVersion,
    log: parts.log,
  })
  const shared = {
    ...own,
    calls: new ToolCaller({ ...parts, enter: (mounted) => registry.enter(mounted) }),
    accounts: createAccounts({ sql, ledger, keys, directory, owners }),
    funds: createFunds(ledger, keys, config.sandbox),
    billing: createBilling({
      ledger,
      catalog: registry,
      accountOf,
      identityOf: (keyId) => auth.identityOf(keyId, 'key'),
      onFunded: parts.onFunded,
    }),
    settlements: createSettlements(ledger, accountOf),
    keys: createKeyDirectory(keys, directory),
    alerts: createAlerts(sql),
    oneOffSales,
    till: oneOffSales,
    operator: createOperator({ auth, adminToken: parts.adminToken, serve: parts.serveOwn }),
    administration: createAdministration({
      sql,
      keys,
      accounts: directory,
      ledger,
      tokens: parts.tokens,
      products: registry,
      auth,
      productOf: (skillId) =>
        registry.current().skills.find(({ skill }) => skill.id === skillId)?.product.id ??
        productOfSkill(skillId),
      holdTtlMs: config.holdTtlMs,
      pages: parts.pages,
    }),
  }
  return (pluginId) => ({
    ...shared,
    accountKeys: createAccountKeys({ sql, keys, ledger }, pluginId),
    signals: createSignals(db, pluginId),
  })
}
