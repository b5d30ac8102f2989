/**
 * Charges that a gateway owes to callers whose answers it withheld because it could not learn
 * whether they were charged. The database is unreachable at that moment, so the order to give the
 * charge back is written to the gateway's own disk before the answer promises it.
 */

/** The order to give back whatever was charged for one hold. */
export interface GiveBackOrder {
  railId: string
  holdId: string
  requestId: string
  /** The call's Idempotency-Key, whose answer is withdrawn first; null when it had none. */
  key: { scope: string; key: string } | null
}

export interface KeptOrder {
  order: GiveBackOrder
  /** Removes the order: called once the charge is undone, or once it is known to be due. */
  forget(): Promise<void>
}

export interface GiveBackJournal {
  /** Resolves once the order would survive a crash and a power cut; rejects if it cannot. */
  keep(order: GiveBackOrder): Promise<KeptOrder>
  /** Orders of other processes that are still in the journal, mostly of processes that died. */
  left(): Promise<KeptOrder[]>
}

/** Opens the journal in a folder, which is created when needed. */
export type OpenGiveBackJournal = (folder: string) => GiveBackJournal
