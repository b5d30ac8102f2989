/** What the kernel is handed: the services by which plugins act on accounts and their keys. */
import type { CreateAccountServices } from '#kernel/host'
import { createAccountKeys } from './account-keys.ts'
import { createAccounts } from './accounts.ts'
import { createFunds } from './funds.ts'
import { createKeyDirectory } from './key-directory.ts'

export const createAccountServices: CreateAccountServices = (deps) => ({
  accounts: createAccounts(deps),
  funds: createFunds(deps.ledger, deps.keys, deps.sandbox),
  keys: createKeyDirectory(deps.keys, deps.directory),
  accountKeys: (madeBy) => createAccountKeys(deps, madeBy),
})
