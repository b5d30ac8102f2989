/**
 * What a gateway owes to callers whose answers it withheld because it could not learn whether they
 * were charged. The database is away in that moment, so the order to give the charge back is kept
 * beside the gateway, before the answer says so.
 */

/** Gives back whatever was charged of one hold. */
export interface GiveBackOrder {
  railId: string
  holdId: string
  requestId: string
  /** The call's Idempotency-Key, whose answer is withdrawn first; null when it had none. */
  key: { scope: string; key: string } | null
}

export interface KeptOrder {
  order: GiveBackOrder
  /** To be called once no charge of the order stands, or once it is to stand. */
  forget(): Promise<void>
}

export interface GiveBackJournal {
  /** Resolves once the order outlives this process and a power cut; rejects where it cannot. */
  keep(order: GiveBackOrder): Promise<KeptOrder>
  /** Orders that other processes kept here and have not forgotten: those that died, mostly. */
  left(): Promise<KeptOrder[]>
}

/** The journal in a folder that need not be there yet. */
export type OpenGiveBackJournal = (folder: string) => GiveBackJournal
