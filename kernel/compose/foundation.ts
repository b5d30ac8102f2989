/** Database, ledger and keys, which both the gateway and the shell commands need. */
import type { AccountManagement } from '../auth/account-management.ts'
import type { Config } from '../config/config.ts'
import { accounts } from '../ledger/accounts.ts'
import { createLedger } from '../ledger/ledger.ts'
import type { Ledger, LedgerRows } from '../ledger/contract.ts'
import type { Logger } from '../log/logger.ts'
import type { Vault } from '../auth/secrets.ts'
import type { Database } from '../storage/contract.ts'
import type { Machinery } from './machinery.ts'
import { openDatabase } from '../storage/open.ts'

export interface Foundation extends AccountManagement {
  db: Database
  /** Credits and refunds made through it are announced to every instance. */
  ledger: Ledger & LedgerRows
  vault: Vault
  onFunded(listener: (keyId: string) => void): () => void
  /** Waits for the submitted writes, then closes the database. */
  close(): Promise<void>
}

export interface FoundationOptions extends Pick<
  Machinery,
  | 'connector'
  | 'embedded'
  | 'createAccountManagement'
  | 'openCreditNotifications'
  | 'reporting'
  | 'secrets'
> {
  config: Config
  log: Logger
}

/** Opens it all; `role` 'tool' attaches to a running gateway's embedded server. */
export async function openFoundation(
  { config, connector, embedded, reporting, secrets, log, ...machinery }: FoundationOptions,
  role: 'gateway' | 'tool',
): Promise<Foundation> {
  const db = await openDatabase({ ...config, connector, embedded, log }, role)
  try {
    const notifications = await machinery.openCreditNotifications(db)
    const ledger = createLedger(db, notifications)
    return {
      db,
      ledger: { ...ledger, rows: (filter) => reporting.readRows(db.orm, filter) },
      ...machinery.createAccountManagement(db, accounts),
      vault: secrets.openVault(config.masterKey, config.dataDir),
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
