/**
 * Database, ledger and keys: what the gateway and the commands beside it both stand on.
 */
import { createAccountDirectory, type AccountDirectory } from '../auth/account-directory.ts'
import { createKeys, type Keys } from '../auth/keys.ts'
import { createOwners, type Owners } from '../auth/owners.ts'
import { createVault, loadMasterKey } from '../auth/vault.ts'
import type { Config } from '../config/config.ts'
import { accounts } from '../ledger/accounts.ts'
import { createLedger } from '../ledger/ledger.ts'
import type { Ledger } from '../ledger/contract.ts'
import type { Logger } from '../log/logger.ts'
import type { Vault } from '../auth/contract.ts'
import { openCreditNotifications } from '../services/credit-notifications.ts'
import type { Database } from '../storage/contract.ts'
import type { Machinery } from './machinery.ts'
import { attachDatabase, openDatabase } from '../storage/open.ts'

export interface Foundation {
  db: Database
  /** Credits and refunds through it are announced to every instance. */
  ledger: Ledger
  accounts: AccountDirectory
  keys: Keys
  owners: Owners
  vault: Vault
  onFunded(listener: (keyId: string) => void): () => void
  /** Waits for the writes handed over, then closes the database. */
  close(): Promise<void>
}

export interface FoundationOptions extends Pick<Machinery, 'connector' | 'embedded'> {
  config: Config
  log: Logger
}

/** Opens it all; `role` 'tool' attaches to a running gateway's embedded server. */
export async function openFoundation(
  { config, connector, embedded, log }: FoundationOptions,
  role: 'gateway' | 'tool',
): Promise<Foundation> {
  const open = role === 'gateway' ? openDatabase : attachDatabase
  const db = await open({ ...config, connector, embedded, log })
  try {
    const notifications = await openCreditNotifications(db)
    const ledger = createLedger(db, notifications)
    return {
      db,
      ledger,
      accounts: createAccountDirectory(db, accounts),
      keys: createKeys(db, accounts),
      owners: createOwners(db, accounts),
      vault: createVault(loadMasterKey(config.masterKey, config.dataDir)),
      onFunded: notifications.onFunded,
      async close() {
        await ledger.drain()
        await notifications.stop()
        await db.close()
      },
    }
  } catch (error) {
    await db.close()
    throw error
  }
}
