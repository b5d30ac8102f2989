/** A ledger with the reading of its rows beside it, as a gateway has it. */
import { readRows } from '../../host/reporting/ledger-rows.ts'
import type { Ledger, LedgerRows } from '../../kernel/ledger/contract.ts'
import { createLedger, type LedgerEvents } from '../../kernel/ledger/ledger.ts'
import type { Database } from '../../kernel/storage/contract.ts'

export type ReadableLedger = Ledger & LedgerRows

export function readableLedger(
  db: Pick<Database, 'sql' | 'orm'>,
  events?: LedgerEvents,
): ReadableLedger {
  return { ...createLedger(db, events), rows: (filter) => readRows(db.orm, filter) }
}
