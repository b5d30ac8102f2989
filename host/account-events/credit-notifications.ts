/** The NOTIFY is sent in the crediting transaction when there is one: it goes out at its commit. */
import { WHOLE_KEY, type CreditNotifications, type Database } from '#kernel/host'

const CHANNEL = 'coinop_funded'

/** Listens on the channel until `stop()`; the ledger's `credited` is announced on it. */
export async function openCreditNotifications(db: Database): Promise<CreditNotifications> {
  const listeners = new Set<(keyId: string) => void>()
  async function tell(accountId: string): Promise<void> {
    for (const keyId of await keysOf(db, accountId)) {
      for (const listener of listeners) listener(keyId)
    }
  }
  const unlisten = await db.listen(CHANNEL, (accountId) => {
    if (listeners.size === 0) return
    // A failed hint is harmless: waiting work also checks for funds on a timer.
    void tell(accountId).catch(() => {})
  })
  return {
    async credited(accountId, tx) {
      if (tx) await tx`SELECT pg_notify(${CHANNEL}, ${accountId})`
      else await db.notify(CHANNEL, accountId)
    },
    onFunded: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop: unlisten,
  }
}

async function keysOf({ sql }: Pick<Database, 'sql'>, accountId: string): Promise<string[]> {
  const rows = await sql<{ keyId: string }[]>`
    SELECT key_id AS "keyId" FROM coinop.key_spend
    WHERE account_id = ${accountId}::uuid AND scope = ${WHOLE_KEY} AND revoked_at IS NULL`
  return rows.map(({ keyId }) => keyId)
}
