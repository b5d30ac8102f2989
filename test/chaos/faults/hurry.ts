/** Time that passes at once, in a database where callers have stopped. */
import { connectDatabase } from '../../../host/database/connect.ts'
import { silentLog } from '../../support/log.ts'
import { patiently } from '../patiently.ts'

/**
 * Ends what the rows of unclear calls are given to end by themselves: deadlines of Idempotency-Keys
 * (a minute after the work), leases of x402 claims, of
 * channels that were about to be claimed and of plans whose month was about to end. `url` is where the ledger is.
 */
export async function hurry(url: string): Promise<void> {
  const db = connectDatabase({ url, kind: 'server', log: silentLog })
  try {
    await patiently(async () => {
      await db.sql`UPDATE coinop.idempotency SET deadline = now() WHERE deadline > now()`
      const [row] = await db.sql<[{ claims: string | null; plans: string | null }]>`
        SELECT to_regclass('plugin_x402.x402_claim')::text AS claims,
          to_regclass('plugin_plans.subscription')::text AS plans`
      if (row.plans !== null) {
        await db.sql`
          UPDATE plugin_plans.subscription SET lease_until = now() WHERE lease_until > now()`
      }
      if (row.claims === null) return
      await db.sql`
        UPDATE plugin_x402.x402_claim SET lease_until = now() - interval '1 second'
        WHERE state IN ('claimed', 'settling') AND lease_until > now()`
      await db.sql`UPDATE plugin_x402.x402_channel SET lease_until = now() WHERE lease_until > now()`
    })
  } finally {
    await db.close()
  }
}
