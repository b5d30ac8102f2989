/** What the kernel is handed: the services by which plugins act on accounts, their keys and their money. */
import type { CreateAccountServices } from '#kernel/host'
import { createAccountKeys } from './account-keys.ts'
import { createAccounts } from './accounts.ts'
import { createBilling } from './billing.ts'
import { createFunds } from './funds.ts'
import { createKeyDirectory } from './key-directory.ts'
import { createSettlements } from './settlements.ts'

export const createAccountServices: CreateAccountServices = (deps) => ({
  accounts: createAccounts(deps),
  funds: createFunds(deps.ledger, deps.keys, deps.sandbox),
  billing: createBilling({ ...deps, accountOf: (keyId) => deps.keys.accountOf(keyId) }),
  settlements: createSettlements(deps.ledger, (keyId) => deps.keys.accountOf(keyId)),
  keys: createKeyDirectory(deps.keys, deps.directory),
  accountKeys: (madeBy) => createAccountKeys(deps, madeBy),
})
