/** A ledger without a batcher, to show what batching gains and that a race ends the same without. */
import { authorizeOne } from '../../kernel/ledger/authorize.ts'
import type { Ledger } from '../../kernel/ledger/contract.ts'
import { createLedger } from '../../kernel/ledger/ledger.ts'
import { captureOne } from '../../kernel/ledger/capture.ts'
import { releaseOne } from '../../kernel/ledger/transitions.ts'
import type { Database } from '../../kernel/storage/contract.ts'

/** Every order goes out as a statement of its own. */
export function singleWrites(database: Pick<Database, 'sql' | 'orm'>): Ledger {
  const { sql } = database
  return {
    ...createLedger(database),
    authorize: (order) => authorizeOne(sql, order),
    capture: (order) => captureOne(sql, order),
    release: (order) => releaseOne(sql, order),
  }
}
