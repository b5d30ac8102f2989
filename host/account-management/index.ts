/** What the kernel is handed: the management of accounts, their keys and their owners. */
import type { CreateAccountManagement } from '#kernel/host'
import { createAccountDirectory } from './account-directory.ts'
import { createKeys } from './keys.ts'
import { createOwners } from './owners.ts'

export const createAccountManagement: CreateAccountManagement = (db, ledger) => ({
  accounts: createAccountDirectory(db, ledger),
  keys: createKeys(db, ledger),
  owners: createOwners(db, ledger),
})
