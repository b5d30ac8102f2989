/** What the gateway needs of a payment provider: start a checkout, read a callback, ask what was paid. */
import type { Failure } from '#kernel'

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
  /** Signed, but nothing this gateway acts on. */
  | { kind: 'other'; event: string }
  | { kind: 'unreadable' }

export type Lookup =
  | { ok: true; paid: Paid }
  | { ok: false; reason: 'unknown' | 'unreachable'; message: string }

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
  }): Promise<{ ok: true; authorizationUrl: string } | Failure>
  /** Whether the raw bytes carry the provider's signature; false while not configured. */
  isSigned(body: Uint8Array, headers: Headers): boolean
  read(body: Uint8Array): Callback
  /** What the provider itself says of a reference; a callback alone proves nothing. */
  lookUp(reference: string): Promise<Lookup>
}
