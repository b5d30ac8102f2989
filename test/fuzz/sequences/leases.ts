/** What a dead gateway held, ended by hand, in a database of which nothing is asked at the moment. */
import { connectDatabase } from '../../../host/database/connect.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { hurry } from '../../chaos/faults/hurry.ts'
import { patiently } from '../../chaos/patiently.ts'
import { silentLog } from '../../support/log.ts'

const BATCH = 500

/**
 * Ends what would end by itself after minutes: holds of calls and of webhooks that were under way,
 * leases of webhooks, and what `hurry` ends. Holds that callers made stay.
 */
export async function endLeases(url: string): Promise<void> {
  const db = connectDatabase({ url, kind: 'server', log: silentLog, poolSize: 1 })
  try {
    await hurry(url)
    // The living one still forwards webhooks: a statement that crosses one of its is made again.
    await patiently(async () => {
      // One that it sends just now loses its lease as well: it may come twice.
      await db.sql`
        UPDATE plugin_webinfra.forward SET lease_until = now()
        WHERE state = 'in_flight' AND lease_until > now()`
      await db.sql`
        UPDATE coinop.hold SET expires_at = now()
        WHERE state = 'authorized' AND (claim IS NULL OR path LIKE 'webhook:%')`
    })
    const ledger = createLedger(db)
    while ((await ledger.expireDue(BATCH)) === BATCH);
    await ledger.drain()
  } finally {
    await db.close()
  }
}
