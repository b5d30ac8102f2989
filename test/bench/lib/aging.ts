/** Time that passes faster for what a gateway keeps for a day: its rows are made a day older. */
import type { SqlClient } from '../../../kernel/storage/contract.ts'

/** Tables, and the columns by which their rows go. The request log has a setting of its own. */
const KEPT_A_DAY = [
  { table: 'coinop.idempotency', column: 'expires_at', lives: '24 hours' },
  { table: 'plugin_webinfra.dedupe', column: 'expires_at', lives: '24 hours' },
  { table: 'plugin_webinfra.delivery', column: 'created_at', lives: '0' },
] as const

/**
 * Makes the rows that are older than `keptMs` older by a day, once each, so that the next purge takes
 * them; how many. A row is written once more than in service before it goes.
 */
export async function ageRows(sql: SqlClient, keptMs: number): Promise<number> {
  let aged = 0
  for (const { table, column, lives } of KEPT_A_DAY) {
    const rows = await sql.unsafe(
      `UPDATE ${table} SET ${column} = ${column} - interval '24 hours'
       WHERE ${column} < now() + interval '${lives}' - make_interval(secs => $1)
         AND ${column} > now() + interval '${lives}' - interval '12 hours'`,
      [keptMs / 1000],
    )
    aged += rows.count
  }
  return aged
}
