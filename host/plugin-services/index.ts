/** What the kernel is handed: the services that plugins ask for by name. */
import type { CreatePluginServices } from '#kernel/host'
import { productOfSkill } from './product-of-skill.ts'
import { createAccountKeys } from './account-keys.ts'
import { createAccounts } from './accounts.ts'
import { createAdministration } from './administration.ts'
import { createAlerts } from './alerts.ts'
import { createBilling } from './billing.ts'
import { createDocuments } from './documents.ts'
import { createFunds } from './funds.ts'
import { createKeyDirectory } from './key-directory.ts'
import { createOneOffSales } from './one-off-sale.ts'
import { createOperator } from './operator.ts'
import { createQuoteBook } from './quote-book.ts'
import { createSettlements } from './settlements.ts'
import { createSignals } from './signals.ts'
import { ToolCaller } from './tool-caller.ts'

export const createPluginServices: CreatePluginServices = (parts) => {
  const { config, db, ledger, auth, registry, log } = parts
  const { sql } = db
  const { meter, quotes, accountPages } = parts.metering
  const { accounts: directory, keys, owners } = parts.management
  const accountOf = (keyId: string) => keys.accountOf(keyId)
  const oneOffSales = createOneOffSales({
    meter,
    ledger,
    publicUrl: config.publicUrl,
    priceVersion: () => registry.current().priceVersion,
    log,
  })
  const shared = {
    accounts: createAccounts({ sql, ledger, keys, directory, owners }),
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
      pages: accountPages,
    }),
    alerts: createAlerts(sql),
    billing: createBilling({
      ledger,
      catalog: registry,
      accountOf,
      identityOf: (keyId) => auth.identityOf(keyId, 'key'),
      onFunded: parts.onFunded,
    }),
    calls: new ToolCaller({
      meter,
      quotes,
      auth,
      enter: (mounted) => registry.enter(mounted),
      observe: parts.observe,
    }),
    catalog: registry,
    documents: createDocuments(parts),
    funds: createFunds(ledger, keys, config.sandbox, sql),
    keys: createKeyDirectory(sql, keys),
    oneOffSales,
    operator: createOperator({
      auth,
      adminToken: parts.adminToken,
      otherTokens: [...parts.config.serviceToken, ...parts.config.metricsToken],
      serve: parts.serveOwn,
    }),
    outbound: parts.outbound,
    quotes: createQuoteBook(parts),
    reports: parts.reports,
    settlements: createSettlements(ledger, accountOf),
    statements: parts.statements,
    till: oneOffSales,
    vault: parts.vault,
  }
  return (pluginId) => ({
    ...shared,
    accountKeys: createAccountKeys({ sql, keys, ledger }, pluginId),
    signals: createSignals(db, pluginId),
  })
}
