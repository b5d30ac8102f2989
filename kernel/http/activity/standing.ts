/** What is open at this moment, over all instances: holds, settlements, and the instances themselves. */
import type { SqlClient } from '../../storage/contract.ts'

export interface Standing {
  holds: { open: number; amountAtomic: bigint; oldestAt: Date | null }
  settlements: { pending: number; uncertain: number; oldestAt: Date | null }
  /** Gateways on this database, told by the connection that each keeps listening on. */
  instances: { address: string | null; since: Date }[]
}

export async function standing(sql: SqlClient): Promise<Standing> {
  const [holds, settlements, instances] = await Promise.all([
    sql<{ open: number; amount: string; oldest_at: Date | null }[]>`
      SELECT count(*)::int AS open, COALESCE(sum(amount), 0)::text AS amount, min(created_at) AS oldest_at
      FROM coinop.hold WHERE state = 'authorized'`,
    sql<{ pending: number; uncertain: number; oldest_at: Date | null }[]>`
      SELECT count(*)::int AS pending, count(*) FILTER (WHERE uncertain)::int AS uncertain,
        min(created_at) AS oldest_at
      FROM plugin_x402.x402_claim WHERE state = 'settling'`,
    sql<{ address: string | null; since: Date }[]>`
      SELECT host(client_addr) AS address, backend_start AS since FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'coinop' AND query ILIKE 'listen %'
      ORDER BY backend_start LIMIT 200`,
  ])
  const [hold, settlement] = [holds[0]!, settlements[0]!]
  return {
    holds: { open: hold.open, amountAtomic: BigInt(hold.amount), oldestAt: hold.oldest_at },
    settlements: {
      pending: settlement.pending,
      uncertain: settlement.uncertain,
      oldestAt: settlement.oldest_at,
    },
    instances: [...instances],
  }
}
