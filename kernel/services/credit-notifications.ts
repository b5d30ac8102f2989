/**
 * Tells every instance which key got credits, so that forwards parked for want of funds wake up.
 * The NOTIFY is sent in the crediting transaction when there is one: it goes out at its commit.
 */
import type { Ledger } from '../ledger/contract.ts'
import type { Database } from '../storage/contract.ts'

const CHANNEL = 'coinop_funded'

export interface FundedChannel {
  /** The same ledger; credits and refunds are announced. */
  ledger: Ledger
  onFunded(listener: (keyId: string) => void): () => void
  stop(): Promise<void>
}

/** Wraps `ledger` and listens on the channel until `stop()`. */
export async function openFundedChannel(db: Database, ledger: Ledger): Promise<FundedChannel> {
  const listeners = new Set<(keyId: string) => void>()
  const unlisten = await db.listen(CHANNEL, (keyId) => {
    for (const listener of listeners) listener(keyId)
  })
  const announcing: Ledger = {
    authorize: (order) => ledger.authorize(order),
    capture: (order) => ledger.capture(order),
    captureIn: (tx, order) => ledger.captureIn(tx, order),
    release: (order) => ledger.release(order),
    take: (order, tx) => ledger.take(order, tx),
    recordSettlement: (order, tx) => ledger.recordSettlement(order, tx),
    isRefunded: (ledgerId) => ledger.isRefunded(ledgerId),
    balance: (keyId) => ledger.balance(keyId),
    hold: (holdId, keyId) => ledger.hold(holdId, keyId),
    holdByRequest: (keyId, requestId) => ledger.holdByRequest(keyId, requestId),
    rows: (filter) => ledger.rows(filter),
    expireDue: (limit) => ledger.expireDue(limit),
    drain: () => ledger.drain(),
    async credit(order, tx) {
      const result = await ledger.credit(order, tx)
      if (result.outcome === 'credited' && !result.duplicate) {
        await (tx ?? db.sql)`SELECT pg_notify(${CHANNEL}, ${order.keyId})`
      }
      return result
    },
    async refund(order) {
      const result = await ledger.refund(order)
      if (result.outcome === 'done') await db.notify(CHANNEL, result.hold.keyId)
      return result
    },
  }
  return {
    ledger: announcing,
    onFunded: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop: unlisten,
  }
}
