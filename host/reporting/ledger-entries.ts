/** Ledger rows by id, with the refunds of the settlements among them. */
import { ledgerRowToJson, refundReference, type LedgerRowJson } from '#kernel'
import type { StatementDeps } from '#kernel/host'

/** Newest first. */
export async function entriesWithRefunds(
  { sql, ledger }: StatementDeps,
  ids: readonly string[],
): Promise<LedgerRowJson[]> {
  if (ids.length === 0) return []
  const own = await ledger.rows({ ids, limit: ids.length })
  const references = own.map(refundReference)
  const refunds = await sql<{ id: string }[]>`
    SELECT id FROM coinop.entry
    WHERE debit = 'settlement' AND reference = ANY(${references}::text[])`
  const all = [...new Set([...own, ...refunds].map(({ id }) => id))]
  return (await ledger.rows({ ids: all, limit: all.length })).map(ledgerRowToJson)
}
