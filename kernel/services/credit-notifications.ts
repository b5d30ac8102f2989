/**
 * Tells every instance which key got credits, so that forwards parked for want of funds wake up.
 * The NOTIFY is sent in the crediting transaction when there is one: it goes out at its commit.
 */
import type { LedgerEvents } from '../ledger/ledger.ts'
import type { Database } from '../storage/contract.ts'

const CHANNEL = 'coinop_funded'

export interface CreditNotifications extends LedgerEvents {
  onFunded(listener: (keyId: string) => void): () => void
  stop(): Promise<void>
}

/** Listens on the channel until `stop()`; the ledger's `credited` is announced on it. */
export async function openCreditNotifications(db: Database): Promise<CreditNotifications> {
  const listeners = new Set<(keyId: string) => void>()
  const unlisten = await db.listen(CHANNEL, (keyId) => {
    for (const listener of listeners) listener(keyId)
  })
  return {
    async credited(keyId, tx) {
      if (tx) await tx`SELECT pg_notify(${CHANNEL}, ${keyId})`
      else await db.notify(CHANNEL, keyId)
    },
    onFunded: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop: unlisten,
  }
}
