/** The services of accounts as a plugin named demo has them, on real parts. */
import { createAccountDirectory } from '../../host/account-management/account-directory.ts'
import { createKeys } from '../../host/account-management/keys.ts'
import { createOwners } from '../../host/account-management/owners.ts'
import { accounts } from '../../kernel/ledger/accounts.ts'
import { readableLedger } from './ledger-rows.ts'
import { createAccountKeys } from '../../host/plugin-services/account-keys.ts'
import { createAccounts } from '../../host/plugin-services/accounts.ts'
import { createStatements } from '../../host/reporting/statements.ts'
import type { Database } from '../../kernel/storage/contract.ts'

export type AccountServices = ReturnType<typeof accountServices>

export function accountServices(db: Database) {
  const ledger = readableLedger(db)
  const keys = createKeys(db, accounts)
  const directory = createAccountDirectory(db, accounts)
  const owners = createOwners(db, accounts)
  return {
    ledger,
    keys,
    directory,
    accounts: createAccounts({ sql: db.sql, ledger, keys, directory, owners }),
    accountKeys: createAccountKeys({ sql: db.sql, keys, ledger }, 'demo'),
    statements: createStatements({ sql: db.sql, ledger }),
  }
}
