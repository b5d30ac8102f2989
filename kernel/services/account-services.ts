/** The services by which plugins act on accounts and their keys; `host/account-services` makes them. */
import type { AccountDirectory, Keys, Owners } from '../auth/account-management.ts'
import type { Identity } from '../auth/contract.ts'
import type { Ledger } from '../ledger/contract.ts'
import type { AccountKeys, Accounts } from '../plugins/account-services.ts'
import type { Catalog } from '../plugins/catalog.ts'
import type { Billing, Funds, KeyDirectory, Settlements } from '../plugins/services.ts'
import type { SqlClient } from '../storage/contract.ts'

export interface AccountServiceDeps {
  sql: SqlClient
  ledger: Ledger
  keys: Keys
  directory: AccountDirectory
  owners: Owners
  sandbox: boolean
  catalog: Catalog
  /** Null when the key is unknown or revoked. */
  identityOf(keyId: string): Promise<Identity | null>
  onFunded(listener: (keyId: string) => void): () => void
}

export interface AccountServices {
  accounts: Accounts
  billing: Billing
  funds: Funds
  settlements: Settlements
  keys: KeyDirectory
  /** Those of the plugin that names itself as their maker. */
  accountKeys(madeBy: string): AccountKeys
}

export type CreateAccountServices = (deps: AccountServiceDeps) => AccountServices
