/** What the gateway needs of a payment provider: start a checkout, read a callback, ask what was paid. */
export type ProviderId = 'provider_a' | 'provider_b'

/** Money in the provider's currency, in its smallest unit (cents). */
export interface Paid {
  reference: string
  currency: string
  amountMinor: bigint
  /** The provider's id of the charge. */
  chargeId: string
  status: 'paid' | 'unpaid'
  mode: 'live' | 'test' | 'unknown'
}

/** A callback whose signature is right. */
export type Callback =
  | { kind: 'charge'; event: string; reference: string }
  | { kind: 'reversal'; event: string; notice: ReversalNotice }
  /** Signed, but nothing this gateway acts on. */
  | { kind: 'other'; event: string }
  | { kind: 'unreadable' }

/** Money that goes back to a buyer: by the merchant's refund, or by a dispute at the buyer's bank. */
export type ReversalKind = 'refund' | 'dispute'

/** What a callback says of one; which charge it is of is looked up by either of the two. */
export interface ReversalNotice {
  kind: ReversalKind
  /** The provider's id of the refund or dispute; null where the event has none. */
  id: string | null
  reference: string | null
  chargeId: string | null
}

/** One refund or dispute as the provider itself tells it. */
export interface Reversal {
  kind: ReversalKind
  id: string
  currency: string | null
  amountMinor: bigint
  /** 'gone': the merchant has the money no more; 'kept': it stays or came back; 'pending': not known. */
  state: 'gone' | 'kept' | 'pending'
  /** The dispute that a refund settles. */
  disputeId: string | null
  mode: Paid['mode']
}

export type ReversalLookup =
  | { ok: true; reversals: readonly Reversal[] }
  | { ok: false; message: string }

export type Lookup =
  | { ok: true; paid: Paid }
  | { ok: false; reason: 'unknown' | 'unreachable'; message: string }

export type ReferenceLookup =
  | { ok: true; reference: string | null }
  | { ok: false; message: string }

/** The message of a checkout that was not started is for the operator's log alone. */
export type Started = { ok: true; authorizationUrl: string } | { ok: false; message: string }

export interface Provider {
  id: ProviderId
  /** False while its secrets are not set: its webhook is closed then. */
  configured: boolean
  initialize(order: {
    reference: string
    amountMinor: bigint
    currency: string
    email: string
    callbackUrl: string
  }): Promise<Started>
  /** Whether the raw bytes carry the provider's signature; false while not configured. */
  isSigned(body: Uint8Array, headers: Headers): boolean
  read(body: Uint8Array): Callback
  /** What the provider itself says of a reference; a callback alone proves nothing. */
  lookUp(reference: string): Promise<Lookup>
  /**
   * The reference that a charge was paid under; null where the provider knows none. Missing where each
   * event about a refund or dispute names the reference itself.
   */
  referenceOf?(chargeId: string): Promise<ReferenceLookup>
  /** The refunds of a charge, or the dispute of the notice; none that is another charge's. */
  lookUpReversals(
    notice: ReversalNotice,
    charge: { reference: string; chargeId: string },
  ): Promise<ReversalLookup>
}
