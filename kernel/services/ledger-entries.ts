/** Ledger rows by id, with the refunds of the settlements among them. */
import type { Ledger } from '../ledger/contract.ts'
import { refundReference, rowToJson, type LedgerRowJson } from '../ledger/rows.ts'
import type { SqlClient } from '../storage/contract.ts'

/** Newest first. */
export async function entriesWithRefunds(
  { sql, ledger }: { sql: SqlClient; ledger: Pick<Ledger, 'rows'> },
  ids: readonly string[],
): Promise<LedgerRowJson[]> {
  if (ids.length === 0) return []
  const own = await ledger.rows({ ids, limit: ids.length })
  const references = own.map(refundReference)
  const refunds = await sql<{ id: string }[]>`
    SELECT id FROM coinop.entry
    WHERE debit = 'settlement' AND reference = ANY(${references}::text[])`
  const all = [...new Set([...own, ...refunds].map(({ id }) => id))]
  return (await ledger.rows({ ids: all, limit: all.length })).map(rowToJson)
}
