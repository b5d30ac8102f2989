/**
 * Tells every instance which account got credits, and there which keys spend them, so that webhook
 * forwards that wait for funds are tried again; `host/account-events` does it.
 */
import type { LedgerEvents } from '../ledger/ledger.ts'
import type { Database } from '../storage/contract.ts'

export interface CreditNotifications extends LedgerEvents {
  onFunded(listener: (keyId: string) => void): () => void
  stop(): Promise<void>
}

/** Listens until `stop()`; the ledger's `credited` is announced to all who listen. */
export type OpenCreditNotifications = (db: Database) => Promise<CreditNotifications>
